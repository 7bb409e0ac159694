import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Collection, type Document, type MongoClient, MongoServerError } from 'mongodb';
import { withClock } from '../test/support/clock.js';
import { openTestStore, type TestStore } from '../test/support/test-store.js';

// The limits of one command in time and memory. The worker has one thread, so a command without a limit would block all others.

let store: TestStore;
let client: MongoClient;

beforeAll(async () => {
  store = await openTestStore();
  ({ client } = store);
  await client
    .db('shop')
    .collection('c')
    .insertOne({ text: `${'a'.repeat(32)}b`, list: Array.from({ length: 1000 }, (_, n) => n) });
});
afterAll(() => store.close());

const outcome = (promise: Promise<unknown>): Promise<unknown> =>
  promise.catch((error: unknown) => (error instanceof MongoServerError ? error.code : error));
const aggregate = (pipeline: Document[], options: Document = {}): Promise<unknown> =>
  outcome(client.db('shop').collection('c').aggregate(pipeline, options).toArray());
const project = (made: Document | unknown[] | string, options?: Document): Promise<unknown> =>
  aggregate([{ $project: { _id: 0, made } }], options);
/** How often a command pauses for others when every slice of time is over at once. */
const pausesOf = (run: () => Promise<unknown>): Promise<number> => withClock(10, run);
const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n);
/** `$map` of an expression over as many numbers. */
const each = (count: number, body: unknown): Document => ({
  $map: { input: { $literal: numbers(count) }, as: 'n', in: body },
});

describe('time', () => {
  it('tests in one pass a regular expression that would make a search with backtracking endless', async () => {
    const find = client
      .db('shop')
      .collection('c')
      .find({ text: /^a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*$/ }, { maxTimeMS: 60_000 });
    expect(await outcome(find.toArray())).toEqual([]);
  });

  it('ends a regular expression at maxTimeMS in the middle of a string of 16 MB', async () => {
    const c = client.db('shop').collection('long');
    await c.insertOne({ text: 'a'.repeat(16 * 1024 * 1024 - 100) });
    expect(await outcome(c.find({ text: /a.*b/ }, { maxTimeMS: 1 }).toArray())).toBe(50);
  });

  it('pauses a read for others after each document, when each one takes longer than a slice of time', async () => {
    const c = client.db('shop').collection('costly');
    await c.insertMany(Array.from({ length: 40 }, () => ({ a: 1 })));
    expect(await pausesOf(() => c.aggregate([{ $project: { a: 1 } }]).toArray())).toBeGreaterThanOrEqual(40);
  });

  it.each<[string, (c: Collection, filter: Document) => Promise<unknown>]>([
    ['updateOne', (c, filter) => c.updateOne(filter, { $set: { done: true } }).then((result) => result.matchedCount)],
    ['findOneAndUpdate', (c, filter) => c.findOneAndUpdate(filter, { $set: { done: true } }, { sort: { n: 1 } })],
    ['deleteOne', (c, filter) => c.deleteOne(filter).then((result) => result.deletedCount)],
  ])('pauses %s for others while it reads a long range of an index, and finds its document', async (_title, run) => {
    const c = client.db('shop').collection('range');
    await c.drop();
    await c.createIndexes([{ key: { state: 1 } }]);
    await c.insertMany(Array.from({ length: 40 }, (_, n) => ({ state: 'open', n })));
    const found: unknown[] = [];
    const pauses = await pausesOf(async () => {
      for (const n of [-1, 39]) found.push(await run(c, { state: 'open', n }));
    });
    expect(pauses).toBeGreaterThanOrEqual(70);
    expect(found.map(Boolean)).toEqual([false, true]);
  });

  it('ends one expression that takes too many steps for one document with error 50, also without maxTimeMS', async () => {
    expect(await project({ $size: each(3000, { $size: each(3000, '$$n') }) })).toBe(50);
  });

  it('ends an expression at maxTimeMS in the middle of a document', async () => {
    expect(await project({ $size: each(2000, { $size: each(2000, '$$n') }) }, { maxTimeMS: 1 })).toBe(50);
  });

  it('changes nothing when a command exceeds its time limit', async () => {
    const c = client.db('shop').collection('kept');
    await c.insertMany([{ _id: 1 as never }, { _id: 2 as never }]);
    const set = [{ $set: { made: { $size: each(3000, { $size: each(3000, '$$n') }) } } }];
    expect(await outcome(c.updateMany({}, set))).toBe(50);
    expect(await c.find().toArray()).toEqual([{ _id: 1 }, { _id: 2 }]);
  });

  it.each<[string, Document[]]>([
    ['the result of a $group', [{ $group: { _id: '$n' } }, { $count: 'all' }]],
    ['the result of a $sort', [{ $set: { n: 1 } }, { $sort: { n: 1 } }, { $count: 'all' }]],
  ])('passes on %s with pauses for others', async (_title, pipeline) => {
    const c = client.db('shop').collection('sliced');
    await c.drop();
    await c.insertMany(Array.from({ length: 40 }, (_, n) => ({ n })));
    expect(await pausesOf(() => c.aggregate(pipeline).toArray())).toBeGreaterThanOrEqual(80);
  });

  it('passes on the elements of an $unwind with pauses for others', async () => {
    const c = client.db('shop').collection('c');
    expect(await pausesOf(() => c.aggregate([{ $unwind: '$list' }, { $count: 'all' }]).toArray())).toBeGreaterThan(900);
  });
});

describe('memory', () => {
  const doubled = (of: string): Document[] => Array.from({ length: 40 }, () => ({ $set: { list: [of, of] } }));
  const text = 'x'.repeat(1024 * 1024);

  it.each<[string, Document[], number]>([
    ['an array that doubles in each stage', doubled('$list'), 146],
    [
      '$replaceWith the document twice',
      Array.from({ length: 40 }, () => ({ $replaceWith: { a: '$$ROOT', b: '$$ROOT' } })),
      146,
    ],
    [
      '$concatArrays that doubles in each stage',
      Array.from({ length: 40 }, () => ({ $set: { list: { $concatArrays: ['$list', '$list'] } } })),
      146,
    ],
    [
      '$concat that doubles in each stage',
      Array.from({ length: 40 }, () => ({ $set: { text: { $concat: ['$text', '$text'] } } })),
      13548,
    ],
    [
      '$map with a large result for each element',
      [{ $project: { made: each(1000, { $concatArrays: Array(10).fill('$list') }) } }],
      146,
    ],
    [
      '$push of everything',
      [{ $set: { n: { $literal: numbers(100) } } }, { $unwind: '$n' }, { $group: { _id: 1, all: { $push: text } } }],
      292,
    ],
    [
      '$first of large values',
      [
        { $set: { n: { $literal: numbers(100) } } },
        { $unwind: '$n' },
        { $group: { _id: '$n', one: { $first: { $concat: [text] } } } },
      ],
      292,
    ],
    [
      '$max of large values',
      [
        { $set: { n: { $literal: numbers(100) } } },
        { $unwind: '$n' },
        { $group: { _id: '$n', one: { $max: { $concat: [text] } } } },
      ],
      292,
    ],
    [
      '$sort of large documents',
      [{ $set: { n: { $literal: numbers(100) }, text } }, { $unwind: '$n' }, { $sort: { n: 1 } }],
      292,
    ],
  ])('rejects %s, and the store still works', async (_title, pipeline, code) => {
    expect(await aggregate(pipeline)).toBe(code);
    expect(await client.db('shop').collection('c').countDocuments()).toBe(1);
  });

  it('rejects a result larger than 16 MB', async () => {
    expect(await project(each(20, { $literal: text }))).toBe(10334);
  });

  it('rejects distinct values of more than 16 MB with error 17217', async () => {
    const c = client.db('shop').collection('distinct');
    await c.insertMany(Array.from({ length: 20 }, (_, n) => ({ text: `${n}${text}` })));
    expect(await outcome(c.distinct('text'))).toBe(17217);
  });

  it('accepts large values within the limits', async () => {
    expect(await project({ $size: { $concatArrays: Array(1000).fill('$list') } })).toEqual([{ made: 1_000_000 }]);
    expect(await project({ $concat: [text, text, text] })).toEqual([{ made: text.repeat(3) }]);
  });
});

it('counts a whole collection with pauses for others', async () => {
  const c = client.db('shop').collection<{ _id: number }>('many');
  await c.insertMany(Array.from({ length: 45_000 }, (_, _id) => ({ _id })));
  await c.deleteMany({ _id: { $gte: 100, $lt: 1100 } });
  const count = (): Promise<Document> => client.db('shop').command({ count: 'many' });
  expect(await count()).toMatchObject({ n: 44_000 });
  expect(await withClock(0, count)).toBe(2);
  expect(await client.db('shop').command({ count: 'many', skip: 43_990, limit: 7 })).toMatchObject({ n: 7 });
});
