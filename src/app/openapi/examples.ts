import { type ApiDocument, isObject, type Json, type JsonObject, referredName } from './api-document.js';

/** An example of a value, made of the examples of its fields. Null: neither the schema nor its fields have one. */
export function exampleOf(document: ApiDocument, schema: Json | undefined): Json {
  if (!isObject(schema)) return null;
  if (schema['example'] !== undefined) return schema['example'];
  const name = referredName(schema);
  if (name !== null) return exampleOf(document, document.components.schemas[name]);
  if (schema['type'] === 'array') return [exampleOf(document, schema['items'])];
  const { properties } = schema;
  return isObject(properties) ? exampleOfFields(document, properties) : null;
}

function exampleOfFields(document: ApiDocument, properties: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(properties).map(([field, schema]) => [field, exampleOf(document, schema)]));
}
