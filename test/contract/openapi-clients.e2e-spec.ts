import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { ERROR_CATALOGUE } from '../../src/domain/errors/error-catalogue.js';
import { SHOP_EVENT_TYPES } from '../../src/events/shop-events/shop-event.types.js';
import { ENDPOINTS } from './contract.js';

interface Schema {
  readonly [key: string]: unknown;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly maximum?: number;
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly $ref?: string;
  readonly discriminator?: { readonly propertyName: string; readonly mapping: Readonly<Record<string, string>> };
}
interface Operation {
  readonly 'x-error-codes': readonly string[];
  readonly description: string;
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly security?: readonly object[];
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, Response>>;
}
interface Response {
  readonly $ref?: string;
  readonly headers: Readonly<Record<string, { readonly $ref?: string; readonly schema?: Schema }>>;
  readonly content?: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;
}
interface Document {
  readonly 'x-error-codes': readonly string[];
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly 'x-tagGroups': readonly { readonly tags: readonly string[] }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly headers: Readonly<Record<string, object>>;
  };
}

/** The document that `test/setup/global-setup.js` has read from the service. */
let document: Document;
let operations: readonly (readonly [path: string, name: string, operation: Operation])[];
/** Every schema with the way to it, and those inside it. */
let schemas: readonly (readonly [path: string, schema: Schema])[];

beforeAll(() => {
  document = JSON.parse(readFileSync(process.env['TEST_OPENAPI_FILE'] ?? '', 'utf8')) as Document;
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [path, `${method} ${path}`, operation] as const),
  );
  schemas = [
    ...schemasIn('', document.components.schemas),
    ...operations.flatMap(([, name, { parameters, requestBody, responses }]) =>
      schemasIn(name, { parameters, requestBody, responses }),
    ),
  ];
});

/** Examples are values, not schemas. */
const NO_SCHEMA = new Set(['example', 'examples', 'default', 'enum', 'mapping']);

function schemasIn(path: string, value: unknown): [string, Schema][] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.entries(value)
    .filter(([key]) => !NO_SCHEMA.has(key))
    .flatMap(([key, child]) => schemasIn(`${path}/${key}`, child));
  return [[path, value as Schema], ...inside];
}

/** The names of the schemas that a part of the document uses, directly and through others. */
function schemasUsedBy(part: unknown): string[] {
  const names = new Set<string>();
  const collect = (value: unknown): void => {
    for (const [, { $ref }] of schemasIn('', value)) {
      const name = $ref?.split('/').at(-1);
      if (name === undefined || names.has(name)) continue;
      names.add(name);
      collect(document.components.schemas[name]);
    }
  };
  collect(part);
  return [...names];
}
const usedSchemas = (): { requestBodies: string[]; returned: string[] } => ({
  requestBodies: schemasUsedBy(operations.map(([, , { requestBody }]) => requestBody)),
  returned: schemasUsedBy([operations.map(([, , { responses }]) => responses), document.webhooks]),
});

const has = (schema: Schema, type: string): boolean => [schema.type].flat().includes(type);
/** Where a schema is that a promise excludes. */
const pathsOf = (isWrong: (schema: Schema) => boolean): string[] =>
  schemas.filter(([, schema]) => isWrong(schema)).map(([path]) => path);
const requestsAndResponses = (): Schema[] =>
  operations.flatMap(([, , { requestBody, responses }]) =>
    [requestBody, ...Object.values(responses)].flatMap((part) =>
      Object.entries(part?.content ?? {}).flatMap(([type, { schema }]) =>
        type === 'application/json' ? [schema] : [],
      ),
    ),
  );

describe('The OpenAPI document, for generators of clients,', () => {
  it('lists path parameters first, in the order of the path', () => {
    const wrong = operations.filter(([path, , { parameters }]) => {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      return parameters.slice(0, inPath.length).some(({ name, in: position }, at) => {
        return position !== 'path' || name !== inPath[at];
      });
    });
    expect(operations.length).toBeGreaterThan(160);
    expect(wrong.map(([, name]) => name)).toEqual([]);
  });

  it('has events under a tag of their own, with named payloads and a union by their type', () => {
    const webhooks = Object.entries(document.webhooks);
    expect(webhooks.map(([type]) => type)).toEqual(SHOP_EVENT_TYPES);
    expect(new Set(webhooks.flatMap(([, { post }]) => post.tags))).toEqual(new Set(['Events']));
    expect(operations.filter(([, , { tags }]) => tags.includes('Events'))).toEqual([]);
    const payloads = webhooks.map(([type, { post }]) => [
      type,
      post.requestBody?.content['application/json']?.schema.$ref,
    ]);
    const { oneOf, discriminator } = document.components.schemas['ShopEvent'] ?? {};
    expect(discriminator).toEqual({ propertyName: 'type', mapping: Object.fromEntries(payloads) as object });
    expect(oneOf).toEqual(payloads.map(([, $ref]) => ({ $ref })));
    expect(new Set(payloads.map(([, $ref]) => $ref)).size).toBe(SHOP_EVENT_TYPES.length);
  });

  it('has no choice without a discriminator, except null', () => {
    expect(pathsOf(({ oneOf, discriminator }) => oneOf !== undefined && discriminator === undefined)).toEqual([]);
    expect(pathsOf(({ anyOf }) => anyOf !== undefined && (anyOf.length !== 2 || anyOf[1]?.type !== 'null'))).toEqual(
      [],
    );
  });

  it('declares numbers as double, and whole numbers above 2^31 as int64', () => {
    expect(pathsOf((schema) => has(schema, 'number') && schema.format !== 'double')).toEqual([]);
    const isLong = ({ maximum = 0 }: Schema): boolean => maximum >= 2 ** 31;
    expect(pathsOf((schema) => has(schema, 'integer') && isLong(schema) !== (schema.format === 'int64'))).toEqual([]);
  });

  it('has a type beside each format, and neither pattern nor length beside a date-time', () => {
    expect(pathsOf(({ format, type }) => typeof format === 'string' && type === undefined)).toEqual([]);
    const limited = (schema: Schema): boolean => 'pattern' in schema || 'minLength' in schema || 'maxLength' in schema;
    expect(pathsOf((schema) => schema.format === 'date-time' && limited(schema))).toEqual([]);
  });

  it('has no pattern with a class of Unicode', () => {
    expect(pathsOf(({ pattern }) => typeof pattern === 'string' && /\\p\{/i.test(pattern))).toEqual([]);
  });

  it('declares success as a plain boolean', () => {
    const envelopes = schemas.filter(([path]) => path.endsWith('/properties/success'));
    expect(envelopes.length).toBeGreaterThan(90);
    expect(new Set(envelopes.map(([, { type, enum: values }]) => JSON.stringify([type, values])))).toEqual(
      new Set(['["boolean",null]']),
    );
  });

  it('has a name for each body and each list of values (list-names.ts), and one list under each name', () => {
    expect(requestsAndResponses().filter(({ $ref }) => $ref === undefined)).toEqual([]);
    const values = (schema: Schema): unknown => schema.enum ?? schema['x-extensible-enum'];
    const unnamed = schemas.filter(([path, schema]) => {
      const list = values(schema);
      return Array.isArray(list) && list.length > 1 && !/^\/\w+$/.test(path);
    });
    expect(unnamed.map(([path]) => path)).toEqual([]);
  });

  it('leaves every list of values that the service returns open, except those that never grow', () => {
    const closed = usedSchemas().returned.filter((name) => document.components.schemas[name]?.enum !== undefined);
    expect(closed.sort()).toEqual(['ApiKeyAction', 'PaymentMode', 'ReviewDecision']);
    const inline = schemas.filter(([path, { enum: values }]) => values?.length === 1 && !/^\/\w+Event\//.test(path));
    expect(inline.map(([path]) => path)).toEqual([]);
  });

  it('has no schema with the name that oapi-codegen gives to a part of an operation', () => {
    const parts = operations.flatMap(([, , { operationId }]) => {
      const name = operationId.replaceAll(/(?:^|_)(\w)/g, (_all, letter: string) => letter.toUpperCase());
      return [`${name}Response`, `${name}Params`, `${name}JSONRequestBody`];
    });
    expect(parts.filter((name) => name in document.components.schemas)).toEqual([]);
  });

  it('closes the objects of requests and leaves those that the service returns open: responses may get more fields', () => {
    const { requestBodies, returned } = usedSchemas();
    const closed = (name: string): boolean => document.components.schemas[name]?.['additionalProperties'] === false;
    const ofRequests = requestBodies.filter((name) => document.components.schemas[name]?.type === 'object');
    expect(ofRequests.filter((name) => !closed(name) && !returned.includes(name))).toEqual([]);
    expect(returned.filter(closed)).toEqual([]);
    expect(ofRequests.length).toBeGreaterThan(60);
    expect(pathsOf((schema) => schema['additionalProperties'] === false).every((path) => /^\/\w+$/.test(path))).toBe(
      true,
    );
  });

  it('says of each operation which credentials it takes', () => {
    const all = [
      ...operations.map(([, , operation]) => operation),
      ...Object.values(document.webhooks).map(({ post }) => post),
    ];
    expect(all.filter(({ security }) => security === undefined).map(({ operationId }) => operationId)).toEqual([]);
  });

  it('describes each tag, in one group each, and has a relative server', () => {
    const used = new Set(operations.flatMap(([, , { tags }]) => tags).concat('Events'));
    expect(document.tags.map(({ name }) => name).sort()).toEqual([...used].sort());
    expect(document.tags.filter(({ description }) => description === '')).toEqual([]);
    expect(document['x-tagGroups'].flatMap(({ tags }) => tags)).toEqual(document.tags.map(({ name }) => name));
    expect(document.servers.map(({ url }) => url)).toEqual(['/']);
  });

  it('documents the headers of each response, and what else an operation may return except those of the contract', () => {
    const { responses } = document.components;
    const named = (status: string): string[] => Object.keys(responses[`Error${status}`]?.headers ?? {});
    expect(named('400')).toEqual(
      expect.arrayContaining(['X-Error-Code', 'X-Error-Fields', 'RateLimit', 'X-Request-Id']),
    );
    expect([named('429').includes('Retry-After'), named('412').includes('ETag')]).toEqual([true, true]);
    const ofLists = operations.filter(([, , { parameters }]) => parameters.some(({ name }) => name === 'cursor'));
    expect(ofLists.length).toBeGreaterThan(15);
    const ofPage = ['Link', 'X-Total-Count'];
    const isBare = ({ responses }: Operation) => ofPage.some((name) => responses['200']?.headers[name] === undefined);
    expect(ofLists.filter(([, , one]) => isBare(one)).map(([, name]) => name)).toEqual([]);
    const withoutDefault = operations.filter(([, , one]) => one.responses['default'] === undefined);
    expect(withoutDefault.map(([, name]) => name).sort()).toEqual(
      ENDPOINTS.map(({ method, path }) => `${method} ${path}`).sort(),
    );
  });

  it('lists the codes of each error status as the catalogue has them', () => {
    for (const [name, { headers }] of Object.entries(document.components.responses)) {
      const status = Number(name.replace('Error', ''));
      const codes = Object.entries(ERROR_CATALOGUE).filter(([, one]) => status === 0 || one.status === status);
      expect(headers['X-Error-Code']?.schema?.['x-extensible-enum']).toEqual(codes.map(([code]) => code));
    }
  });

  it('lists for each operation codes of the catalogue whose statuses it documents, and once those of any operation', () => {
    const statusOf = (code: string): number => ERROR_CATALOGUE[code as keyof typeof ERROR_CATALOGUE].status;
    const wrong = operations.flatMap(([, name, { responses, description, 'x-error-codes': codes }]) =>
      codes
        .filter(
          (code) => (statusOf(code) < 500 && !(statusOf(code) in responses)) || !description.includes(`\`${code}\``),
        )
        .map((code) => `${name}: ${code}`),
    );
    expect(wrong).toEqual([]);
    const [one] = operations.filter(([, name]) => name === 'get /api/v2/discounts/{shopId}/{discountId}');
    expect(one?.[2]['x-error-codes']).toEqual([
      ...['validation_failed', 'malformed_id', 'two_credentials', 'authentication_required', 'permission_missing'],
      ...['shop_access_denied', 'server_access_denied', 'public_view_missing', 'address_not_allowed', 'shop_not_found'],
      ...['discount_not_found', 'rate_limited', 'too_many_at_once'],
    ]);
    const anywhere = new Set([
      ...document['x-error-codes'],
      ...operations.flatMap(([, , one]) => one['x-error-codes']),
    ]);
    // The document has neither pages nor test payments.
    const ofPages = ['form_rejected', 'cookie_required', 'page_not_found', 'payment_not_found'];
    expect(
      Object.keys(ERROR_CATALOGUE)
        .filter((code) => !anywhere.has(code))
        .sort(),
    ).toEqual(ofPages.sort());
  });

  it('has an example of each JSON response, which its schema accepts', () => {
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv);
    ajv.addKeyword({ keyword: 'x-extensible-enum', macro: (values: unknown[]) => ({ enum: values }) });
    ajv.addSchema({ $id: 'api', components: document.components });
    const named = Object.entries(document.components.responses);
    const all = [
      ...named,
      ...operations.flatMap(([, name, { responses }]) => {
        const ok = responses['200'];
        return ok === undefined ? [] : [[name, ok] as const];
      }),
    ];
    const wrong = all.flatMap(([name, { content }]) => {
      const json = content?.['application/json'];
      if (json === undefined) return [];
      const isValid = ajv.validate({ $ref: `api${json.schema.$ref ?? ''}` }, json.example);
      return isValid ? [] : [`${name}: ${ajv.errorsText()}`];
    });
    expect(wrong).toEqual([]);
  });
});
