import { expect } from '@jest/globals';
import fc from 'fast-check';
import { type Document, type IndexDescription } from 'mongodb';
import { type Item, type Page, type PlainCollection, type Sort, sortKey } from './plain-collection.js';
import { type Action, action, type View } from './view.js';

const value = fc.nat(4);
const condition = fc.oneof(
  value,
  fc.record({ $gte: value }),
  fc.record({ $lt: value }),
  fc.record({ $gte: value, $lt: value }),
  fc.record({ $in: fc.array(value, { minLength: 1, maxLength: 3 }) }),
  fc.record({ $exists: fc.boolean() }),
);
/** Conditions on values that a document has once. */
const idCondition = fc.oneof(fc.nat(60), fc.record({ $gte: fc.nat(60) }), fc.record({ $lt: fc.nat(60) }));
const clause = fc.oneof(
  { weight: 6, arbitrary: fc.record({ a: condition, b: condition, tags: condition }, { requiredKeys: [] }) },
  { weight: 1, arbitrary: fc.record({ _id: idCondition, a: condition }, { requiredKeys: ['_id'] }) },
  { weight: 1, arbitrary: fc.record({ u: idCondition, b: condition }, { requiredKeys: ['u'] }) },
);
const either = fc.record({ $or: fc.array(clause, { minLength: 1, maxLength: 3 }) });

/** A filter that matches none, some or all documents, with and without an index. */
export const filter: fc.Arbitrary<Document> = fc.oneof(
  { weight: 2, arbitrary: fc.constant({}) },
  { weight: 6, arbitrary: clause },
  { weight: 1, arbitrary: either },
  { weight: 1, arbitrary: fc.tuple(clause, either).map(([all, one]) => ({ ...all, ...one })) },
);

const direction = fc.constantFrom<1 | -1>(1, -1);
const field = fc.constantFrom('_id', 'a', 'b', 'tags', 'u');

/** The order of an index, or any other; documents with the same values can be in any order. */
export const sort: fc.Arbitrary<Sort> = fc.oneof(
  fc.uniqueArray(fc.tuple(field, direction), { selector: ([name]) => name, maxLength: 3 }),
  fc.tuple(field, direction).map((one): Sort => [one]),
  direction.map((way): Sort => [
    ['b', way],
    ['a', way === 1 ? -1 : 1],
  ]),
);
const optional = (number: number): fc.Arbitrary<number> =>
  fc.oneof(fc.constant(0), fc.integer({ min: 1, max: number }));
const page: fc.Arbitrary<Page> = fc.record({ filter, sort, skip: optional(20), limit: optional(20) });

/**
 * The found documents must be expected ones, each once, as many as the query requests, and in its order: of documents with the same
 * values it can return any.
 */
function expectPage(found: readonly Item[], expected: PlainCollection, requested: Page): void {
  const key = (item: Item): number[] => sortKey(item, requested.sort);
  const possible = new Map(expected.find(requested.filter).map((item) => [item._id, item]));
  expect(found).toEqual(found.map(({ _id }) => possible.get(_id)));
  expect(new Set(found.map(({ _id }) => _id)).size).toBe(found.length);
  expect(found.map(key)).toEqual(expected.page(requested).map(key));
}

const optionsOf = ({ sort: order, skip, limit }: Page): Document => ({
  skip,
  limit,
  ...(order.length > 0 ? { sort: order } : {}),
});

const find = fc
  .record({
    requested: page,
    options: fc.record(
      { batchSize: fc.integer({ min: 1, max: 20 }), hint: fc.constant({ $natural: 1 }) },
      { requiredKeys: [] },
    ),
  })
  .map(({ requested, options }) =>
    action('find', [requested, options], async ({ collection, session, expected }) => {
      const cursor = collection.find(requested.filter, { ...optionsOf(requested), ...options, session });
      expectPage(await cursor.toArray(), expected, requested);
    }),
  );

const findOne = page.map((any) => {
  const requested = { ...any, limit: 1 };
  return action('findOne', requested, async ({ collection, session, expected }) => {
    const found = await collection.findOne(requested.filter, { ...optionsOf(requested), session });
    expectPage(found ? [found] : [], expected, requested);
  });
});

const stages = ({ filter: match, sort: order, skip, limit }: Page): Document[] => [
  { $match: match },
  ...(order.length > 0 ? [{ $sort: Object.fromEntries(order) }] : []),
  { $skip: skip },
  ...(limit > 0 ? [{ $limit: limit }] : []),
];

const aggregatePage = page.map((requested) =>
  action('aggregate', stages(requested), async ({ collection, session, expected }) => {
    const found = await collection.aggregate<Item>(stages(requested), { session, batchSize: 3 }).toArray();
    expectPage(found, expected, requested);
  }),
);

const countDocuments = page.map((requested) =>
  action('countDocuments', requested, async ({ collection, session, expected }) => {
    const { skip, limit } = requested;
    const options = { session, skip, ...(limit > 0 ? { limit } : {}) };
    expect(await collection.countDocuments(requested.filter, options)).toBe(expected.page(requested).length);
  }),
);

const distinct = fc.tuple(field, filter).map(([name, match]) =>
  action('distinct', [name, match], async ({ collection, session, expected }) => {
    const values = expected.find(match).flatMap((item) => item[name] ?? []);
    expect(await collection.distinct(name, match, { session })).toEqual([...new Set(values)].sort((a, b) => a - b));
  }),
);

const group = filter.map((match) =>
  action('group', match, async ({ collection, session, expected }) => {
    const sums = new Map<number | null, { n: number; b: number }>();
    for (const { a = null, b = 0 } of expected.find(match)) {
      const sum = sums.get(a) ?? { n: 0, b: 0 };
      sums.set(a, { n: sum.n + 1, b: sum.b + b });
    }
    const stage = { $group: { _id: '$a', n: { $sum: 1 }, b: { $sum: '$b' } } };
    const groups = await collection.aggregate([{ $match: match }, stage], { session }).toArray();
    expect(new Map(groups.map(({ _id, n, b }) => [_id, { n, b }]))).toEqual(sums);
  }),
);

const lookup = filter.map((match) =>
  action('lookup', match, async ({ collection, session, expected }) => {
    const from = collection.collectionName;
    const stage = { $lookup: { from, localField: 'a', foreignField: 'tags', as: 'others' } };
    const found = await collection.aggregate([{ $match: match }, stage], { session }).toArray();
    const counts = expected.find(match).map(({ _id, a }): [number, number] => {
      // A missing value joins the documents whose other field is missing.
      return [_id, expected.find({ tags: a ?? { $exists: false } }).length];
    });
    expect(new Map(found.map(({ _id, others }) => [_id, others.length]))).toEqual(new Map(counts));
  }),
);

/** A read of any kind. */
export const read: fc.Arbitrary<Action> = fc.oneof(
  { weight: 6, arbitrary: find },
  { weight: 1, arbitrary: findOne },
  { weight: 2, arbitrary: aggregatePage },
  { weight: 2, arbitrary: countDocuments },
  { weight: 1, arbitrary: distinct },
  { weight: 1, arbitrary: group },
  { weight: 1, arbitrary: lookup },
);

/** Reads all documents without an index, and in both directions of each index that has all of them. */
export async function expectEverything(view: View, indexes: readonly IndexDescription[]): Promise<void> {
  const whole = indexes.filter(({ sparse, partialFilterExpression }) => !sparse && !partialFilterExpression);
  const keys = [{ _id: 1 }, ...whole.map(({ key }) => key)].map((key) => Object.entries(key) as Sort);
  const reversed = (order: Sort): Sort => order.map(([name, way]) => [name, way === 1 ? -1 : 1]);
  for (const order of [[], ...keys, ...keys.map(reversed)]) {
    const requested: Page = { filter: {}, sort: order, skip: 0, limit: 0 };
    const found = await view.collection.find({}, { ...optionsOf(requested), session: view.session }).toArray();
    expectPage(found, view.expected, requested);
  }
}
