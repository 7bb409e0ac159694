import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import mongoose, { type Model } from 'mongoose';
import { newObjectId } from '../../src/lib/ids/object-id.js';
import { type OrderRecord } from '../../src/orders/order/order.schema.js';
import { type NewOrder, type OpenOrderSlot, type OrderStatus } from '../../src/orders/order/order.types.js';
import { PAYMENT_TRANSITIONS } from '../../src/orders/order/order-transitions.js';
import { OrdersRepository } from '../../src/orders/order/orders.repository.js';
import { TRANSACTION } from '../support/fakes.js';
import { EXPIRES, historyEntry, newOrder } from './new-order.js';
import { openOrders, type StoredOrders } from './stored-orders.js';

const slot = (holder: string, number: number): OpenOrderSlot => ({ holder, number });
const [STEVE_0, STEVE_1, ALEX_0] = [slot('steve', 0), slot('steve', 1), slot('alex', 0)];

describe('the slots of open orders', () => {
  let store: StoredOrders;
  let shopId: string;

  const insert = async (fields: Partial<NewOrder>, shop = shopId): Promise<string> =>
    (await store.insert(shop, fields)).id;
  const stored = (id: string): Promise<OrderRecord> => store.records.findById(id).lean().orFail();
  const taken = (...holders: string[]): Promise<OpenOrderSlot[]> =>
    store.commit((transaction) => store.placement.takenSlots(shopId, holders, transaction));
  const settle = (id: string, status: OrderStatus): Promise<boolean> => {
    const change = {
      ...({ payments: [], paymentStatus: 'pending', paidAt: null, reversals: [], review: null, status } as const),
      ...({ deliveryStatus: 'none', isFirstPurchase: null, history: historyEntry('settled', EXPIRES) } as const),
      ...{ awaitedUntil: null, expiryDueAt: EXPIRES },
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

  it('returns all slots of the open orders in the shop that have a slot of one of the holders', async () => {
    await insert({ slots: [STEVE_0, ALEX_0] });
    await insert({ slots: [STEVE_1] });
    await insert({ slots: [slot('third', 0)] });
    await insert({ slots: [slot('steve', 2)], status: 'completed' });
    await insert({ slots: [slot('steve', 3)] }, newObjectId());
    await insert({});
    const byNumber = (slots: OpenOrderSlot[]): OpenOrderSlot[] =>
      slots.toSorted((one, other) => one.number - other.number || (one.holder < other.holder ? -1 : 1));
    expect(byNumber(await taken('steve', 'nobody'))).toEqual([ALEX_0, STEVE_0, STEVE_1]);
    expect(byNumber(await taken('alex', 'third'))).toEqual([ALEX_0, STEVE_0, slot('third', 0)]);
    expect(await taken('nobody')).toEqual([]);
  });

  it('stores no field for an order without slots', async () => {
    expect(await stored(await insert({}))).not.toHaveProperty('slots');
  });

  it('runs the transaction of a second order with the same slot again', async () => {
    await insert({ slots: [STEVE_0] });
    let attempts = 0;
    await store.commit((transaction) =>
      store.orders.insert(shopId, newOrder({ slots: [attempts++ === 0 ? STEVE_0 : STEVE_1] }), transaction),
    );
    expect(attempts).toBe(2);
    expect(await taken('steve')).toHaveLength(2);
  });

  it.each([
    ['another failure of the database', new mongoose.mongo.MongoServerError({ code: 8000, message: 'not allowed' })],
    ['any other error', new Error('a broken record')],
  ])('fails without another attempt of the transaction after %s', async (_, error) => {
    const model = { insertOne: () => Promise.reject(error) };
    const failing = new OrdersRepository(model as unknown as Model<OrderRecord>);
    await expect(failing.insert(shopId, newOrder(), TRANSACTION)).rejects.toBe(error);
    expect(error).not.toMatchObject({ errorLabels: ['TransientTransactionError'] });
  });

  it('keeps the slots while the order is open, and frees them when it is completed', async () => {
    const id = await insert({ slots: [STEVE_0] });
    expect(await settle(id, 'open')).toBe(true);
    expect((await stored(id)).slots).toEqual([STEVE_0]);
    expect(await settle(id, 'completed')).toBe(true);
    expect(await stored(id)).not.toHaveProperty('slots');
  });

  it('frees the slots when staff end the order before its time', async () => {
    const id = await insert({ slots: [STEVE_0] });
    const early = historyEntry('cancelled', new Date(EXPIRES.getTime() - 1));
    expect(
      await store.commit((transaction) => store.endings.end(shopId, [id], 'cancelled', early, transaction)),
    ).toEqual([id]);
    const record = await stored(id);
    expect(record.status).toBe('cancelled');
    expect(record).not.toHaveProperty('slots');
  });
});
