import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { anOrder, aProduct, aServer, aShop, type TestShop } from '../support/actors.js';
import { expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { payWithTest } from '../payments/paid-orders.js';
import { aWebhook } from '../payments/senders.js';

const COUNT = 50;

let app: TestApp;
let shop: TestShop;

beforeAll(async () => {
  app = await startTestApp({ watchCommands: true });
  shop = await aShop(app.api);
  await aWebhook(app.api, shop, 'test');
});
afterAll(() => app.close());

it('makes 50 parallel refunds of one order without conflicts, which would cost the time in which a request must end', async () => {
  const items = { productId: await aProduct(app.api, shop, { price: 10 }), serverId: await aServer(app.api, shop) };
  const order = await anOrder(app.api, shop.shopId, items);
  await payWithTest(app.api, order);
  const path = `/payments/${shop.shopId}/${order.id}`;
  const call = { token: shop.owner.token };
  const refund = () => app.api.post(`${path}/refund`, { amount: 0.1, reason: 'In parts' }, call);
  const commands = await app.commandsOf(async () => {
    const responses = await Promise.all(Array.from({ length: COUNT }, refund));
    for (const response of responses) expectSuccess(response);
  });
  const conflicts = commands.filter((name) => name === 'abortTransaction');
  // The jobs of the service can write at the same time.
  expect(conflicts.length).toBeLessThan(COUNT / 10);
  const refunds = expectSuccess<{ state: string }[]>(await app.api.get(`${path}/refunds`, call));
  expect(refunds).toHaveLength(COUNT);
  expect(refunds.filter(({ state }) => state === 'failed')).toEqual([]);
});
