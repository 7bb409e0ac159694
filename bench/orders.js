// Measures whether requests take longer in a shop with 1,000,000 orders than in one with 1,000. Usage:
// npm run bench:orders [-- COUNT]. It takes several minutes and some gigabytes of disk, and prints Markdown for RESULTS.md.
import { ObjectId } from 'mongodb';
import { median } from './http.js';
import { newOrder, withService } from './with-service.js';

const FEW = 1_000;
const MANY = Number(process.argv[2] ?? 1_000_000);
const PORTION = 5_000;
const CALLS = 100;
const MINUTE_MS = 60_000;
const STATES = [
  { status: 'completed', paymentStatus: 'paid', deliveryStatus: 'delivered' },
  { status: 'expired', paymentStatus: 'pending', deliveryStatus: 'none' },
  { status: 'completed', paymentStatus: 'refunded', deliveryStatus: 'revoked' },
];

await withService(async ({ call, openShop, database }) => {
  const shop = await openShop();
  const { shopId, serverId, productId } = shop;
  const staff = { headers: shop.storefront };
  const checkout = () => call('POST', `/checkout/${shopId}/orders`, { ...staff, body: newOrder(shop) });
  const order = await checkout();
  const orders = database.collection('orders');
  const deliveries = database.collection('deliveries');
  const template = await orders.findOne({}, { projection: { places: 0 } });
  const delivery = {
    ...{ shopId: template.shopId, serverId: template.serverId, kind: 'purchase', position: 0, nickname: 'bench_1' },
    ...{ quantity: 1, commandListId: template.items[0].commandListId, requiresOnline: false, durationDays: null },
    ...{
      waitsFor: null,
      state: 'delivered',
      moneyIsBack: false,
      deliveredAt: template.createdAt,
      deliveredTo: 'bench_1',
    },
    ...{
      dueAt: template.createdAt,
      attempt: 1,
      acknowledgedAttempt: 1,
      attemptsLeft: 0,
      createdAt: template.createdAt,
    },
  };
  const newest = template.createdAt.getTime();
  let stored = 0;
  const fill = async (count) => {
    while (stored < count) {
      const numbers = Array.from({ length: Math.min(PORTION, count - stored) }, (_, index) => stored + index);
      const copies = numbers.map((number) => ({
        ...{ ...template, ...STATES[number % STATES.length], _id: new ObjectId() },
        ...{ buyerKey: `old${number}@example.com`, nicknameKey: `old${number}`, accessTokenHash: `old ${number}` },
        createdAt: new Date(newest - (number + 1) * MINUTE_MS),
      }));
      await orders.insertMany(copies);
      await deliveries.insertMany(copies.map(({ _id }) => ({ ...delivery, _id: new ObjectId(), orderId: _id })));
      stored += numbers.length;
    }
  };
  const list = (query) => () => call('GET', `/orders/${shopId}?limit=50${query}`, staff);
  const since = (minutes) => new Date(newest - minutes * MINUTE_MS).toISOString();
  const calls = {
    'list, first page': list(''),
    'list, up to a time in the past': list(`&to=${since(500)}`),
    'list, orders that are refunded': list('&paymentStatus=refunded'),
    'list, one mailbox': list('&email=old77@example.com'),
    'list, one player': list('&nickname=old77'),
    'list, one server': list(`&serverId=${serverId}`),
    'list, one product': list(`&productId=${productId}`),
    'one order, for staff': () => call('GET', `/orders/${shopId}/${order.id}`, staff),
    'one order, for its buyer': () =>
      call('GET', `/orders/public/${order.id}`, { headers: { 'x-order-token': order.accessToken } }),
    'deliveries that are delivered': () => call('GET', `/deliveries/${shopId}?state=delivered&limit=50`, staff),
    'lease of a server, nothing waits': () =>
      call('POST', `/deliveries/${shopId}/lease`, { ...staff, body: { serverId } }),
    checkout,
  };
  const measure = async () => {
    const medians = [];
    for (const next of Object.values(calls)) {
      const times = [];
      for (let count = 0; count < CALLS; count++) {
        const began = performance.now();
        await next();
        times.push(performance.now() - began);
      }
      medians.push(median(times));
    }
    return medians;
  };
  await fill(FEW);
  await measure();
  const few = await measure();
  await fill(MANY);
  await measure();
  const many = await measure();
  console.log(`| Request, median of ${CALLS} | ${FEW} orders | ${MANY} orders | Times |`);
  console.log('| --- | --- | --- | --- |');
  for (const [index, name] of Object.keys(calls).entries()) {
    const [before, after] = [few[index], many[index]];
    console.log(`| ${name} | ${before.toFixed(1)} ms | ${after.toFixed(1)} ms | ${(after / before).toFixed(2)} |`);
  }
});
