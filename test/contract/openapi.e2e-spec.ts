import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { type Method } from '../support/client.js';
import { expectError } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import * as contract from './contract.js';

interface Schema {
  type?: string | string[];
  $ref?: string;
  description?: string;
  default?: unknown;
  example?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
}
interface Operation {
  operationId?: string;
  tags?: string[];
  summary?: string;
  description?: string;
  security?: Record<string, string[]>[];
  parameters?: { name: string; in: string; description?: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, Response>;
}
/** In the document, what has a name is a reference to it. */
interface Response {
  $ref?: string;
  description: string;
  content?: Record<string, { schema: Schema }>;
}
interface Document {
  openapi: string;
  info: { version: string };
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    responses: Record<string, Response>;
    securitySchemes: Record<string, Record<string, string>>;
  };
}

const SECURITY: Record<contract.Credential, object[]> = {
  'apiKey or bearer': [{ apiKey: [] }, { bearer: [] }],
  bearer: [{ bearer: [] }],
  none: [],
};

/** The anchors of `PageLinks.operation`. A row is never removed. */
const LINKED_BY_EMAILS = [
  ...['Orders/StaffOrders_list', 'Orders/StaffOrders_resolve', 'Orders/DeliveryDecisions_decide'],
  ...['Payments/Refunds_create', 'Payments/PaymentEvents_list'],
  ...['Payments/PaymentProviders_configure', 'Payments/PaymentProviders_check'],
];

describe('The OpenAPI document', () => {
  let app: TestApp;
  let document: Document;

  const operations = (): [name: string, operation: Operation][] =>
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]): [string, Operation] => [
        `${method.toUpperCase()} ${path}`,
        operation,
      ]),
    );
  const resolve = (schema: Schema): Schema =>
    schema.$ref === undefined ? schema : (document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});
  const jsonSchemaOf = (operation: Operation | undefined, status: string): Schema =>
    operation?.responses[status]?.content?.['application/json']?.schema ?? {};

  beforeAll(async () => {
    app = await startTestApp();
    document = (await app.api.get('/openapi.json')).body as Document;
    for (const [, { responses }] of operations()) {
      for (const [status, { $ref }] of Object.entries(responses)) {
        const named = document.components.responses[$ref?.split('/').at(-1) ?? ''];
        if (named !== undefined) responses[status] = named;
      }
    }
  });
  afterAll(() => app.close());

  it('declares OpenAPI 3.1, the version, and the two schemes of the contract', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.info.version).toBe(contract.VERSION);
    expect(document.components.securitySchemes).toMatchObject({
      apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
    });
  });

  it('lets caches keep the document, and returns 304 for a matching If-None-Match', async () => {
    const { headers } = await app.api.get('/openapi.json');
    expect([headers['content-type'], headers['cache-control']]).toEqual([
      'application/json; charset=utf-8',
      'public, max-age=300',
    ]);
    const again = await app.api.get('/openapi.json', { headers: { 'If-None-Match': String(headers['etag']) } });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('serves the document as pages too', async () => {
    const response = await app.api.get('/docs');
    expect(response.status).toBe(200);
    const policy = String(response.headers['content-security-policy']);
    expect(policy).toContain("script-src 'self'; style-src 'self';");
    const files = [...response.text.matchAll(/(?:src|href)="(docs\/[^"]+)"/g)].map(([, path = '']) => `/${path}`);
    expect(files).toHaveLength(4);
    const contents = new Set([response.text]);
    for (const file of files) {
      const { status, text } = await app.api.get(file);
      expect([file, status]).toEqual([file, 200]);
      contents.add(text);
    }
    expect(contents.size).toBe(files.length + 1);
    expect(response.text).not.toMatch(/<style|<script>|https?:/);
  });

  it('serves llms.txt and each page that it links to as text', async () => {
    const { text: index } = await app.api.get('/docs/llms.txt');
    const links = [...index.matchAll(/\]\((.*?)\)/g)].map(([, path = '']) => path);
    expect(links).toEqual(expect.arrayContaining(['docs/receive-events.md', 'docs/connect-a-payment-system.md']));
    for (const path of links) {
      const { status, type, text } = await app.api.get(`/docs/${path}`);
      expect([path, status, type]).toEqual([path, 200, 'text/plain']);
      expect(text).toMatch(/^# /);
    }
  });

  it('has every operation to which an email ever linked, with the tag of the link: emails stay in mailboxes', () => {
    const tagged = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ tags = [], operationId }) => tags.map((tag) => `${tag}/${operationId}`)),
    );
    expect(tagged).toEqual(expect.arrayContaining(LINKED_BY_EMAILS));
  });

  describe.each(contract.ENDPOINTS)('contract $number: $method $path', (endpoint) => {
    const operation = (): Operation | undefined => document.paths[endpoint.path]?.[endpoint.method];

    it('documents the credential of the contract', () => {
      expect(operation()?.security ?? []).toEqual(SECURITY[endpoint.credential]);
    });

    it('documents 200 and as many distinct errors as the contract', () => {
      const statuses = Object.keys(operation()?.responses ?? {});
      expect(statuses.filter((status) => status.startsWith('2'))).toEqual(['200']);
      expect(statuses.filter((status) => status.startsWith('4'))).toHaveLength(endpoint.errors);
      expect(statuses).toHaveLength(endpoint.errors + 1);
    });

    it('returns the data of the contract in the envelope', () => {
      const envelope = resolve(jsonSchemaOf(operation(), '200'));
      expect(Object.keys(envelope.properties ?? {}).sort()).toEqual([...contract.SUCCESS_ENVELOPE].sort());
      expect([...(envelope.required ?? [])].sort()).toEqual([...contract.SUCCESS_ENVELOPE].sort());
      expect(resolve(envelope.properties?.['data'] ?? {}).type).toBe(endpoint.data);
    });

    it('returns every error in the error envelope', () => {
      for (const status of Object.keys(operation()?.responses ?? {}).filter((code) => code !== '200')) {
        const envelope = resolve(jsonSchemaOf(operation(), status));
        expect(Object.keys(envelope.properties ?? {}).sort()).toEqual([...contract.ERROR_ENVELOPE].sort());
        expect([...(envelope.required ?? [])].sort()).toEqual([...contract.ERROR_ENVELOPE].sort());
      }
    });

    it('accepts the fields of the contract, as JSON', () => {
      const content = operation()?.requestBody?.content ?? {};
      const body = resolve(content['application/json']?.schema ?? {});
      expect(Object.keys(body.properties ?? {}).sort()).toEqual([...(endpoint.request ?? [])].sort());
    });
  });

  it('gives the team list the meanings of the contract', () => {
    const { responses } = document.paths['/api/v2/shops/{shopId}/team']?.['get'] ?? { responses: {} };
    const meanings = Object.entries(responses).filter(([status]) => status !== '200');
    expect(Object.fromEntries(meanings.map(([status, { description }]) => [status, description]))).toEqual(
      contract.TEAM_ERRORS,
    );
  });

  it('documents the records of the contract, field by field (complaint 16)', () => {
    const fields = (name: string): string[] => Object.keys(document.components.schemas[name]?.properties ?? {});
    expect(fields('ApiKeyDto')).toEqual(contract.API_KEY_RECORD);
    expect(fields('ShopDto')).toEqual(contract.SHOP_RECORD);
  });

  it('describes every operation, parameter, schema and schema field', () => {
    const gaps: string[] = [];
    for (const [name, { summary, description, parameters = [] }] of operations()) {
      if (!summary || !description) gaps.push(name);
      for (const parameter of parameters) if (!parameter.description) gaps.push(`${name} ${parameter.name}`);
    }
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      if (!schema.description) gaps.push(name);
      for (const [field, { description, $ref }] of Object.entries(schema.properties ?? {})) {
        if (!description && $ref === undefined) gaps.push(`${name}.${field}`);
      }
    }
    expect(gaps).toEqual([]);
  });

  it('documents the default of every optional query parameter', () => {
    const defaults = (path: string): Record<string, unknown> =>
      Object.fromEntries(
        (document.paths[path]?.['get']?.parameters ?? [])
          .filter(({ schema }) => schema.default !== undefined)
          .map(({ name, schema }) => [name, schema.default]),
      );
    expect(defaults('/api/v2/api-keys')).toEqual({ limit: 50 });
    expect(defaults('/api/v2/stats/{shopId}/comparison')).toEqual({
      period: '30d',
      compare: 'previous_period',
      granularity: 'none',
    });
  });

  it('gives every field an example that its own schema accepts', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    formats.default(ajv);
    ajv.addKeyword({ keyword: 'x-extensible-enum', macro: (values: unknown[]) => ({ enum: values }) });
    ajv.addSchema({ $id: 'api', components: document.components });
    const wrong: string[] = [];
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      for (const [field, property] of Object.entries(schema.properties ?? {})) {
        const reference = `api#/components/schemas/${name}/properties/${field}`;
        const validate: ValidateFunction = ajv.compile({ $ref: reference });
        // What an envelope holds has the examples of its own schema.
        if (/Response$/.test(name) && field === 'data') continue;
        if (!('example' in property)) wrong.push(`${name}.${field} has no example`);
        else if (!validate(property.example)) wrong.push(`${name}.${field}: ${ajv.errorsText(validate.errors)}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('documents every method of a path: every other method gets 405, and Allow lists those of the path', async () => {
    const methods: Method[] = ['get', 'post', 'put', 'patch', 'delete'];
    for (const [path, documented] of Object.entries(document.paths)) {
      const allowed = Object.keys(documented).flatMap((method) =>
        method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()],
      );
      const concrete = path.replace('/api/v2', '').replaceAll(/\{\w+\}/g, '655f1c2ab1e4a9d3f0c81234');
      for (const method of methods.filter((one) => !(one in documented))) {
        const response = await app.api.call(method, concrete);
        expectError(response, 405, 'The endpoint does not support this method');
        expect([method, path, response.headers['allow']]).toEqual([method, path, allowed.sort().join(', ')]);
      }
    }
  });

  it('shows no example that is a live credential', () => {
    expect(JSON.stringify(document)).not.toMatch(/shp_[0-9A-Za-z]{36}/);
  });
});
