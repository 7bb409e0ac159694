import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { soldItems } from '../../src/infrastructure/database/migrations/0005-sold-items.js';
import { aDeliveringShop, type DeliveringShop } from '../deliveries/delivery-actors.js';
import { payment, sendCustom } from '../payments/senders.js';
import { anOrder, type TestOrder } from '../support/actors.js';
import { expectSuccess } from '../support/envelope.js';
import { inDatabase } from '../support/in-database.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { played } from './entitlement-actors.js';

/** What 2.0.0 did not store, by collection. */
const LATER = {
  products: ['repeat', 'countsAs', 'ownedEverywhere'],
  command_lists: ['extendCommands', 'upgradeCommands'],
  orders: [
    ...['number', 'origin'],
    ...['listMinor', 'saleId', 'saleMinor', 'discountMinor', 'netMinor', 'repeat', 'countsAs', 'ownedEverywhere'].map(
      (field) => `items.$[].${field}`,
    ),
  ],
};

let app: TestApp;
let shop: DeliveringShop;

beforeAll(async () => {
  app = await startTestApp();
  shop = await aDeliveringShop(app.api, { durationDays: 30, expiryCommands: ['end {nickname} vip'] });
});
afterAll(() => app.close());

const order = (): Promise<TestOrder> => {
  const { shopId, productId, serverId } = shop;
  return anOrder(app.api, shopId, { productId, serverId });
};

it('sells, pays and delivers what was stored by 2.0.0, after the migration', async () => {
  const placed = await order();
  await inDatabase(app, async (db) => {
    for (const [collection, fields] of Object.entries(LATER)) {
      await db.collection(collection).updateMany({}, { $unset: Object.fromEntries(fields.map((field) => [field, 1])) });
    }
    const { signal } = new AbortController();
    await soldItems.run({ database: db, signal, report: () => undefined });
  });
  for (const one of [placed, await order()]) expectSuccess(await sendCustom(app.api, shop.webhook, payment(one)));
  await played(app, shop);
  const { token } = shop.owner;
  const owned = expectSuccess(await app.api.get(`/entitlements/${shop.shopId}`, { token }));
  const active = { countsAs: shop.productId, serverId: shop.serverId, state: 'active', until: expect.any(String) };
  expect(owned).toMatchObject([active, active]);
});
