/** A value of a JSON document. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

export interface Parameter extends JsonObject {
  name: string;
  in: string;
  schema: JsonObject;
}
export interface Operation extends JsonObject {
  operationId: string;
  description: string;
  tags: string[];
  parameters: Parameter[];
  responses: Record<string, JsonObject>;
}
/** The document as the generator of Nest builds it, in the form of OpenAPI 3.1. */
export interface ApiDocument extends JsonObject {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonObject>; [section: string]: JsonObject };
}

/** What the whole document promises. It keeps the promise by changing the given document. */
export type DocumentRule = (document: ApiDocument) => void;

const SCHEMAS = '#/components/schemas/';

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const referenceTo = (name: string): { $ref: string } => ({ $ref: `${SCHEMAS}${name}` });

/** The name of the schema that a reference stands for; null: it is another value. */
export function referredName(schema: Json | undefined): string | null {
  const reference = isObject(schema) ? schema['$ref'] : undefined;
  return typeof reference === 'string' && reference.startsWith(SCHEMAS) ? reference.slice(SCHEMAS.length) : null;
}

/** `OrderDto` and `order.paid` as parts of other names: `Order`, `OrderPaid`. */
export function nameFrom(name: string): string {
  return name.replace(/Dto$/, '').replaceAll(/(?:^|[._-])(\w)/g, (_all, letter: string) => letter.toUpperCase());
}

/** Every operation that clients call, with its method and the path under which it stands. */
export function* operationsOf({ paths }: ApiDocument): Generator<[path: string, method: string, Operation]> {
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) yield [path, method, operation];
  }
}

/** Visits all objects in a value, the inner ones first. */
export function visitObjects(value: Json | undefined, visit: (object: JsonObject) => void): void {
  if (Array.isArray(value)) {
    for (const entry of value) visitObjects(entry, visit);
  } else if (isObject(value)) {
    for (const entry of Object.values(value)) visitObjects(entry, visit);
    visit(value);
  }
}

/** The names of the schemas that a part of the document uses, directly and through others. */
export function schemasUsedBy({ components }: ApiDocument, part: Json): Set<string> {
  const names = new Set<string>();
  const collect = (value: Json | undefined): void => {
    visitObjects(value, (object) => {
      const name = referredName(object);
      if (name === null || names.has(name)) return;
      names.add(name);
      collect(components.schemas[name]);
    });
  };
  collect(part);
  return names;
}

/** Adds a schema under a name that no other schema has yet. */
export function addSchema({ components }: ApiDocument, name: string, schema: JsonObject): { $ref: string } {
  if (name in components.schemas) throw new Error(`The OpenAPI document has two schemas with the name ${name}`);
  components.schemas[name] = schema;
  return referenceTo(name);
}
