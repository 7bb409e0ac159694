import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { aDeliveringShop, aPaidOrder, type DeliveringShop } from '../deliveries/delivery-actors.js';
import { inDatabase } from '../support/in-database.js';
import { idOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { startPluginClient } from './plugin-client.js';

/** As many as the client leases at once. */
const ORDERS = 20;

let folder: string;
let app: TestApp;
let shop: DeliveringShop;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plugin-client-'));
  app = await startTestApp();
  // What the console prints of each delivery has 1,000 characters and nearly 2,000 bytes: 20 of them are more than a body may have.
  shop = await aDeliveringShop(app.api, { commands: Array(6).fill(`say {nickname} ${'ж'.repeat(200)}`) });
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

it('reports everything that the plugin client ran, also when the console prints much in letters beyond ASCII', async () => {
  for (let count = 0; count < ORDERS; count++) await aPaidOrder(app.api, shop);
  const client = startPluginClient(app, shop, {
    console: join(folder, 'console.log'),
    journal: join(folder, 'journal.jsonl'),
  });
  expect(await once(client, 'exit')).toEqual([0, null]);
  const found = await inDatabase(app, (db) =>
    db
      .collection('deliveries')
      .find({ shopId: idOf(shop.shopId) })
      .toArray(),
  );
  expect(found.map(({ state }) => state as string)).toEqual(Array(ORDERS).fill('delivered'));
});
