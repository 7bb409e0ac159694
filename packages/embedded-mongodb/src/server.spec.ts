import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { BSON, type Db, Double, Int32, Long, MongoClient, ObjectId, Timestamp, UUID } from 'mongodb';
import { connect, type Socket } from 'node:net';
import { crc32c } from './protocol/message.js';
import { StoreServer, type StoreOptions } from './server.js';

let path: string;
let store: StoreServer;
let client: MongoClient;
let db: Db;

async function open(options: Partial<StoreOptions> = {}): Promise<void> {
  store = await StoreServer.start({ path, port: 0, testCommands: true, ...options });
  client = new MongoClient(store.uri);
  db = client.db('shop');
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

describe('protocol', () => {
  const address = (): { host: string; port: number } => ({
    host: '127.0.0.1',
    port: Number(/:(\d+)\//.exec(store.uri)?.[1]),
  });
  const message = (code: number, payload: Buffer): Buffer => {
    const header = Buffer.alloc(16);
    header.writeInt32LE(16 + payload.length, 0);
    header.writeInt32LE(7, 4);
    header.writeInt32LE(code, 12);
    return Buffer.concat([header, payload]);
  };
  const exchange = async (bytes: Buffer, expectAnswer = true): Promise<Buffer> => {
    const socket: Socket = connect(address());
    try {
      return await new Promise<Buffer>((resolve, reject) => {
        const chunks: Buffer[] = [];
        socket.on('data', (chunk) => {
          chunks.push(chunk);
          const all = Buffer.concat(chunks);
          if (expectAnswer && all.length >= all.readInt32LE(0)) resolve(all);
        });
        socket.on('close', () => resolve(Buffer.concat(chunks)));
        socket.on('error', reject);
        socket.write(bytes);
      });
    } finally {
      socket.destroy();
    }
  };
  const body = (command: BSON.Document, flags = 0): Buffer => {
    const prefix = Buffer.alloc(5);
    prefix.writeUInt32LE(flags, 0);
    return Buffer.concat([prefix, BSON.serialize(command)]);
  };

  it('replies to the legacy isMaster handshake, which comes as OP_QUERY', async () => {
    const fixed = Buffer.alloc(4);
    const numbers = Buffer.alloc(8);
    numbers.writeInt32LE(-1, 4);
    const answer = await exchange(
      message(
        2004,
        Buffer.concat([fixed, Buffer.from('admin.$cmd\0'), numbers, BSON.serialize({ ismaster: 1, helloOk: true })]),
      ),
    );
    expect(BSON.deserialize(answer.subarray(36))).toMatchObject({
      ismaster: true,
      helloOk: true,
      setName: 'embedded',
      ok: 1,
    });
  });

  it('accepts a correct OP_MSG checksum and closes the connection after a wrong one', async () => {
    const bytes = message(2013, Buffer.concat([body({ ping: 1, $db: 'admin' }, 1), Buffer.alloc(4)]));
    const checksum = crc32c(bytes.subarray(0, -4));
    bytes.writeUInt32LE(checksum, bytes.length - 4);
    expect(BSON.deserialize((await exchange(bytes)).subarray(21))).toMatchObject({ ok: 1 });
    bytes.writeUInt32LE((checksum ^ 1) >>> 0, bytes.length - 4);
    expect(await exchange(bytes, false)).toHaveLength(0);
  });

  it('computes the CRC-32C of RFC 3720', () => {
    expect(crc32c(Buffer.alloc(32))).toBe(0x8a9136aa);
    expect(crc32c(Buffer.from('123456789'))).toBe(0xe3069283);
  });

  it('executes a command that is sent with moreToCome, and does not reply to it', async () => {
    await db.collection('c', { writeConcern: { w: 0 } }).insertOne({ x: 1 });
    for (;;) if ((await db.collection('c').countDocuments()) === 1) break;
  });

  it('rolls a transaction back soon after its client was killed, so that other writes to its documents wait no longer', async () => {
    await db.collection<{ _id: number }>('c').insertOne({ _id: 1 });
    const transaction = { lsid: { id: new UUID() }, txnNumber: Long.ONE, startTransaction: true, autocommit: false };
    const update = { update: 'c', updates: [{ q: { _id: 1 }, u: { $set: { by: 'the killed one' } } }], $db: 'shop' };
    const answer = await exchange(message(2013, body({ ...update, ...transaction })));
    expect(BSON.deserialize(answer.subarray(21))).toMatchObject({ n: 1, ok: 1 });
    await db.command({ ...update, updates: [{ q: { _id: 1 }, u: { $set: { other: true } } }], maxTimeMS: 30_000 });
    expect(await db.collection('c').findOne()).toEqual({ _id: 1, other: true });
  });

  it('replies to a message that arrives in many small pieces', async () => {
    const whole = message(2013, body({ ping: 1, $db: 'admin' }));
    const socket = connect(address());
    socket.setNoDelay(true);
    const answer = new Promise<Buffer>((resolve) => socket.once('data', resolve));
    for (const byte of whole) socket.write(Buffer.of(byte));
    expect(BSON.deserialize((await answer).subarray(21))).toMatchObject({ ok: 1 });
    socket.destroy();
  });
});

describe('errors', () => {
  it.each<[string, BSON.Document, number]>([
    ['an unknown command', { nonsense: 1 }, 59],
    ['an unknown option', { find: 'c', nonsense: 1 }, 40415],
    ['an unknown stage', { aggregate: 'c', pipeline: [{ $nonsense: 1 }], cursor: {} }, 40324],
    ['an unknown query operator', { find: 'c', filter: { a: { $nonsense: 1 } } }, 2],
    [
      'an unknown stage inside $lookup',
      { aggregate: 'c', pipeline: [{ $lookup: { from: 'd', as: 'x', pipeline: [{ $nonsense: 1 }] } }], cursor: {} },
      40324,
    ],
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

  it('rejects fail points when test commands are not allowed', async () => {
    await close();
    await open({ testCommands: false });
    await expect(client.db('admin').command({ configureFailPoint: 'failCommand', mode: 'off' })).rejects.toMatchObject({
      code: 59,
    });
  });
});

describe('types', () => {
  it('an insert, an update and a restart keep every type and the order of the fields', async () => {
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

  it('$inc of ints is an int, or a long when it is too large, and with a double it is a double', async () => {
    const c = db.collection('c', { promoteValues: false });
    await c.insertOne({ a: new Int32(1), b: new Int32(2147483647), c: new Int32(1) });
    const after = await c.findOneAndUpdate(
      {},
      { $inc: { a: new Int32(1), b: new Int32(1), c: new Double(1) } },
      { returnDocument: 'after' },
    );
    expect(after).toMatchObject({ a: new Int32(2), b: Long.fromNumber(2147483648), c: new Double(2) });
  });

  it('array filters that are not an array are rejected in update and in findAndModify', async () => {
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
  it('a cursor returns all documents in many batches, and a closed cursor is removed', async () => {
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

  it('a slow read ends at maxTimeMS, and others are served while it runs', async () => {
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

  it('grouping and sorting take at most 100 MB; sorting with a small limit works on any size', async () => {
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
  it('can be used by one process only; a second one is rejected with the number of the first', async () => {
    await expect(StoreServer.start({ path, port: 0 })).rejects.toThrow(
      `The data directory ${path} is in use by process ${process.pid}`,
    );
  });

  it('has the same collections, documents and indexes after a restart, and the client goes on', async () => {
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
