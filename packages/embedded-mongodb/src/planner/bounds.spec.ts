import { describe, expect, it } from '@jest/globals';
import { BSONRegExp, MinKey, ObjectId } from 'bson';
import { docOf } from '../../test/support/documents.js';
import { after } from '../storage/keys.js';
import { inverted, keyOf } from '../values/compare.js';
import { Rank, type Value } from '../values/types.js';
import {
  bytesOf,
  type Condition,
  conditionsOf,
  impliesPartial,
  intersect,
  type Interval,
  pointBytes,
} from './bounds.js';

const none = Buffer.alloc(0);
const at = (value: Value): Buffer => keyOf(value);
const past = (value: Value): Buffer => after(keyOf(value));
/** Where the values of a type begin, and where they end. */
const begin = (rank: number): Buffer => Buffer.of(rank);
const end = (rank: number): Buffer => Buffer.of(rank + 1);
const id = new ObjectId('65a1b2c3d4e5f60718293a4b');
const day = new Date('2026-01-02');

/** From which key on, and before which key. */
type Bounds = readonly [from: Buffer, to: Buffer];
const boundsOf = (interval: Interval, way: 1 | -1 = 1): Bounds => {
  const { from, to } = bytesOf(none, interval, way);
  return [from, to];
};
const only = (value: Value): Bounds => [at(value), past(value)];
/** The conditions of a filter on the path `a`. */
const conditionsOfA = (operand: unknown): readonly Condition[] =>
  conditionsOf(docOf({ a: operand })).paths.get('a') ?? [];

describe('the condition of a filter on one path', () => {
  it.each<[filter: unknown, bounds: readonly Bounds[]]>([
    [5, [only(5)]],
    ['s', [only('s')]],
    [null, [only(null)]],
    [{ b: 1 }, [only(docOf({ b: 1 }))]],
    // An array has an entry for each element. A document that equals it has its first one, or is an element itself.
    [
      [1, 2],
      [only(1), only([1, 2])],
    ],
    [[], [[begin(Rank.emptyArray), end(Rank.emptyArray)], only([])]],
    [{ $eq: 5 }, [only(5)]],
    [{ $in: [1, 's', null] }, [only(1), only('s'), only(null)]],
    [{ $in: [[1]] }, [only(1), only([1])]],
    [{ $gt: 5 }, [[past(5), end(Rank.number)]]],
    [{ $gte: 5 }, [[at(5), end(Rank.number)]]],
    // NaN sorts before all numbers, and is below none of them.
    [{ $lt: 5 }, [[past(NaN), at(5)]]],
    [{ $lte: 5 }, [[past(NaN), past(5)]]],
    [{ $gte: NaN }, [only(NaN)]],
    [{ $lte: NaN }, [only(NaN)]],
    [{ $gte: null }, [only(null)]],
    [{ $lte: null }, [only(null)]],
    [{ $gt: 'b' }, [[past('b'), end(Rank.string)]]],
    [{ $lt: 'b' }, [[begin(Rank.string), at('b')]]],
    [{ $lte: id }, [[begin(Rank.objectId), past(id)]]],
    [{ $gte: day }, [[at(day), end(Rank.date)]]],
    [{ $lt: true }, [[begin(Rank.boolean), at(true)]]],
  ])('is between the keys of the values that match %j', (operand, bounds) => {
    expect(conditionsOfA(operand).flatMap(({ intervals }) => intervals.map((one) => boundsOf(one)))).toEqual(bounds);
  });

  it.each([
    { $gt: NaN },
    { $lt: NaN },
    { $gt: null },
    { $lt: null },
    { $gt: [1] },
    { $gte: { b: 1 } },
    { $lt: new MinKey() },
    { $ne: 5 },
    { $nin: [5] },
    { $exists: true },
    { $in: [1, new BSONRegExp('^a')] },
    { $in: 5 },
    { $elemMatch: { $gt: 5 } },
    { $elemMatch: 5 },
    { $regex: '^a' },
    new BSONRegExp('^a'),
  ])('is missing where no interval has all that match %j', (operand) => {
    expect(conditionsOfA(operand)).toEqual([]);
    expect(conditionsOf(docOf({ a: operand })).complete).toBe(false);
  });

  it.each<[filter: object, exact: boolean]>([
    [{ a: 5 }, true],
    [{ a: { $eq: 's' }, b: { $in: [1, 2] } }, true],
    [{ $and: [{ a: 5 }, { b: 's' }] }, true],
    [{ a: null }, false],
    [{ a: [1] }, false],
    [{ a: { $in: [1, null] } }, false],
    [{ a: { $gt: 5 } }, false],
    [{ a: { $gt: new Date(0), $lt: new Date(9) }, b: { $gte: 's' } }, true],
    [{ a: { $gte: NaN } }, false],
    [{ a: { $gte: null } }, false],
    [{ 'a.0': 5 }, false],
    [{ 'a.0.b': 5 }, false],
    [{ 'a.10': 5 }, false],
    [{ 'a.x0': 5 }, true],
    [{ a: 5, $expr: true }, false],
    [{ a: 5, $or: [{ b: 1 }] }, false],
    [{ a: 5, b: { $elemMatch: { c: 1 } } }, false],
    [{ $and: [{ a: 5 }, { $nor: [{ b: 1 }] }] }, false],
  ])('says for %j whether the intervals are the whole filter', (filter, isComplete) => {
    expect(conditionsOf(docOf(filter)).complete).toBe(isComplete);
  });

  it.each<[operand: unknown, exact: boolean, present: boolean, points: boolean]>([
    [5, true, true, true],
    [null, false, false, true],
    [[1], false, true, true],
    [{ $in: [1, 2] }, true, true, true],
    [{ $in: [1, null] }, false, false, true],
    [{ $gt: 5 }, false, true, false],
    [{ $lte: 5 }, false, true, false],
    [{ $lte: NaN }, false, true, true],
    [{ $lte: null }, false, false, true],
  ])('says for %j whether it is exact, whether a missing value fails, and whether it is one value', (...row) => {
    const [operand, exact, present, points] = row;
    const [condition] = conditionsOfA(operand);
    expect(condition).toMatchObject({ exact, present });
    expect(condition?.intervals.every(({ point }) => point)).toBe(points);
  });

  it('is about a position only when a missing value fails, because an index has no entry for a missing position', () => {
    const { paths } = conditionsOf(docOf({ 'a.0': 5, 'a.1': null, 'a.2.b': { $gt: 1 } }));
    expect([...paths.keys()]).toEqual(['a.0', 'a.2.b']);
    expect(paths.get('a.0')).toMatchObject([{ exact: false, present: true }]);
  });

  it('has the conditions of every part of an $and, one after the other', () => {
    const { paths } = conditionsOf(docOf({ a: { $gte: 1, $lt: 9 }, $and: [{ a: 5 }, { b: 6 }] }));
    const bounds = [...paths].map(([path, all]) => [path, all.flatMap((one) => one.intervals.map((i) => boundsOf(i)))]);
    expect(bounds).toEqual([
      ['a', [[at(1), end(Rank.number)], [past(NaN), at(9)], only(5)]],
      ['b', [only(6)]],
    ]);
  });
});

describe('the conditions of an $elemMatch', () => {
  const paths = (operand: object): Map<string, Condition[]> =>
    conditionsOf(docOf({ 'l.m': { $elemMatch: operand } })).paths;

  it('are conditions on the paths below the array, about the same element', () => {
    const found = paths({ a: { $gt: 1 }, b: 2 });
    expect([...found.keys()]).toEqual(['l.m.a', 'l.m.b']);
    const [[a], [b]] = [found.get('l.m.a') ?? [], found.get('l.m.b') ?? []];
    expect(a?.element).toEqual({ depth: 2 });
    expect(b?.element).toBe(a?.element);
  });

  it('include those of an $and', () => {
    expect([...paths({ $and: [{ a: 1 }, { b: 2 }] }).keys()]).toEqual(['l.m.a', 'l.m.b']);
  });

  it('are about another element for each $elemMatch', () => {
    const both = { $and: [{ l: { $elemMatch: { a: 1 } } }, { l: { $elemMatch: { a: 2 } } }] };
    const [first, second] = conditionsOf(docOf(both)).paths.get('l.a') ?? [];
    expect(first?.element).toEqual({ depth: 1 });
    expect(second?.element).not.toBe(first?.element);
  });

  it('are about the inner array where one $elemMatch is in another', () => {
    const [condition] = paths({ n: { $elemMatch: { a: 1 } } }).get('l.m.n.a') ?? [];
    expect(condition?.element).toEqual({ depth: 1 });
  });

  it.each([{ a: null }, { 0: 5 }, { 10: 5 }, { '0.a': 5 }, { $gt: 5 }, { a: { $lte: null } }])(
    'are none for %j, which an element matches that is an array',
    (operand) => {
      expect([...paths(operand).keys()]).toEqual([]);
    },
  );

  it('are conditions for names that only contain digits', () => {
    expect([...paths({ a0: 1, '1a': 2 }).keys()]).toEqual(['l.m.a0', 'l.m.1a']);
  });
});

describe('intervals', () => {
  const intervalOf = (operand: unknown): Interval => {
    const interval = conditionsOfA(operand)[0]?.intervals[0];
    if (!interval) throw new Error('the filter has no condition');
    return interval;
  };

  it.each<[one: unknown, other: unknown, both: readonly Bounds[]]>([
    [{ $gte: 1 }, { $lt: 9 }, [[at(1), at(9)]]],
    [{ $gt: 1 }, { $gte: 1 }, [[past(1), end(Rank.number)]]],
    [{ $lt: 9 }, { $lte: 9 }, [[past(NaN), at(9)]]],
    [{ $gte: 5 }, { $lte: 5 }, [only(5)]],
    [{ $gt: 5 }, { $lte: 5 }, []],
    [{ $gte: 5 }, { $lt: 5 }, []],
    [{ $gte: 9 }, { $lt: 1 }, []],
    [{ $gte: 1 }, { $lt: 's' }, []],
    [{ $gte: 1 }, 5, [only(5)]],
    [{ $gte: 1 }, 0, []],
    [{ $lt: 9 }, 9, []],
  ])('meet where %j and %j are both true, in either order', (one, other, both) => {
    const [a, b] = [intervalOf(one), intervalOf(other)];
    expect(intersect([a], [b]).map((interval) => boundsOf(interval))).toEqual(both);
    expect(intersect([b], [a]).map((interval) => boundsOf(interval))).toEqual(both);
  });

  it('meet each with each, and a value stays one value', () => {
    const [two, some] = [conditionsOfA({ $in: [2, 20] })[0], conditionsOfA({ $lt: 9 })[0]];
    const met = intersect(two?.intervals ?? [], some?.intervals ?? []);
    expect(met.map((interval) => boundsOf(interval))).toEqual([only(2)]);
    expect(intersect(some?.intervals ?? [], two?.intervals ?? []).map(({ point }) => point)).toEqual([true]);
    expect(intersect([intervalOf({ $gt: 1 })], [intervalOf({ $lt: 9 })]).map(({ point }) => point)).toEqual([false]);
  });

  it('have in a descending field the inverted bounds in the opposite order', () => {
    expect(boundsOf(intervalOf({ $gt: 5 }), -1)).toEqual([inverted(begin(Rank.number)), inverted(at(5))]);
    expect(boundsOf(intervalOf({ $lte: 5 }), -1)).toEqual([inverted(at(5)), inverted(at(NaN))]);
    expect(pointBytes(intervalOf(5), 1)).toEqual(at(5));
    expect(pointBytes(intervalOf(5), -1)).toEqual(inverted(at(5)));
  });

  it('come after the bytes of the fields before them', () => {
    const { from, to } = bytesOf(Buffer.from('before'), intervalOf({ $gte: 1, $lt: 9 }), 1);
    expect([from, to]).toEqual([
      Buffer.concat([Buffer.from('before'), at(1)]),
      Buffer.concat([Buffer.from('before'), end(Rank.number)]),
    ]);
  });
});

describe('a partial index', () => {
  it.each<[partial: object, filter: object]>([
    [{ a: 5 }, { a: 5, b: 1 }],
    [{ a: 5 }, { $and: [{ a: 5 }, { b: 1 }] }],
    [{ a: [1] }, { a: [1] }],
    [{ a: { $gte: 1 } }, { a: { $gte: 1 } }],
    [{ a: { $gt: 1 } }, { a: 2 }],
    [{ a: { $gte: 1 } }, { a: 1 }],
    [{ a: { $gte: 1 } }, { a: { $gt: 1, $lt: 9 } }],
    [{ a: { $gte: 1, $lte: 9 } }, { a: { $in: [1, 9] } }],
    [{ a: { $in: [1, 2] } }, { a: 2 }],
    [{ a: { $exists: true } }, { a: 5 }],
    [{ a: { $exists: true } }, { a: { $gt: 5 } }],
    [{ a: { $type: 'string' } }, { a: 's' }],
    [{ a: { $type: 'string' } }, { a: { $gt: 's' } }],
    [{ a: { $type: 'number' } }, { a: 5 }],
    [{ a: { $type: 'date' } }, { a: { $lte: day } }],
    [{ a: { $type: 'objectId' } }, { a: id }],
    [{ a: { $type: 'bool' } }, { a: true }],
    [{ a: { $type: 'object' } }, { a: { b: 1 } }],
    [{ $and: [{ a: 5 }, { b: { $exists: true } }] }, { a: 5, b: 6 }],
    [
      { a: 5, b: 6 },
      { a: 5, b: 6 },
    ],
  ])('with the filter %j has every document that matches %j', (partial, filter) => {
    expect(impliesPartial(docOf(filter), conditionsOf(docOf(filter)), docOf(partial))).toBe(true);
  });

  it.each<[partial: object, filter: object]>([
    [{ a: 5 }, { b: 5 }],
    [{ a: 5 }, { a: 6 }],
    [{ a: 5 }, { $or: [{ a: 5 }, { a: 6 }] }],
    [{ a: [1] }, { a: 1 }],
    [{ a: { $in: [[1]] } }, { a: 1 }],
    [{ a: { $gt: 1 } }, { a: 1 }],
    [{ a: { $gte: 1 } }, { a: { $gt: 0 } }],
    [{ a: { $gte: 1, $lte: 9 } }, { a: { $in: [1, 10] } }],
    [{ a: { $in: [1, 2] } }, { a: { $in: [2, 3] } }],
    [{ a: { $exists: true } }, { a: null }],
    [{ a: { $exists: true } }, { b: 1 }],
    [{ a: { $exists: false } }, { a: 5 }],
    [{ a: { $type: 'string' } }, { a: 5 }],
    [{ a: { $eq: 'string' } }, { a: 's' }],
    [{ a: { $type: 'string' } }, { a: { $ne: 's' } }],
    [{ a: { $type: ['string'] } }, { a: 's' }],
    [{ a: { $type: 'int' } }, { a: 5 }],
    [{ $and: [{ a: 5 }, { b: 6 }] }, { a: 5 }],
    [{ $or: [{ a: 5 }, { b: 6 }] }, { a: 5 }],
    [{ a: 5, b: 6 }, { a: 5 }],
  ])('with the filter %j may lack a document that matches %j', (partial, filter) => {
    expect(impliesPartial(docOf(filter), conditionsOf(docOf(filter)), docOf(partial))).toBe(false);
  });
});
