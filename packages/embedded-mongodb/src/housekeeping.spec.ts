import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { inSession } from '../test/support/accounts.js';
import { Cursors } from './commands/cursors.js';
import { Housekeeping } from './housekeeping.js';
import { StoreServer } from './server.js';

it('removes other documents by TTL, also of other collections, while a transaction holds one', async () => {
  const path = await mkdtemp(join(tmpdir(), 'store-'));
  const store = await StoreServer.start({ path, port: 0 });
  const client = new MongoClient(store.uri);
  const [held, other] = [client.db('shop').collection('held'), client.db('shop').collection('other')];
  for (const c of [held, other]) {
    await c.createIndexes([{ key: { at: 1 }, expireAfterSeconds: 1 }]);
    await c.insertMany([1, 2].map((n) => ({ n, at: new Date(n) })));
  }
  await inSession(client, async (session) => {
    session.startTransaction();
    await held.updateOne({ n: 1 }, { $set: { kept: true } }, { session });
    const housekeeping = new Housekeeping(store['server'].engine, new Cursors(), 0);
    await housekeeping['tick']();
    housekeeping.stop();
    expect([await held.distinct('n'), await other.distinct('n')]).toEqual([[1], []]);
  });
  await client.close();
  await store.close();
  await rm(path, { recursive: true, force: true });
});
