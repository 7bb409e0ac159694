import fc from 'fast-check';
import { Double, Int32 } from 'mongodb';
import { item, moment, number, oneOf, scalar, subdocument, text, value, weighted } from './values.js';

/** The paths that filters and updates name. */
export const path = oneOf(
  'a',
  'b',
  'n',
  's',
  'arr',
  'sub',
  'd',
  'sub.x',
  'sub.y',
  'arr.x',
  'arr.0',
  'items.k',
  'items.q',
  'items.0.q',
);

const types = [
  'string',
  'int',
  'double',
  'long',
  'number',
  'array',
  'object',
  'bool',
  'null',
  'date',
  'objectId',
  'binData',
  'timestamp',
  'minKey',
  'maxKey',
];
const compared = oneOf('$eq', '$ne', '$gt', '$gte', '$lt', '$lte');
const positive = fc.oneof(
  fc.tuple(compared, scalar).map(([op, to]) => ({ [op]: to })),
  fc.tuple(oneOf('$in', '$nin'), fc.array(fc.oneof(scalar, value), { maxLength: 3 })).map(([op, to]) => ({ [op]: to })),
  fc.tuple(scalar, scalar).map(([low, high]) => ({ $gte: low, $lt: high })),
  fc.tuple(moment, moment).map(([low, high]) => ({ $gt: low, $lte: high })),
  fc.boolean().map((exists) => ({ $exists: exists })),
  oneOf(...types).map((type) => ({ $type: type })),
  fc
    .uniqueArray(oneOf(1, 2, 16, 9), { minLength: 1, maxLength: 2 })
    .map((list) => ({ $type: list.map((one) => new Int32(one)) })),
  fc.integer({ min: 0, max: 3 }).map((size) => ({ $size: size })),
  fc.array(scalar, { minLength: 1, maxLength: 2 }).map((all) => ({ $all: all })),
  fc
    .tuple(
      oneOf('^a', 'b$', 'B', '^ab', 'a.c', '^[ab]$', '^b', 'a$', 'a.b', '^a.*b$', 'a b', '[^b]$', '^\\w+$', '[ab]+c?'),
      oneOf('', 'i'),
    )
    .map(([pattern, flags]) => ({ $regex: pattern, ...(flags && { $options: flags }) })),
);
const element = fc.oneof(
  fc.record({ x: scalar }).map((match) => ({ $elemMatch: match })),
  fc.tuple(compared, scalar).map(([op, to]) => ({ $elemMatch: { [op]: to } })),
  // Two bounds that no value can meet let the index search of the second engine fail.
  number.map((low) => ({ $elemMatch: { $gte: low, $lt: new Double(Number(low) + 4) } })),
  fc.tuple(text, number).map(([k, q]) => ({ $elemMatch: { k, q: { $gte: q } } })),
  fc.tuple(text, number).map(([k, q]) => ({ $elemMatch: { $or: [{ k }, { q }] } })),
);
const test = weighted(
  [3, scalar],
  [1, fc.oneof(subdocument, value)],
  [8, positive],
  [2, element],
  [2, fc.oneof(positive, element).map((inner) => ({ $not: inner }))],
  [1, oneOf('^a', 'B').map((pattern) => new RegExp(pattern))],
  [1, fc.tuple(positive, positive).map(([one, two]) => ({ ...one, ...two }))],
);
/** One condition on one path. */
export const clause = fc.tuple(path, test).map(([name, condition]) => ({ [name]: condition }));
// For a comparison of a field with a constant the second engine searches an index, which lacks missing values and values of
// other types. It also treats a missing value as equal to MinKey.
const compare = fc
  .tuple(
    oneOf('$eq', '$ne', '$gt', '$gte', '$lt', '$lte'),
    oneOf('$n', '$sub.x', '$b').map((of) => ({ $ifNull: [of, null] })),
    fc.oneof(
      oneOf('$a', '$sub.y', '$n').map((of) => ({ $ifNull: [of, null] })),
      number,
    ),
  )
  .map(([op, one, two]) => ({ $expr: { [op]: [one, two] } }));
/** A filter of the query language. */
export const filter = weighted(
  [1, fc.constant({})],
  [7, clause],
  [1, compare],
  [1, fc.integer({ min: 0, max: 8 }).map((one) => ({ _id: { $gte: one } }))],
  [
    3,
    fc
      .tuple(oneOf('$and', '$or', '$nor'), fc.array(fc.oneof(clause, clause, compare), { minLength: 1, maxLength: 3 }))
      .map(([op, clauses]) => ({ [op]: clauses })),
  ],
  [2, fc.tuple(clause, clause).map(([one, two]) => ({ ...one, ...two }))],
  [1, fc.tuple(clause, clause, clause).map(([one, two, three]) => ({ ...one, $or: [two, three] }))],
);

// Not by arr or a: an empty array sorts before null (manual: reference/bson-type-comparison-order). The second engine sorts it after null.
/** Sorts that determine the whole order: the last part is `_id`, because the order of equal documents is not defined. */
export const sort = fc
  .tuple(
    fc.uniqueArray(oneOf('b', 'n', 's', 'd', 'sub.x', 'arr.x', 'items.q'), { minLength: 1, maxLength: 2 }),
    oneOf(1, -1),
    oneOf(1, -1),
  )
  .map(([names, first, second]) =>
    Object.fromEntries([...names.map((name, i) => [name, i === 0 ? first : second]), ['_id', 1]]),
  );

export const projection = fc.oneof(
  fc.constant(undefined),
  fc
    .uniqueArray(oneOf('a', 'n', 's', 'arr', 'sub.x', 'arr.x', 'items.k', 'items'), { minLength: 1, maxLength: 3 })
    .chain((names) =>
      oneOf(0, 1, true, false).map((flag) =>
        Object.fromEntries(
          names
            .filter((name) => name !== 'items' || !names.includes('items.k'))
            .filter((name) => name !== 'arr' || !names.includes('arr.x'))
            .map((name) => [name, flag]),
        ),
      ),
    ),
  oneOf({ _id: 0 }, { _id: 1 }, { _id: 0, 'sub.x': 1 }, { _id: 0, a: 0 }, { sub: { x: 1 } }, { sub: { y: 0 } }),
  // No projection that can fail: the engines differ in whether a findAndModify has written then, and the manual does not say.
  fc.constant({
    n: 1,
    twice: { $add: ['$_id', '$_id'] },
    word: { $concat: [{ $cond: [{ $eq: [{ $type: '$s' }, 'string'] }, '$s', 'none'] }, '!'] },
  }),
);
/** Filters that find an array's element, for the positional `$`. */
export const positional = fc.oneof(
  item.map(({ k }) => ({ 'items.k': k })),
  fc.tuple(text, number).map(([k, q]) => ({ items: { $elemMatch: { k, q: { $gte: q } } } })),
);
