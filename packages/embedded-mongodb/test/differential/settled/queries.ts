import { type Case, code, ids, source } from './cases.js';

/** Filters and orders. */
export const queries: Case[] = [
  {
    title: '$elemMatch with $lte: null finds null among the elements',
    given: [
      { _id: 1, n: 1 },
      { _id: 2, n: [null, 1] },
    ],
    on: ids({ n: { $elemMatch: { $lte: null } } }),
    is: [2],
    by: 'reference/operator/query/elemMatch',
    other: 'an internal error for some documents',
  },
  {
    title: '$not negates the whole condition, not the test of each value',
    given: [
      { _id: 1, items: [] },
      { _id: 2, items: [{ k: 1 }] },
    ],
    on: ids({ 'items.k': { $not: { $exists: false } } }),
    is: [2],
    by: 'reference/operator/query/not',
  },
  {
    title: 'different elements can match the values of $all',
    given: [
      { _id: 1, a: [{ x: 1 }, { x: 2 }] },
      { _id: 2, a: [{ x: 1 }] },
    ],
    on: ids({ 'a.x': { $all: [1, 2] } }),
    is: [1],
    by: 'reference/operator/query/all (equivalent to $and)',
  },
  {
    title: '$elemMatch does not enter an array that is an element',
    given: [
      { _id: 1, a: [[6]] },
      { _id: 2, a: [6] },
    ],
    on: ids({ a: { $elemMatch: { $gte: 5 } } }),
    is: [2],
    by: `${source}matcher/expression_array.cpp (matchesSingleElement)`,
  },
  {
    title: '$elemMatch treats an element that is an array as a document of its positions',
    given: [
      { _id: 1, a: [[12]] },
      { _id: 2, a: [12] },
      { _id: 3, a: [{ x: 1 }, [[7], 12]] },
    ],
    on: async (c) => [
      await ids({ a: { $elemMatch: { x: null } } })(c),
      await ids({ a: { $elemMatch: { 0: 7, 1: 12 } } })(c),
    ],
    is: [[1, 3], [3]],
    by: `${source}matcher/expression_array.cpp (ElemMatchObjectMatchExpression)`,
  },
  {
    title: 'an array that a path names by its position is compared as a whole, not by its elements',
    given: [
      { _id: 1, a: [[5, 6]] },
      { _id: 2, a: [5, 6] },
    ],
    on: async (c) => [
      await ids({ 'a.0': 5 })(c),
      await ids({ 'a.0': [5, 6] })(c),
      await ids({ 'a.0': { $type: 'int' } })(c),
      await ids({ 'a.0.1': 6 })(c),
    ],
    is: [[2], [1], [2], [1]],
    by: `${source}matcher/path.cpp (BSONElementIterator::more)`,
  },
  {
    title: 'an index on a position does not change the result',
    given: [{ _id: 1, a: [[5, 6]] }, { _id: 2, a: [5, 6] }, { _id: 3, a: [{ x: 1 }] }, { _id: 4 }],
    on: async (c) => {
      await c.createIndexes([{ key: { 'a.0': 1 } }]);
      return [await ids({ 'a.0': 5 })(c), await c.countDocuments({ 'a.0': 5 }), await ids({ 'a.0': null })(c)];
    },
    is: [[2], 1, [3, 4]],
    by: `${source}matcher/path.cpp (BSONElementIterator::more)`,
    other: 'finds by the index what the filter does not match',
  },
  {
    title: 'a path that continues after the position of a scalar reaches nothing, not null',
    given: [
      { _id: 1, a: [5] },
      { _id: 2, a: [{ b: 1 }] },
      { _id: 3, a: 5 },
    ],
    on: ids({ 'a.0.b': null }),
    is: [2, 3],
    by: `${source}matcher/path.cpp (BSONElementIterator::more)`,
  },
  {
    title: 'a path into an array without documents is not null',
    given: [
      { _id: 1, a: [] },
      { _id: 2, a: [1] },
      { _id: 3, a: 1 },
      { _id: 4, a: [{}] },
    ],
    on: ids({ 'a.b': null }),
    is: [3, 4],
    by: 'mongodb/mongo jstests/core/query/null_query_semantics.js',
  },
  {
    title: 'an empty array sorts before null',
    given: [
      { _id: 1, a: null },
      { _id: 2, a: [] },
      { _id: 3, a: 0 },
    ],
    on: async (c) => (await c.find().sort({ a: 1 }).toArray()).map(({ _id }) => _id),
    is: [2, 1, 3],
    by: 'reference/bson-type-comparison-order',
    other: 'behind it',
  },
  {
    title: 'a sort by two different arrays is an error, also when one or both are empty',
    given: [
      { _id: 1, a: [], b: [] },
      { _id: 2, a: [], b: [{ x: 1 }] },
      { _id: 3, a: [] },
    ],
    on: async (c) => {
      const sorted = (_id: number) => code(c.find({ _id }).sort({ 'a.x': 1, 'b.x': 1 }).toArray());
      return [await sorted(1), await sorted(2), await sorted(3)];
    },
    is: [2, 2, 'no error'],
    by: `${source}index/sort_key_generator.cpp, and GetKeysParallelEmptyArrays in btree_key_generator_test.cpp`,
    other: 'sorts',
  },
];
