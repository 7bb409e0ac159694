import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { ACCOUNT_PLACES, GUEST_PLACES, SHOP_PLACES } from '../../../../test/console/places.js';
import { type Page } from './pages.ts';

const SOURCES = join(import.meta.dirname, '..', 'pages');
/** Far below their number, so that a walk that finds nothing is noticed. */
const LEAST = 20;

const allPages = async (): Promise<readonly Page[]> => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.route.ts'),
  );
  const modules = (await Promise.all(files.map((file) => import(join(SOURCES, file))))) as { pages: readonly Page[] }[];
  return modules.flatMap(({ pages }) => pages);
};

// The router ends with an error at such a pair, and then no page opens.
it('has no two pages at one address', async () => {
  const addresses = (await allPages()).map(({ place, path }) => `${place} ${path}`);
  expect(addresses.length).toBeGreaterThan(LEAST);
  expect(addresses.filter((address, index) => addresses.indexOf(address) !== index)).toEqual([]);
});

it('names each page of a shop in the tab of the browser', async () => {
  const pages = (await allPages()).filter(({ place }) => place === 'shop');
  expect(pages.filter(({ entry, title }) => entry === undefined && title === undefined)).toEqual([]);
});

// `npm run long -- console` looks at all of them, in light and dark, and with a service that fails.
it('has no page at which the run in the browser does not look', async () => {
  const pages = await allPages();
  const pathsOf = (wanted: Page['place']) => pages.filter(({ place }) => place === wanted).map(({ path }) => path);
  expect(pathsOf('guest').sort()).toEqual([...GUEST_PLACES].sort());
  expect(pathsOf('account').sort()).toEqual([...ACCOUNT_PLACES].sort());
  expect(pathsOf('shop').sort()).toEqual([...SHOP_PLACES].sort());
});
