import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { anOrder, aProduct, aServer, aShop, type TestShop } from '../support/actors.js';
import { expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { payWithStripe } from '../payments/paid-orders.js';
import { aWebhook, sendStripe, type TestWebhook } from '../payments/senders.js';
import { type StripeApi, startStripeApi } from '../payments/stripe-api.js';

const COUNT = 50;
const CREDENTIALS = { signingSecret: 'whsec_of_parallel_refunds', secretKey: 'sk_test_of_parallel_refunds' };

let stripe: StripeApi;
let app: TestApp;
let shop: TestShop;
let webhook: TestWebhook;

beforeAll(async () => {
  stripe = await startStripeApi();
  app = await startTestApp({ env: { PROVIDER_URLS: `stripe=${stripe.url}` }, watchCommands: true });
  shop = await aShop(app.api);
  webhook = await aWebhook(app.api, shop, 'stripe', CREDENTIALS);
});
afterAll(async () => {
  await app.close();
  await stripe.close();
});

it('makes 50 parallel refunds of one order, and applies the webhooks about them, without conflicts, which would cost the time in which a request must end', async () => {
  const items = { productId: await aProduct(app.api, shop, { price: 10 }), serverId: await aServer(app.api, shop) };
  const order = await anOrder(app.api, shop.shopId, items);
  await payWithStripe(app.api, stripe, webhook, order);
  const path = `/payments/${shop.shopId}/${order.id}`;
  const call = { token: shop.owner.token };
  const refund = async (): Promise<void> => {
    const response = await app.api.post(`${path}/refund`, { amount: 0.1, reason: 'In parts' }, call);
    const { refundId } = expectSuccess<{ refundId: string }>(response);
    const made = { ...stripe.refunds.get(refundId), status: 'succeeded' };
    expectSuccess(await sendStripe(app.api, webhook, 'refund.updated', made));
  };
  stripe.refundStatus = 'pending';
  const commands = await app.commandsOf(() => Promise.all(Array.from({ length: COUNT }, refund)));
  const conflicts = commands.filter((name) => name === 'abortTransaction');
  // The jobs of the service can write at the same time.
  expect(conflicts.length).toBeLessThan(COUNT / 10);
  const refunds = expectSuccess<{ state: string }[]>(await app.api.get(`${path}/refunds`, call));
  expect(refunds.map(({ state }) => state)).toEqual(Array.from({ length: COUNT }, () => 'succeeded'));
});
