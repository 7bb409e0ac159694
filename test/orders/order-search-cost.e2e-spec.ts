import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { deserialize } from 'bson';
import { type Document, ObjectId } from 'mongodb';
import { timePositionOf } from '../../src/lib/paging/time-position.js';
import { DELIVERY_STATUSES, ORDER_STATUSES, PAYMENT_STATUSES } from '../../src/orders/order/order.types.js';
import { aDeliveringShop, aPaidOrder, type DeliveringShop } from '../deliveries/delivery-actors.js';
import { expectSuccess } from '../support/envelope.js';
import { examined, type ExplainedApp, insertMany, startExplainedApp } from '../support/explained-app.js';

let explained: ExplainedApp;
let shop: DeliveringShop;

beforeAll(async () => {
  explained = await startExplainedApp();
  shop = await aDeliveringShop(explained.app.api);
});
afterAll(() => explained.close());

const RARE = { server: new ObjectId(), product: new ObjectId() };
const DISCOUNT = { discountId: new ObjectId(), amountMinor: 100 };
const STARTED = Date.UTC(2026, 0, 1);
/** How many orders are added before the second measurement. `npm run long -- lists` adds more. */
const MANY = Number(process.env['ADDED_ORDERS'] ?? 2_000);
/** The orders of a page. */
const LIMIT = Number(process.env['PAGE_LIMIT'] ?? 10);
/** How many orders a page reads: one more shows that there is a next one. */
const READ = LIMIT + 1;
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
    number: 1_000_000 + stored + index,
    buyerKey: `buyer${stored + index}@example.com`,
    nicknameKey: `player${stored + index}`,
    discount: { ...DISCOUNT, code: `CODE${Math.floor(index / 3) % 3}` },
    payments: [{ provider: index % 2 === 0 ? 'stripe' : 'paypal', paymentId: `pi_${stored + index}` }],
    createdAt: new Date(STARTED - (stored + index) * 60_000),
  });
  await insertMany(explained.database.collection('orders'), count, copy);
  stored += count;
}

/** How many orders a request to list them examined. */
function examinedBy(query: string, { shopId, owner }: DeliveringShop = shop): Promise<number> {
  const { api } = explained.app;
  const path = `/orders/${shopId}${query}`;
  return explained.examinedBy('orders', async () => expectSuccess(await api.get(path, { token: owner.token })));
}

it('examines no more orders when a shop has more of them, with every filter and every combination of states', async () => {
  await aPaidOrder(explained.app.api, shop);
  const template = await explained.database.collection('orders').findOne();
  if (template === null) throw new Error('no order is stored');
  await storeMore(template, 300);
  const rare = {
    ...template,
    _id: new ObjectId(),
    number: 1,
    serverId: RARE.server,
    createdAt: new Date(STARTED - 1e9),
  };
  const items = [{ ...(template['items'] as Document[])[0], productId: RARE.product }];
  await explained.database.collection('orders').insertOne({ ...rare, items });
  const ofOneBuyer = Array.from({ length: 150 }, (_, index) => ({
    ...template,
    ...{ _id: new ObjectId(), number: 2 + index, buyerKey: 'often@example.com', createdAt: new Date(STARTED - 1e12) },
    ...{ status: 'completed', paymentStatus: 'paid', deliveryStatus: 'delivered' },
  }));
  await explained.database.collection('orders').insertMany(ofOneBuyer);
  const page = `?limit=${LIMIT}`;
  const [cursor, oldestCursor] = ['f', '0'].map((digit) => {
    const position = timePositionOf({ createdAt: new Date(STARTED - 3_600_000), id: digit.repeat(24) });
    return Buffer.from(position, 'hex').toString('base64url');
  });
  const filters = [
    ...[`&cursor=${cursor}`, `&status=completed&cursor=${cursor}`, `&serverId=${shop.serverId}&cursor=${cursor}`],
    ...['', '&from=2025-12-31T00:00:00Z', '&to=2025-12-31T22:00:00Z', '&from=2026-06-01T00:00:00Z'],
    ...['&nickname=Player7', '&nickname=nobody', '&email=buyer7@example.com&status=open', '&email=nobody@example.com'],
    ...['&email=often@example.com', '&email=often@example.com&status=completed'],
    ...[`&serverId=${shop.serverId}`, `&serverId=${RARE.server.toHexString()}`, `&serverId=${shop.productId}`],
    ...[`&productId=${shop.productId}`, `&productId=${RARE.product.toHexString()}`, `&productId=${shop.serverId}`],
    `&productId=${shop.productId}&to=2025-12-31T22:00:00Z`,
    ...['&sort=oldest', '&sort=oldest&status=completed', `&sort=oldest&cursor=${oldestCursor}`],
    ...['&number=1000007', '&number=999', '&q=%231000007'],
    ...['&provider=nobody', '&paymentId=pi_7', '&discountCode=none'],
    ...['&provider=stripe', '&discountCode=code1', '&q=code1'].flatMap((narrowed) =>
      [
        ...['deliveryStatus=failed', 'deliveryStatus=delivered', 'paymentStatus=needs_review'],
        ...['status=open&paymentStatus=pending', 'paymentStatus=refunded&to=2025-12-31T22:00:00Z'],
      ].map((states) => `${narrowed}&${states}`),
    ),
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
  // In any state, they are read in two parts.
  const inParts = [
    ...['&provider=stripe', '&discountCode=code1', '&q=code1', `&discountCode=code1&cursor=${cursor}`],
    ...['&provider=paypal&from=2025-12-01&to=2025-12-31', '&discountCode=code1&sort=oldest'],
  ];
  const costly: unknown[] = [];
  for (const more of [0, MANY]) {
    if (more > 0) await storeMore(template, more);
    for (const filter of [...filters, ...inParts]) {
      const documents = await examinedBy(page + filter);
      if (documents > (inParts.includes(filter) ? 2 * READ : READ)) costly.push({ stored, filter, documents });
    }
  }
  expect(costly).toEqual([]);
});

it('examines no more orders of one game server in certain states, however many the shop has of either', async () => {
  const two = await aDeliveringShop(explained.app.api);
  await aPaidOrder(explained.app.api, two);
  const template = await explained.database.collection('orders').findOne({ shopId: new ObjectId(two.shopId) });
  const sides = [
    [two.serverId, { status: 'completed', paymentStatus: 'paid', deliveryStatus: 'delivered' }],
    [RARE.server.toHexString(), { status: 'completed', paymentStatus: 'refunded', deliveryStatus: 'failed' }],
  ] as const;
  const queries = sides.flatMap(([serverId]) =>
    sides.flatMap(([, { paymentStatus, deliveryStatus }]) =>
      [
        ...[`deliveryStatus=${deliveryStatus}`, `paymentStatus=${paymentStatus}`],
        ...['status=open&paymentStatus=pending', `status=completed&deliveryStatus=${deliveryStatus}`],
      ].map((states) => `?limit=${LIMIT}&serverId=${serverId}&${states}`),
    ),
  );
  const costly: unknown[] = [];
  let made = 0;
  for (const more of [300, MANY]) {
    await insertMany(explained.database.collection('orders'), more, (index) => {
      const [serverId, states] = sides[index % 2] ?? sides[0];
      const at = STARTED - ++made * 60_000;
      const own = { _id: new ObjectId(), number: 1_000_000 + made, serverId: new ObjectId(serverId) };
      return { ...template, ...states, ...own, createdAt: new Date(at) };
    });
    for (const query of queries) {
      const documents = await examinedBy(query, two);
      if (documents > READ) costly.push({ made, query, documents });
    }
  }
  expect(costly).toEqual([]);
});

/** How many orders a count examines. While a job writes, the store reads what it counts; so a count that examines some is repeated. */
async function examinedToCount({ aggregate, pipeline, cursor }: Document): Promise<number> {
  let documents = 0;
  for (let attempt = 0; attempt < 5; attempt++) {
    documents = await examined(explained.database, { aggregate, pipeline, cursor });
    if (documents === 0) break;
  }
  return documents;
}

it('examines no order to count 10,000 of them, and few to find what staff have in hand', async () => {
  const { api } = explained.app;
  const call = { token: shop.owner.token };
  const path = `/orders/${shop.shopId}?limit=1`;
  const template = await explained.database.collection('orders').findOne();
  await storeMore(template ?? {}, 8_000);
  const filters: readonly (readonly [query: string, filter: object])[] = [
    ['', {}],
    ['&status=completed', { status: 'completed' }],
    [`&productId=${shop.productId}`, { 'items.productId': new ObjectId(shop.productId) }],
    ['&provider=stripe', { 'payments.provider': 'stripe' }],
    ['&discountCode=code1', { 'discount.code': 'CODE1' }],
    ['&discountCode=code1&status=completed', { 'discount.code': 'CODE1', status: 'completed' }],
    ['&provider=stripe&deliveryStatus=delivered', { 'payments.provider': 'stripe', deliveryStatus: 'delivered' }],
    ['&from=2020-01-01&to=2030-01-01', { createdAt: { $gte: new Date('2020-01-01') } }],
  ];
  for (const [query, filter] of filters) {
    await explained.app.commandBodies();
    const { headers } = await api.get(path + query, call);
    const [count] = (await explained.app.commandBodies())
      .map((body) => deserialize(body, { promoteValues: false }))
      .filter((command) => command['aggregate'] === 'orders');
    const documents = await examinedToCount(count ?? {});
    const ofShop = { shopId: new ObjectId(shop.shopId), ...filter };
    const total = await explained.database.collection('orders').countDocuments(ofShop);
    expect([query, headers['x-total-count'], documents]).toEqual([query, total > 10_000 ? '10000+' : `${total}`, 0]);
  }
  await explained.app.commandBodies();
  await api.get(`/orders/${shop.shopId}/counts`, { token: shop.owner.token });
  for (const body of await explained.app.commandBodies()) {
    const command = deserialize(body, { promoteValues: false });
    if (command['aggregate'] === 'orders') expect(await examinedToCount(command)).toBe(0);
  }
  // A page of each lookup, and the steps to the players.
  for (const q of ['player7', 'player', 'buyer7@example.com', 'pi_7', 'code1', '1000007', 'nobody', '.*']) {
    expect(await examinedBy(`?limit=${LIMIT}&q=${q}`)).toBeLessThanOrEqual(50 + 5 * READ);
  }
});
