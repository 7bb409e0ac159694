import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type ClientSession, type Collection, type Document, Long, MongoClient, MongoServerError } from 'mongodb';
import { StoreServer } from './server.js';

interface Account extends Document {
  _id: number;
  v: number;
}

let path: string;
let store: StoreServer;
let client: MongoClient;
let c: Collection<Account>;
let test = 0;

beforeAll(async () => {
  path = await mkdtemp(join(tmpdir(), 'store-'));
  store = await StoreServer.start({ path, port: 0, testCommands: true });
  client = new MongoClient(store.uri);
});
afterAll(async () => {
  await client.close();
  await store.close();
  await rm(path, { recursive: true, force: true });
});
beforeEach(async () => {
  c = client.db('shop').collection(`c${++test}`);
  await c.insertMany(Array.from({ length: 10 }, (_, _id) => ({ _id, v: 100 })));
});

async function inSession<T>(run: (session: ClientSession) => Promise<T>, own = client): Promise<T> {
  const session = own.startSession();
  try {
    return await run(session);
  } finally {
    await session.endSession();
  }
}
const sum = async (): Promise<number> => (await c.find().toArray()).reduce((total, { v }) => total + v, 0);

describe('a transaction', () => {
  it('reads its own writes at once; others read them after the commit', async () => {
    await inSession(async (session) => {
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

  it('changes nothing when it is aborted', async () => {
    await inSession(async (session) => {
      session.startTransaction();
      await c.updateMany({}, { $inc: { v: 1 } }, { session });
      await client.db('shop').collection(`made${test}`).insertOne({}, { session });
      await session.abortTransaction();
    });
    expect(await sum()).toBe(1000);
    expect(
      await client
        .db('shop')
        .listCollections({ name: `made${test}` })
        .toArray(),
    ).toEqual([]);
  });

  it('reads the data as they were when it started', async () => {
    await inSession(async (session) => {
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
    await inSession((a) =>
      inSession(async (b) => {
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
    await inSession(async (session) => {
      session.startTransaction();
      await c.findOne({ _id: 2 }, { session });
      await c.updateOne({ _id: 1 }, { $inc: { v: 1 } });
      await expect(c.updateOne({ _id: 1 }, { $inc: { v: 1 } }, { session })).rejects.toMatchObject({ code: 112 });
      await expect(c.findOne({}, { session })).rejects.toMatchObject({ code: 251 });
    });
  });

  it('makes a write outside of it to the same document wait until it ends', async () => {
    await inSession(async (session) => {
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
    await inSession((a) =>
      inSession(async (b) => {
        a.startTransaction();
        b.startTransaction();
        await c.insertOne({ _id: 20, v: 0, code: 'A' }, { session: a });
        await expect(c.insertOne({ _id: 21, v: 0, code: 'A' }, { session: b })).rejects.toMatchObject({ code: 112 });
        await expect(c.insertOne({ _id: 22, v: 0, code: 'A' }, { session: a })).rejects.toMatchObject({ code: 11000 });
      }),
    );
    await c.insertOne({ _id: 23, v: 0, code: 'A' });
  });

  it('can be committed again with the same number and the same result, but not with another number', async () => {
    await inSession(async (session) => {
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
  it('of 500 conditional increments with a limit of 10, exactly 10 succeed', async () => {
    await c.updateOne({ _id: 1 }, { $set: { v: 0 } });
    const results = await Promise.all(
      Array.from({ length: 500 }, () => c.updateOne({ _id: 1, v: { $lt: 10 } }, { $inc: { v: 1 } })),
    );
    expect(results.filter(({ modifiedCount }) => modifiedCount === 1)).toHaveLength(10);
    expect(await c.findOne({ _id: 1 })).toMatchObject({ v: 10 });
  });

  it('of 100 conditional increments without an index, exactly 10 succeed too', async () => {
    await c.updateOne({ _id: 1 }, { $set: { v: 0, name: 'x' } });
    await Promise.all(
      Array.from({ length: 100 }, () => c.findOneAndUpdate({ name: 'x', v: { $lt: 10 } }, { $inc: { v: 1 } })),
    );
    expect(await c.findOne({ _id: 1 })).toMatchObject({ v: 10 });
  });

  it('200 parallel transfers between 10 accounts do not change the sum', async () => {
    await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        inSession((session) =>
          session.withTransaction(async () => {
            const [from, to] = [n % 10, (n * 7 + 3) % 10];
            const account = await c.findOne({ _id: from }, { session });
            await c.updateOne({ _id: from }, { $set: { v: (account?.v ?? 0) - 1 } }, { session });
            await c.updateOne({ _id: to }, { $inc: { v: 1 } }, { session });
          }),
        ),
      ),
    );
    expect(await sum()).toBe(1000);
  });

  it('no update is lost when transactions read a document and then write it', async () => {
    await Promise.all(
      Array.from({ length: 30 }, () =>
        inSession((session) =>
          session.withTransaction(async () => {
            const account = await c.findOne({ _id: 1 }, { session });
            await c.replaceOne({ _id: 1 }, { v: (account?.v ?? 0) + 1 }, { session });
          }),
        ),
      ),
    );
    expect(await c.findOne({ _id: 1 })).toMatchObject({ v: 130 });
  });

  it('two transactions that read the same and write different documents both commit, as with snapshot isolation', async () => {
    await inSession((a) =>
      inSession(async (b) => {
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

describe('a retryable write', () => {
  // These tests set the numbers of the writes themselves, so they need a client of their own.
  let own: MongoClient;
  let number = 1_000_000;
  beforeEach(() => {
    own = new MongoClient(store.uri);
  });
  afterEach(() => own.close());
  const repeat = async (command: Document): Promise<[Document, Document]> =>
    inSession(async (session) => {
      const numbered = { ...command, txnNumber: Long.fromNumber((number += 1000)) };
      const send = (): Promise<Document> => own.db('shop').command(numbered, { session });
      return [await send(), await send()];
    }, own);

  it('that is repeated returns the result of the first time and changes nothing', async () => {
    const [first, second] = await repeat({
      update: c.collectionName,
      updates: [
        { q: { _id: 1 }, u: { $inc: { v: 1 } } },
        { q: { _id: 77 }, u: { $set: { v: 1 } }, upsert: true },
      ],
    });
    expect(first).toMatchObject({ n: 2, nModified: 1, upserted: [{ index: 1, _id: 77 }] });
    expect(second).toMatchObject({ n: 2, nModified: 1, upserted: [{ index: 1, _id: 77 }] });
    expect(await c.findOne({ _id: 1 })).toMatchObject({ v: 101 });
    const [before, again] = await repeat({
      findAndModify: c.collectionName,
      query: { _id: 2 },
      update: { $inc: { v: 1 } },
    });
    expect(again['value']).toEqual(before['value']);
    const [inserted, repeated] = await repeat({
      insert: c.collectionName,
      documents: [
        { _id: 30, v: 1 },
        { _id: 31, v: 1 },
      ],
    });
    expect([inserted, repeated]).toMatchObject([{ n: 2 }, { n: 2 }]);
    expect(await c.countDocuments()).toBe(13);
  });

  it('is executed once when the connection is closed after it', async () => {
    await client.db('admin').command({ configureFailPoint: 'onPrimaryTransactionalWrite', mode: { times: 1 } });
    await c.updateOne({ _id: 1 }, { $inc: { v: 1 } });
    expect(await c.findOne({ _id: 1 })).toMatchObject({ v: 101 });
  });

  it('is remembered after a restart', async () => {
    await inSession(async (session) => {
      const updates = [{ q: { _id: 1 }, u: { $inc: { v: 1 } } }];
      const send = (txnNumber: number): Promise<Document> =>
        own
          .db('shop')
          .command({ update: c.collectionName, updates, txnNumber: Long.fromNumber(txnNumber) }, { session });
      await send((number += 1000));
      const port = Number(/:(\d+)\//.exec(store.uri)?.[1]);
      await store.close();
      store = await StoreServer.start({ path, port, testCommands: true });
      await own.db('shop').collection('any').findOne({}); // a read, which the driver repeats on a new connection
      expect(await send(number)).toMatchObject({ n: 1, nModified: 1 });
      expect(await c.findOne({ _id: 1 })).toMatchObject({ v: 101 });
      await expect(send(number - 1)).rejects.toMatchObject({ code: 225 });
    }, own);
  });
});
