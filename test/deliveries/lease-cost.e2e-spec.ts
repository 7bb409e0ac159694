import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type EmbeddedStore, startEmbeddedStore } from '@shop-platform/embedded-mongodb';
import { deserialize } from 'bson';
import { type Document, MongoClient, ObjectId } from 'mongodb';
import { expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { aDeliveringShop, aPaidOrder, type DeliveringShop, lease } from './delivery-actors.js';

let path: string;
let store: EmbeddedStore;
let app: TestApp;
let client: MongoClient;
let shop: DeliveringShop;

// Always an embedded store, as in query-plans: not every database supports `explain`.
beforeAll(async () => {
  path = await mkdtemp(join(tmpdir(), 'lease-cost-'));
  store = await startEmbeddedStore({ path, port: 0 });
  const databaseUri = store.uri.replace('/?', '/costs?');
  app = await startTestApp({ databaseUri });
  client = await new MongoClient(databaseUri).connect();
  shop = await aDeliveringShop(app.api);
});
afterAll(async () => {
  await client.close();
  await app.close();
  await store.close();
  await rm(path, { recursive: true, force: true });
});

/** Stores copies of a delivery: done, waiting for absent players, leased by other plugins, and waiting for any plugin. */
async function store1000(template: Document): Promise<void> {
  const states: readonly Document[] = [
    { state: 'delivered' },
    { state: 'failed' },
    { state: 'queued', requiresOnline: true, waitsFor: 'absent' },
    { state: 'leased', dueAt: new Date(Date.now() + 3_600_000) },
    { state: 'queued', serverId: new ObjectId() },
    { state: 'queued' },
  ];
  const copies = Array.from({ length: 1_000 }, (_, index) => ({
    ...template,
    ...states[index % states.length],
    _id: new ObjectId(),
    orderId: new ObjectId(),
  }));
  await client.db().collection('deliveries').insertMany(copies);
}

/** How many documents the queries of the given work examined. */
async function examinedBy(work: () => Promise<unknown>): Promise<number> {
  await app.commandBodies();
  await work();
  let examined = 0;
  for (const body of await app.commandBodies()) {
    const { find, filter, sort, limit } = deserialize(body);
    if (find !== 'deliveries') continue;
    const command = {
      find,
      filter,
      ...(sort === undefined ? {} : { sort }),
      ...(limit === undefined ? {} : { limit }),
    };
    const plan = await client.db().command({ explain: command, verbosity: 'executionStats' });
    examined += (plan['executionStats'] as { totalDocsExamined: number }).totalDocsExamined;
  }
  return examined;
}

it('a lease and a list examine no more documents when more deliveries are stored', async () => {
  await aPaidOrder(app.api, shop);
  const template = await client.db().collection('deliveries').findOne();
  if (template === null) throw new Error('no delivery is queued');
  const asked = { limit: 5, players: ['Alex_42', 'Steve_42'] };
  for (let times = 0; times < 3; times++) {
    await store1000(template);
    expect(await examinedBy(() => lease(app.api, shop, asked))).toBeLessThanOrEqual(15);
    const path = `/deliveries/${shop.shopId}?state=failed&limit=5`;
    const { token } = shop.owner;
    const read = async (): Promise<unknown> => expectSuccess(await app.api.get(path, { token }));
    expect(await examinedBy(read)).toBeLessThanOrEqual(6);
  }
});
