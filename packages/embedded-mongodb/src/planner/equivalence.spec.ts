import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Binary } from 'bson';
import { docOf } from '../../test/support/documents.js';
import { StoreError } from '../errors.js';
import { parseSort, sortKey } from '../query/sorting.js';
import { unlimited } from '../query/work.js';
import { type Collection, type Readable } from '../storage/catalogue.js';
import { entriesFor, makeIndex } from '../storage/indexes.js';
import { recordKey } from '../storage/keys.js';
import { encode } from '../values/bson.js';
import { doc, type Doc } from '../values/types.js';
import { findRows } from './scan.js';

/** How many random collections with an index there are. `npm run long -- store-queries` has more. */
const RUNS = Number(process.env['QUERY_RUNS'] ?? 1000);

function viewOf(entries: [Buffer, Buffer][]): Readable {
  const sorted = entries.map(([key, value]) => ({ key, value })).sort((a, b) => Buffer.compare(a.key, b.key));
  return {
    version: 1,
    revision: 1,
    has: () => true,
    get: (key) => sorted.find((entry) => entry.key.equals(key))?.value,
    range: (from, to, reverse, limit) => {
      const all = sorted.filter(({ key }) => Buffer.compare(key, from) >= 0 && Buffer.compare(key, to) < 0);
      return (reverse ? all.reverse() : all).slice(0, limit);
    },
  };
}

interface Case {
  readonly documents: readonly object[];
  readonly key: Record<string, 1 | -1>;
  readonly options: object;
  readonly filter: object;
  readonly sort?: Record<string, 1 | -1>;
}

/** The numbers of the documents that match, found with the index and without it. Documents that the index rejects are left out. */
function both({ documents, key, options, filter, sort = {} }: Case): { used: string[]; scanned: string[] } {
  const index = makeIndex(1, docOf({ key, name: 'i', ...options }));
  const entries: [Buffer, Buffer][] = [];
  for (const [record, plain] of documents.entries()) {
    const document = docOf({ _id: record, ...plain });
    try {
      if (parseSort(docOf(sort)).length > 0) sortKey(document, parseSort(docOf(sort)));
      const made = entriesFor(index, document, record);
      entries.push([recordKey(2, record), encode(document)]);
      for (const entry of made.values()) entries.push([entry.key, entry.value]);
    } catch (error) {
      if (!(error instanceof StoreError) || ![2, 171, 16746].includes(error.code)) throw error;
    }
  }
  const collection: Collection = {
    namespace: 'd.c',
    id: 2,
    uuid: new Binary(),
    options: new Map(),
    indexes: [index],
    build: undefined,
    nextRecord: documents.length,
    marks: 0,
  };
  const view = viewOf(entries);
  const env = { now: new Date(0), vars: new Map(), work: unlimited() };
  const parts = parseSort(docOf(sort));
  const run = (hint: Doc | undefined): string[] => {
    const rows = [...findRows(view, collection, { filter: docOf(filter), sort: parts, hint }, env)].flatMap((row) =>
      row ? [row] : [],
    );
    const keys = rows.map(({ document }) => sortKey(document, parts));
    expect(keys).toEqual([...keys].sort((a, b) => Buffer.compare(a, b)));
    return rows.map(({ record }) => String(record)).sort();
  };
  const used = run(undefined);
  const unsorted = { filter: docOf(filter), sort: [], hint: undefined };
  const counted = [...findRows(view, collection, unsorted, env, { countOnly: true })].filter(
    (row) => row !== undefined,
  );
  expect(counted).toHaveLength(used.length);
  return { used, scanned: run(doc({ $natural: 1 })) };
}

it.each<[string, Case]>([
  [
    'two elements of an array',
    { documents: [{ a: [5, 6] }, { a: [5] }], key: { a: 1 }, options: {}, filter: { $and: [{ a: 5 }, { a: 6 }] } },
  ],
  [
    'one of two values, which an array has both',
    {
      documents: [
        { a: [5, 6], b: 1 },
        { a: 5, b: 2 },
      ],
      key: { a: 1 },
      options: {},
      filter: { b: 1, $or: [{ a: 5 }, { a: 6 }] },
    },
  ],
  [
    'one of two values on a path that is an array',
    { documents: [{ a: [5, 6] }, { a: 7 }], key: { a: 1 }, options: {}, filter: { $or: [{ a: 5 }, { a: 6 }] } },
  ],
  [
    'a period',
    {
      documents: [{ a: new Date(5) }, { a: new Date(9) }, { a: 5 }, { a: null }, {}],
      key: { a: -1 },
      options: {},
      filter: { a: { $gte: new Date(5), $lt: new Date(9) } },
    },
  ],
  [
    'an empty array and a path below it',
    { documents: [{ a: [] }], key: { a: 1, 'a.y': 1 }, options: {}, filter: { a: [] } },
  ],
  [
    'a position of an array and another path of it',
    { documents: [{ a: [5, 6] }], key: { 'a.0': 1, 'a.y': 1 }, options: {}, filter: { 'a.0': 5 } },
  ],
  [
    'an array in an array and a path below it',
    { documents: [{ a: [[1]] }], key: { a: 1, 'a.y': 1 }, options: {}, filter: { a: [[1]] } },
  ],
  [
    '$elemMatch of a position in the elements',
    { documents: [{ a: [[1], [5]] }], key: { 'a.0': 1 }, options: {}, filter: { a: { $elemMatch: { 0: 5 } } } },
  ],
  [
    '$elemMatch of a range, and an array in the element whose values are on both sides of it',
    {
      documents: [{ a: [{ x: [0, 9] }] }],
      key: { 'a.x': 1 },
      options: {},
      filter: { a: { $elemMatch: { x: { $gte: 4, $lte: 5 } } } },
    },
  ],
  [
    'a range, and elements whose values are on both sides of it',
    {
      documents: [{ a: [{ x: 0 }, { x: 9 }] }],
      key: { 'a.x': 1 },
      options: {},
      filter: { 'a.x': { $gte: 4, $lte: 5 } },
    },
  ],
  [
    '$elemMatch with an $and',
    {
      documents: [{ a: [{ x: 1 }, { x: 5 }] }],
      key: { 'a.x': 1 },
      options: {},
      filter: { a: { $elemMatch: { $and: [{ x: { $gt: 2 } }, { x: { $lt: 9 } }] } } },
    },
  ],
  [
    'two $elemMatch that different elements meet',
    {
      documents: [{ a: [{ x: 0 }, { x: 9 }] }],
      key: { 'a.x': 1 },
      options: {},
      filter: { $and: [{ a: { $elemMatch: { x: { $gte: 8 } } } }, { a: { $elemMatch: { x: { $lte: 1 } } } }] },
    },
  ],
  [
    'a partial index for an array, and one of its elements',
    { documents: [{ a: 1 }], key: { a: 1 }, options: { partialFilterExpression: { a: [1] } }, filter: { a: 1 } },
  ],
  [
    'a partial index below a number, and NaN, which no number is above',
    {
      documents: [{ a: Number.NaN }],
      key: { a: 1 },
      options: { partialFilterExpression: { a: { $lt: 5 } } },
      filter: { a: Number.NaN },
    },
  ],
  [
    'a partial index from NaN on, which only NaN is in, and a number',
    {
      documents: [{ a: 1 }],
      key: { a: 1 },
      options: { partialFilterExpression: { a: { $gte: Number.NaN } } },
      filter: { a: 1 },
    },
  ],
])('finds with an index the same documents as with a scan: %s', (_, given) => {
  const { used, scanned } = both(given);
  expect(scanned).toEqual(['0']);
  expect(used).toEqual(scanned);
});

const scalar = fc.constantFrom<unknown>(0, 1, 2, Number.NaN, null, 's', true);
const { value } = fc.letrec<{ value: unknown; array: unknown; object: unknown }>((tie) => ({
  value: fc.oneof({ depthSize: 'small', maxDepth: 4 }, scalar, tie('array'), tie('object')),
  array: fc.array(tie('value'), { maxLength: 3 }),
  object: fc.dictionary(fc.constantFrom('x', 'y', '0'), tie('value'), { maxKeys: 2 }),
}));
const path = fc.constantFrom('a', 'a.x', 'a.y', 'a.0', 'a.1', 'a.0.x', 'a.x.y', 'a.x.0', 'a.0.0', 'b', 'b.x');
const below = fc.constantFrom('x', 'y', '0', 'x.y', 'x.0');
const way = fc.constantFrom<1 | -1>(1, -1);
/** A value and all values inside it. */
const within = (found: unknown): unknown[] => [
  found,
  ...(typeof found === 'object' && found !== null ? Object.values(found).flatMap(within) : []),
];

/** Filters for values of the documents, mostly on the paths of the index. Others would rarely match. */
function filterFor(documents: readonly object[], paths: readonly string[]): fc.Arbitrary<object> {
  const known = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...documents.flatMap(within)) }, scalar);
  const comparison = fc.oneof(
    { weight: 4, arbitrary: known },
    fc.record({ $gt: scalar }),
    fc.record({ $gte: scalar, $lt: scalar }),
    fc.record({ $lt: scalar }),
    fc.record({ $lte: scalar }),
    fc.record({ $in: fc.array(known, { maxLength: 3 }) }),
    fc.record({ $exists: fc.boolean() }),
    fc.record({ $ne: known }),
    fc.record({ $type: fc.constantFrom('number', 'string', 'array', 'object') }),
  );
  const element = fc.record({ $elemMatch: fc.dictionary(below, comparison, { minKeys: 1, maxKeys: 2 }) });
  const operand = fc.oneof({ weight: 3, arbitrary: comparison }, element);
  const somePath = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...paths) }, path);
  const flat = fc.dictionary(somePath, operand, { minKeys: 1, maxKeys: 2 });
  const either = fc.record({ $or: fc.array(flat, { minLength: 1, maxLength: 2 }) });
  return fc.oneof(
    { weight: 3, arbitrary: flat },
    fc.record({ $and: fc.array(flat, { minLength: 1, maxLength: 2 }) }),
    either,
    fc.tuple(flat, either).map(([all, one]) => ({ ...all, ...one })),
  );
}

function partialFor(documents: readonly object[], paths: readonly string[]): fc.Arbitrary<object> {
  const known = fc.constantFrom(...documents.flatMap(within));
  const operand = fc.oneof(
    known,
    fc.constantFrom('$gt', '$gte', '$lt', '$lte').chain((name) => scalar.map((to) => ({ [name]: to }))),
    fc.record({ $exists: fc.constant(true) }),
    fc.record({ $in: fc.array(known, { maxLength: 2 }) }),
    fc.record({ $type: fc.constantFrom('number', 'string', 'object') }),
  );
  return fc
    .dictionary(fc.constantFrom(...paths), operand, { minKeys: 1, maxKeys: 1 })
    .map((partialFilterExpression) => ({ partialFilterExpression }));
}

it('finds with an index of any kind over overlapping paths the same documents as with a scan', () => {
  const given = fc
    .record({
      documents: fc.array(fc.record({ a: value, b: value }, { requiredKeys: ['a'] }), { minLength: 1, maxLength: 3 }),
      key: fc.dictionary(path, way, { minKeys: 1, maxKeys: 3 }),
    })
    .chain(({ documents, key }) =>
      fc.record({
        documents: fc.constant(documents),
        key: fc.constant(key),
        options: fc.oneof(
          { weight: 3, arbitrary: fc.constant({}) },
          fc.constant({ sparse: true }),
          partialFor(documents, Object.keys(key)),
        ),
        filters: fc.array(filterFor(documents, Object.keys(key)), { minLength: 6, maxLength: 6 }),
        sort: fc.oneof(fc.constant({}), fc.dictionary(path, way, { maxKeys: 2 })),
      }),
    );
  fc.assert(
    fc.property(given, ({ filters, ...rest }) => {
      for (const filter of filters) {
        const { used, scanned } = both({ ...rest, filter });
        expect(used).toEqual(scanned);
      }
    }),
    { numRuns: RUNS },
  );
});

it('finds with a partial index the same documents as with a scan, for every pair of comparisons and values', () => {
  const values = [Number.NaN, -Infinity, 0, 1, Infinity, '', 's', false, true, new Date(0), null];
  const operators = ['$eq', '$gt', '$gte', '$lt', '$lte'];
  const comparisons = operators.flatMap((name) => values.map((to) => ({ a: { [name]: to } })));
  const documents = [{}, { a: [] }, ...values.map((a) => ({ a })), { a: [0, 's'] }];
  for (const partialFilterExpression of comparisons) {
    for (const filter of comparisons) {
      const { used, scanned } = both({ documents, key: { a: 1 }, options: { partialFilterExpression }, filter });
      expect({ partialFilterExpression, filter, used }).toEqual({ partialFilterExpression, filter, used: scanned });
    }
  }
});

it('ranges that are read side by side come in the order of the sort', () => {
  const few = fc.constantFrom<unknown>(0, 1, 2, null);
  const someOf = fc.oneof(few, fc.record({ $in: fc.array(few, { minLength: 1, maxLength: 3 }) }));
  const given = fc.record({
    documents: fc.array(
      fc.record({ a: fc.oneof(few, fc.array(few, { maxLength: 3 })), b: few, c: fc.nat(9) }, { requiredKeys: ['c'] }),
      { minLength: 5, maxLength: 20 },
    ),
    key: fc.record({ a: way, b: way, c: way }, { noNullPrototype: true }),
    options: fc.constant({}),
    filter: fc.record({ a: someOf, b: someOf, c: fc.record({ $gte: fc.nat(9) }) }, { requiredKeys: ['a', 'b'] }),
    sort: fc.record({ c: way }, { noNullPrototype: true }),
  });
  fc.assert(
    fc.property(given, (one) => {
      const { used, scanned } = both(one);
      expect(used).toEqual(scanned);
    }),
    { numRuns: RUNS },
  );
});
