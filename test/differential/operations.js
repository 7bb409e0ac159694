import fc from 'fast-check';
import { Double, Int32, Long, ObjectId } from 'mongodb';

/** Values over the types that the store allows; few of each, so that they meet often. */
const scalar = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: -3, max: 12 }).map((value) => new Int32(value)) },
  { weight: 2, arbitrary: fc.constantFrom(0.5, 1.5, 2, -2.25, 10).map((value) => new Double(value)) },
  { weight: 1, arbitrary: fc.constantFrom(1, 7, 2 ** 40).map((value) => Long.fromNumber(value)) },
  { weight: 3, arbitrary: fc.constantFrom('', 'a', 'ab', 'abc', 'b', 'B', 'é') },
  { weight: 1, arbitrary: fc.boolean() },
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.constantFrom(0, 86_400_000, 1_700_000_000_000).map((value) => new Date(value)) },
  { weight: 1, arbitrary: fc.constantFrom('0'.repeat(24), 'a'.repeat(24)).map((value) => new ObjectId(value)) },
);
const subdocument = fc.record({ x: scalar, y: scalar }, { requiredKeys: ['x'] });
const array = fc.oneof(fc.array(scalar, { maxLength: 4 }), fc.array(subdocument, { maxLength: 3 }));
const value = fc.oneof(
  { weight: 6, arbitrary: scalar },
  { weight: 1, arbitrary: subdocument },
  { weight: 2, arbitrary: fc.array(scalar, { minLength: 1, maxLength: 4 }) },
);
const number = fc.oneof(
  fc.integer({ min: -3, max: 5 }).map((n) => new Int32(n)),
  fc.constantFrom(0.5, 1.5).map((n) => new Double(n)),
);
const id = fc.integer({ min: 0, max: 8 });
const fields = ['a', 'b', 'n', 's', 'arr', 'sub'];
const path = fc.constantFrom(...fields, 'sub.x', 'sub.y', 'arr.x', 'arr.0');
const document = fc.record(
  { a: value, b: scalar, n: number, s: fc.constantFrom('a', 'ab', 'b'), arr: array, sub: subdocument },
  { requiredKeys: [] },
);

const comparison = fc.oneof(
  scalar,
  fc
    .record({ op: fc.constantFrom('$eq', '$ne', '$gt', '$gte', '$lt', '$lte'), to: scalar })
    .map(({ op, to }) => ({ [op]: to })),
  fc
    .record({ op: fc.constantFrom('$in', '$nin'), to: fc.array(scalar, { maxLength: 3 }) })
    .map(({ op, to }) => ({ [op]: to })),
  fc.tuple(scalar, scalar).map(([low, high]) => ({ $gte: low, $lt: high })),
  fc.boolean().map((exists) => ({ $exists: exists })),
  fc
    .constantFrom('string', 'int', 'double', 'number', 'array', 'object', 'bool', 'null')
    .map((type) => ({ $type: type })),
  fc.integer({ min: 0, max: 3 }).map((size) => ({ $size: size })),
  fc.array(scalar, { minLength: 1, maxLength: 2 }).map((all) => ({ $all: all })),
  fc.record({ x: scalar }).map((match) => ({ $elemMatch: match })),
  scalar.map((bound) => ({ $elemMatch: { $gte: bound } })),
  scalar.map((bound) => ({ $not: { $gt: bound } })),
  fc.tuple(fc.constantFrom(2, 3), fc.constantFrom(0, 1)).map(([by, rest]) => ({ $mod: [by, rest] })),
  fc.constantFrom('^a', 'b$', 'B').map((pattern) => ({ $regex: pattern })),
);
const clause = fc.tuple(path, comparison).map(([name, test]) => ({ [name]: test }));
const filter = fc.oneof(
  { weight: 1, arbitrary: fc.constant({}) },
  { weight: 6, arbitrary: clause },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom('$and', '$or', '$nor'), fc.array(clause, { minLength: 1, maxLength: 3 }))
      .map(([op, clauses]) => ({ [op]: clauses })),
  },
  { weight: 1, arbitrary: fc.tuple(clause, clause).map(([one, two]) => ({ ...one, ...two })) },
);

const modifier = fc.oneof(
  fc.tuple(path, value).map(([name, to]) => ({ $set: { [name]: to } })),
  path.map((name) => ({ $unset: { [name]: '' } })),
  fc
    .tuple(fc.constantFrom('$inc', '$mul'), fc.constantFrom('n', 'a', 'sub.x'), number)
    .map(([op, name, by]) => ({ [op]: { [name]: by } })),
  fc.tuple(fc.constantFrom('$min', '$max'), path, scalar).map(([op, name, to]) => ({ [op]: { [name]: to } })),
  fc
    .tuple(fc.constantFrom('$push', '$addToSet', '$pull'), fc.constantFrom('arr', 'a'), scalar)
    .map(([op, name, one]) => ({ [op]: { [name]: one } })),
  fc
    .tuple(fc.array(scalar, { minLength: 1, maxLength: 3 }), fc.constantFrom(-3, -1, 1, 2))
    .map(([all, slice]) => ({ $push: { arr: { $each: all, $slice: slice } } })),
  fc.tuple(scalar, fc.constantFrom(1, -1)).map(([one, way]) => ({ $push: { arr: { $each: [one], $sort: way } } })),
  fc.constantFrom(1, -1).map((end) => ({ $pop: { arr: end } })),
  fc.array(scalar, { maxLength: 2 }).map((all) => ({ $pullAll: { arr: all } })),
  fc.constant({ $rename: { b: 'c' } }),
  scalar.map((to) => ({ $set: { 'arr.$[].x': to } })),
  value.map((to) => ({ $setOnInsert: { extra: to }, $set: { touched: true } })),
);
const field = fc.constantFrom('$a', '$b', '$n', '$s', '$arr', '$sub.x', '$arr.x', '$missing');
const expression = fc.oneof(
  field,
  fc.tuple(fc.constantFrom('$add', '$subtract', '$multiply'), number).map(([op, by]) => ({ [op]: ['$n', by] })),
  fc.tuple(fc.constantFrom('$eq', '$gt', '$lte', '$cmp'), field, scalar).map(([op, a, b]) => ({ [op]: [a, b] })),
  fc.tuple(field, scalar).map(([a, b]) => ({ $ifNull: [a, b] })),
  fc.tuple(field, field, scalar).map(([test, yes, no]) => ({ $cond: [test, yes, no] })),
  field.map((a) => ({ $type: a })),
  field.map((a) => ({ $isArray: a })),
  field.map((a) => ({ $size: { $cond: [{ $isArray: a }, a, []] } })),
  fc.tuple(field, field).map(([a, b]) => ({ $and: [a, { $not: [b] }] })),
  field.map((a) => ({ $concat: ['x', { $cond: [{ $eq: [{ $type: a }, 'string'] }, a, '-'] }] })),
);
const accumulator = fc.oneof(
  fc.tuple(fc.constantFrom('$sum', '$avg', '$min', '$max'), field).map(([op, of]) => ({ [op]: of })),
  fc.constant({ $sum: 1 }),
);
const stage = fc.oneof(
  filter.map((match) => ({ $match: match })),
  expression.map((made) => ({ $project: { made } })),
  expression.map((made) => ({ $addFields: { made, 'sub.z': made } })),
  fc.constantFrom(
    { $unwind: '$arr' },
    { $unwind: { path: '$arr', preserveNullAndEmptyArrays: true, includeArrayIndex: 'i' } },
  ),
  fc
    .tuple(fc.constantFrom('$s', '$b', null, '$sub'), accumulator)
    .map(([by, total]) => ({ $group: { _id: by, total } })),
  fc.constant({ $unset: 'a' }),
);
// An empty array sorts before null (manual: reference/bson-type-comparison-order); the second engine has it behind, so it is not sorted by.
const sortable = fc.constantFrom('a', 'b', 'n', 's', 'sub.x');
const projection = fc.constantFrom(
  undefined,
  { a: 1 },
  { a: 0 },
  { _id: 0, 'sub.x': 1 },
  { 'arr.x': 0 },
  { arr: { $slice: 2 } },
  { n: 1, arr: { $elemMatch: { x: 1 } } },
);
const sort = fc.tuple(sortable, fc.constantFrom(1, -1)).map(([name, way]) => ({ [name]: way, _id: 1 }));
const index = fc.constantFrom(
  { key: { a: 1 }, name: 'a_1' },
  { key: { arr: 1 }, name: 'arr_1' },
  { key: { n: -1, b: 1 }, name: 'n_-1_b_1' },
  { key: { s: 1 }, name: 's_1', unique: true },
  { key: { 'sub.x': 1 }, name: 'sub.x_1', sparse: true },
  { key: { b: 1 }, name: 'b_1', partialFilterExpression: { n: { $gt: 0 } } },
);

const write = fc.oneof(
  fc.tuple(id, document).map(([_id, rest]) => ({ kind: 'insert', document: { _id, ...rest } })),
  fc.tuple(id, clause, modifier, fc.boolean()).map(([_id, also, change, upsert]) => ({
    kind: 'updateOne',
    filter: upsert ? { _id } : { _id, ...also },
    change,
    upsert,
  })),
  fc.tuple(filter, modifier).map(([which, change]) => ({ kind: 'updateMany', filter: which, change })),
  fc.tuple(id, document).map(([_id, replacement]) => ({ kind: 'replaceOne', filter: { _id }, replacement })),
  fc.tuple(id, clause).map(([_id, also]) => ({ kind: 'deleteOne', filter: { _id, ...also } })),
  filter.map((which) => ({ kind: 'deleteMany', filter: which })),
  fc
    .tuple(filter, modifier, sort, fc.constantFrom('before', 'after'))
    .map(([which, change, order, returnDocument]) => ({
      kind: 'findOneAndUpdate',
      filter: which,
      change,
      sort: order,
      returnDocument,
    })),
);
const read = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(filter, fc.option(sort), projection, fc.nat(3), fc.nat(5))
      .map(([which, order, project, skip, limit]) => ({
        kind: 'find',
        filter: which,
        sort: order ?? { _id: 1 },
        projection: project,
        skip,
        limit,
      })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('a', 'arr', 'sub.x', 's'), filter)
      .map(([key, which]) => ({ kind: 'distinct', key, filter: which })),
  },
  { weight: 1, arbitrary: filter.map((which) => ({ kind: 'count', filter: which })) },
  {
    weight: 3,
    arbitrary: fc.array(stage, { minLength: 1, maxLength: 3 }).map((stages) => ({ kind: 'aggregate', stages })),
  },
);
const step = fc.oneof(
  { weight: 8, arbitrary: write },
  { weight: 8, arbitrary: read },
  { weight: 1, arbitrary: index.map((spec) => ({ kind: 'createIndex', spec })) },
  { weight: 1, arbitrary: fc.constantFrom('a_1', 's_1', 'nonsense').map((name) => ({ kind: 'dropIndex', name })) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.array(fc.oneof(write, read), { minLength: 1, maxLength: 3 }), fc.boolean())
      .map(([steps, commit]) => ({ kind: 'transaction', steps, commit })),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'restart' }) },
);

/** A sequence of operations on one collection, with the documents that it begins with. */
export const sequence = fc.record({
  documents: fc
    .uniqueArray(fc.tuple(id, document), { maxLength: 8, selector: ([_id]) => _id })
    .map((all) => all.map(([_id, rest]) => ({ _id, ...rest }))),
  indexes: fc.uniqueArray(
    index.filter(({ unique }) => !unique),
    { maxLength: 3, selector: ({ name }) => name },
  ),
  steps: fc.array(step, { minLength: 1, maxLength: 8 }),
});
