import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import mongoose, { type Model } from 'mongoose';
import { newObjectId } from '../../src/platform/validation/object-id.js';
import { type OrderRecord } from '../../src/orders/order/order.schema.js';
import { type NewOrder, type OpenOrderPlace, type OrderStatus } from '../../src/orders/order/order.types.js';
import { PAYMENT_TRANSITIONS } from '../../src/orders/order/order-transitions.js';
import { OrdersRepository } from '../../src/orders/order/orders.repository.js';
import { TRANSACTION } from '../support/fakes.js';
import { EXPIRES, historyEntry, newOrder } from './new-order.js';
import { openOrders, type StoredOrders } from './stored-orders.js';

const place = (holder: string, number: number): OpenOrderPlace => ({ holder, number });
const [STEVE_0, STEVE_1, ALEX_0] = [place('steve', 0), place('steve', 1), place('alex', 0)];

describe('OrdersRepository, the places of open orders', () => {
  let store: StoredOrders;
  let shopId: string;

  const insert = async (fields: Partial<NewOrder>, shop = shopId): Promise<string> =>
    (await store.insert(shop, fields)).id;
  const stored = (id: string): Promise<OrderRecord> => store.records.findById(id).lean().orFail();
  const taken = (...holders: string[]): Promise<OpenOrderPlace[]> =>
    store.commit((transaction) => store.orders.takenPlaces(shopId, holders, transaction));
  const settle = (id: string, status: OrderStatus): Promise<boolean> => {
    const change = {
      ...({ payments: [], paymentStatus: 'pending', paidAt: null, reversals: [], review: null, status } as const),
      ...({ deliveryStatus: 'none', isFirstPurchase: null, history: historyEntry('settled', EXPIRES) } as const),
    };
    return store.commit((transaction) => store.orders.settle(shopId, id, change, PAYMENT_TRANSITIONS, transaction));
  };

  beforeAll(async () => {
    store = await openOrders();
  });
  beforeEach(() => {
    shopId = newObjectId();
  });
  afterAll(() => store.close());

  it('are all places of the open orders in the shop that have a place of one of the holders', async () => {
    await insert({ places: [STEVE_0, ALEX_0] });
    await insert({ places: [STEVE_1] });
    await insert({ places: [place('third', 0)] });
    await insert({ places: [place('steve', 2)], status: 'completed' });
    await insert({ places: [place('steve', 3)] }, newObjectId());
    await insert({});
    const byNumber = (places: OpenOrderPlace[]): OpenOrderPlace[] =>
      places.toSorted((one, other) => one.number - other.number || (one.holder < other.holder ? -1 : 1));
    expect(byNumber(await taken('steve', 'nobody'))).toEqual([ALEX_0, STEVE_0, STEVE_1]);
    expect(byNumber(await taken('alex', 'third'))).toEqual([ALEX_0, STEVE_0, place('third', 0)]);
    expect(await taken('nobody')).toEqual([]);
  });

  it('are left out of an order that has none', async () => {
    expect(await stored(await insert({}))).not.toHaveProperty('places');
  });

  it('are unique: the transaction of a second order with the same place runs again', async () => {
    await insert({ places: [STEVE_0] });
    let tries = 0;
    await store.commit((transaction) =>
      store.orders.insert(shopId, newOrder({ places: [tries++ === 0 ? STEVE_0 : STEVE_1] }), transaction),
    );
    expect(tries).toBe(2);
    expect(await taken('steve')).toHaveLength(2);
  });

  it.each([
    ['another failure of the database', new mongoose.mongo.MongoServerError({ code: 8000, message: 'not allowed' })],
    ['any other error', new Error('a broken record')],
  ])('do not make a transaction run again after %s', async (_, error) => {
    const model = { insertOne: () => Promise.reject(error) };
    const failing = new OrdersRepository(model as unknown as Model<OrderRecord>);
    await expect(failing.insert(shopId, newOrder(), TRANSACTION)).rejects.toBe(error);
    expect(error).not.toMatchObject({ errorLabels: ['TransientTransactionError'] });
  });

  it('stay while the order is open, and are free as soon as it is completed', async () => {
    const id = await insert({ places: [STEVE_0] });
    expect(await settle(id, 'open')).toBe(true);
    expect((await stored(id)).places).toEqual([STEVE_0]);
    expect(await settle(id, 'completed')).toBe(true);
    expect(await stored(id)).not.toHaveProperty('places');
  });

  it('are free as soon as the order ends, and staff may end it before its time', async () => {
    const id = await insert({ places: [STEVE_0] });
    const early = historyEntry('cancelled', new Date(EXPIRES.getTime() - 1));
    expect(
      await store.commit((transaction) => store.endings.end(shopId, [id], 'cancelled', early, transaction)),
    ).toEqual([id]);
    const record = await stored(id);
    expect(record.status).toBe('cancelled');
    expect(record).not.toHaveProperty('places');
  });
});
