import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';

/** What the patterns of the schema mean. */
const PATTERNS: Readonly<Record<string, string>> = {
  '^[0-9a-f]{24}$': 'must have 24 hexadecimal digits',
  '^https?://.+': 'must begin with https:// or http://',
  [String.raw`\S`]: 'must not be empty',
};

function isExpression(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}

/** `/servers/0/way` as `servers[0].way`. */
const nameOf = (pointer: string): string =>
  pointer
    .slice(1)
    .replaceAll(/\/(\d+)/g, '[$1]')
    .replaceAll('/', '.');

/** One sentence for an owner; null: another one says it. */
function sentenceOf({
  keyword,
  instancePath,
  schemaPath,
  params,
  parentSchema,
  data,
  message,
}: ErrorObject): string | null {
  const name = nameOf(instancePath);
  const within = (field: unknown): string => (name === '' ? String(field) : `${name}.${String(field)}`);
  const { minimum, maximum, oneOf, anyOf, description } = (parentSchema ?? {}) as Record<string, unknown>;
  switch (keyword) {
    case 'required':
      return schemaPath.includes('/anyOf/') ? null : `${within(params['missingProperty'])} is required`;
    case 'anyOf': {
      const fields = (anyOf as { required: string[] }[]).flatMap(({ required }) => required);
      return `${within(fields[0])} is required, or ${within(fields[1])}`;
    }
    case 'additionalProperties':
      return `${name === '' ? 'The configuration' : name} has the unknown field ${String(params['additionalProperty'])}`;
    case 'enum':
      return `${name} must be one of ${(params['allowedValues'] as string[]).join(', ')}`;
    case 'discriminator': {
      const types = (oneOf as { properties: { type: { const: string } } }[]).map(
        ({ properties }) => properties.type.const,
      );
      return `${name}.type must be one of ${types.join(', ')}`;
    }
    case 'pattern':
      return `${name} ${PATTERNS[params['pattern'] as string] ?? String(message)}`;
    case 'format':
      return `${name} is ${String(data)}, which is no regular expression`;
    case 'minItems':
      return `${name} must not be empty`;
    case 'minimum':
    case 'maximum':
      return `${name} must be between ${String(minimum)} and ${String(maximum)}`;
    default:
      return `${name === '' ? 'The configuration' : name} ${String(message)}${typeof description === 'string' ? `: ${description}` : ''}`;
  }
}

/** What is wrong with a configuration, one sentence for each problem. It fills in the defaults of the schema. */
export function configProblems(schema: object, config: unknown): string[] {
  const ajv = new Ajv2020({ allErrors: true, useDefaults: true, discriminator: true, verbose: true, strict: false });
  ajv.addFormat('regex', isExpression);
  const validate = ajv.compile(schema);
  if (validate(config)) return [];
  return (validate.errors ?? []).map(sentenceOf).filter((sentence) => sentence !== null);
}
