import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Document, ObjectId } from 'mongodb';
import { timePositionOf } from '../../src/lib/paging/time-position.js';
import { DELIVERY_STATUSES, ORDER_STATUSES, PAYMENT_STATUSES } from '../../src/orders/order/order.types.js';
import { aDeliveringShop, aPaidOrder, type DeliveringShop } from '../deliveries/delivery-actors.js';
import { expectSuccess } from '../support/envelope.js';
import { type ExplainedApp, insertMany, startExplainedApp } from '../support/explained-app.js';

let explained: ExplainedApp;
let shop: DeliveringShop;

beforeAll(async () => {
  explained = await startExplainedApp();
  shop = await aDeliveringShop(explained.app.api);
});
afterAll(() => explained.close());

const RARE = { server: new ObjectId(), product: new ObjectId() };
const STARTED = Date.UTC(2026, 0, 1);
/** How many orders are added before the second measurement. */
const MANY = 2_000;
let stored = 0;

/** Stores copies of an order, each a minute older. Combinations of states that are rare stay rare. */
async function storeMore(template: Document, count: number): Promise<void> {
  const common = [
    { status: 'completed', paymentStatus: 'paid', deliveryStatus: 'delivered' },
    { status: 'expired', paymentStatus: 'pending', deliveryStatus: 'none' },
    { status: 'completed', paymentStatus: 'refunded', deliveryStatus: 'revoked' },
  ];
  const copy = (index: number): Document => ({
    ...template,
    ...common[index % common.length],
    _id: new ObjectId(),
    buyerKey: `buyer${stored + index}@example.com`,
    nicknameKey: `player${stored + index}`,
    createdAt: new Date(STARTED - (stored + index) * 60_000),
  });
  await insertMany(explained.database.collection('orders'), count, copy);
  stored += count;
}

/** How many orders a request to list them examined. */
function examinedBy(query: string): Promise<number> {
  const { api } = explained.app;
  const path = `/orders/${shop.shopId}${query}`;
  return explained.examinedBy('orders', async () => expectSuccess(await api.get(path, { token: shop.owner.token })));
}

it('examines no more orders when a shop has more of them, with every filter and every combination of states', async () => {
  await aPaidOrder(explained.app.api, shop);
  const template = await explained.database.collection('orders').findOne();
  if (template === null) throw new Error('no order is stored');
  await storeMore(template, 300);
  const rare = { ...template, _id: new ObjectId(), serverId: RARE.server, createdAt: new Date(STARTED - 1e9) };
  const items = [{ ...(template['items'] as Document[])[0], productId: RARE.product }];
  await explained.database.collection('orders').insertOne({ ...rare, items });
  const ofOneBuyer = Array.from({ length: 150 }, () => ({
    ...template,
    ...{ _id: new ObjectId(), buyerKey: 'often@example.com', createdAt: new Date(STARTED - 1e12) },
    ...{ status: 'completed', paymentStatus: 'paid', deliveryStatus: 'delivered' },
  }));
  await explained.database.collection('orders').insertMany(ofOneBuyer);
  const page = '?limit=10';
  const cursor = Buffer.from(
    timePositionOf({ createdAt: new Date(STARTED - 3_600_000), id: 'f'.repeat(24) }),
    'hex',
  ).toString('base64url');
  const filters = [
    ...[`&cursor=${cursor}`, `&status=completed&cursor=${cursor}`, `&serverId=${shop.serverId}&cursor=${cursor}`],
    ...['', '&from=2025-12-31T00:00:00Z', '&to=2025-12-31T22:00:00Z', '&from=2026-06-01T00:00:00Z'],
    ...['&nickname=Player7', '&nickname=nobody', '&email=buyer7@example.com&status=open', '&email=nobody@example.com'],
    ...['&email=often@example.com', '&email=often@example.com&status=completed'],
    ...[`&serverId=${shop.serverId}`, `&serverId=${RARE.server.toHexString()}`, `&serverId=${shop.productId}`],
    ...[`&productId=${shop.productId}`, `&productId=${RARE.product.toHexString()}`, `&productId=${shop.serverId}`],
    `&productId=${shop.productId}&to=2025-12-31T22:00:00Z`,
    ...ORDER_STATUSES.flatMap((status) => [
      `&status=${status}`,
      `&status=${status}&to=2025-12-31T22:00:00Z`,
      ...PAYMENT_STATUSES.map((paymentStatus) => `&status=${status}&paymentStatus=${paymentStatus}`),
      ...DELIVERY_STATUSES.map((deliveryStatus) => `&status=${status}&deliveryStatus=${deliveryStatus}`),
    ]),
    ...PAYMENT_STATUSES.flatMap((paymentStatus) => [
      `&paymentStatus=${paymentStatus}`,
      ...DELIVERY_STATUSES.map((deliveryStatus) => `&paymentStatus=${paymentStatus}&deliveryStatus=${deliveryStatus}`),
    ]),
    ...DELIVERY_STATUSES.map((deliveryStatus) => `&deliveryStatus=${deliveryStatus}`),
    ...DELIVERY_STATUSES.map(
      (deliveryStatus) => `&status=completed&paymentStatus=paid&deliveryStatus=${deliveryStatus}`,
    ),
  ];
  const costly: unknown[] = [];
  for (const more of [0, MANY]) {
    if (more > 0) await storeMore(template, more);
    for (const filter of filters) {
      const examined = await examinedBy(page + filter);
      if (examined > 11) costly.push({ stored, filter, examined });
    }
  }
  expect(costly).toEqual([]);
});
