import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { type Response } from 'supertest';

interface Operation {
  readonly responses: Readonly<Record<string, { readonly content?: unknown }>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: object;
}

/** Any operation may return these. The document describes them once for the whole API. */
const GENERAL = [405, 408, 413, 415, 417, 429, 500, 503];
const ERROR_ENVELOPE = 'api#/components/schemas/ErrorEnvelope';

/** Read when the first response is checked: global-setup writes the file. */
let document: Document | undefined;
let ajv: Ajv2020;
const validators = new Map<string, ValidateFunction>();

function load(): Document {
  if (document !== undefined) return document;
  const file = process.env['TEST_OPENAPI_FILE'];
  if (file === undefined) throw new Error('TEST_OPENAPI_FILE is missing: the global setup did not run');
  document = JSON.parse(readFileSync(file, 'utf8')) as Document;
  ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema({ $id: 'api', ...document });
  return document;
}

function validatorOf(reference: string): ValidateFunction {
  const known = validators.get(reference) ?? ajv.compile({ $ref: reference });
  validators.set(reference, known);
  return known;
}

/** The path of the document that a request belongs to: of several, the one with the fewest parameters. */
function templateOf(method: string, path: string): string | undefined {
  const segments = path.split('/');
  const parameters = (template: string): number => template.split('{').length;
  return Object.entries(load().paths)
    .filter(([, operations]) => method in operations)
    .map(([template]) => template)
    .filter((template) => {
      const parts = template.split('/');
      return (
        parts.length === segments.length && parts.every((part, at) => part.startsWith('{') || part === segments[at])
      );
    })
    .sort((left, right) => parameters(left) - parameters(right))[0];
}

/** Escapes a key for a JSON pointer in a URI fragment (RFC 6901). */
const escaped = (key: string): string => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));

function referenceFor(method: string, path: string, status: number): string {
  const template = templateOf(method, path);
  const operation = template === undefined ? undefined : load().paths[template]?.[method];
  if (template === undefined || operation === undefined || GENERAL.includes(status)) return ERROR_ENVELOPE;
  if (operation.responses[status] === undefined) {
    throw new Error(`${method.toUpperCase()} ${template} returned ${status}, which the OpenAPI document does not name`);
  }
  return `api#/paths/${escaped(template)}/${method}/responses/${status}/content/application~1json/schema`;
}

/**
 * Checks a JSON response against the OpenAPI document: its status is documented, and its body follows the schema.
 * @param path with the prefix `/api/v2`, and without the query
 * @throws Error that names what differs
 */
export function requireDocumented(method: string, path: string, { status, body, type }: Response): void {
  if (type !== 'application/json' || path.endsWith('/openapi.json')) return;
  const reference = referenceFor(method, path, status);
  const validate = validatorOf(reference);
  if (!validate(body)) {
    throw new Error(
      `The response to ${method.toUpperCase()} ${path} (${status}) is not as documented: ${ajv.errorsText(validate.errors)}\n` +
        JSON.stringify(body, null, 2),
    );
  }
}
