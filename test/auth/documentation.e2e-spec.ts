import { expect, it } from '@jest/globals';
import { read, table } from '../contract/pages.js';
import { needsCredential } from '../support/documented.js';
import { startTestApp } from '../support/test-app.js';

interface Operation {
  readonly tags?: readonly string[];
  readonly security?: readonly object[];
}

it('lists every operation about accounts in docs/api.md, and which of them need a bearer token', async () => {
  const app = await startTestApp();
  const { paths } = (await app.api.get('/openapi.json')).body as { paths: Record<string, Record<string, Operation>> };
  await app.close();
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags?.includes('Accounts'))
      .map(([method, operation]) => [
        `\`${method.toUpperCase()} ${path.replace('/api/v2/auth', '')}\``,
        needsCredential(operation),
      ]),
  );
  const rows = table(await read('docs/api.md'), 'accounts').map(([endpoint, credential]) => [
    endpoint,
    credential?.startsWith('bearer'),
  ]);
  expect(operations.length).toBeGreaterThan(0);
  expect(rows.sort()).toEqual(operations.sort());
});
