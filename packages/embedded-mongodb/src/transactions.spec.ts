import { describe, expect, it } from '@jest/globals';
import { type ClientSession, type Collection, Long, type MongoClient, MongoServerError } from 'mongodb';
import { type Account, ACCOUNTS, inSession } from '../test/support/accounts.js';
import { withNewCollections } from '../test/support/test-store.js';

let client: MongoClient;
let c: Collection<Account>;

withNewCollections<Account>(async (...made) => {
  [client, c] = made;
  await c.insertMany([...ACCOUNTS]);
});

const sum = async (): Promise<number> => (await c.find().toArray()).reduce((total, { v }) => total + v, 0);

describe('a transaction', () => {
  it('shows the writes of a transaction to itself at once, and to others after the commit', async () => {
    await inSession(client, async (session) => {
      session.startTransaction();
      await c.updateOne({ _id: 1 }, { $set: { v: 7 } }, { session });
      await c.insertOne({ _id: 99, v: 1 }, { session });
      await c.deleteOne({ _id: 2 }, { session });
      expect(
        await c
          .find({ v: { $lt: 100 } }, { session })
          .map(({ _id }) => _id)
          .toArray(),
      ).toEqual([1, 99]);
      expect(await c.countDocuments({ v: { $lt: 100 } })).toBe(0);
      expect(await c.countDocuments({}, { session })).toBe(10);
      await session.commitTransaction();
    });
    expect(await c.distinct('_id')).toEqual([0, 1, 3, 4, 5, 6, 7, 8, 9, 99]);
  });

  it('changes nothing when a transaction is aborted', async () => {
    await inSession(client, async (session) => {
      session.startTransaction();
      await c.updateMany({}, { $inc: { v: 1 } }, { session });
      await client.db('shop').collection(`made-${c.collectionName}`).insertOne({}, { session });
      await session.abortTransaction();
    });
    expect(await sum()).toBe(1000);
    expect(
      await client
        .db('shop')
        .listCollections({ name: `made-${c.collectionName}` })
        .toArray(),
    ).toEqual([]);
  });

  it('reads the data as they were when it started', async () => {
    await inSession(client, async (session) => {
      session.startTransaction();
      expect(await c.findOne({ _id: 1 }, { session })).toMatchObject({ v: 100 });
      await c.updateMany({}, { $set: { v: 5 } });
      await c.insertOne({ _id: 50, v: 1 });
      expect(
        await c
          .find({}, { session })
          .map(({ v }) => v)
          .toArray(),
      ).toEqual(Array.from({ length: 10 }, () => 100));
      await session.commitTransaction();
    });
  });

  it('fails with WriteConflict and TransientTransactionError when it writes a document that another transaction has written', async () => {
    await inSession(client, (a) =>
      inSession(client, async (b) => {
        a.startTransaction();
        b.startTransaction();
        await c.updateOne({ _id: 1 }, { $inc: { v: 1 } }, { session: a });
        const error: unknown = await c
          .updateOne({ _id: 1 }, { $inc: { v: 1 } }, { session: b })
          .catch((reason: unknown) => reason);
        expect(error).toMatchObject({ code: 112, codeName: 'WriteConflict' });
        expect(error instanceof MongoServerError && error.hasErrorLabel('TransientTransactionError')).toBe(true);
        await a.commitTransaction();
      }),
    );
    expect(await c.findOne({ _id: 1 })).toMatchObject({ v: 101 });
  });

  it('fails with WriteConflict when it writes a document that was changed after it started', async () => {
    await inSession(client, async (session) => {
      session.startTransaction();
      await c.findOne({ _id: 2 }, { session });
      await c.updateOne({ _id: 1 }, { $inc: { v: 1 } });
      await expect(c.updateOne({ _id: 1 }, { $inc: { v: 1 } }, { session })).rejects.toMatchObject({ code: 112 });
      await expect(c.findOne({}, { session })).rejects.toMatchObject({ code: 251 });
    });
  });

  it.each<[string, () => Promise<unknown>, (session: ClientSession) => Promise<unknown>]>([
    [
      'changes a document that was removed',
      () => c.deleteOne({ _id: 1 }),
      (session) => c.updateOne({ _id: 1 }, { $inc: { v: 1 } }, { session }),
    ],
    [
      'removes a document that was changed',
      () => c.updateOne({ _id: 1 }, { $inc: { v: 1 } }),
      (session) => c.deleteOne({ _id: 1 }, { session }),
    ],
    [
      'inserts an _id that was inserted',
      () => c.insertOne({ _id: 20, v: 0 }),
      (session) => c.insertOne({ _id: 20, v: 0 }, { session }),
    ],
    [
      'inserts a unique value that was inserted',
      () => c.insertOne({ _id: 20, v: 0, code: 'B' }),
      (session) => c.insertOne({ _id: 21, v: 0, code: 'B' }, { session }),
    ],
    [
      'inserts a unique value that was removed',
      () => c.deleteOne({ _id: 1 }),
      (session) => c.insertOne({ _id: 21, v: 0, code: 'A' }, { session }),
    ],
  ])('fails with WriteConflict when it %s after it started', async (_, byOthers, own) => {
    await c.createIndexes([{ key: { code: 1 }, unique: true, sparse: true }]);
    await c.updateOne({ _id: 1 }, { $set: { code: 'A' } });
    await inSession(client, async (session) => {
      session.startTransaction();
      await c.findOne({}, { session });
      await byOthers();
      await expect(own(session)).rejects.toMatchObject({ code: 112 });
    });
  });

  it('fails with WriteConflict when it creates a collection that another transaction creates', async () => {
    const made = client.db('shop').collection<Account>(`made-${c.collectionName}`);
    await inSession(client, (a) =>
      inSession(client, async (b) => {
        a.startTransaction();
        b.startTransaction();
        await made.insertOne({ _id: 1, v: 1 }, { session: a });
        await expect(made.insertOne({ _id: 2, v: 2 }, { session: b })).rejects.toMatchObject({ code: 112 });
        await a.commitTransaction();
      }),
    );
    expect(await made.find().toArray()).toEqual([{ _id: 1, v: 1 }]);
  });

  it('makes changes of the whole collection wait until it ends, but none of another collection', async () => {
    const db = client.db('shop');
    const other = db.collection(`other-${c.collectionName}`);
    await other.insertOne({});
    await inSession(client, async (session) => {
      session.startTransaction();
      await c.updateOne({ _id: 1 }, { $inc: { v: 1 } }, { session });
      const late = { code: 50 };
      const indexes = [{ key: { v: 1 }, name: 'v' }];
      await expect(db.command({ drop: c.collectionName, maxTimeMS: 50 })).rejects.toMatchObject(late);
      await expect(db.command({ createIndexes: c.collectionName, indexes, maxTimeMS: 50 })).rejects.toMatchObject(late);
      await db.command({ createIndexes: other.collectionName, indexes, maxTimeMS: 60_000 });
      await db.command({ drop: other.collectionName, maxTimeMS: 60_000 });
      await session.commitTransaction();
    });
    expect(await c.findOne({ _id: 1 })).toEqual({ _id: 1, v: 101 });
    expect(await c.drop()).toBe(true);
  });

  it('makes a write outside of it to the same document wait until it ends', async () => {
    await inSession(client, async (session) => {
      session.startTransaction();
      await c.updateOne({ _id: 1 }, { $inc: { v: 1 } }, { session });
      let done = false;
      const other = c.updateOne({ _id: 1 }, { $inc: { v: 10 } }).then(() => (done = true));
      await expect(c.updateOne({ _id: 1 }, { $inc: { v: 10 } }, { maxTimeMS: 50 })).rejects.toMatchObject({
        code: 50,
      });
      expect(done).toBe(false);
      await session.commitTransaction();
      await other;
    });
    expect(await c.findOne({ _id: 1 })).toMatchObject({ v: 111 });
  });

  it('reserves the values that it writes to a unique index', async () => {
    await c.createIndexes([{ key: { code: 1 }, unique: true, sparse: true }]);
    await inSession(client, (a) =>
      inSession(client, async (b) => {
        a.startTransaction();
        b.startTransaction();
        await c.insertOne({ _id: 20, v: 0, code: 'A' }, { session: a });
        await expect(c.insertOne({ _id: 21, v: 0, code: 'A' }, { session: b })).rejects.toMatchObject({ code: 112 });
        await expect(c.insertOne({ _id: 22, v: 0, code: 'A' }, { session: a })).rejects.toMatchObject({ code: 11000 });
      }),
    );
    await c.insertOne({ _id: 23, v: 0, code: 'A' });
  });

  it('commits a transaction again with the same number and the same result, and rejects another number', async () => {
    await inSession(client, async (session) => {
      session.startTransaction();
      await c.updateOne({ _id: 1 }, { $inc: { v: 1 } }, { session });
      await session.commitTransaction();
      await session.commitTransaction();
      const admin = client.db('admin');
      const numbered = { lsid: session.id, autocommit: false };
      await expect(
        admin.command({ commitTransaction: 1, ...numbered, txnNumber: Long.fromNumber(77) }),
      ).rejects.toMatchObject({ code: 251 });
    });
    expect(await sum()).toBe(1001);
  });
});

describe('concurrency', () => {
  it('lets exactly 10 of 500 conditional increments with a limit of 10 succeed', async () => {
    await c.updateOne({ _id: 1 }, { $set: { v: 0 } });
    const results = await Promise.all(
      Array.from({ length: 500 }, () => c.updateOne({ _id: 1, v: { $lt: 10 } }, { $inc: { v: 1 } })),
    );
    expect(results.filter(({ modifiedCount }) => modifiedCount === 1)).toHaveLength(10);
    expect(await c.findOne({ _id: 1 })).toMatchObject({ v: 10 });
  });

  it('lets exactly 10 of 100 conditional increments without an index succeed too', async () => {
    await c.updateOne({ _id: 1 }, { $set: { v: 0, name: 'x' } });
    await Promise.all(
      Array.from({ length: 100 }, () => c.findOneAndUpdate({ name: 'x', v: { $lt: 10 } }, { $inc: { v: 1 } })),
    );
    expect(await c.findOne({ _id: 1 })).toMatchObject({ v: 10 });
  });

  // Not 200 at once: they would run again so often that a slow machine exceeds the time limit of the driver (2 minutes).
  it('keeps the sum of 10 accounts in 200 transfers, 20 at once', async () => {
    const transfer = (n: number): Promise<void> =>
      inSession(client, (session) =>
        session.withTransaction(async () => {
          const [from, to] = [n % 10, (n * 7 + 3) % 10];
          const account = await c.findOne({ _id: from }, { session });
          await c.updateOne({ _id: from }, { $set: { v: (account?.v ?? 0) - 1 } }, { session });
          await c.updateOne({ _id: to }, { $inc: { v: 1 } }, { session });
        }),
      );
    const workers = Array.from({ length: 20 }, async (_, worker) => {
      for (let n = worker; n < 200; n += 20) await transfer(n);
    });
    await Promise.all(workers);
    expect(await sum()).toBe(1000);
  });

  it('loses no update when transactions read a document and then write it', async () => {
    await Promise.all(
      Array.from({ length: 30 }, () =>
        inSession(client, (session) =>
          session.withTransaction(async () => {
            const account = await c.findOne({ _id: 1 }, { session });
            await c.replaceOne({ _id: 1 }, { v: (account?.v ?? 0) + 1 }, { session });
          }),
        ),
      ),
    );
    expect(await c.findOne({ _id: 1 })).toMatchObject({ v: 130 });
  });

  it('commits two transactions that read the same and write different documents, as with snapshot isolation', async () => {
    await inSession(client, (a) =>
      inSession(client, async (b) => {
        a.startTransaction();
        b.startTransaction();
        expect(await c.countDocuments({ v: 100 }, { session: a })).toBe(
          await c.countDocuments({ v: 100 }, { session: b }),
        );
        await c.updateOne({ _id: 1 }, { $set: { v: 0 } }, { session: a });
        await c.updateOne({ _id: 2 }, { $set: { v: 0 } }, { session: b });
        await a.commitTransaction();
        await b.commitTransaction();
      }),
    );
    expect(await sum()).toBe(800);
  });
});
