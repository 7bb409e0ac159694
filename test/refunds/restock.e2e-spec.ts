import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  acknowledge,
  aDeliveringShop,
  aPaidOrder,
  type DeliveringShop,
  lease,
  reportPayment,
} from '../deliveries/delivery-actors.js';
import { aDiscount, anOrder, type TestOrder, unique } from '../support/actors.js';
import { anInstant, expectSuccess } from '../support/envelope.js';
import { leftOf, type Records, recordsOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

interface Entry {
  readonly action: string;
}

let app: TestApp;
let records: Records;

beforeAll(async () => {
  app = await startTestApp();
  records = await recordsOf(app);
});
afterAll(async () => {
  await records.close();
  await app.close();
});

/** A shop that sells a product with 5 units. */
const aShopWithStock = (product: object = {}): Promise<DeliveringShop> =>
  aDeliveringShop(app.api, { stock: 5, price: 10, ...product });
const left = ({ productId }: DeliveringShop): Promise<number> => leftOf(records.db, productId);
const report = (shop: DeliveringShop, order: TestOrder, type: string, changes: object = {}): Promise<void> =>
  reportPayment(app.api, shop, order, type, { refundId: `re-${order.id}`, ...changes });
const twoUnits = ({ productId }: DeliveringShop): object => ({ items: [{ productId, quantity: 2 }] });
const restockingIn = async (shop: DeliveringShop, { id }: TestOrder): Promise<Entry[]> => {
  const { token } = shop.owner;
  const { history } = expectSuccess<{ history: Entry[] }>(await app.api.get(`/orders/${shop.shopId}/${id}`, { token }));
  return history.filter(({ action }) => action.startsWith('item_'));
};

it('gives back the units that nobody received with a full refund, once, and takes them again when the refund fails', async () => {
  const shop = await aShopWithStock();
  const order = await aPaidOrder(app.api, shop, twoUnits(shop));
  await report(shop, order, 'refund.succeeded', { refundId: 're-part', amount: 5 });
  expect(await left(shop)).toBe(3);
  await report(shop, order, 'refund.succeeded', { amount: 15 });
  expect(await left(shop)).toBe(5);
  await report(shop, order, 'refund.failed', { amount: 15 });
  expect(await left(shop)).toBe(3);
  const line = { at: anInstant, actor: 'provider:custom', actorName: null, detail: 'VIP rank x 2' };
  expect(await restockingIn(shop, order)).toEqual([
    { ...line, action: 'item_restocked' },
    { ...line, action: 'item_taken_again' },
  ]);
  const audit = await records.db
    .collection('audit_log')
    .find({ subjectId: order.id, action: 'item.restocked' })
    .toArray();
  expect(audit.map(({ changes }) => (changes as { field: string; after: string }[])[0])).toEqual([
    { field: 'restocked', before: 'false', after: 'true' },
    { field: 'restocked', before: 'true', after: 'false' },
  ]);
});

it.each([
  [false, 3],
  [true, 5],
])(
  'with restockOnRefund: %s has %d of 5 units after the refund of 2 that were delivered',
  async (restockOnRefund, expected) => {
    const shop = await aShopWithStock({ restockOnRefund });
    const order = await aPaidOrder(app.api, shop, twoUnits(shop));
    for (const delivery of await lease(app.api, shop)) await acknowledge(app.api, shop, delivery, 'delivered');
    await report(shop, order, 'refund.succeeded');
    expect(await left(shop)).toBe(expected);
  },
);

it.each([
  ['failed', 5],
  ['delivered', 3],
] as const)(
  'waits for the report of a plugin that has the delivery: %s leaves %d of 5 units',
  async (status, expected) => {
    const shop = await aShopWithStock();
    const order = await aPaidOrder(app.api, shop, twoUnits(shop));
    const [delivery] = await lease(app.api, shop);
    if (delivery === undefined) throw new Error('there is nothing to lease');
    await report(shop, order, 'refund.succeeded');
    expect(await left(shop)).toBe(3);
    await acknowledge(app.api, shop, delivery, status);
    expect(await left(shop)).toBe(expected);
  },
);

it('lets a buyer whose money went back use a code for first purchases again', async () => {
  const shop = await aShopWithStock({ maxPerBuyer: 1 });
  const { code: discountCode } = await aDiscount(app.api, shop, { firstPurchaseOnly: true });
  const buyer = { nickname: `S${unique()}`.slice(0, 16), email: `steve-${unique()}@example.com`, discountCode };
  const order = await aPaidOrder(app.api, shop, buyer);
  await report(shop, order, 'refund.succeeded');
  const { productId, serverId, shopId } = shop;
  expect(await anOrder(app.api, shopId, { productId, serverId, ...buyer })).toMatchObject({ total: 9 });
});
