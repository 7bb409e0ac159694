import {
  addSchema,
  type ApiDocument,
  type DocumentRule,
  type Json,
  type JsonObject,
  referenceTo,
  schemasUsedBy,
  visitObjects,
} from './api-document.js';
import { FIXED_LISTS, NAMED_LISTS } from './list-names.js';

type List = JsonObject & { enum: Json[] };

const keyOf = (values: readonly Json[]): string => JSON.stringify(values.filter((value) => value !== null));
const hasList = (schema: JsonObject): schema is List =>
  Array.isArray(schema['enum']) && (schema['type'] === 'string' || Array.isArray(schema['type']));

/** The values of the lists by the names of `list-names.ts`, which names the field or parameter where each stands. */
function namesByValues(document: ApiDocument): Map<string, string> {
  const names = new Map<string, string>();
  for (const [name, position] of Object.entries(NAMED_LISTS)) {
    const values = keyOf(valuesAt(document, position));
    const other = names.get(values);
    if (other !== undefined) throw new Error(`${name} and ${other} in list-names.ts have the same values`);
    names.set(values, name);
  }
  return names;
}

function valuesAt({ paths, components }: ApiDocument, position: readonly [string, string, string?]): readonly Json[] {
  const [first, second, parameter] = position;
  const schema =
    parameter === undefined
      ? (components.schemas[first]?.['properties'] as Record<string, JsonObject> | undefined)?.[second]
      : paths[second]?.[first]?.parameters.find(({ name }) => name === parameter)?.schema;
  const list = (schema?.['items'] ?? schema) as JsonObject | undefined;
  if (list === undefined || !hasList(list))
    throw new Error(`list-names.ts: ${position.join(' ')} has no list of values`);
  return list.enum;
}

/**
 * Each list of values has a name. What the service returns may have more values one day: such a list is a string with
 * `x-extensible-enum`, which every generator reads as a string, so that no client breaks at a new value. A list in a request stays an
 * `enum`, because every other value is rejected; when both exist, its name ends with `Input`.
 */
export const namedLists: DocumentRule = (document) => {
  const { paths, webhooks, components } = document;
  const names = namesByValues(document);
  const responses = Object.values(paths).flatMap((methods) => Object.values(methods).map((one) => one.responses));
  const returned = schemasUsedBy(document, [...responses, webhooks] as Json);
  const open = new Set<string>();
  visitObjects(
    [...returned].map((name) => components.schemas[name] ?? {}),
    (schema) => {
      if (hasList(schema)) open.add(keyOf(schema.enum));
    },
  );

  const replace = (schema: JsonObject, isReturned: boolean): void => {
    if (!hasList(schema)) return;
    const values = schema.enum.filter((value) => value !== null);
    const key = keyOf(values);
    const listName = names.get(key);
    const mayGrow = isReturned && !(listName !== undefined && FIXED_LISTS.includes(listName));
    const list = { type: 'string', [mayGrow ? 'x-extensible-enum' : 'enum']: values };
    const isNullable = Array.isArray(schema['type']);
    if (listName === undefined) {
      if (!mayGrow) return;
      const { enum: _, ...rest } = schema;
      Object.assign(schema, { ...rest, 'x-extensible-enum': values });
      delete (schema as JsonObject)['enum'];
      return;
    }
    const name = !isReturned && open.has(key) && !FIXED_LISTS.includes(listName) ? `${listName}Input` : listName;
    if (!(name in components.schemas)) {
      addSchema(document, name, { ...list, description: descriptionOf(values, mayGrow) });
    }
    delete (schema as JsonObject)['enum'];
    delete schema['type'];
    Object.assign(schema, isNullable ? { anyOf: [referenceTo(name), { type: 'null' }] } : referenceTo(name));
  };

  for (const [name, schema] of Object.entries(components.schemas)) {
    visitObjects(schema, (object) => replace(object, returned.has(name)));
  }
  visitObjects(paths, (object) => replace(object, false));
};

const MANY = 12;

function descriptionOf(values: readonly Json[], mayGrow: boolean): string {
  const listed = values
    .slice(0, MANY)
    .map((value) => `\`${value as string}\``)
    .join(', ');
  const sentence = `${listed}${values.length > MANY ? ' and others' : ''}.`;
  return mayGrow ? `${sentence} The list may grow: clients must accept other values.` : `One of ${sentence}`;
}
