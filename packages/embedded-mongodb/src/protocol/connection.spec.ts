import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { BSON, type Db, Long, UUID } from 'mongodb';
import { openTestStore, type TestStore } from '../../test/support/test-store.js';

let store: TestStore;
let db: Db;

beforeEach(async () => {
  store = await openTestStore();
  db = store.client.db('shop');
});
afterEach(() => store.close());

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
const exchange = async (bytes: Buffer, expectReply = true): Promise<Buffer> => {
  const socket: Socket = connect(address());
  try {
    return await new Promise<Buffer>((resolve, reject) => {
      const chunks: Buffer[] = [];
      socket.on('data', (chunk) => {
        chunks.push(chunk);
        const all = Buffer.concat(chunks);
        if (expectReply && all.length >= all.readInt32LE(0)) resolve(all);
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
  const reply = await exchange(
    message(
      2004,
      Buffer.concat([fixed, Buffer.from('admin.$cmd\0'), numbers, BSON.serialize({ ismaster: 1, helloOk: true })]),
    ),
  );
  expect(BSON.deserialize(reply.subarray(36))).toMatchObject({
    ismaster: true,
    helloOk: true,
    setName: 'embedded',
    ok: 1,
  });
});

it('closes the connection after a message with a checksum, which it does not support', async () => {
  const bytes = message(2013, Buffer.concat([body({ ping: 1, $db: 'admin' }, 1), Buffer.alloc(4)]));
  expect(await exchange(bytes, false)).toHaveLength(0);
});

it('executes a command that is sent with moreToCome, and does not reply to it', async () => {
  await db.collection('c', { writeConcern: { w: 0 } }).insertOne({ x: 1 });
  for (;;) if ((await db.collection('c').countDocuments()) === 1) break;
});

it('rolls a transaction back soon after its client was killed, so that other writes to its documents wait no longer', async () => {
  await db.collection<{ _id: number }>('c').insertOne({ _id: 1 });
  const transaction = { lsid: { id: new UUID() }, txnNumber: Long.ONE, startTransaction: true, autocommit: false };
  const update = { update: 'c', updates: [{ q: { _id: 1 }, u: { $set: { by: 'the killed one' } } }], $db: 'shop' };
  const reply = await exchange(message(2013, body({ ...update, ...transaction })));
  expect(BSON.deserialize(reply.subarray(21))).toMatchObject({ n: 1, ok: 1 });
  await db.command({ ...update, updates: [{ q: { _id: 1 }, u: { $set: { other: true } } }], maxTimeMS: 30_000 });
  expect(await db.collection('c').findOne()).toEqual({ _id: 1, other: true });
});

it('replies to a message that arrives in many small chunks', async () => {
  const whole = message(2013, body({ ping: 1, $db: 'admin' }));
  const socket = connect(address());
  socket.setNoDelay(true);
  const reply = new Promise<Buffer>((resolve) => socket.once('data', resolve));
  for (const byte of whole) socket.write(Buffer.of(byte));
  expect(BSON.deserialize((await reply).subarray(21))).toMatchObject({ ok: 1 });
  socket.destroy();
});
