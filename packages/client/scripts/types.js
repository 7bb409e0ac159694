// `npm run types`: writes src/schema.ts, the types of the OpenAPI document of the service as it is built in `dist`. It is not committed:
// it is as large as the API, and each change of a DTO changes it.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { startEmbeddedStore } from '@shop-platform/embedded-mongodb';

const HEADER = '// Generated from the OpenAPI document by `npm run types`. Do not edit.\n';
const FILE = fileURLToPath(new URL('../src/schema.ts', import.meta.url));
const SERVICE = new URL('../../../dist/', import.meta.url);
const METHODS = ['get', 'put', 'post', 'delete', 'patch'];

async function openApiDocument() {
  const folder = await mkdtemp(join(tmpdir(), 'shop-platform-types-'));
  const { loadAppConfig } = await import(new URL('infrastructure/config/app-config.js', SERVICE));
  const { createApp } = await import(new URL('app/app.setup.js', SERVICE));
  const store = await startEmbeddedStore({ path: join(folder, 'store') });
  try {
    const config = loadAppConfig({ NODE_ENV: 'test', DATA_DIR: folder, DEMO: 'false', LOG_LEVEL: 'error' });
    const databaseUri = store.uri.replace(/^(mongodb:\/\/[^/?]+)\/?/, '$1/types');
    const app = await createApp({ config, databaseUri, migrates: true });
    await app.listen(0, '127.0.0.1');
    const { port } = app.getHttpServer().address();
    const response = await fetch(`http://127.0.0.1:${port}/api/v2/openapi.json`);
    const document = await response.json();
    await app.close();
    return document;
  } finally {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Errors have one form, which src/errors.ts has. Without their responses the types are a fifth as long. */
function withoutErrors(document) {
  for (const path of Object.values(document.paths)) {
    for (const method of METHODS) {
      const responses = path[method]?.responses ?? {};
      for (const status of Object.keys(responses)) if (!status.startsWith('2')) delete responses[status];
    }
  }
  return document;
}

const openString = ts.factory.createTypeLiteralNode([]);
const string = ts.factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword);

/** A list that may grow has `x-extensible-enum`: values that this version of the client does not know pass. */
function transform(schema) {
  const values = schema['x-extensible-enum'];
  if (!Array.isArray(values)) return undefined;
  const known = values.map((value) => ts.factory.createLiteralTypeNode(ts.factory.createStringLiteral(value)));
  return ts.factory.createUnionTypeNode([...known, ts.factory.createIntersectionTypeNode([string, openString])]);
}

const nodes = await openapiTS(withoutErrors(await openApiDocument()), { transform });
const types = `${HEADER}${astToString(nodes)}`;
const current = await readFile(FILE, 'utf8').catch(() => '');
// The time of the file does not change without need: compilers and watchers compare it.
if (types !== current) await writeFile(FILE, types);
