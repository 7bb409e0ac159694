import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { startTestApp } from '../support/test-app.js';

interface Operation {
  readonly tags?: readonly string[];
  readonly security?: readonly object[];
}

it("The README's table of accounts lists the operations of the code, with a bearer token where they need one", async () => {
  const app = await startTestApp();
  const { paths } = (await app.api.get('/openapi.json')).body as { paths: Record<string, Record<string, Operation>> };
  await app.close();
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags?.includes('Accounts'))
      .map(([method, { security = [] }]) => [
        `\`${method.toUpperCase()} ${path.replace('/api/v2/auth', '')}\``,
        security.length > 0,
      ]),
  );
  const readme = await readFile(join(import.meta.dirname, '..', '..', 'README.md'), 'utf8');
  const table = /<!-- accounts:begin[^>]*-->([^]*)<!-- accounts:end -->/.exec(readme)?.[1] ?? '';
  const rows = table
    .trim()
    .split('\n')
    .slice(2)
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, endpoint, credential]) => [endpoint, credential?.startsWith('bearer')]);
  expect(rows.sort()).toEqual(operations.sort());
});
