import { expect, it } from '@jest/globals';
import { type Document } from 'mongodb';
import { acknowledge, aDeliveringShop, lease, reportPayment } from '../deliveries/delivery-actors.js';
import { payment, sendCustom } from '../payments/senders.js';
import { aDiscount, anOrder, aProduct, type TestOrder } from '../support/actors.js';
import { expectSuccess } from '../support/envelope.js';
import { inDatabase } from '../support/in-database.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const EVENTS = [
  ...['delivery.failed', 'discount.exhausted', 'order.created', 'order.delivered', 'order.disputed', 'order.paid'],
  'order.refunded',
  'delivery.revoked',
  'entitlement.started',
  'payment.webhook_rejected',
];

/** Does what makes all handlers that only write run, and what follows. */
async function sell(app: TestApp): Promise<void> {
  const { api } = app;
  const shop = await aDeliveringShop(api);
  const { shopId, serverId, owner } = shop;
  const everything = { url: 'http://127.0.0.1:9/events', events: ['*'] };
  expectSuccess(await api.post(`/webhooks/${shopId}`, everything, { token: owner.token }));
  const { code: discountCode } = await aDiscount(api, shop, { maxUses: 1 });
  // Step by step: which email a buyer gets depends on whether the order is paid when its creation is published.
  const paid = async (body: object = {}): Promise<TestOrder> => {
    const placed = await anOrder(api, shopId, { productId: shop.productId, serverId, ...body });
    await app.idle();
    await reportPayment(api, shop, placed, 'payment.succeeded');
    await app.idle();
    return placed;
  };
  const order = await paid({ discountCode });
  const [leased = { deliveryId: '', attempt: 0 }] = await lease(api, shop);
  await acknowledge(api, shop, leased);
  await reportPayment(api, shop, order, 'dispute.opened');
  await reportPayment(api, shop, await paid(), 'refund.succeeded', { refundId: 'refund' });
  await paid();
  const [failing = { deliveryId: '', attempt: 0 }] = await lease(api, shop);
  await acknowledge(api, shop, failing, 'failed');
  const free = await aProduct(api, shop, { price: 0 });
  for (const number of [1, 2, 3])
    await anOrder(api, shopId, { productId: free, serverId, email: 'alex@example.com', nickname: `Alex_${number}` });
  await sendCustom(api, shop.webhook, payment({ ...order, id: 'f'.repeat(24) }, { paymentId: 'lost' }));
  expectSuccess(await api.post('/auth/password/forgot', { email: owner.email }));
  expectSuccess(await api.post('/orders/public/links', { shopId, email: order.email }));
  await app.idle();
}

/** What handlers have written, without what differs between two applications. */
function written(app: TestApp): Promise<object> {
  return inDatabase(app, async (database) => {
    const all = (name: string, fields: Document): Promise<Document[]> =>
      database
        .collection(name)
        .find({}, { projection: { _id: 0, ...fields } })
        .toArray();
    const sorted = (records: readonly Document[]): string[] => records.map((record) => JSON.stringify(record)).sort();
    const counts = await all('mailbox_counts', { limit: 1, sentAt: 1, withheld: 1 });
    return {
      messages: sorted(await all('outbox', { topic: 1, attempts: { $literal: 0 } })),
      failed: await database.collection('outbox').countDocuments({ topic: { $ne: 'webhook' }, state: { $ne: 'sent' } }),
      deliveries: sorted(await all('webhook_deliveries', { type: 1 })),
      mailboxes: sorted(counts.map(({ sentAt, ...count }) => ({ ...count, sent: (sentAt as Date[]).length }))),
      notices: sorted(await all('owner_notices', { kind: 1, waiting: 1 })),
      resets: await database.collection('password_resets').countDocuments(),
      discounts: sorted(await all('discounts', { exhaustedAt: { $type: '$exhaustedAt' } })),
      emails: (await app.mailbox.read()).map(({ head }) => /^Subject: (\D+)/m.exec(head)?.[1] ?? '').sort(),
    };
  });
}

const env = { ALLOW_PRIVATE_WEBHOOK_TARGETS: 'true' };

it('has the same effects once when each handler that only writes runs twice', async () => {
  const [once, twice] = [await startTestApp({ env }), await startTestApp({ env, repeatHandlers: true })];
  try {
    for (const app of [once, twice]) await sell(app);
    const { repeatable, repeated } = await twice.repetitions();
    expect(repeatable).toEqual(['order-links', 'password-reset', 'shop-event']);
    expect(repeated).toEqual(['order-links', 'password-reset', ...EVENTS.map((type) => `shop-event ${type}`)].sort());
    expect(await written(twice)).toEqual(await written(once));
    expect((await once.repetitions()).repeated).toEqual([]);
  } finally {
    for (const app of [once, twice]) await app.close();
  }
});
