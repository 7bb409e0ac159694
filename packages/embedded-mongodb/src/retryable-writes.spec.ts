import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Collection, type Document, Long, MongoClient } from 'mongodb';
import { CommandFailPoints } from '../test/support/fail-points.js';
import { type Account, ACCOUNTS, inSession } from '../test/support/accounts.js';
import { StoreServer } from './server.js';

let path: string;
let store: StoreServer;
let client: MongoClient;
let c: Collection<Account>;
let test = 0;

beforeAll(async () => {
  path = await mkdtemp(join(tmpdir(), 'store-'));
  store = await StoreServer.start({ path, port: 0 }, new CommandFailPoints());
  client = new MongoClient(store.uri);
});
afterAll(async () => {
  await client.close();
  await store.close();
  await rm(path, { recursive: true, force: true });
});
beforeEach(async () => {
  c = client.db('shop').collection(`c${++test}`);
  await c.insertMany([...ACCOUNTS]);
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
    inSession(own, async (session) => {
      const numbered = { ...command, txnNumber: Long.fromNumber((number += 1000)) };
      const send = (): Promise<Document> => own.db('shop').command(numbered, { session });
      return [await send(), await send()];
    });

  it('returns the result of the first time for a repeated write, and changes nothing', async () => {
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

  it('executes a retryable write once when the connection is closed after it', async () => {
    await client.db('admin').command({ configureFailPoint: 'onPrimaryTransactionalWrite', mode: { times: 1 } });
    await c.updateOne({ _id: 1 }, { $inc: { v: 1 } });
    expect(await c.findOne({ _id: 1 })).toMatchObject({ v: 101 });
  });

  it('remembers a retryable write after a restart', async () => {
    await inSession(own, async (session) => {
      const updates = [{ q: { _id: 1 }, u: { $inc: { v: 1 } } }];
      const send = (txnNumber: number): Promise<Document> =>
        own
          .db('shop')
          .command({ update: c.collectionName, updates, txnNumber: Long.fromNumber(txnNumber) }, { session });
      await send((number += 1000));
      const port = Number(/:(\d+)\//.exec(store.uri)?.[1]);
      await store.close();
      store = await StoreServer.start({ path, port }, new CommandFailPoints());
      await own.db('shop').collection('any').findOne({}); // a read, which the driver repeats on a new connection
      expect(await send(number)).toMatchObject({ n: 1, nModified: 1 });
      expect(await c.findOne({ _id: 1 })).toMatchObject({ v: 101 });
      await expect(send(number - 1)).rejects.toMatchObject({ code: 225 });
    });
  });
});
