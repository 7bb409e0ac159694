import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { type Page } from './pages.ts';

const SOURCES = join(import.meta.dirname, '..', 'pages');
/** Far below their number, so that a walk that finds nothing is noticed. */
const LEAST = 20;

// The router ends with an error at such a pair, and then no page opens.
it('has no two pages at one address', async () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.route.ts'),
  );
  const modules = (await Promise.all(files.map((file) => import(join(SOURCES, file))))) as { pages: readonly Page[] }[];
  const addresses = modules.flatMap(({ pages }) => pages.map(({ place, path }) => `${place} ${path}`));
  expect(addresses.length).toBeGreaterThan(LEAST);
  expect(addresses.filter((address, index) => addresses.indexOf(address) !== index)).toEqual([]);
});
