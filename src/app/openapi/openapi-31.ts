import { type OpenAPIObject } from '@nestjs/swagger';
import { type ApiDocument, isObject, type Json } from './api-document.js';

/** OpenAPI 3.0 has `nullable: true`. OpenAPI 3.1 is JSON Schema, where null is one of the types. */
function withoutNullable({ nullable, ...schema }: { [key: string]: Json }): { [key: string]: Json } {
  if (nullable !== true) return schema;
  if (typeof schema['type'] === 'string') {
    const nullableType = { ...schema, type: [schema['type'], 'null'] };
    return Array.isArray(schema['enum']) ? { ...nullableType, enum: [...schema['enum'], null] } : nullableType;
  }
  const { description, example, ...rest } = schema;
  return {
    anyOf: [...(Array.isArray(rest['allOf']) ? rest['allOf'] : [rest]), { type: 'null' }],
    ...(description === undefined ? {} : { description }),
    ...(example === undefined ? {} : { example }),
  };
}

function convert(value: Json): Json {
  if (Array.isArray(value)) return value.map(convert);
  if (!isObject(value)) return value;
  const converted = Object.fromEntries(Object.entries(value).map(([key, child]) => [key, convert(child)]));
  return typeof converted['nullable'] === 'boolean' ? withoutNullable(converted) : converted;
}

/** Converts the generator's OpenAPI 3.0 to 3.1. */
export function toOpenApi31(document: OpenAPIObject): ApiDocument {
  const converted = convert(JSON.parse(JSON.stringify(document)) as Json) as ApiDocument;
  converted.webhooks = {};
  return converted;
}
