import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type ClientSession, type Collection, type Document, MongoClient } from 'mongodb';
import { StoreServer } from '../server.js';

type Item = Document & { _id: number };

let path: string;
let store: StoreServer;
let client: MongoClient;
let c: Collection<Item>;

async function open(): Promise<void> {
  store = await StoreServer.start({ path, port: 0 });
  client = new MongoClient(store.uri);
  c = client.db('shop').collection('c');
}
async function close(): Promise<void> {
  await client.close();
  await store.close();
}
beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'store-'));
  await open();
});
afterEach(async () => {
  await close();
  await rm(path, { recursive: true, force: true });
});

/** The differences between collections and indexes that the check of the crash test finds in the closed directory; by the compiled store. */
async function problems(): Promise<unknown> {
  const root = join(import.meta.dirname, '../..');
  const walk = `import { checkDirectory } from './test/crash/check.js';
    process.stdout.write(JSON.stringify(await checkDirectory('dist', ${JSON.stringify(path)})));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', walk], { cwd: root });
  return JSON.parse(stdout);
}

/** Runs in a transaction that is rolled back unless `run` commits it. */
async function inTransaction(run: (session: ClientSession) => Promise<void>): Promise<void> {
  await client.withSession(async (session) => {
    session.startTransaction();
    await run(session);
    if (session.inTransaction()) await session.abortTransaction();
  });
}

const names = async (): Promise<string[]> => (await c.indexes()).map(({ name }) => String(name));
const fill = (count: number): Promise<unknown> =>
  c.insertMany(Array.from({ length: count }, (_, _id) => ({ _id, n: _id, tags: [_id % 10, -1] })));

describe('creating an index on a collection that has documents', () => {
  it('lets others read and write, hides the index until it is complete, and indexes every document', async () => {
    await fill(20_000);
    const state = { ended: false };
    const building = c.createIndexes([{ key: { n: 1 } }, { key: { tags: 1 } }]).finally(() => (state.ended = true));
    let turns = 0;
    for (let i = 0; !state.ended; i++) {
      const before = await names();
      await c.updateOne({ _id: i }, { $set: { n: -i } });
      await c.insertOne({ _id: 100_000 + i, n: i, tags: [7] });
      await c.deleteOne({ _id: 19_999 - i });
      if (before.length === 1) turns++;
      else expect(before).toEqual(['_id_', 'n_1', 'tags_1']);
    }
    await building;
    expect(turns).toBeGreaterThan(2);
    expect(await c.countDocuments({ n: { $gte: -1e9 } })).toBe(await c.estimatedDocumentCount());
    await close();
    expect(await problems()).toEqual([]);
    await open();
    expect(await names()).toEqual(['_id_', 'n_1', 'tags_1']);
  });

  it('fails when a write adds a duplicate value while it runs; the write succeeds', async () => {
    await fill(20_000);
    const building = expect(c.createIndexes([{ key: { n: 1 }, unique: true }])).rejects.toMatchObject({ code: 11000 });
    await client.db('shop').command({ ping: 1 }); // by another connection: the first one is busy
    expect(await c.insertOne({ _id: 100_000, n: 5 })).toMatchObject({ acknowledged: true });
    await building;
    expect(await names()).toEqual(['_id_']);
    expect(await c.insertOne({ _id: 100_001, n: 5 })).toMatchObject({ acknowledged: true });
  });

  it('builds an index once when two commands request it at the same time', async () => {
    await fill(10_000);
    const replies = await Promise.all([
      client.db('shop').command({ createIndexes: 'c', indexes: [{ key: { n: 1 }, name: 'n_1' }] }),
      client.db('shop').command({ createIndexes: 'c', indexes: [{ key: { n: 1 }, name: 'n_1' }] }),
    ]);
    expect(replies.map(({ note }) => note as unknown).sort()).toEqual(['all indexes already exist', undefined]);
  });

  it('ends at maxTimeMS and leaves no entries, also after a restart', async () => {
    await fill(20_000);
    await expect(
      client.db('shop').command({ createIndexes: 'c', indexes: [{ key: { tags: 1 }, name: 'x' }], maxTimeMS: 10 }),
    ).rejects.toMatchObject({ code: 50 });
    await close();
    expect(await problems()).toEqual([]);
    await open();
    expect(await names()).toEqual(['_id_']);
    expect(await c.createIndexes([{ key: { tags: 1 } }])).toEqual(['tags_1']);
  });
});

describe('an index and open transactions', () => {
  it('skips a new index in an older transaction, because its snapshot has only a part of the index', async () => {
    await fill(10);
    await inTransaction(async (session) => {
      expect(await c.countDocuments({}, { session })).toBe(10);
      await c.createIndexes([{ key: { n: 1 } }]);
      await c.insertOne({ _id: 10, n: 5 });
      expect(await c.find({ n: 5 }, { session }).toArray()).toMatchObject([{ _id: 5 }]);
      expect(await c.find({ n: { $gte: 0 } }, { session }).toArray()).toHaveLength(10);
    });
    expect(await c.find({ n: 5 }).toArray()).toHaveLength(2);
  });

  it('waits, for a unique index, for a transaction that has written a duplicate value, and fails when it commits', async () => {
    await fill(20_000);
    await inTransaction(async (session) => {
      await c.countDocuments({ _id: 0 }, { session });
      const building = c.createIndexes([{ key: { n: 1 }, unique: true }]).then(String, (error: unknown) => error);
      await client.db('shop').command({ ping: 1 });
      await c.insertOne({ _id: 100_000, n: 19_999 }, { session });
      await c.insertOne({ _id: 100_001, n: -7 }, { session });
      await session.commitTransaction();
      expect(await building).toMatchObject({ code: 11000 });
    });
    await close();
    expect(await problems()).toEqual([]);
    await open();
  });

  it('keeps an index correct after a restart when a transaction that changed it was rolled back', async () => {
    await c.createIndexes([{ key: { tags: 1 } }]);
    await inTransaction((session) => c.insertOne({ _id: 1, tags: [0, 9] }, { session }).then(() => undefined));
    await c.insertOne({ _id: 2, tags: [0, 9] });
    await close();
    await open();
    expect(await c.find({ tags: { $gt: 1, $lt: 5 } }).toArray()).toMatchObject([{ _id: 2 }]); // 9 and 0: no single element
  });

  it('knows the arrays that a transaction has stored when the store is restarted after the commit', async () => {
    await c.createIndexes([{ key: { tags: 1 } }]);
    await inTransaction(async (session) => {
      await c.insertOne({ _id: 1, tags: [0, 9] }, { session });
      await session.commitTransaction();
    });
    await close();
    await open();
    expect(await c.find({ tags: { $gt: 1, $lt: 5 } }).toArray()).toMatchObject([{ _id: 1 }]); // 9 and 0: no single element
  });

  it('leaves no entries of a dropped index for a later one, also when an open transaction has changed it', async () => {
    await fill(5);
    await c.createIndexes([{ key: { n: 1 } }]);
    await inTransaction(async (session) => {
      await c.insertOne({ _id: 50, n: 50 }, { session });
      const dropping = c.dropIndex('n_1');
      await client.db('shop').command({ ping: 1 });
      await session.commitTransaction();
      await dropping;
    });
    await close();
    await open();
    await c.createIndexes([{ key: { tags: 1 } }]);
    await close();
    expect(await problems()).toEqual([]);
    await open();
    expect(await names()).toEqual(['_id_', 'tags_1']);
  });
});

describe('a long read', () => {
  it('returns no document that was changed and does not match any more when it is read', async () => {
    await c.createIndexes([{ key: { state: 1 } }]);
    await c.insertMany(Array.from({ length: 300 }, (_, _id) => ({ _id, state: 'open' })));
    const cursor = c.find({ state: 'open' }, { batchSize: 10 });
    await cursor.next();
    await c.updateMany({ _id: { $gte: 50 } }, { $set: { state: 'done' } });
    expect((await cursor.toArray()).filter(({ state }) => state !== 'open')).toEqual([]);
  });
});

describe('values beyond the length of a key', () => {
  const long = (end: string): string => 'x'.repeat(3000) + end;

  it('finds, distinguishes and sorts values beyond the length of a key, and keeps them unique', async () => {
    await c.createIndexes([{ key: { a: 1, b: -1 } }, { key: { u: 1 }, unique: true, sparse: true }]);
    await c.insertMany([
      { _id: 1, a: long('1'), b: 1, u: long('1') },
      { _id: 2, a: long('3'), b: 2, u: long('2') },
      { _id: 3, a: long('2'), b: 3 },
      { _id: 4, a: 'x', b: 4 },
    ]);
    const ids = async (filter: Document, sort: Document = {}): Promise<number[]> =>
      c
        .find(filter)
        .sort(sort as never)
        .map(({ _id }) => _id)
        .toArray();
    expect(await ids({ a: long('2') })).toEqual([3]);
    expect(await ids({ a: { $gt: long('1') } }, { _id: 1 })).toEqual([2, 3]);
    expect(await ids({ a: { $gte: 'x', $lt: long('3') } }, { _id: 1 })).toEqual([1, 3, 4]);
    expect(await ids({}, { a: 1 })).toEqual([4, 1, 3, 2]);
    expect(await ids({ u: long('2') })).toEqual([2]);
    expect(await ids({ u: long('9') })).toEqual([]);
    await expect(c.insertOne({ _id: 5, u: long('1') })).rejects.toMatchObject({ code: 11000 });
    await c.updateOne({ _id: 1 }, { $set: { u: long('5') } });
    await c.insertOne({ _id: 5, u: long('1') });
    await c.deleteOne({ _id: 3 });
    expect(await ids({ a: long('2') })).toEqual([]);
    await close();
    expect(await problems()).toEqual([]);
    await open();
    expect(await ids({}, { a: 1, _id: -1 })).toEqual([5, 4, 1, 2]);
  });
});
