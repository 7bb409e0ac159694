import { describe, expect, it } from '@jest/globals';
import { type Collection, type Document, type MongoClient } from 'mongodb';
import { inSession } from '../test/support/accounts.js';
import { withNewCollections } from '../test/support/test-store.js';

type Item = Document & { _id: number };

let client: MongoClient;
let c: Collection<Item>;

withNewCollections<Item>(async (...made) => {
  [client, c] = made;
  await c.createIndexes([{ key: { a: 1 } }, { key: { b: 1 } }]);
  await c.insertMany(Array.from({ length: 100 }, (_, _id) => ({ _id, a: 1, b: 1 })));
});

describe('a cursor whose index or collection is dropped', () => {
  const killed = { code: 175, codeName: 'QueryPlanKilled' };
  const kinds: [string, Document][] = [
    ['reads an index', { a: 1 }],
    ['reads all documents', {}],
    ['reads the indexes of an $or', { $or: [{ a: 1 }, { b: 1 }] }],
  ];

  it.each(kinds)(
    'fails a cursor with QueryPlanKilled (175) instead of ending early: it %s, the collection is dropped',
    async (_, filter) => {
      const cursor = c.find(filter, { batchSize: 2 });
      await cursor.next();
      await c.drop();
      await c.insertOne({ _id: 1, a: 1 });
      await expect(cursor.toArray()).rejects.toMatchObject(killed);
    },
  );

  it.each([kinds[0], kinds[2]])(
    'fails a cursor with QueryPlanKilled (175): it %s, the index is dropped',
    async (_, filter) => {
      const cursor = c.find(filter, { batchSize: 2 });
      await cursor.next();
      await c.dropIndex('a_1');
      await expect(cursor.toArray()).rejects.toMatchObject(killed);
    },
  );

  it('continues a cursor that does not use the dropped index, and one in a transaction', async () => {
    await inSession(client, async (session) => {
      session.startTransaction();
      const cursors = [c.find({ b: 1 }, { batchSize: 2 }), c.find({ a: 1 }, { batchSize: 2, session })];
      for (const cursor of cursors) await cursor.next();
      await c.dropIndex('a_1');
      for (const cursor of cursors) expect(await cursor.toArray()).toHaveLength(99);
    });
  });
});

it('returns, in a transaction, no document that does not match after its own write', async () => {
  await inSession(client, async (session) => {
    session.startTransaction();
    const cursor = c.find({ a: 1 }, { batchSize: 2, session });
    await cursor.next();
    await c.updateMany({ _id: { $gte: 2 } }, { $set: { a: 2 } }, { session });
    expect(await cursor.toArray()).toEqual([{ _id: 1, a: 1, b: 1 }]);
  });
});

it('returns, from several ranges of an index in a transaction, no document that does not match after its own write', async () => {
  await c.createIndexes([{ key: { a: 1, b: 1 } }]);
  await c.updateMany({ _id: { $gte: 50 } }, { $set: { a: 2, b: 2 } });
  await inSession(client, async (session) => {
    session.startTransaction();
    const cursor = c.find({ a: { $in: [1, 2] } }, { sort: { b: 1 }, hint: 'a_1_b_1', batchSize: 2, session });
    await cursor.next();
    await c.updateMany({ a: 2 }, { $set: { a: 3 } }, { session });
    expect((await cursor.toArray()).map(({ _id }) => _id)).toEqual(Array.from({ length: 49 }, (_, n) => n + 1));
  });
});

it.each([
  ['of a transaction', true],
  ['outside of a transaction', false],
])('returns from a cursor %s no document as it was before a write of the same client', async (_, isTransaction) => {
  await inSession(client, async (session) => {
    if (isTransaction) session.startTransaction();
    const cursor = c.find({}, { batchSize: 2, session });
    await cursor.next();
    await c.deleteMany({ _id: { $in: [2, 3, 4] } }, { session });
    await c.updateMany({ _id: { $gte: 5 } }, { $set: { b: 2 } }, { session });
    const [inFirstBatch, ...later] = await cursor.toArray();
    expect(inFirstBatch).toEqual({ _id: 1, a: 1, b: 1 });
    expect(later).toEqual(Array.from({ length: 95 }, (__, n) => ({ _id: n + 5, a: 1, b: 2 })));
  });
});

it('returns collections and indexes in batches of the requested size', async () => {
  const db = client.db('batches');
  for (const name of ['a', 'b', 'c', 'd', 'e']) await db.createCollection(name);
  const command = { listCollections: 1, cursor: { batchSize: 2 } };
  const { cursor } = await db.command(command);
  expect(cursor).toMatchObject({ ns: 'batches.$cmd.listCollections', firstBatch: [{ name: 'a' }, { name: 'b' }] });
  const names = await db.listCollections({}, { batchSize: 2 }).toArray();
  expect(names.map(({ name }) => name).sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(await c.listIndexes({ batchSize: 1 }).toArray()).toHaveLength(3);
});
