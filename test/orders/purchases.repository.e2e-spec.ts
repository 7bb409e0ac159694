import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { HOUR_MS } from '../../src/lib/time/durations.js';
import { newObjectId } from '../../src/lib/ids/object-id.js';
import { type NewOrder } from '../../src/orders/order/order.types.js';
import { PurchasesRepository } from '../../src/orders/order/purchases.repository.js';
import { ALEX, CREATED, newOrder, STEVE } from './new-order.js';
import { openOrders, type StoredOrders } from './stored-orders.js';

const at = (hour: number): Date => new Date(CREATED.getTime() + hour * HOUR_MS);

let store: StoredOrders;
let purchases: PurchasesRepository;
let shopId: string;

beforeAll(async () => {
  store = await openOrders();
  purchases = new PurchasesRepository(store.records);
});
beforeEach(() => {
  shopId = newObjectId();
});
afterAll(() => store.close());

const paid = (hour: number, fields: Partial<NewOrder> = {}): NewOrder =>
  newOrder({ status: 'completed', paymentStatus: 'paid', paidAt: at(hour), ...fields });
const alex = { ...ALEX, nickname: 'Alex_42', email: 'alex@example.com' };

it('returns what was paid last of the shop, the latest first, and nothing but what everybody may see', async () => {
  await store.insertMany(shopId, [paid(2), paid(3, { paymentStatus: 'refunded', ...alex }), paid(1), newOrder()]);
  await store.insertMany(newObjectId(), [paid(9)]);
  const items = [{ name: 'VIP', quantity: 1 }];
  const latest = [
    { nickname: 'Alex_42', ...ALEX, paidAt: at(3), paymentStatus: 'refunded', items },
    { nickname: 'Steve_42', ...STEVE, paidAt: at(2), paymentStatus: 'paid', items },
  ];
  expect(await purchases.latest(shopId, 2)).toEqual(latest);
  expect((await purchases.latest(shopId, 9)).map(({ paidAt }) => paidAt)).toEqual([at(3), at(2), at(1)]);
});

it('finds the player that a buyer has paid for last in this shop, not one whom an open order names', async () => {
  const as = (nickname: string): Partial<NewOrder> => ({ nickname, nicknameKey: nickname.toLowerCase() });
  await store.insertMany(shopId, [paid(2, as('Second')), paid(1, as('First'))]);
  await store.insertMany(shopId, [newOrder({ createdAt: at(5), ...as('Rude') }), paid(6, alex)]);
  await store.insertMany(newObjectId(), [paid(7, as('Elsewhere'))]);
  const player = { nickname: 'Second', nicknameKey: 'second', buyerKey: STEVE.buyerKey };
  expect(await purchases.findPlayer(shopId, STEVE.buyerKey)).toEqual(player);
  expect(await purchases.findPlayer(shopId, 'nobody@example.com')).toBeNull();
});
