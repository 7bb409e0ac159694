import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { BSON, type Db, Double, Int32, Long, MongoClient, ObjectId, Timestamp } from 'mongodb';
import { CommandFailPoints } from '../test/support/fail-points.js';
import { StoreServer } from './server.js';

let path: string;
let store: StoreServer;
let client: MongoClient;
let db: Db;

async function open(failPoints?: CommandFailPoints): Promise<void> {
  store = await StoreServer.start({ path, port: 0 }, failPoints);
  client = new MongoClient(store.uri);
  db = client.db('shop');
}

async function close(): Promise<void> {
  await client.close();
  await store.close();
}

beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'store-'));
  await open(new CommandFailPoints());
});

afterEach(async () => {
  await close();
  await rm(path, { recursive: true, force: true });
});

describe('errors', () => {
  it.each<[string, BSON.Document, number]>([
    ['an unknown command', { nonsense: 1 }, 59],
    ['an unknown option', { find: 'c', nonsense: 1 }, 40415],
    ['an unknown stage', { aggregate: 'c', pipeline: [{ $nonsense: 1 }], cursor: {} }, 40324],
    ['an unknown query operator', { find: 'c', filter: { a: { $nonsense: 1 } } }, 2],
    ['a hidden index', { createIndexes: 'c', indexes: [{ key: { a: 1 }, name: 'a_1', hidden: true }] }, 238],
    ['an unknown expression', { aggregate: 'c', pipeline: [{ $project: { a: { $nonsense: 1 } } }], cursor: {} }, 168],
    [
      'an unknown accumulator',
      { aggregate: 'c', pipeline: [{ $group: { _id: 1, a: { $nonsense: 1 } } }], cursor: {} },
      15952,
    ],
    ['a collation', { find: 'c', collation: { locale: 'de' } }, 238],
    ['a collation in findAndModify', { findAndModify: 'c', remove: true, collation: { locale: 'de' } }, 238],
    ['a cursor that does not exist', { getMore: Long.fromNumber(5), collection: 'c' }, 43],
    ['Decimal128', { insert: 'c', documents: [{ a: BSON.Decimal128.fromString('1') }] }, 238],
    ['a hint that names no index', { find: 'd', hint: 'nonsense' }, 2],
  ])('rejects %s with the code of MongoDB', async (_, command, code) => {
    await db.collection('d').insertOne({});
    await expect(db.command(command)).rejects.toMatchObject({ code });
  });

  it.each<[string, BSON.Document, number]>([
    ['unknown modifiers', { $nonsense: { a: 1 } }, 9],
    ['conflicting paths', { $set: { a: 1 }, $inc: { 'a.b': 1 } }, 40],
    ['a change of _id', { $set: { _id: 5 } }, 66],
    ['$inc of a text', { $inc: { s: 1 } }, 14],
    ['a path through a scalar', { $set: { 's.b': 1 } }, 28],
  ])('rejects an update with %s', async (_, update, code) => {
    await db.collection('c').insertOne({ s: 'x' });
    await expect(db.collection('c').updateOne({}, update)).rejects.toMatchObject({ code });
  });

  it('rejects fail points when the server has none', async () => {
    await close();
    await open();
    await expect(client.db('admin').command({ configureFailPoint: 'failCommand', mode: 'off' })).rejects.toMatchObject({
      code: 59,
    });
  });
});

describe('types', () => {
  it('keeps every type and the order of the fields in an insert, an update and a restart', async () => {
    const document = {
      _id: new ObjectId(),
      z: new Double(3),
      '1': new Int32(1),
      l: Long.fromBigInt(1n << 60n),
      t: new Timestamp({ t: 5, i: 6 }),
      d: new Date(7),
      n: null,
      a: [1, 'x', { '0': true }],
      r: new BSON.BSONRegExp('a', 'i'),
      b: new BSON.Binary(Buffer.from('bytes'), 4),
    };
    const c = db.collection('c', { promoteValues: false, bsonRegExp: true, raw: true });
    await c.insertOne(document);
    const [before] = await c.find().toArray();
    await db.collection('c').updateOne({}, { $set: { extra: 1 } });
    await db.collection('c').updateOne({}, { $unset: { extra: 1 } });
    await close();
    await open();
    const [after] = await db.collection('c', { raw: true }).find().toArray();
    expect(Buffer.from(after as unknown as Uint8Array).equals(Buffer.from(before as unknown as Uint8Array))).toBe(true);
    expect(Buffer.from(before as unknown as Uint8Array).equals(Buffer.from(BSON.serialize(document)))).toBe(false); // a plain object moves '1' to the front, so the stored bytes are not its bytes
  });

  it('computes $inc of ints as an int, or a long when it is too large, and with a double as a double', async () => {
    const c = db.collection('c', { promoteValues: false });
    await c.insertOne({ a: new Int32(1), b: new Int32(2147483647), c: new Int32(1) });
    const after = await c.findOneAndUpdate(
      {},
      { $inc: { a: new Int32(1), b: new Int32(1), c: new Double(1) } },
      { returnDocument: 'after' },
    );
    expect(after).toMatchObject({ a: new Int32(2), b: Long.fromNumber(2147483648), c: new Double(2) });
  });

  it('rejects array filters that are not an array in update and in findAndModify', async () => {
    const wrong = { arrayFilters: 1 };
    const updates = [{ q: {}, u: { $set: { a: 1 } }, ...wrong }];
    const refused = { code: 14 };
    expect(await db.command({ update: 'c', updates })).toMatchObject({ writeErrors: [refused] });
    await expect(db.command({ findAndModify: 'c', update: { $set: { a: 1 } }, ...wrong })).rejects.toMatchObject(
      refused,
    );
  });
});

describe('cursors', () => {
  it('returns all documents of a cursor in many batches, and removes a closed cursor', async () => {
    const c = db.collection('c');
    await c.insertMany(Array.from({ length: 2500 }, (_, x) => ({ x })));
    const seen = new Set<number>();
    for await (const { x } of c.find().batchSize(97)) seen.add(x as number);
    expect(seen.size).toBe(2500);
    const cursor = c.find().batchSize(10);
    await cursor.next();
    await cursor.close();
    expect(await client.db('admin').command({ serverStatus: 1 })).toMatchObject({
      metrics: { cursor: { open: { total: 0 } } },
    });
  });

  it('ends a slow read at maxTimeMS, and serves others while it runs', async () => {
    const c = db.collection('c');
    await c.insertMany(Array.from({ length: 20_000 }, (_, x) => ({ x, text: 'some text' })));
    const slow = c
      .aggregate([{ $match: { text: { $regex: 'e.*x' } } }, { $group: { _id: '$x' } }, { $sort: { _id: -1 } }], {
        maxTimeMS: 20,
      })
      .toArray();
    const others = Promise.all(Array.from({ length: 20 }, () => db.command({ ping: 1 })));
    await expect(slow).rejects.toMatchObject({ code: 50 });
    await others;
  });

  it('limits grouping and sorting to 100 MB, and sorts any size with a small limit', async () => {
    const c = db.collection('c');
    const text = 'x'.repeat(100_000);
    for (let i = 0; i < 6; i++) await c.insertMany(Array.from({ length: 100 }, () => ({ text })));
    await expect(c.aggregate([{ $group: { _id: null, all: { $push: '$text' } } }]).toArray()).rejects.toMatchObject({
      code: 292,
    });
    for (let i = 0; i < 6; i++) await c.insertMany(Array.from({ length: 100 }, (_, n) => ({ n, text })));
    await expect(c.find().sort({ n: 1 }).toArray()).rejects.toMatchObject({ code: 292 });
    await expect(c.aggregate([{ $sort: { n: 1 } }, { $count: 'all' }]).toArray()).rejects.toMatchObject({ code: 292 });
    await expect(
      c.aggregate([{ $addFields: { m: 1 } }, { $sort: { n: 1 } }, { $count: 'all' }]).toArray(),
    ).rejects.toMatchObject({ code: 292 });
    const top = await c
      .find({}, { projection: { _id: 0, n: 1 } })
      .sort({ n: -1 })
      .limit(2)
      .toArray();
    expect(top).toEqual([{ n: 99 }, { n: 99 }]);
    expect(
      await c.aggregate([{ $addFields: { m: 1 } }, { $sort: { n: -1 } }, { $limit: 2 }, { $count: 'all' }]).toArray(),
    ).toEqual([{ all: 2 }]);
    await c.createIndexes([{ key: { n: 1 } }]);
    expect(await c.aggregate([{ $sort: { n: 1 } }, { $count: 'all' }]).toArray()).toEqual([{ all: 1200 }]);
  });
});

describe('the directory', () => {
  it('opens a directory for one process only; a second one is rejected with the number of the first', async () => {
    await expect(StoreServer.start({ path, port: 0 })).rejects.toThrow(
      `The data directory ${path} is in use by process ${process.pid}`,
    );
  });

  it('reads the same collections, documents and indexes after a restart, and the client goes on', async () => {
    const port = Number(/:(\d+)\//.exec(store.uri)?.[1]);
    await db.collection('c').createIndexes([{ key: { a: 1 }, unique: true }]);
    await db.collection('c').insertOne({ a: 1 });
    await store.close();
    store = await StoreServer.start({ path, port });
    expect(await db.collection('c').findOne({ a: 1 }, { projection: { _id: 0 } })).toEqual({ a: 1 });
    await expect(db.collection('c').insertOne({ a: 1 })).rejects.toMatchObject({ code: 11000 });
  });

  it('serves on a Unix socket in the directory when no port is given', async () => {
    await close();
    store = await StoreServer.start({ path });
    client = new MongoClient(store.uri);
    db = client.db('shop');
    expect(decodeURIComponent(store.uri)).toContain(`${path}/store.sock`);
    expect(await db.command({ ping: 1 })).toMatchObject({ ok: 1 });
  });
});
