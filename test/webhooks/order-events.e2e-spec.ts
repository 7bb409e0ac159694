import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { DAY_MS } from '../../src/lib/time/durations.js';
import {
  acknowledge,
  aDeliveringShop,
  aPaidOrder,
  type DeliveringShop,
  lease,
  reportPayment,
} from '../deliveries/delivery-actors.js';
import { aWebhook, sendRaw, sendStripe, type TestWebhook } from '../payments/senders.js';
import { type StripeApi, startStripeApi } from '../payments/stripe-api.js';
import { anOrder, type TestOrder } from '../support/actors.js';
import { anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { inDatabase } from '../support/in-database.js';
import { idOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js';

interface Event {
  readonly type: string;
  readonly data: object;
}

/** What happens to every order, or to the game server that delivers it, and is no subject here. */
const USUAL = new Set([
  ...['order.created', 'order.paid', 'order.delivered', 'order.refunded', 'server.online'],
  ...['entitlement.started', 'entitlement.ended'],
]);

describe('A webhook of all events', () => {
  let app: TestApp;
  let receiver: WebhookReceiver;
  let stripe: StripeApi;
  let shop: DeliveringShop;
  let token: string;

  const anOpenOrder = (): Promise<TestOrder> => {
    const { shopId, productId, serverId } = shop;
    return anOrder(app.api, shopId, { productId, serverId });
  };
  const report = (order: TestOrder, type: string, changes: object = {}): Promise<void> =>
    reportPayment(app.api, shop, order, type, changes);
  const act = async ({ id }: TestOrder, action: string, body: object): Promise<void> => {
    expectSuccess(await app.api.post(`/orders/${shop.shopId}/${id}/${action}`, body, { token }));
  };
  const refund = ({ id }: TestOrder): Promise<Response> =>
    app.api.post(`/payments/${shop.shopId}/${id}/refund`, { reason: 'Bought twice' }, { token });
  /** Pays an order with a payment intent of the shop's own page. */
  const payAtStripe = async ({ id: orderId }: TestOrder): Promise<{ webhook: TestWebhook; intent: string }> => {
    const webhook = await aWebhook(app.api, shop, 'stripe', {
      secretKey: 'sk_test_4eC39HqLyjWDarjtT1zdp7dc',
      signingSecret: 'whsec_test_secret_of_an_endpoint',
    });
    const intent = { id: `pi_${orderId}`, amount_received: 4_000, currency: 'eur', metadata: { orderId } };
    expectSuccess(await sendStripe(app.api, webhook, 'payment_intent.succeeded', intent));
    return { webhook, intent: intent.id };
  };
  const received = (): Event[] =>
    receiver.received
      .filter(({ path }) => path.endsWith(shop.shopId))
      .map(({ body }) => JSON.parse(body) as Event)
      .filter(({ type }) => !USUAL.has(type));
  /** Waits for as many events as are expected, and compares them in their order. */
  const expectEvents = async (...expected: readonly [type: string, data: object][]): Promise<void> => {
    const events = await eventually(() => Promise.resolve(received().length >= expected.length && received()));
    expect(events).toEqual(
      expected.map(([type, data]) => expect.objectContaining({ type, data: expect.objectContaining(data) as object })),
    );
  };

  beforeAll(async () => {
    receiver = await startWebhookReceiver();
    stripe = await startStripeApi();
    const env = { ALLOW_PRIVATE_WEBHOOK_TARGETS: 'true', PROVIDER_URLS: `stripe=${stripe.url}` };
    app = await startTestApp({ env, config: { sweepIntervalMs: 50 } });
  });
  beforeEach(async () => {
    stripe.mood = 'well';
    stripe.refundStatus = 'succeeded';
    shop = await aDeliveringShop(app.api, { price: 40, takeBackCommands: ['deop {nickname}'] });
    token = shop.owner.token;
    const body = { url: `${receiver.url}/${shop.shopId}`, events: ['*'] };
    expectSuccess(await app.api.post(`/webhooks/${shop.shopId}`, body, { token }));
  });
  afterAll(async () => {
    await app.close();
    await Promise.all([receiver.close(), stripe.close()]);
  });

  it('is informed that a payment of a wrong amount needs a review, and what staff decided', async () => {
    const order = await anOpenOrder();
    await report(order, 'payment.succeeded', { amount: 39 });
    await act(order, 'resolve', { decision: 'accept', reason: 'Seen in the bank' });
    await expectEvents(
      [
        'order.review_needed',
        { reasons: [{ code: 'amount', amount: 39, currency: 'EUR', message: '39.00 EUR arrived, 40.00 EUR was due' }] },
      ],
      ['order.review_resolved', { decision: 'accept', reason: 'Seen in the bank' }],
    );
  });

  it('is informed that a dispute opens and is won, with the payment', async () => {
    const order = await aPaidOrder(app.api, shop);
    await report(order, 'dispute.opened', { disputeId: 'dp_1' });
    await report(order, 'dispute.won', { disputeId: 'dp_1' });
    const payment = { provider: 'custom', amount: 40, currency: 'EUR' };
    await expectEvents(['order.disputed', payment], ['order.dispute_won', payment]);
  });

  it('is informed that a dispute is lost, with the amount, and that the deliveries are revoked', async () => {
    const order = await aPaidOrder(app.api, shop);
    for (const leased of await lease(app.api, shop)) await acknowledge(app.api, shop, leased);
    await report(order, 'dispute.lost', { disputeId: 'dp_1' });
    for (const leased of await lease(app.api, shop)) await acknowledge(app.api, shop, leased);
    await expectEvents(
      ['order.dispute_lost', { provider: 'custom', amount: 40, currency: 'EUR' }],
      ['delivery.revoked', {}],
    );
  });

  it('is informed that a refund failed, with the amount', async () => {
    const order = await aPaidOrder(app.api, shop);
    await report(order, 'refund.succeeded', { amount: 5, refundId: 'rf_1' });
    await report(order, 'refund.failed', { amount: 5, refundId: 'rf_1' });
    await expectEvents(['refund.failed', { provider: 'custom', amount: 5, currency: 'EUR', reason: null }]);
  });

  it.each([
    ['never confirmed', 'overloaded', 503, 8],
    ['has had for 60 days', 'well', 200, 61],
  ] as const)('learns of a refund that Stripe %s that nobody knows how it ended', async (_, mood, status, days) => {
    const order = await anOpenOrder();
    const paid = await payAtStripe(order);
    stripe.refundStatus = 'pending';
    stripe.mood = mood;
    expect((await refund(order)).status).toBe(status);
    const made = [...stripe.refunds.values()].find(({ payment_intent }) => payment_intent === paid.intent);
    const past = { createdAt: new Date(Date.now() - days * DAY_MS), dueAt: new Date(0) };
    await inDatabase(app, (database) =>
      database.collection('refunds').updateOne({ orderId: idOf(order.id) }, { $set: past }),
    );
    const payment = { provider: 'stripe', paymentId: paid.intent, amount: 40, currency: 'EUR' };
    await expectEvents(['refund.unconfirmed', { ...payment, refundId: made?.['id'] ?? null }]);
  });

  it.each(['failed', 'pending'])(
    'learns once, with the reason, that a refund failed that Stripe reports in several ways and returned as %s',
    async (status) => {
      const order = await anOpenOrder();
      const { webhook, intent } = await payAtStripe(order);
      stripe.refundStatus = status;
      expect((await refund(order)).status).toBe(status === 'failed' ? 409 : 200);
      const made = [...stripe.refunds.values()].find(({ payment_intent }) => payment_intent === intent);
      const failed = { ...made, status: 'failed', failure_reason: 'insufficient_funds' };
      for (const type of ['refund.updated', 'refund.failed'])
        expectSuccess(await sendStripe(app.api, webhook, type, failed));
      const dispute = { id: 'dp_1', payment_intent: intent, charge: 'ch_1', amount: 4_000, currency: 'eur' };
      expectSuccess(await sendStripe(app.api, webhook, 'charge.dispute.created', dispute));
      const payment = { provider: 'stripe', paymentId: intent, amount: 40, currency: 'EUR' };
      // The events of one order come one after the other.
      await expectEvents(['refund.failed', { ...payment, reason: 'insufficient_funds' }], ['order.disputed', payment]);
    },
  );

  it('learns that staff changed the nickname of an order, and cancelled it', async () => {
    const order = await anOpenOrder();
    await act(order, 'nickname', { newNickname: 'Alex_42', reason: 'A typo' });
    await act(order, 'cancel', { reason: 'Asked by the buyer' });
    await expectEvents(
      ['order.nickname_changed', { previousNickname: 'Steve_42', nickname: 'Alex_42', item: null }],
      ['order.cancelled', { reason: 'Asked by the buyer' }],
    );
  });

  it('learns that a notification of a provider is rejected, and why', async () => {
    const reason = 'The webhook request was rejected: it has no header webhook-signature';
    expectError(await sendRaw(app.api, shop.webhook.path, '{}'), 400, reason);
    await expectEvents(['payment.webhook_rejected', { provider: 'custom', reason, since: anInstant }]);
  });

  it('learns that a provider rejects the credentials of the shop', async () => {
    await aWebhook(app.api, shop, 'stripe', {
      secretKey: 'sk_test_4eC39HqLyjWDarjtT1zdp7dc',
      signingSecret: 'whsec_test_secret_of_an_endpoint',
    });
    const { id, accessToken } = await anOpenOrder();
    stripe.mood = 'rejecting';
    const headers = { 'X-Order-Token': accessToken };
    await app.api.post(`/orders/public/${id}/payment`, { provider: 'stripe' }, { headers });
    await expectEvents([
      'payment.provider_failing',
      { provider: 'stripe', reason: 'Stripe rejected this secret key', since: anInstant },
    ]);
  });
});
