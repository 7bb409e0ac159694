import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { MINUTE_MS } from '../../src/lib/time/durations.js';
import { payWithStripe } from '../payments/paid-orders.js';
import { type SellingShop, aSellingShop, payment, sendCustom, sendStripe } from '../payments/senders.js';
import { type StripeApi, startStripeApi } from '../payments/stripe-api.js';
import { type TestOrder } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { inDatabase } from '../support/in-database.js';
import { type Metrics, metricsOf } from '../support/metrics.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const ATTEMPTS = 'payment_attempts_last_hour';
const EVENTS = 'payment_events_last_hour';
const UNAPPLIED_AGE = 'payment_events_unapplied_oldest_age_seconds';
const REFUNDS = 'refunds_last_day';
const REVIEWS = 'orders_under_review';

let stripe: StripeApi;
let app: TestApp;
let metrics: Metrics;
let shop: SellingShop;

/** The value with these labels; undefined when absent. */
async function valueOf(name: string, labels: string): Promise<number | undefined> {
  const values = await metrics.valuesOf(`shop_platform_${name}`);
  return values.find((one) => one.labels === labels)?.value;
}
const ofStripe = (state: string): string => `provider="stripe",state="${state}"`;
const ofCustom = (state: string): string => `provider="custom",state="${state}"`;

const payAtStripe = (order: TestOrder): Promise<Response> =>
  app.api.post(
    `/orders/public/${order.id}/payment`,
    { provider: 'stripe' },
    { headers: { 'X-Order-Token': order.accessToken } },
  );
const refund = (order: TestOrder): Promise<Response> =>
  app.api.post(`/payments/${shop.shopId}/${order.id}/refund`, { reason: 'Bought twice' }, { token: shop.owner.token });
/** Sells the product through Stripe. */
async function aSale(): Promise<TestOrder> {
  const order = await shop.anOrder();
  await payWithStripe(app.api, stripe, shop.stripe, order);
  return order;
}

beforeAll(async () => {
  stripe = await startStripeApi();
  app = await startTestApp({ env: { METRICS_PORT: '0', PROVIDER_URLS: `stripe=${stripe.url}` } });
  metrics = await metricsOf(app);
});
afterAll(async () => {
  await app.close();
  await stripe.close();
});
beforeEach(async () => {
  // Each test sees only its own records.
  for (const name of ['payments', 'payment_events', 'refunds', 'orders']) {
    await inDatabase(app, (db) => db.collection(name).deleteMany({}));
  }
  stripe.mood = 'well';
  shop = await aSellingShop(app.api);
  const credentials = { signingSecret: shop.stripe.signingSecret, secretKey: 'sk_test_4eC39HqLyjWDarjtT1zdp7dc' };
  const { shopId, owner } = shop;
  expectSuccess(await app.api.put(`/payments/${shopId}/providers/stripe`, { enabled: true, credentials }, owner));
});

describe('The metrics of payments', () => {
  it('show a sale: its attempt, its applied event, and no money that is stuck', async () => {
    await aSale();
    expect(await valueOf(ATTEMPTS, ofStripe('created'))).toBe(1);
    expect(await valueOf(EVENTS, ofStripe('processed'))).toBe(1);
    expect(await valueOf('payments_last_hour', ofStripe('paid'))).toBe(1);
    for (const name of [UNAPPLIED_AGE, REFUNDS, REVIEWS]) {
      expect({ name, values: await metrics.valuesOf(`shop_platform_${name}`) }).toEqual({ name, values: [] });
    }
  });

  it('show the attempts that a provider does not confirm', async () => {
    stripe.mood = 'overloaded';
    expectError(await payAtStripe(await shop.anOrder()), 503, /./);
    expect(await valueOf(ATTEMPTS, ofStripe('creating'))).toBe(1);
    expect(await valueOf(ATTEMPTS, ofStripe('created'))).toBeUndefined();
  });

  it('count every rejected notification, not only the minutes in which some were', async () => {
    const order = await shop.anOrder();
    const wrong = { ...shop.custom, signingSecret: `whsec_${Buffer.alloc(24).toString('base64')}` };
    for (let turn = 0; turn < 3; turn++) {
      expectError(await sendCustom(app.api, wrong, payment(order)), 400, /signature/);
    }
    expect(await valueOf(EVENTS, ofCustom('rejected'))).toBe(3);
  });

  it.each<[string, string, () => Promise<Response>]>([
    [
      'failed, because its shop does not have the order',
      'custom',
      async () => sendCustom(app.api, shop.custom, payment(await shop.anOrder(), { orderId: '0'.repeat(24) })),
    ],
    [
      'waits for the payment that it is about',
      'stripe',
      () =>
        sendStripe(app.api, shop.stripe, 'charge.dispute.created', {
          ...{ id: 'dp_1', object: 'dispute', payment_intent: 'pi_unknown', status: 'needs_response' },
          ...{ amount: 1999, currency: 'eur', created: Math.floor(Date.now() / 1000) },
        }),
    ],
  ])('show the age of an event that %s', async (_, provider, send) => {
    expectSuccess(await send());
    const receivedAt = new Date(Date.now() - 10 * MINUTE_MS);
    await inDatabase(app, (db) => db.collection('payment_events').updateMany({}, { $set: { receivedAt } }));
    const age = await valueOf(UNAPPLIED_AGE, `provider="${provider}"`);
    expect(age).toBeGreaterThanOrEqual(600);
    expect(age).toBeLessThan(900);
  });

  it('show a refund that the provider rejects, and one that it does not confirm', async () => {
    const [rejected, unconfirmed] = [await aSale(), await aSale()];
    stripe.mood = 'declining';
    expectError(await refund(rejected), 409, /^The provider did not make the refund/);
    expect(await valueOf(REFUNDS, ofStripe('failed'))).toBe(1);
    stripe.mood = 'overloaded';
    expectError(await refund(unconfirmed), 503, /./);
    expect(await valueOf(REFUNDS, ofStripe('requested'))).toBe(1);
  });

  it('show orders that need a decision of staff, and disputed ones', async () => {
    const [wrongAmount, disputed] = [await shop.anOrder(), await shop.anOrder()];
    expectSuccess(await sendCustom(app.api, shop.custom, payment(wrongAmount, { amount: 1 })));
    expectSuccess(await sendCustom(app.api, shop.custom, payment(disputed)));
    expectSuccess(await sendCustom(app.api, shop.custom, payment(disputed, { type: 'dispute.opened' })));
    expect(await valueOf(REVIEWS, 'state="needs_review"')).toBe(1);
    expect(await valueOf(REVIEWS, 'state="disputed"')).toBe(1);
  });
});
