import { describe, expect, it } from '@jest/globals';
import { snapshotWith, soldServerWith, soldWith } from '../../../test/support/snapshots.js';
import { LIST_POSITIONS } from '../../lib/paging/numbered-position.js';
import { decodeCursor, type Page, type PageRequest } from '../../lib/paging/page.js';
import { listed, newestForSale, pageForSale, pageOfCategories, visibleServers } from './public-catalogue-rules.js';

/** Ids in the order of the names: the later one is newer. */
const idOf = (name: string): string => name.padStart(24, '0').replaceAll(/[^0-9a-f]/g, 'f');
const POSITIONS = { a: 2, b: 1, c: 1, d: 3, e: 0 };
const named = (name: string, fields: object = {}) => soldWith({ id: idOf(name), name, ...fields });
const SERVERS = [
  soldServerWith({ id: 'open' }),
  soldServerWith({ id: 'other' }),
  soldServerWith({ id: 'hidden', isHidden: true }),
];

/** The names on each page of two. */
function pagesOf(read: (page: PageRequest) => Page<{ readonly name: string }>, bytesOfPosition?: number): string[][] {
  const pages: string[][] = [];
  let after: string | null = null;
  do {
    const page = read({ after, limit: 2 });
    pages.push(page.items.map(({ name }) => name));
    after = page.nextCursor === null ? null : decodeCursor(page.nextCursor, bytesOfPosition);
  } while (after !== null);
  return pages;
}

describe('the pages of what is for sale', () => {
  const snapshot = snapshotWith({
    servers: SERVERS,
    products: [
      ...Object.entries(POSITIONS).map(([name, position]) => named(name, { position })),
      named('f1', { position: 9, serverIds: ['hidden', 'open'] }),
      named('f2', { isActive: false }),
      named('f3', { serverIds: ['hidden'] }),
    ],
  });
  const visible = visibleServers(snapshot, null);

  it('lists by position, the newest of the same position first', () => {
    expect(pagesOf((page) => pageForSale(snapshot, visible, {}, page), LIST_POSITIONS.bytes)).toEqual([
      ['e', 'c'],
      ['b', 'a'],
      ['d', 'f1'],
    ]);
  });

  it('lists what words find, and what is in a category or in its parts', () => {
    const [ranks, part, other] = ['1'.repeat(24), '2'.repeat(24), '3'.repeat(24)];
    const category = { name: '', slug: null, description: '', imageId: null, position: 0 };
    const ofCategories = snapshotWith({
      categories: [
        { ...category, id: ranks, parentId: null },
        { ...category, id: part, parentId: ranks },
        { ...category, id: other, parentId: null },
      ],
      products: [
        named('a', { categoryId: ranks, slug: 'vip-rank' }),
        named('b', { categoryId: part, name: 'VIP plus' }),
        named('c', { categoryId: other }),
        named('d', { categoryId: null }),
      ],
    });
    const names = (filter: object): string[] =>
      pageForSale(ofCategories, new Set(), filter, { after: null, limit: 9 }).items.map(({ name }) => name);
    expect(names({ categoryId: ranks })).toEqual(['VIP plus', 'a']);
    expect(names({ categoryId: part })).toEqual(['VIP plus']);
    expect(names({ categoryId: '4'.repeat(24) })).toEqual([]);
    expect(names({ q: 'vip' })).toEqual(['VIP plus', 'a']);
    expect(names({ q: 'vip', categoryId: part })).toEqual(['VIP plus']);
  });

  it('finds, by a hidden server, only what is sold for every server, and names it nowhere', () => {
    const names = (serverId: string): string[] =>
      newestForSale(snapshot, visible, { serverId }, { after: null, limit: 9 }).items.map(({ name }) => name);
    expect(names('open')).toEqual(['f1', 'e', 'd', 'c', 'b', 'a']);
    expect(names('hidden')).toEqual(['e', 'd', 'c', 'b', 'a']);
    const page = { after: null, limit: 9 };
    for (const { items } of [pageForSale(snapshot, visible, {}, page), newestForSale(snapshot, visible, {}, page)]) {
      expect(items.flatMap(({ serverIds }) => serverIds)).toEqual(['open']);
    }
  });

  it('lists the newest first', () => {
    expect(pagesOf((page) => newestForSale(snapshot, visible, {}, page))).toEqual([
      ['f1', 'e'],
      ['d', 'c'],
      ['b', 'a'],
    ]);
  });
});

it('lists categories by position, the newest of the same position first', () => {
  const categories = Object.entries(POSITIONS).map(([name, position]) => ({
    id: idOf(name),
    name,
    slug: null,
    description: '',
    parentId: null,
    imageId: null,
    position,
  }));
  const pages = pagesOf((page) => pageOfCategories(snapshotWith({ categories }), page), LIST_POSITIONS.bytes);
  expect(pages).toEqual([['e', 'c'], ['b', 'a'], ['d']]);
});

it('shows the servers that are not hidden, of those of a key', () => {
  const snapshot = snapshotWith({ servers: SERVERS });
  expect([...visibleServers(snapshot, null)]).toEqual(['open', 'other']);
  expect([...visibleServers(snapshot, new Set(['other', 'hidden', 'unknown']))]).toEqual(['other']);
});

it.each([
  ['a product for all servers', { serverIds: [] }, []],
  ['a product for visible and hidden servers', { serverIds: ['hidden', 'open'] }, ['open']],
])('shows %s, and names no hidden server', (_, fields, serverIds) => {
  expect(listed(soldWith(fields), new Set(['open']))).toEqual(soldWith({ ...fields, serverIds }));
});

it.each([
  ['an inactive product', { isActive: false }],
  ['a product for hidden servers only', { serverIds: ['hidden'] }],
])('hides %s', (_, fields) => {
  expect(listed(soldWith(fields), new Set(['open']))).toBeNull();
});
