import { describe, expect, it } from '@jest/globals';
import { type OpenAPIObject } from '@nestjs/swagger';
import { toOpenApi31 } from './openapi-31.js';

function schemasOf(schemas: Record<string, unknown>): Record<string, unknown> {
  const document = { openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: {}, components: { schemas } };
  return toOpenApi31(document as unknown as OpenAPIObject).components.schemas;
}
const convert = (schema: unknown): unknown => schemasOf({ It: { oneOf: [schema] } })['It'];
const converted = (schema: unknown): unknown => (convert(schema) as { oneOf: unknown[] }).oneOf[0];

describe('toOpenApi31', () => {
  it.each([
    ['a nullable type', { type: 'string', nullable: true, maxLength: 3 }, { type: ['string', 'null'], maxLength: 3 }],
    ['a type that is not nullable', { type: 'string', nullable: false }, { type: 'string', nullable: false }],
    [
      'a nullable choice',
      { type: 'string', enum: ['a'], nullable: true },
      { type: ['string', 'null'], enum: ['a', null] },
    ],
    [
      'a nullable reference',
      { nullable: true, allOf: [{ $ref: '#/x' }], description: 'D', example: null },
      { anyOf: [{ $ref: '#/x' }, { type: 'null' }], description: 'D', example: null },
    ],
    ['a bare nullable reference', { nullable: true, $ref: '#/x' }, { anyOf: [{ $ref: '#/x' }, { type: 'null' }] }],
    [
      'something nullable inside',
      { type: 'array', items: { type: 'number', nullable: true } },
      { type: 'array', items: { type: ['number', 'null'] } },
    ],
  ])('turns %s into 3.1', (_name, schema, expected) => {
    const { nullable: _, ...wanted } = expected as { nullable?: boolean };
    const { nullable: left, ...rest } = converted(schema) as { nullable?: boolean };
    expect(rest).toEqual(wanted);
    expect(left === true).toBe(false);
  });

  it('leaves the given document unchanged', () => {
    const schema = Object.freeze({
      type: 'object',
      properties: Object.freeze({ a: Object.freeze({ type: 'string', nullable: true }) }),
    });
    expect(schemasOf({ A: schema })['A']).toMatchObject({ properties: { a: { type: ['string', 'null'] } } });
    expect(schema.properties.a.nullable).toBe(true);
  });

  it('keeps a property with the name nullable', () => {
    const properties = { nullable: { type: 'boolean' } };
    expect(schemasOf({ A: { type: 'object', properties } })['A']).toMatchObject({ properties });
  });
});
