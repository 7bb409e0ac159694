import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ClientSession, type Document, Long, type MongoClient, MongoServerError } from 'mongodb';
import { openTestStore, type TestStore } from '../test/support/test-store.js';

// Arguments that MongoDB 8 rejects, or that this store does not have (238). Each must be an error here, too: otherwise code that
// works with this store would fail only in production.

let store: TestStore;
let client: MongoClient;

beforeAll(async () => {
  store = await openTestStore();
  ({ client } = store);
  await client
    .db('shop')
    .collection('c')
    .insertMany([{ a: 1, l: [1, 2] }, { a: 2 }]);
});
afterAll(() => store.close());

/** The code of the command's error, or of its first statement that failed. */
const codeOf = (command: Document, database = 'shop', session?: ClientSession): Promise<unknown> =>
  client
    .db(database)
    .command(command, session ? { session } : {})
    .then(
      ({ writeErrors = [] }) => (writeErrors as Document[])[0]?.['code'] as unknown,
      (error: unknown) => (error instanceof MongoServerError ? error.code : error),
    );

const set = { $set: { a: 1 } };
const find = (options: Document): Document => ({ find: 'c', ...options });
const insert = (options: Document): Document => ({ insert: 'c', documents: [{}], ...options });
const update = (options: Document): Document => ({ update: 'c', updates: [{ q: {}, u: set, ...options }] });
const remove = (options: Document): Document => ({ delete: 'c', deletes: [{ q: {}, limit: 1, ...options }] });
const modify = (options: Document): Document => ({ findAndModify: 'c', query: {}, update: set, ...options });
const index = (key: unknown, options: Document = {}): Document => ({
  createIndexes: 'c',
  indexes: [{ key, name: 'new', ...options }],
});
const aggregate = (...pipeline: unknown[]): Document => ({ aggregate: 'c', pipeline, cursor: {} });
const project = (made: unknown): Document => aggregate({ $project: { made } });
const lookup = (options: Document): Document => aggregate({ $lookup: { from: 'c', as: 'x', ...options } });
const next = (options: Document): Document => ({ getMore: Long.fromNumber(5), collection: 'c', ...options });

const cases: Readonly<Record<string, [Document, number][]>> = {
  find: [
    [find({ filter: 1 }), 14],
    [find({ projection: 1 }), 14],
    [find({ sort: 1 }), 14],
    [find({ sort: { a: 2 } }), 15975],
    [find({ sort: { '': 1 } }), 40352],
    [find({ sort: { 'a.': 1 } }), 40353],
    [find({ sort: { 'a..b': 1 } }), 15998],
    [find({ sort: { 'a.$b': 1 } }), 16410],
    [find({ sort: { $natural: -1 } }), 238],
    [find({ sort: { $natural: 1, a: 1 } }), 2],
    [find({ skip: -1 }), 51024],
    [find({ limit: -1 }), 51024],
    [find({ batchSize: -1 }), 51024],
    [find({ limit: true }), 14],
    [find({ singleBatch: 1 }), 14],
    [find({ noCursorTimeout: 1 }), 14],
    [find({ allowDiskUse: 1 }), 14],
    [find({ hint: 5 }), 9],
    [find({ hint: null }), 9],
    [find({ hint: 'nope' }), 2],
    [find({ hint: { $natural: 2 } }), 2],
    [find({ hint: { $natural: 1, a: 1 } }), 2],
    [find({ hint: { $natural: -1 } }), 238],
    [find({ collation: 5 }), 14],
    [find({ collation: { locale: 'simple', strength: 1 } }), 238],
    [find({ min: { a: 1 } }), 238],
    [find({ max: { a: 1 } }), 238],
    [find({ tailable: true }), 238],
    [find({ maxTimeMS: -1 }), 51024],
    [find({ maxTimeMS: 2 ** 31 }), 2],
    [find({ let: 1 }), 14],
    [find({ let: { A: 1 } }), 9],
    [find({ ordered: true }), 40415],
    [find({ stmtId: 1 }), 40415],
    [find({ constructor: 1 }), 40415],
    [{ find: 'a$b' }, 73],
    [{ find: 5 }, 73],
  ],
  projection: [
    [find({ projection: { '': 1 } }), 40352],
    [find({ projection: { 'a..b': 1 } }), 15998],
    [find({ projection: { $a: 1 } }), 16410],
    [find({ projection: { 'a.$': 1, 'b.$': 1 } }), 31276],
    [find({ projection: { 'a.$.b': 1 } }), 31394],
    [find({ projection: { 'a.$': 0 } }), 31395],
    [find({ projection: { a: { $slice: [1, 0] } } }), 28724],
    [find({ projection: { a: { $elemMatch: 1 } } }), 31274],
  ],
  filter: [
    [find({ filter: { a: { $gt: 1, b: 1 } } }), 2],
    [find({ filter: { a: { $regex: 'a', $options: 'q' } } }), 51108],
    [find({ filter: { a: { $size: -1 } } }), 2],
    [find({ filter: { a: { $type: 99 } } }), 2],
    [find({ filter: { $and: [] } }), 2],
  ],
  'getMore and killCursors': [
    [next({ getMore: 5 }), 14],
    [next({ collection: undefined }), 40414],
    [next({ collection: 1 }), 14],
    [next({ batchSize: -1 }), 2],
    [next({ term: 1 }), 40415],
    [{ killCursors: 'c', cursors: [1] }, 14],
    [{ killCursors: 'c' }, 40414],
  ],
  'count and distinct': [
    [{ count: 'c', limit: 'x' }, 2],
    [{ count: 'c', limit: 1.5 }, 9],
    [{ count: 'c', skip: -1 }, 9],
    [{ count: 'c', query: 1 }, 14],
    [{ count: 'c', batchSize: 1 }, 40415],
    [{ distinct: 'c' }, 40414],
    [{ distinct: 'c', key: 1 }, 14],
    [{ distinct: 'c', key: 'a', limit: 1 }, 40415],
  ],
  insert: [
    [insert({ documents: [] }), 16],
    [insert({ documents: [1] }), 14],
    [insert({ ordered: 1 }), 14],
    [insert({ bypassDocumentValidation: 'x' }), 14],
    [insert({ let: {} }), 40415],
    [insert({ collation: {} }), 40415],
    [insert({ insert: 'system.x' }), 73],
    [insert({ insert: 'x'.repeat(300) }), 73],
  ],
  update: [
    [update({ upsert: 1 }), 14],
    [update({ multi: 1 }), 14],
    [update({ q: 1 }), 14],
    [update({ q: undefined }), 40414],
    [update({ u: undefined }), 40414],
    [update({ u: 1 }), 9],
    [update({ nonsense: 1 }), 40415],
    [update({ arrayFilters: [1] }), 14],
    [update({ arrayFilters: [{ x: 1 }] }), 9],
    [update({ u: { $set: { 'l.$[x]': 1 } }, arrayFilters: [{ x: 1, y: 1 }] }), 9],
    [update({ u: { $set: { 'l.$[x]': 1 } }, arrayFilters: [{}] }), 9],
    [update({ u: { $set: { 'l.$[X]': 1 } }, arrayFilters: [{ X: 1 }] }), 2],
    [update({ u: [set], arrayFilters: [{ x: 1 }] }), 9],
    [update({ c: { a: 1 } }), 51198],
    [update({ sort: { a: 1 }, multi: true }), 9],
    [update({ u: { a: 1 }, multi: true }), 9],
    [update({ u: { a: 1, $set: { b: 1 } } }), 52],
    [update({ u: { $set: { b: 1 }, a: 1 } }), 9],
    [update({ u: [1] }), 14],
    [update({ u: [{ ...set, $unset: 'b' }] }), 40323],
    [update({ u: { $set: { 'a..b': 1 } } }), 56],
    [update({ u: { $push: { l: { $each: 1 } } } }), 2],
    [update({ u: { $addToSet: { l: { $each: [1], $slice: 1 } } } }), 2],
    [update({ hint: 1 }), 9],
    [update({ collation: { locale: 'de' } }), 238],
  ],
  delete: [
    [remove({ limit: 2 }), 9],
    [remove({ limit: undefined }), 40414],
    [remove({ q: 1 }), 14],
    [remove({ sort: {} }), 40415],
    [remove({ multi: true }), 40415],
  ],
  findAndModify: [
    [modify({ upsert: 'x' }), 14],
    [modify({ sort: 1 }), 14],
    [modify({ fields: 1 }), 14],
    [modify({ remove: true }), 9],
    [modify({ update: undefined, remove: true, arrayFilters: [] }), 9],
    [modify({ arrayFilters: [{ x: 1 }] }), 9],
    [modify({ nonsense: 1 }), 40415],
  ],
  createIndexes: [
    [index({ 'a..b': 1 }), 67],
    [index({ '.a': 1 }), 67],
    [index({ 'a.$b': 1 }), 67],
    [index({ a: 'nonsense' }), 67],
    [index({ a: 'hashed' }), 238],
    [index({ 'a.$**': 1 }), 238],
    [index({ a: 0 }), 67],
    [index({ a: true }), 67],
    [index({}), 67],
    [index(1), 14],
    [{ createIndexes: 'c', indexes: [{ name: 'new' }] }, 9],
    [{ createIndexes: 'c', indexes: [{ key: { a: 1 } }] }, 9],
    [index({ a: 1 }, { name: 1 }), 14],
    [index({ a: 1 }, { name: '' }), 67],
    [index({ a: 1 }, { name: '*' }), 2],
    [index({ a: 1 }, { name: '_id_' }), 2],
    [index({ a: 1 }, { v: 1 }), 238],
    [index({ a: 1 }, { v: 3 }), 67],
    [index({ a: 1 }, { v: '2' }), 14],
    [index({ a: 1 }, { hidden: 1 }), 14],
    [index({ a: 1 }, { background: 'x' }), 14],
    [index({ a: 1 }, { collation: {} }), 2],
    [index({ a: 1 }, { dropDups: true }), 197],
    [index({ a: 1 }, { expireAfterSeconds: 'x' }), 67],
    [index({ _id: -1 }), 2],
    [index({ _id: 1 }, { background: true }), 197],
    [{ ...index({ a: 1 }), commitQuorum: 5 }, 278],
    [{ ...index({ a: 1 }), ignoreUnknownIndexOptions: true }, 238],
    [{ ...index({ a: 1 }), nonsense: true }, 40415],
    [{ createIndexes: 'c', indexes: [] }, 2],
    [{ createIndexes: 'c', indexes: ['a', 'b'].map((field) => ({ key: { [field]: 1 }, name: 'same' })) }, 86],
    [{ createIndexes: 'c', indexes: ['x', 'y'].map((name) => ({ key: { a: 1 }, name })) }, 85],
    [{ createIndexes: 'c', indexes: [1, 1].map((a) => ({ key: { a }, name: 'same' })) }, 68],
  ],
  'dropIndexes and listIndexes': [
    [{ dropIndexes: 'c' }, 40414],
    [{ dropIndexes: 'c', index: 1 }, 14],
    [{ dropIndexes: 'c', index: [1] }, 14],
    [{ dropIndexes: 'c', index: 'nope' }, 27],
    [{ listIndexes: 'c', cursor: { batchSize: -1 } }, 51024],
    [{ listIndexes: 'c', cursor: { nonsense: 1 } }, 40415],
  ],
  'create and collMod': [
    [{ create: 'd', nonsense: 1 }, 40415],
    [{ create: 'd', collation: { locale: 'de' } }, 238],
    [{ create: 'system.x' }, 73],
    [{ create: '' }, 73],
    [{ collMod: 'c' }, 59],
  ],
  aggregate: [
    [{ aggregate: 'c', pipeline: [] }, 9],
    [{ ...aggregate(), cursor: 1 }, 14],
    [{ ...aggregate(), cursor: { batchSize: -1 } }, 51024],
    [{ ...aggregate(), cursor: { nonsense: 1 } }, 40415],
    [{ ...aggregate(), explain: 1 }, 14],
    [{ ...aggregate(), hint: 1 }, 9],
    [{ ...aggregate(), nonsense: 1 }, 40415],
    [{ ...aggregate({ $match: {} }), aggregate: 1 }, 73],
    [{ ...aggregate({ $changeStream: {} }), aggregate: 1 }, 40324],
    [{ ...aggregate(), aggregate: 2 }, 9],
    [aggregate(1), 14],
    [aggregate({ $match: {} }, { $collStats: {} }), 40602],
    [aggregate({ $group: { _id: 1, $a: { $sum: 1 } } }), 40236],
    [aggregate({ $group: { _id: 1, a: { $sum: 1, $avg: 1 } } }), 40238],
    [aggregate({ $group: { _id: 1, a: { $count: 1 } } }), 14],
    [aggregate({ $unwind: 1 }), 15981],
    [aggregate({ $unwind: {} }), 28812],
    [aggregate({ $unwind: { path: 1 } }), 28808],
    [aggregate({ $unwind: { path: '$a', preserveNullAndEmptyArrays: 1 } }), 28809],
    [aggregate({ $unwind: { path: '$a', includeArrayIndex: '' } }), 28810],
    [aggregate({ $unwind: { path: '$a', includeArrayIndex: '$x' } }), 28822],
    [aggregate({ $count: '' }), 40157],
    [aggregate({ $count: '$a' }), 40158],
    [aggregate({ $count: 'a.b' }), 40160],
    [aggregate({ $sortByCount: 1 }), 40149],
    [aggregate({ $sortByCount: 'a' }), 40148],
    [aggregate({ $sortByCount: { a: 1 } }), 40147],
    [aggregate({ $facet: { a: 1 } }), 40170],
    [aggregate({ $facet: { 'a.b': [] } }), 16412],
    [aggregate({ $facet: { a: [{ $facet: { b: [] } }] } }), 40600],
    [lookup({ localField: 'a', pipeline: [] }), 9],
    [lookup({ let: 1, pipeline: [] }), 9],
    [lookup({ let: { A: 1 }, pipeline: [] }), 9],
    [lookup({ let: { a: 1 }, localField: 'a', foreignField: 'b' }), 9],
    [lookup({ localField: '$a', foreignField: 'b' }), 16410],
    [aggregate({ $unset: [] }), 31119],
    [aggregate({ $replaceRoot: 1 }), 40229],
    [aggregate({ $replaceRoot: {} }), 40414],
    [aggregate({ $replaceRoot: { newRoot: '$$ROOT', x: 1 } }), 40415],
    [project('$a..b'), 15998],
    [project('$a.$b'), 16410],
    [project({ $map: { input: [], as: 'A', in: 1 } }), 9],
    [project({ $filter: { input: [], cond: true, limit: 'x' } }), 327391],
  ],
  concerns: [
    [find({ readConcern: 1 }), 14],
    [find({ readConcern: { level: 1 } }), 14],
    [find({ readConcern: { nonsense: 1 } }), 40415],
    [insert({ readConcern: { level: 'majority' } }), 72],
    [insert({ writeConcern: 1 }), 14],
    [insert({ writeConcern: { w: true } }), 9],
    [insert({ writeConcern: { nonsense: 1 } }), 40415],
  ],
  'any command': [
    [{ ping: 1, let: {} }, 40415],
    [{ ping: 1, collation: {} }, 40415],
    [{ ping: 1, startTransaction: true }, 72],
    [{ ping: 1, autocommit: false }, 72],
    [{ ping: 1, apiVersion: '2' }, 322],
    [{ ping: 1, apiStrict: 1 }, 14],
    [{ distinct: 'c', key: 'a', apiVersion: '1', apiStrict: true }, 323],
  ],
};

describe.each(Object.entries(cases))('%s', (_command, rows) => {
  it.each(rows)('%j is error %i', async (command, code) => {
    expect(await codeOf(command)).toBe(code);
  });
});

it('a null counts as an absent argument', async () => {
  expect(await codeOf(find({ filter: null, sort: null, limit: null }))).toBeUndefined();
});

describe('in a transaction', () => {
  it.each<[string, Document, string, number]>([
    ['a read concern after its first command', find({ readConcern: { level: 'local' } }), 'shop', 72],
    ['a write concern', insert({ writeConcern: { w: 1 } }), 'shop', 72],
    ['the database admin', find({}), 'admin', 263],
    ['count', { count: 'c' }, 'shop', 263],
  ])('%s is rejected', async (_title, command, database, code) => {
    await client.withSession(async (session) => {
      session.startTransaction();
      await client.db('shop').command(find({}), { session });
      const raw = {
        ...command,
        lsid: session.id,
        txnNumber: Long.fromNumber(session.serverSession.txnNumber),
        autocommit: false,
      };
      expect(await codeOf(raw, database)).toBe(code);
    });
  });

  it('a read concern of another level than local, majority and snapshot is rejected', async () => {
    await client.withSession(async (session) => {
      session.startTransaction({ readConcern: { level: 'linearizable' } });
      expect(await codeOf(find({}), 'shop', session)).toBe(72);
    });
  });
});
