import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Document, ObjectId } from 'mongodb';
import { expectSuccess } from '../support/envelope.js';
import { type ExplainedApp, startExplainedApp } from '../support/explained-app.js';
import { aDeliveringShop, aPaidOrder, type DeliveringShop, lease } from './delivery-actors.js';

let explained: ExplainedApp;
let shop: DeliveringShop;

beforeAll(async () => {
  // No background job runs during a measurement.
  explained = await startExplainedApp({ sweepIntervalMs: 3_600_000 });
  shop = await aDeliveringShop(explained.app.api);
});
afterAll(() => explained.close());

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
  await explained.database.collection('deliveries').insertMany(copies);
}

it('examines no more documents for a lease and a list when more deliveries are stored', async () => {
  const { api } = explained.app;
  await aPaidOrder(api, shop);
  const template = await explained.database.collection('deliveries').findOne();
  if (template === null) throw new Error('no delivery is queued');
  const request = { limit: 5, players: ['Alex_42', 'Steve_42'] };
  for (let times = 0; times < 3; times++) {
    await store1000(template);
    expect(await explained.examinedBy('deliveries', () => lease(api, shop, request))).toBeLessThanOrEqual(15);
    const path = `/deliveries/${shop.shopId}?state=failed&limit=5`;
    const { token } = shop.owner;
    const read = async (): Promise<unknown> => expectSuccess(await api.get(path, { token }));
    expect(await explained.examinedBy('deliveries', read)).toBeLessThanOrEqual(6);
  }
});

it('writes nothing and opens no transaction for a lease of nothing', async () => {
  const { app } = explained;
  const idle = await aDeliveringShop(app.api);
  await lease(app.api, idle);
  const commands = await app.commandsOf(async () => {
    expect(await lease(app.api, idle)).toEqual([]);
  });
  expect(commands.filter((name) => !/^(find|aggregate) /.test(name))).toEqual([]);
});
