import fc from 'fast-check';
import { stages } from './pipelines.js';
import { own } from './perform.js';
import { clause, filter, projection, sort } from './queries.js';
import { change, filtered, pointed } from './updates.js';
import { document, id, nonzero, oneOf, scalar, weighted } from './values.js';

const index = oneOf(
  { key: { a: 1 }, name: 'a_1' },
  { key: { arr: 1 }, name: 'arr_1' },
  { key: { n: -1, b: 1 }, name: 'n_-1_b_1' },
  { key: { s: 1, n: 1 }, name: 's_1_n_1' },
  { key: { 'items.k': 1, 'items.q': -1 }, name: 'items.k_1_items.q_-1' },
  { key: { 'sub.x': 1 }, name: 'sub.x_1', sparse: true },
  { key: { b: 1 }, name: 'b_1', partialFilterExpression: { n: { $gt: 0 } } },
  { key: { b: -1 }, name: 'b_-1', partialFilterExpression: { b: { $lt: 5 } } },
  { key: { d: -1 }, name: 'd_-1', partialFilterExpression: { s: { $type: 'string' } } },
  { key: { s: 1, b: 1 }, name: 's_1_b_1', unique: true },
  { key: { d: 1, s: 1 }, name: 'd_1_s_1', unique: true, sparse: true },
  { key: { 'items.k': 1 }, name: 'items.k_1', unique: true, partialFilterExpression: { n: { $gte: 1 } } },
);
// With such an index the second engine finds documents that do not match, so only the embedded store has it.
const ownIndex = { key: { 'arr.0': 1 }, name: own };
const indexNames = ['a_1', 'arr_1', 'n_-1_b_1', 's_1_b_1', 'nonsense'];

// A statement on one document has its _id or a sort by it. Which of several documents is taken is not defined.
const aimed = fc.tuple(id, fc.option(clause, { nil: {} })).map(([_id, also]) => ({ _id, ...also }));
const insert = fc.tuple(id, document).map(([_id, rest]) => ({ kind: 'insert', document: { _id, ...rest } }));
const update = fc.oneof(
  fc.tuple(aimed, change).map(([which, to]) => ({ kind: 'updateOne', filter: which, change: to })),
  fc
    .tuple(
      id,
      fc.option(oneOf({ n: 1 }, { 'sub.x': 5 }, { s: { $in: ['a'] } }, { b: { $gt: 1 } }), { nil: {} }),
      change,
    )
    .map(([_id, also, to]) => ({ kind: 'updateOne', filter: { _id, ...also }, change: to, upsert: true })),
  fc
    .tuple(aimed, filtered)
    .map(([which, { where, ...to }]) => ({ kind: 'updateOne', filter: { ...which, ...where }, ...to })),
  fc.tuple(id, pointed).map(([_id, [found, to]]) => ({ kind: 'updateOne', filter: { _id, ...found }, change: to })),
);
const replace = fc.tuple(id, document, fc.boolean(), fc.boolean()).map(([_id, rest, upsert, named]) => ({
  kind: 'replaceOne',
  filter: { _id },
  replacement: named ? { _id, ...rest } : rest,
  upsert,
}));
const many = fc.oneof(
  fc.tuple(filter, change).map(([which, to]) => ({ kind: 'updateMany', filter: which, change: to })),
  fc
    .tuple(filter, filtered)
    .map(([which, { where, ...to }]) => ({ kind: 'updateMany', filter: { ...which, ...where }, ...to })),
  fc.tuple(pointed).map(([[found, to]]) => ({ kind: 'updateMany', filter: found, change: to })),
);
const removal = fc.oneof(
  aimed.map((which) => ({ kind: 'deleteOne', filter: which })),
  filter.map((which) => ({ kind: 'deleteMany', filter: which })),
);
const found = fc.tuple(filter, sort, projection);
const findAndModify = fc.oneof(
  fc.tuple(found, change, oneOf('before', 'after')).map(([[which, order, project], to, returnDocument]) => ({
    kind: 'findOneAndUpdate',
    filter: which,
    sort: order,
    projection: project,
    change: to,
    returnDocument,
  })),
  fc.tuple(id, change, projection).map(([_id, to, project]) => ({
    kind: 'findOneAndUpdate',
    filter: { _id },
    change: to,
    projection: project,
    upsert: true,
    returnDocument: 'after',
  })),
  fc.tuple(id, document, fc.boolean(), oneOf('before', 'after')).map(([_id, replacement, upsert, returnDocument]) => ({
    kind: 'findOneAndReplace',
    filter: { _id },
    replacement,
    upsert,
    returnDocument,
  })),
  found.map(([which, order, project]) => ({
    kind: 'findOneAndDelete',
    filter: which,
    sort: order,
    projection: project,
  })),
);
const bulk = fc
  .tuple(fc.array(fc.oneof(insert, update, replace, many, removal), { minLength: 2, maxLength: 4 }), fc.boolean())
  // Only an ordered bulk write has an updateMany: which documents it has changed when it fails depends on the engine.
  .map(([steps, ordered]) => ({
    kind: 'bulkWrite',
    steps,
    ordered: ordered || steps.some(({ kind }) => kind === 'updateMany'),
  }));

const write = weighted([4, insert], [6, update], [2, replace], [3, many], [2, removal], [3, findAndModify], [2, bulk]);
const read = weighted(
  [
    8,
    fc.tuple(filter, fc.option(sort), projection, fc.nat(3), fc.nat(5)).map(([which, order, project, skip, limit]) => ({
      kind: 'find',
      filter: which,
      sort: order ?? { _id: 1 },
      projection: project,
      skip,
      limit,
    })),
  ],
  [
    1,
    fc
      .tuple(oneOf('a', 'arr', 'sub.x', 's', 'items.k', 'n'), filter)
      .map(([key, which]) => ({ kind: 'distinct', key, filter: which })),
  ],
  [1, filter.map((which) => ({ kind: 'count', filter: which }))],
  [7, stages.map((all) => ({ kind: 'aggregate', stages: all }))],
);
const transaction = fc
  .tuple(fc.array(fc.oneof(write, read), { minLength: 1, maxLength: 3 }), fc.boolean())
  .map(([steps, commit]) => ({ kind: 'transaction', steps, commit }));

// Two transactions at once. Each inserts its own unique values: for a value that the other one has just committed MongoDB
// returns WriteConflict and the second engine DuplicateKey (see its README).
const inside = (first) =>
  fc.oneof(
    fc
      .tuple(oneOf(first, first + 1), scalar)
      .map(([_id, a]) => ({ kind: 'insert', document: { _id, a, s: `of ${first}` } })),
    fc.tuple(id, nonzero).map(([_id, by]) => ({ kind: 'updateOne', filter: { _id }, change: { $inc: { total: by } } })),
    fc.tuple(id, scalar).map(([_id, to]) => ({
      kind: 'findOneAndUpdate',
      filter: { _id },
      change: { $set: { mark: to } },
      returnDocument: 'after',
    })),
    id.map((_id) => ({ kind: 'deleteOne', filter: { _id } })),
    fc.constant({ kind: 'find', filter: {}, sort: { _id: 1 }, skip: 0, limit: 0 }),
    filter.map((which) => ({ kind: 'count', filter: which })),
  );
const turn = fc.oneof(
  ...[0, 1].map((who) => inside(20 + 10 * who).map((step) => ({ who, step }))),
  ...[0, 1].map((who) => oneOf('commit', 'abort', 'commit').map((end) => ({ who, end }))),
);
const interleaved = fc.array(turn, { minLength: 3, maxLength: 8 }).map((turns) => ({ kind: 'interleaved', turns }));

const step = weighted(
  [24, write],
  [24, read],
  [2, index.map((spec) => ({ kind: 'createIndex', spec }))],
  [1, oneOf(...indexNames).map((name) => ({ kind: 'dropIndex', name }))],
  [1, fc.constant({ kind: 'listIndexes' })],
  [3, transaction],
  [2, interleaved],
);

/**
 * A sequence of operations on one collection, with the documents and indexes at its start, and the step before which the
 * store is restarted, if at all (after the last step this is before the final comparison of the collection).
 */
export const sequence = fc.record({
  documents: fc
    .uniqueArray(fc.tuple(id, document), { maxLength: 8, selector: ([_id]) => _id })
    .map((all) => all.map(([_id, rest]) => ({ _id, ...rest }))),
  indexes: fc.uniqueArray(
    fc.oneof(
      { weight: 8, arbitrary: index.filter(({ unique }) => !unique) },
      { weight: 1, arbitrary: fc.constant(ownIndex) },
    ),
    { maxLength: 3, selector: ({ name }) => name },
  ),
  steps: fc.array(step, { minLength: 1, maxLength: 8 }),
  restart: weighted([9, fc.constant(null)], [1, fc.nat(8)]),
});
