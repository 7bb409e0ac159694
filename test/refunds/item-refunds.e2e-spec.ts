import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import {
  acknowledge,
  aDeliveringShop,
  type DeliveringShop,
  deliveryStatusOf,
  kindsOf,
  lease,
  redeliver,
} from '../deliveries/delivery-actors.js';
import { payWithStripe, stateOf } from '../payments/paid-orders.js';
import { aWebhook, sendStripe, type TestWebhook } from '../payments/senders.js';
import { type StripeApi, startStripeApi } from '../payments/stripe-api.js';
import { anOrder, aProduct, type TestOrder } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { leftOf, type Records, recordsOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const CREDENTIALS = {
  signingSecret: 'whsec_test_secret_of_an_endpoint',
  secretKey: 'sk_test_4eC39HqLyjWDarjtT1zdp7dc',
};

let app: TestApp;
let stripe: StripeApi;
let records: Records;
let shop: DeliveringShop;
let webhook: TestWebhook;
let order: TestOrder;
/** A product of 5.00 beside that of 10.00. */
let key: string;

beforeAll(async () => {
  stripe = await startStripeApi();
  app = await startTestApp({ env: { PROVIDER_URLS: `stripe=${stripe.url}` } });
  records = await recordsOf(app);
});
beforeEach(async () => {
  shop = await aDeliveringShop(app.api, { price: 10, takeBackCommands: ['take {nickname} vip'] });
  const commands = { commands: ['give {nickname} key'], takeBackCommands: ['take {nickname} key'] };
  key = await aProduct(app.api, shop, { name: 'Key', price: 5, stock: 3, maxPerBuyer: 1, ...commands });
  webhook = await aWebhook(app.api, shop, 'stripe', CREDENTIALS);
  const { shopId, productId, serverId } = shop;
  order = await anOrder(app.api, shopId, { productId, serverId, items: items(productId, key) });
  await payWithStripe(app.api, stripe, webhook, order);
});
afterAll(async () => {
  await records.close();
  await app.close();
  await stripe.close();
});

const items = (...ids: string[]): object[] => ids.map((productId) => ({ productId, quantity: 1 }));
const token = (): string => shop.owner.token;
const refund = (body: object): Promise<Response> =>
  app.api.post(`/payments/${shop.shopId}/${order.id}/refund`, { reason: 'Lost', ...body }, { token: token() });
const made = async (body: object): Promise<Record<string, unknown>> => expectSuccess(await refund(body));
const deliver = async (): Promise<string[]> => {
  const leased = await lease(app.api, shop);
  for (const delivery of leased) await acknowledge(app.api, shop, delivery, 'delivered');
  return leased.flatMap(({ commands }) => commands).sort();
};
const kinds = (): Promise<string[]> => kindsOf(app.api, shop, order);
/** Stripe reports what became of its last refund. */
const report = async (status: 'succeeded' | 'failed'): Promise<void> => {
  const last = { ...[...stripe.refunds.values()].at(-1), status };
  expectSuccess(await sendStripe(app.api, webhook, status === 'failed' ? 'refund.failed' : 'refund.updated', last));
};

it('gives back what one item cost, takes only that item back, and keeps it out of all that follows', async () => {
  expect(await deliver()).toEqual(['give Steve_42 key', 'give Steve_42 vip 1']);
  expect(await made({ items: [key], takeBack: true })).toMatchObject({
    ...{ amount: 5, state: 'succeeded', takeBack: true, items: [{ productId: key, amount: 5 }] },
  });
  expect(await deliver()).toEqual(['take Steve_42 key']);
  await report('succeeded');
  expect(await stateOf(app.api, order)).toMatchObject({
    ...{ paymentStatus: 'partially_refunded', deliveryStatus: 'delivered' },
  });
  const owned = expectSuccess<{ productId: string; state: string; endedBy: string | null }[]>(
    await app.api.get(`/entitlements/${shop.shopId}?orderId=${order.id}&state=all`, { token: token() }),
  );
  expect(owned.map(({ productId, state, endedBy }) => [productId, state, endedBy]).sort()).toEqual(
    [
      [shop.productId, 'active', null],
      [key, 'ended', 'refund'],
    ].sort(),
  );
  const rows = expectSuccess<{ rows: { key: string; refunds: number; netRevenue: number }[] }>(
    await app.api.get(`/stats/${shop.shopId}/breakdown?period=7d&by=product`, { token: token() }),
  ).rows;
  expect(rows).toMatchObject([
    { key: shop.productId, netRevenue: 10 },
    { key, netRevenue: 0 },
  ]);
  const dispute = { id: 'dp_1', charge: 'ch_1', amount: 1500, currency: 'eur' };
  const { payment_intent } = [...stripe.refunds.values()].at(-1) ?? {};
  for (const [type, status] of [
    ['charge.dispute.created', 'needs_response'],
    ['charge.dispute.closed', 'won'],
  ] as const)
    expectSuccess(await sendStripe(app.api, webhook, type, { ...dispute, payment_intent, status }));
  expect(await deliver()).toEqual([]);
  expectSuccess(await redeliver(app.api, shop, order));
  expect(await deliver()).toEqual(['give Steve_42 vip 1']);
  expect(await kinds()).toEqual(['purchase delivered', 'purchase delivered', 'take_back delivered']);
});

it('delivers the rest of an order, and frees the units and the limit of what was not delivered', async () => {
  await made({ items: [key], takeBack: true });
  expect(await kinds()).toEqual(['purchase queued', 'purchase revoked']);
  expect(await deliveryStatusOf(app.api, order)).toBe('queued');
  expect(await leftOf(records.db, key)).toBe(3);
  expect(await deliver()).toEqual(['give Steve_42 vip 1']);
  expect(await deliveryStatusOf(app.api, order)).toBe('delivered');
  const { shopId, serverId } = shop;
  const again = { productId: key, serverId, email: order.email };
  expect(await anOrder(app.api, shopId, again)).toMatchObject({ total: 5 });
});

it('leaves the items with the player without takeBack, and gives them again when the refund fails', async () => {
  await deliver();
  await made({ items: [key] });
  expect(await deliver()).toEqual([]);
  await report('failed');
  await made({ items: [key], takeBack: true });
  await report('succeeded');
  expect(await kinds()).toContain('take_back queued');
  await report('failed');
  // The event reaches its subscribers after the response.
  await eventually(async () => !(await kinds()).includes('take_back queued'));
  expect(await deliver()).toEqual([]);
  expect(await made({ items: [key], amount: 2.5 })).toMatchObject({ amount: 2.5, takeBack: false });
});

it('takes nothing back while the provider has not accepted the refund', async () => {
  await deliver();
  stripe.mood = 'declining';
  expectError(await refund({ items: [key], takeBack: true }), 409, /^The provider did not make the refund/);
  stripe.mood = 'well';
  expect(await deliver()).toEqual([]);
  expect(await made({ items: [key], takeBack: true })).toMatchObject({ amount: 5 });
});

it('rejects what the order does not have, what was refunded, and a take-back that names nothing', async () => {
  const cases: [object, number, string | RegExp][] = [
    [{ items: [order.id] }, 400, `items has ${order.id}, which the order does not have`],
    [{ items: [] }, 400, 'items must have at least 1 entry'],
    [{ items: [key, key] }, 400, 'items must not repeat an entry'],
    [{ takeBack: true }, 400, 'items must name what is taken back'],
    [{ items: [key], amount: 5.01 }, 409, 'At most 5.00 EUR of these items can still be refunded'],
  ];
  for (const [body, status, message] of cases) expectError(await refund(body), status, message);
  await made({ items: [key] });
  expectError(await refund({ items: [key] }), 409, 'Nothing was paid for these items, or all of it went back');
});
