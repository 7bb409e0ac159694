import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { UUID } from 'bson';
import { type Collection, type Document, MongoClient, type UpdateOptions } from 'mongodb';
import { inSession } from '../test/support/accounts.js';
import { openTestStore, type TestStore } from '../test/support/test-store.js';

type Item = Document & { _id: number };

let store: TestStore;
let client: MongoClient;
let c: Collection<Item>;
let other: MongoClient;

beforeAll(async () => {
  store = await openTestStore();
  ({ client } = store);
});
afterAll(() => store.close());
beforeEach(async () => {
  other = new MongoClient(store.uri);
  c = client.db('shop').collection<Item>('items');
  await c.deleteMany({});
  await c.insertMany(Array.from({ length: 300 }, (_, _id) => ({ _id, n: 0 })));
});
afterEach(() => other.close());

/** The running commands of the collection. */
async function running(): Promise<Document[]> {
  const { inprog } = await client.db('admin').command({ currentOp: 1 });
  return (inprog as Document[]).filter(({ ns }) => ns === c.namespace);
}

/** Runs the work while an open transaction holds a document, which `update` of another client waits for. */
async function whileHeld(
  work: (update: (options?: UpdateOptions) => Promise<unknown>) => Promise<unknown>,
): Promise<void> {
  await inSession(client, async (session) => {
    session.startTransaction();
    await c.updateOne({ _id: 1 }, { $set: { n: 1 } }, { session });
    const sameItems = other.db('shop').collection<Item>(c.collectionName);
    await work((options = {}) => sameItems.updateOne({ _id: 1 }, { $set: { n: 2 } }, options));
    await session.commitTransaction();
  });
}

/** Runs the work while an update of another client waits for an open transaction. */
async function whileWaiting(work: (update: Promise<unknown>, opid: number) => Promise<unknown>): Promise<void> {
  await whileHeld(async (start) => {
    const update = start();
    update.catch(() => undefined);
    let found = await running();
    for (; found.length === 0; found = await running()) await pause(1);
    expect(found).toEqual([expect.objectContaining({ type: 'op', op: 'command', command: expect.anything() })]);
    await work(update, Number(found[0]?.['opid']));
  });
}

it('ends a command that waits when its client is gone, and does not apply its write', async () => {
  await whileWaiting(async () => {
    await other.close(true);
    while ((await running()).length > 0) await pause(1);
  });
  expect(await c.findOne({ _id: 1 })).toMatchObject({ n: 1 });
});

it('ends a command that waits with Interrupted (11601) when it is killed, and does not apply its write', async () => {
  await whileWaiting(async (update, op) => {
    expect(await client.db('admin').command({ killOp: 1, op })).toMatchObject({ ok: 1 });
    await expect(update).rejects.toMatchObject({ code: 11601, codeName: 'Interrupted' });
  });
  expect(await c.findOne({ _id: 1 })).toMatchObject({ n: 1 });
});

it('ends a command that waits when its time is over (50), and does not apply its write', async () => {
  // Nobody has to see the update while it waits: on a slow machine its time is over before.
  await whileHeld((update) => expect(update({ maxTimeMS: 200 })).rejects.toMatchObject({ code: 50 }));
  expect(await c.findOne({ _id: 1 })).toMatchObject({ n: 1 });
});

it('ends the cursors and the transaction of a session that is killed, and leaves other sessions alone', async () => {
  await inSession(client, async (session) => {
    session.startTransaction();
    await c.updateOne({ _id: 1 }, { $set: { n: 1 } }, { session });
    const cursor = c.find({}, { batchSize: 2, session });
    await cursor.next();
    await client.db('admin').command({ killSessions: [session.id] });
    await expect(cursor.toArray()).rejects.toMatchObject({ code: 251 });
    await expect(session.commitTransaction()).rejects.toMatchObject({ code: 251 });
  });
  const cursor = c.find({}, { batchSize: 2 });
  await cursor.next();
  await client.db('admin').command({ killSessions: [{ id: new UUID() }] });
  expect(await cursor.toArray()).toHaveLength(299);
  expect(await c.findOne({ _id: 1 })).toMatchObject({ n: 0 });
});

it('lists the running commands as the first stage of an aggregation, which later stages filter', async () => {
  const listed = (ns: string): Promise<Document[]> =>
    client
      .db('admin')
      .aggregate([{ $currentOp: { allUsers: true, truncateOps: false } }, { $match: { ns } }, { $project: { op: 1 } }])
      .toArray();
  await whileWaiting(async () => {
    expect(await listed(c.namespace)).toEqual([{ op: 'command' }]);
    expect(await listed('shop.others')).toEqual([]);
  });
});

it.each<[string, string, Document, number]>([
  ['another database', 'shop', { aggregate: 1, pipeline: [{ $currentOp: {} }] }, 73],
  ['a collection', 'admin', { aggregate: 'c', pipeline: [{ $currentOp: {} }] }, 73],
  ['options that are no object', 'admin', { aggregate: 1, pipeline: [{ $currentOp: 1 }] }, 9],
  ['idle connections', 'admin', { aggregate: 1, pipeline: [{ $currentOp: { idleConnections: true } }] }, 238],
  ['a later stage', 'admin', { aggregate: 1, pipeline: [{ $currentOp: {} }, { $currentOp: {} }] }, 40602],
])('rejects $currentOp of %s', async (_, database, command, code) => {
  await expect(client.db(database).command({ ...command, cursor: {} })).rejects.toMatchObject({ code });
});

it.each(['currentOp', 'killOp'])('rejects %s outside of the database admin (13)', async (name) => {
  await expect(client.db('shop').command({ [name]: 1, ...(name === 'killOp' ? { op: 1 } : {}) })).rejects.toMatchObject(
    {
      code: 13,
    },
  );
});
