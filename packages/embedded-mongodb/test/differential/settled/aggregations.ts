import { expect } from '@jest/globals';
import { BSONRegExp, type Document, Double, Int32, Long, MinKey } from 'mongodb';
import { type Case, code, ids, one, source, stages } from './cases.js';

/** Stages and expressions. */
export const aggregations: Case[] = [
  {
    title: '$count without documents returns no document',
    given: [],
    on: stages({ $count: 'c' }),
    is: [],
    by: 'reference/operator/aggregation/count',
    other: '{ c: 0 }',
  },
  {
    title: 'what $unset removes is missing afterwards',
    given: [{ _id: 1, a: 1 }],
    on: stages({ $unset: 'a' }, { $project: { made: { $type: '$a' } } }),
    is: [{ _id: 1, made: 'missing' }],
    by: 'reference/operator/aggregation/unset',
    other: 'still sees it',
  },
  {
    title: '$add stops at the first null',
    given: [{ _id: 1, a: null, s: 'x' }],
    on: stages({ $project: { made: { $add: ['$a', '$s'] } } }),
    is: [{ _id: 1, made: null }],
    by: `${source}pipeline/expression.cpp`,
    other: 'looks at all types first',
  },
  {
    title: '$multiply rejects a text before it sees a null',
    given: [{ _id: 1, a: null, s: 'x' }],
    on: (c) => code(stages({ $project: { made: { $multiply: ['$s', '$a'] } } })(c)),
    is: 14,
    by: `${source}pipeline/expression.cpp`,
    other: 'null',
  },
  {
    title: '$concat rejects a number before it sees a null',
    given: [{ _id: 1, a: null, n: 1 }],
    on: (c) => code(stages({ $project: { made: { $concat: ['$n', '$a'] } } })(c)),
    is: 16702,
    by: `${source}pipeline/expression.cpp`,
  },
  {
    title: '$project puts computed fields after the fields that it keeps',
    given: [{ _id: 1, s: 'a', n: 1 }],
    on: async (c) =>
      ((await stages({ $project: { twice: '$n', s: { $concat: ['$s', '!'] }, n: 1 } })(c)) as Document[]).map((row) =>
        Object.keys(row),
      ),
    is: [['_id', 'n', 'twice', 's']],
    by: `${source}exec/projection_node.cpp (applyExpressions)`,
    other: 's at its old place',
  },
  {
    title: 'a missing part of a group key is left out, and is not null',
    given: [
      { _id: 1, s: 'a' },
      { _id: 2, s: 'a', n: null },
    ],
    on: stages({ $group: { _id: { s: '$s', n: '$n' }, c: { $sum: 1 } } }, { $sort: { '_id.n': 1, _id: 1 } }),
    is: expect.arrayContaining([
      { _id: { s: 'a' }, c: 1 },
      { _id: { s: 'a', n: null }, c: 1 },
    ]),
    by: `${source}pipeline/document_source_group_base.cpp (expandId)`,
    other: 'n: null for both',
  },
  {
    title: 'a path does not enter arrays in an array',
    given: [{ _id: 1, a: [[{ x: 1 }], { x: 2 }] }],
    on: stages({ $project: { x: '$a.x' } }),
    is: [{ _id: 1, x: [2] }],
    by: `${source}pipeline/expression.cpp (evaluatePathArray)`,
  },
  {
    title: '$expr compares all types, and misses no document that an index lacks',
    given: [{ _id: 1 }, { _id: 2, n: 'a' }, { _id: 3, n: -1 }],
    on: async (c) => (await c.createIndexes([{ key: { n: 1 }, sparse: true }]), ids({ $expr: { $lt: ['$n', 0] } })(c)),
    is: [1, 3],
    by: 'reference/operator/query/expr',
    other: 'only what its index holds of that type',
  },
  {
    title: 'a document at the path of $year is no date',
    given: [{ _id: 1, sub: { date: new Date(0) } }],
    on: (c) => code(stages({ $project: { year: { $year: '$sub' } } })(c)),
    is: 16006,
    by: `${source}pipeline/expression.h (DateExpressionAcceptingTimeZone::parse)`,
  },
  {
    title: 'a field that is not a document is replaced at its place when a field below it is set',
    given: [{ _id: 1, a: 1, b: 2 }],
    on: async (c) => Object.keys((await c.aggregate([{ $set: { c: 1, 'a.b': 1 } }]).toArray())[0] ?? {}),
    is: ['_id', 'a', 'b', 'c'],
    by: `${source}exec/projection_node.cpp (applyExpressionsToValue)`,
    other: 'behind the others',
  },
  {
    title: 'MinKey is not equal to a missing value',
    given: [{ _id: 1, a: new MinKey() }],
    on: stages({ $project: { equal: { $eq: ['$a', '$b'] } } }),
    is: [{ _id: 1, equal: false }],
    by: `${source}exec/document_value/value.cpp (compare, canonicalizeBSONType)`,
    other: 'equal',
  },
  {
    title: 'an object in $project has its fields in the written order, also when it replaces a field',
    given: [{ _id: 1, made: { two: 2 } }],
    on: async (c) =>
      JSON.stringify(await c.aggregate([{ $project: { made: { one: '$_id', two: ['$_id'] } } }]).toArray()),
    is: '[{"_id":1,"made":{"one":1,"two":[1]}}]',
    by: `${source}exec/inclusion_projection_executor.h (initializeOutputDocument)`,
    other: 'two before one',
  },
  {
    title: '$avg of one number is a double',
    given: [{ _id: 1, n: new Int32(5) }],
    on: stages({ $project: { type: { $type: { $avg: '$n' } } } }),
    is: [{ _id: 1, type: 'double' }],
    by: `${source}pipeline/accumulator_avg.cpp (getValue)`,
    other: 'of the type of that number',
  },
  {
    title: 'a sum of doubles does not lose its last digits by rounding',
    given: Array.from({ length: 7 }, (_, index) => ({ _id: index, n: 2.718282 })),
    on: stages({ $group: { _id: null, total: { $sum: '$n' } } }),
    is: [{ _id: null, total: 19.027974 }],
    by: 'mongodb/mongo src/mongo/util/summation.h (DoubleDoubleSummation)',
    other: '19.027973999999997',
  },
  {
    title: 'a product that is zero has the sign of all its factors',
    given: [{ _id: 1, n: new Int32(0) }],
    on: async (c) => {
      const [{ product } = { product: 1 }] = await c
        .aggregate<{ product: number }>([{ $project: { product: { $multiply: ['$n', -1, 1.5] } } }])
        .toArray();
      return Object.is(product, -0);
    },
    is: true,
    by: `${source}pipeline/expression.cpp (ExpressionMultiply, doubleProduct)`,
    other: '0',
  },
  {
    title: 'a double that is added to a date counts as the nearest milliseconds, half-way cases away from zero',
    given: [{ _id: 1, d: new Date(0) }],
    on: stages({
      $project: {
        _id: 0,
        made: [{ $subtract: ['$d', 1.5] }, { $subtract: ['$d', -1.5] }, { $add: ['$d', 0.5] }, { $add: ['$d', -2.5] }],
      },
    }),
    is: [{ made: [new Date(-2), new Date(2), new Date(1), new Date(-3)] }],
    by: `${source}pipeline/expression.cpp (ExpressionSubtract::apply, llround)`,
    other: 'cut off beyond zero: -1 for the first',
  },
  {
    title: '$unwind of a path through an array finds nothing',
    given: [
      { _id: 1, a: [{ b: [1, 2] }] },
      { _id: 2, a: { b: [1, 2], c: 3 } },
    ],
    on: async (c) => [
      await stages({ $unwind: '$a.b' })(c),
      await stages({ $match: one }, { $unwind: { path: '$a.b', preserveNullAndEmptyArrays: true } })(c),
    ],
    is: [
      [
        { _id: 2, a: { b: 1, c: 3 } },
        { _id: 2, a: { b: 2, c: 3 } },
      ],
      [{ _id: 1, a: [{ b: [1, 2] }] }],
    ],
    by: `${source}exec/agg/unwind_processor.cpp (getNestedField)`,
  },
  {
    title: '$unwind keeps what is no array, and removes an empty array from the document that it keeps',
    given: [{ _id: 1, a: { b: ['x'] } }, { _id: 2, a: { b: 'y' } }, { _id: 3, a: { b: [], c: 1 } }, { _id: 4 }],
    on: stages({ $unwind: { path: '$a.b', preserveNullAndEmptyArrays: true } }),
    is: [{ _id: 1, a: { b: 'x' } }, { _id: 2, a: { b: 'y' } }, { _id: 3, a: { c: 1 } }, { _id: 4 }],
    by: 'reference/operator/aggregation/unwind',
  },
  {
    title: 'a missing group key is null, also after an $unwind that preserves',
    given: [{ _id: 1, a: [] }, { _id: 2 }],
    on: stages(
      { $unwind: { path: '$a', preserveNullAndEmptyArrays: true } },
      { $group: { _id: '$a.x', c: { $sum: 1 } } },
    ),
    is: [{ _id: null, c: 2 }],
    by: 'reference/operator/aggregation/group',
    other: 'two groups',
  },
  {
    title: '$addToSet leaves missing values out',
    given: [{ _id: 1 }],
    on: stages({ $group: { _id: null, set: { $addToSet: '$n' } } }),
    is: [{ _id: null, set: [] }],
    by: 'reference/operator/aggregation/addToSet',
    other: 'null for them',
  },
  {
    title: 'equal numbers of different types are one group',
    given: [
      { _id: 1, n: new Int32(1) },
      { _id: 2, n: Long.fromNumber(1) },
      { _id: 3, n: new Double(1) },
    ],
    on: stages({ $group: { _id: '$n', c: { $sum: 1 } } }, { $project: { _id: 0, c: 1 } }),
    is: [{ c: 3 }],
    by: 'reference/bson-type-comparison-order',
  },
  {
    title: '$lookup by an empty array joins null and missing',
    given: [
      { _id: 1, a: [] },
      { _id: 2, a: 5 },
    ],
    on: stages({ $match: one }, { $lookup: { localField: 'a', foreignField: 'b', as: 'found' } }),
    is: [
      {
        _id: 1,
        a: [],
        found: [
          { _id: 1, a: [] },
          { _id: 2, a: 5 },
        ],
      },
    ],
    by: 'mongodb/mongo jstests/aggregation/sources/lookup/lookup_equijoin_semantics_lib.js',
  },
  {
    title: '$lookup by a stored regular expression joins equal ones, and not the texts that it matches',
    given: [
      { _id: 1, a: new BSONRegExp('^x') },
      { _id: 2, b: 'xy' },
      { _id: 3, b: new BSONRegExp('^x') },
    ],
    on: stages(
      { $match: one },
      { $lookup: { localField: 'a', foreignField: 'b', as: 'found' } },
      { $project: { 'found._id': 1 } },
    ),
    is: [{ _id: 1, found: [{ _id: 3 }] }],
    by: `${source}pipeline/document_source_lookup_test.cpp (RegexValueUsesEqQuery)`,
  },
  {
    title: '$lookup enters the arrays at the end of a path',
    given: [{ _id: 1, a: [{ x: [2] }] }, { _id: 2 }],
    on: stages({ $match: one }, { $lookup: { localField: 'a.x', foreignField: '_id', as: 'found' } }),
    is: [{ _id: 1, a: [{ x: [2] }], found: [{ _id: 2 }] }],
    by: 'mongodb/mongo jstests/aggregation/sources/lookup/lookup_equijoin_semantics_lib.js',
  },
];
