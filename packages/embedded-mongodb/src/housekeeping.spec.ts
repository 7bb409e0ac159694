import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type Collection, MongoClient } from 'mongodb';
import { inSession } from '../test/support/accounts.js';
import { Cursors } from './commands/cursors.js';
import { Housekeeping } from './housekeeping.js';
import { StoreServer } from './server.js';

const BATCH = 500;

let path: string;
let store: StoreServer;
let client: MongoClient;

beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'store-'));
  store = await StoreServer.start({ path, port: 0 });
  client = new MongoClient(store.uri);
});
afterEach(async () => {
  await client.close();
  await store.close();
  await rm(path, { recursive: true, force: true });
});

/** A collection with documents of these dates, which expire a second later. */
async function expiring(name: string, dates: readonly Date[]): Promise<Collection> {
  const collection = client.db('shop').collection(name);
  await collection.createIndexes([{ key: { at: 1 }, expireAfterSeconds: 1 }]);
  if (dates.length > 0) await collection.insertMany(dates.map((at, index) => ({ n: index + 1, at })));
  return collection;
}

/** One round of the background work. */
async function tick(): Promise<void> {
  const housekeeping = new Housekeeping(store['server'].engine, new Cursors(), 0);
  await housekeeping['tick']();
  housekeeping.stop();
}

it('removes other documents by TTL, also of other collections, while a transaction holds one', async () => {
  const dates = [new Date(1), new Date(2)];
  const [held, other] = [await expiring('held', dates), await expiring('other', dates)];
  await inSession(client, async (session) => {
    session.startTransaction();
    await held.updateOne({ n: 1 }, { $set: { kept: true } }, { session });
    await tick();
    expect([await held.distinct('n'), await other.distinct('n')]).toEqual([[1], []]);
  });
});

it.each([0, 1, BATCH, BATCH + 1, 2 * BATCH + 1])(
  'removes %i expired documents in one round, also when many have the same date, and keeps the others',
  async (count) => {
    const expired = Array.from({ length: count }, (_, index) => new Date(Math.ceil(index / BATCH)));
    const dates = await expiring('dates', [...expired, new Date('2099-01-01')]);
    await tick();
    expect(await dates.distinct('n')).toEqual([count + 1]);
  },
);
