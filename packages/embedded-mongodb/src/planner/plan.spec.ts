import { beforeEach, describe, expect, it } from '@jest/globals';
import { Binary } from 'bson';
import { docOf } from '../../test/support/documents.js';
import { type Collection } from '../storage/catalogue.js';
import { type View } from '../storage/disk.js';
import { makeIndex } from '../storage/indexes.js';
import { entriesOf } from '../storage/keys.js';
import { type Plan } from './candidate.js';
import { planQuery } from './plan.js';

const indexes = [
  { key: { _id: 1 }, name: '_id_', unique: true },
  { key: { shop: 1, state: 1 }, name: 'state' },
  { key: { shop: 1, code: 1 }, name: 'code', unique: true },
  { key: { shop: 1, buyer: 1, at: 1 }, name: 'buyer' },
].map((spec, at) => makeIndex(at + 1, docOf(spec)));
const ofBuyer = makeIndex(10, docOf({ key: { buyer: 1 }, name: 'of buyer' }));
/** Of documents with an array `events`, whose elements have no arrays. */
const ofEvents = makeIndex(9, docOf({ key: { 'events.at': 1 }, name: 'events' }), [1]);
const collection: Collection = {
  namespace: 'd.c',
  id: 9,
  uuid: new Binary(),
  options: new Map(),
  indexes,
  build: undefined,
  nextRecord: 0,
  marks: 0,
};

describe('the plan of a query', () => {
  /** How many entries of each index match, and how many were counted. */
  let matching: Record<string, number>;
  let counted: Record<string, number>;
  const view: View = {
    version: 1,
    get: () => undefined,
    range: (from, _to, _reverse, limit) => {
      const { name } = indexes.find(({ id }) => from.subarray(0, entriesOf(id).length).equals(entriesOf(id))) ?? {
        name: 'none',
      };
      const entries = Math.min(limit, matching[name] ?? 0);
      counted[name] = (counted[name] ?? 0) + entries;
      return Array.from({ length: entries }, () => ({ key: Buffer.alloc(0), value: Buffer.alloc(0) }));
    },
  };
  const planOf = (filter: object): Plan =>
    planQuery(view, collection, { filter: docOf(filter), sort: [], hint: undefined });

  beforeEach(() => {
    [matching, counted] = [{ state: 100_000, code: 100_000, buyer: 2 }, {}];
  });

  it.each([
    [{ _id: 5, shop: 1, state: 'paid', buyer: 7 }, '_id_'],
    [{ shop: 1, code: 'VIP', state: 'paid', buyer: 7 }, 'code'],
  ])('uses for %j the whole key of a unique index without counting any entries', (filter, name) => {
    expect(planOf(filter).index?.name).toBe(name);
    expect(counted).toEqual({});
  });

  it('uses the index with the fewest entries, and counts no more of another one than decides this', () => {
    expect(planOf({ shop: 1, state: 'paid', buyer: 7 }).index?.name).toBe('buyer');
    expect(counted).toEqual({ state: 101, buyer: 2, code: 3 });
    [matching, counted] = [{ state: 3, code: 100_000, buyer: 100_000 }, {}];
    expect(planOf({ shop: 1, state: 'paid', buyer: 7 }).index?.name).toBe('state');
    expect(counted).toEqual({ state: 3, buyer: 4, code: 4 });
  });

  it('prefers one range to many that are empty, and counts few of these', () => {
    matching = { code: 0, none: 1 };
    let ranges = 0;
    const watched: View = { ...view, range: (...range) => (ranges++, view.range(...range)) };
    const few = { ...collection, indexes: [...indexes.filter(({ name }) => name === 'code'), ofBuyer] };
    const filter = docOf({ shop: { $in: Array.from({ length: 30 }, (_, shop) => shop) }, code: 'VIP', buyer: 7 });
    expect(planQuery(watched, few, { filter, sort: [], hint: undefined }).index?.name).toBe('of buyer');
    expect(ranges).toBeLessThan(5);
  });

  it('reads the range between both bounds of an $elemMatch, and only one bound of conditions that two elements may meet', () => {
    const readsOf = (filter: object): number =>
      planQuery(view, { ...collection, indexes: [ofEvents] }, { filter: docOf(filter), sort: [], hint: undefined })
        .ranges.flatMap(({ from, to }) => [from, to])
        .filter((bound) => bound.length > entriesOf(9).length + 1).length;
    expect(readsOf({ events: { $elemMatch: { at: { $gte: 5, $lt: 9 } } } })).toBe(2);
    expect(readsOf({ 'events.at': { $gte: 5, $lt: 9 } })).toBe(1);
  });
});
