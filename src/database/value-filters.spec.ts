import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type mongo, Types } from 'mongoose';
import { distribute, matches, merge, shapeOf, type ValueFilter, valueFilterOf } from './value-filters.js';

const [one, other] = [new Types.ObjectId(), new Types.ObjectId()] as const;

function parsed(filter: mongo.Filter<object>): ValueFilter {
  const values = valueFilterOf(filter);
  if (values === null) throw new Error('asks for something other than values');
  return values;
}
const merged = (...filters: object[]): mongo.Filter<object> => merge(filters.map(parsed));

describe('valueFilterOf', () => {
  it.each([
    ['a number', { rank: 1 }],
    ['a comparison', { _id: one, at: { $gt: 'a' } }],
    ['a list with something else', { _id: { $in: [one, null] } }],
    ['a list and another condition', { _id: { $in: [one], $ne: other } }],
    ['an operator that was made a value', { name: { $eq: { $ne: 'a' } } }],
    ['alternatives', { $or: [{ name: 'a' }] }],
    ['a part of a field', { 'places.holder': 'a' }],
    ['something missing', { name: undefined }],
    ['no ids or texts', { isActive: true }],
    ['nothing', {}],
  ])('returns null for a filter with %s', (_, filter) => {
    expect(valueFilterOf(filter as mongo.Filter<object>)).toBeNull();
  });
});

describe('shapeOf', () => {
  it('differs when the fields or their other values differ', () => {
    const filters = [{ a: 'x' }, { b: 'x' }, { a: 'x', b: 'x' }, { a: 'x', b: null }, { a: 'x', b: false }];
    const shapes = filters.map((filter) => shapeOf(parsed(filter)));
    expect(new Set(shapes).size).toBe(filters.length);
    expect(shapeOf(parsed({ a: one }))).toBe(shapes[0]);
    expect(shapeOf(parsed({ a: { $in: ['y', one] } }))).toBe(shapes[0]);
  });
});

describe('merge', () => {
  it('returns a single filter as it is', () => {
    for (const filter of [{ _id: one, archivedAt: null }, { _id: { $in: [one, other] } }, { _id: { $in: [] } }]) {
      expect(merged(filter, filter)).toEqual(filter);
    }
  });

  it('lists the values of a field that differs', () => {
    const filters = [one, other, one].map((_id) => ({ _id, name: 'a', archivedAt: null }));
    expect(merged(...filters)).toEqual({ _id: { $in: [one, other] }, name: 'a', archivedAt: null });
  });

  it('lists alternatives when several fields differ, each once', () => {
    const [first, second] = [
      { shopId: one, code: 'A' },
      { shopId: other, code: 'B' },
    ];
    const common = { name: 'x', archivedAt: null };
    const filters = [first, second, first].map((filter) => ({ ...filter, ...common }));
    expect(merged(...filters)).toEqual({ ...common, $or: [first, second] });
  });
});

/** Whether a database finds a record. */
function finds(filter: object, record: object): boolean {
  const [sought, stored] = [filter, record] as Record<string, unknown>[];
  return Object.entries(sought ?? {}).every(([field, condition]) => {
    if (field === '$or') return (condition as object[]).some((alternative) => finds(alternative, record));
    const values = (stored?.[field] ?? null) as unknown;
    const listed = (condition as { $in?: unknown[] } | null)?.$in ?? [condition];
    return [values].flat().some((value) => listed.some((allowed) => String(allowed) === String(value)));
  });
}

describe('merge and distribute', () => {
  const shop = fc.constantFrom(...Array.from({ length: 3 }, () => new Types.ObjectId()));
  const text = fc.constantFrom('a', 'b', 'c');
  const someOf = (value: fc.Arbitrary<unknown>) => fc.array(value, { maxLength: 3 }).map(($in) => ({ $in }));
  const asked = (value: fc.Arbitrary<unknown>) => fc.oneof(value, someOf(value));
  const filters = fc.array(fc.record({ shopId: asked(shop), code: asked(text), archivedAt: fc.constant(null) }), {
    minLength: 1,
    maxLength: 8,
  });
  const codes = fc.oneof(text, fc.uniqueArray(text));
  const records = fc.array(fc.record({ shopId: shop, code: codes }), { maxLength: 20 });

  it('give each filter exactly the records that it finds alone, in their order', () => {
    fc.assert(
      fc.property(filters, records, (asked, stored) => {
        const parts = asked.map((filter) => parsed(filter as mongo.Filter<object>));
        const together = merge(parts);
        const found = distribute(
          parts,
          stored.filter((record) => finds(together, record)),
        );
        const alone = asked.map((filter) => stored.filter((record) => finds(filter, record)));
        expect(found).toEqual(alone);
        expect(parts.map((part) => stored.filter((record) => matches(part, record)))).toEqual(alone);
      }),
      { numRuns: 2_000 },
    );
  });

  it('tell an id from a text with the same characters', () => {
    const [byId, byText] = [{ key: one }, { key: one.toHexString() }].map(parsed) as [ValueFilter, ValueFilter];
    const stored = [{ key: one }, { key: one.toHexString() }];
    expect(distribute([byId, byText], stored)).toEqual(stored.map((record) => [record]));
  });
});
