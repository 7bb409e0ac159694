import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MINUTE_MS } from '../../src/lib/time/durations.js';
import { newObjectId } from '../../src/lib/ids/object-id.js';
import { type OverdueOrder } from '../../src/orders/ending/order-ending.repository.js';
import { type OrderRecord } from '../../src/orders/order/order.schema.js';
import { type HistoryEntry, type NewOrder, type Order, ORDER_STATUSES } from '../../src/orders/order/order.types.js';
import { EXPIRES, historyEntry, LATER } from './new-order.js';
import { openOrders, type StoredOrders } from './stored-orders.js';

const entry = (action: string, at = LATER): HistoryEntry => historyEntry(action, at);

describe('OrderEndingRepository', () => {
  let store: StoredOrders;
  let shopId: string;
  let order: Order;

  const insert = (fields: Partial<NewOrder> = {}, shop = shopId): Promise<Order> => store.insert(shop, fields);
  const find = (shop = shopId, id = order.id): Promise<Order | null> => store.find(shop, id);
  const set = (fields: Partial<OrderRecord>): Promise<unknown> => store.set(order.id, fields);
  const expire = async (at = LATER, shop = shopId, id = order.id): Promise<boolean> => {
    const ended = await store.commit((transaction) =>
      store.endings.end(shop, [id], 'expired', entry('expired', at), transaction),
    );
    return ended.includes(id);
  };

  beforeAll(async () => {
    store = await openOrders();
  });
  beforeEach(async () => {
    shopId = newObjectId();
    order = await insert();
  });
  afterAll(() => store.close());

  describe('expire', () => {
    it('ends an open order after its time, once, and adds this to the history', async () => {
      expect(await expire()).toBe(true);
      const history = [...order.history, entry('expired')];
      expect(await find()).toEqual({ ...order, status: 'expired', history });
      expect(await expire()).toBe(false);
    });

    it('ends no order before its time', async () => {
      expect(await expire(new Date(EXPIRES.getTime() - 1))).toBe(false);
      expect(await expire(EXPIRES)).toBe(true);
    });

    it('ends no order that waits for money on its way, before the limit of its provider', async () => {
      await set({ awaitedUntil: new Date(LATER.getTime() + 1) });
      expect(await expire()).toBe(false);
      await set({ awaitedUntil: LATER });
      expect(await expire()).toBe(true);
    });

    it('ends open orders only', async () => {
      for (const status of ORDER_STATUSES.filter((one) => one !== 'open')) {
        await set({ status });
        expect(await expire()).toBe(false);
      }
    });

    it('ends those of several orders that are allowed to end, and returns their ids', async () => {
      const [paid, early, unnamed] = [newObjectId(), newObjectId(), newObjectId()];
      await insert({ id: paid, status: 'completed' });
      await insert({ id: early, expiresAt: new Date(LATER.getTime() + 1) });
      await insert({ id: unnamed });
      const ids = [order.id, paid, early, newObjectId()];
      const ended = await store.commit((transaction) =>
        store.endings.end(shopId, ids, 'expired', entry('expired'), transaction),
      );
      expect(ended).toEqual([order.id]);
      const statuses = await Promise.all([order.id, paid, early, unnamed].map((id) => find(shopId, id)));
      expect(statuses.map((one) => one?.status)).toEqual(['expired', 'completed', 'open', 'open']);
    });

    it('ends no order of another shop', async () => {
      expect(await expire(LATER, newObjectId())).toBe(false);
    });
  });

  describe('claimOverdue', () => {
    const minutes = (count: number): Date => new Date(EXPIRES.getTime() + count * MINUTE_MS);

    beforeEach(() => store.records.deleteMany({}));

    it('returns with each order its shop, its code if it has one, and how often it could not be ended', async () => {
      const [id, withoutCode, otherShop] = [newObjectId(), newObjectId(), newObjectId()];
      await insert({ id: withoutCode, discount: null, expiresAt: minutes(6) }, otherShop);
      await insert({ id, discount: { discountId: newObjectId(), code: 'WELCOME', amountMinor: 1 } });
      const postpone = (shop: string): Promise<void> =>
        store.commit((transaction) => store.endings.postponeExpiry(shop, id, minutes(5), transaction));
      await postpone(newObjectId());
      await postpone(shopId);
      const claimAll = (now: Date): Promise<OverdueOrder[]> =>
        store.commit((transaction) => store.endings.claimOverdue(now, minutes(7), 10, transaction));
      expect(await claimAll(minutes(4))).toEqual([]);
      expect(await claimAll(minutes(5))).toEqual([{ id, shopId, discountCode: 'WELCOME', expiryFailures: 1 }]);
      expect(await claimAll(minutes(6))).toEqual([
        { id: withoutCode, shopId: otherShop, discountCode: null, expiryFailures: 0 },
      ]);
    });
  });
});
