import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newObjectId } from '../../src/lib/ids/object-id.js';
import { DeliveryStatusRepository } from '../../src/orders/fulfilment/delivery-status.repository.js';
import { DELIVERY_STATUS_TRANSITIONS } from '../../src/orders/order/order-transitions.js';
import { type OrderRecord } from '../../src/orders/order/order.schema.js';
import {
  DELIVERY_STATUSES,
  type DeliveryStatus,
  type HistoryEntry,
  type Order,
} from '../../src/orders/order/order.types.js';
import { EXPIRES, historyEntry } from './new-order.js';
import { openOrders, type StoredOrders } from './stored-orders.js';

const entry = (action: string): HistoryEntry => historyEntry(action, EXPIRES);

describe('DeliveryStatusRepository', () => {
  let store: StoredOrders;
  let statuses: DeliveryStatusRepository;
  let shopId: string;
  let first: Order;
  let second: Order;

  const insert = (deliveryStatus: DeliveryStatus): Promise<Order> => store.insert(shopId, { deliveryStatus });
  const stored = (id = first.id): Promise<OrderRecord> => store.records.findById(id).lean().orFail();
  const fill = (): Promise<unknown> => {
    const history = Array.from({ length: 100 }, (_, index) => entry(`entry ${index}`));
    return store.set(first.id, { history });
  };
  const latest = async (): Promise<[number, string | undefined]> => {
    const { history } = await stored();
    return [history.length, history.at(-1)?.action];
  };
  const move = (to: DeliveryStatus, ids = [first.id, second.id], shop = shopId): Promise<number> =>
    store.commit((transaction) => statuses.move(shop, ids, to, [entry('moved')], transaction));
  const addHistory = (shop = shopId): Promise<void> =>
    store.commit((transaction) => store.orders.addHistory(shop, first.id, entry('added'), transaction));

  beforeAll(async () => {
    store = await openOrders();
    statuses = new DeliveryStatusRepository(store.records);
  });
  beforeEach(async () => {
    shopId = newObjectId();
    [first, second] = [await insert('leased'), await insert('queued')];
  });
  afterAll(() => store.close());

  it('finds the delivery status of the named orders of the shop', async () => {
    const find = (shop: string): Promise<Pick<Order, 'id' | 'deliveryStatus'>[]> =>
      store.commit((transaction) => statuses.find(shop, [first.id, newObjectId()], transaction));
    expect(await find(shopId)).toEqual([{ id: first.id, deliveryStatus: 'leased' }]);
    expect(await find(newObjectId())).toEqual([]);
  });

  it('moves the orders whose state allows it, counts them, and adds the change to their history', async () => {
    for (const from of DELIVERY_STATUSES) {
      for (const to of DELIVERY_STATUSES) {
        await store.set(first.id, { deliveryStatus: from, history: [] });
        const allowed = DELIVERY_STATUS_TRANSITIONS[from].includes(to);
        expect([from, to, await move(to, [first.id])]).toEqual([from, to, allowed ? 1 : 0]);
        const { deliveryStatus, history } = await stored();
        expect([deliveryStatus, history.length]).toEqual(allowed ? [to, 1] : [from, 0]);
      }
    }
  });

  it('moves several orders at once, and no order that is not named', async () => {
    const other = await insert('queued');
    await store.set(first.id, { deliveryStatus: 'queued' });
    expect(await move('leased')).toBe(2);
    const states = [first, second, other].map(async ({ id }) => (await stored(id)).deliveryStatus);
    expect(await Promise.all(states)).toEqual(['leased', 'leased', 'queued']);
  });

  it('keeps the latest 100 entries of the history, however often the status moves and staff redeliver', async () => {
    await fill();
    await move('delivered');
    expect(await latest()).toEqual([100, 'moved']);
    await fill();
    await addHistory();
    expect(await latest()).toEqual([100, 'added']);
  });

  it('changes no order of another shop', async () => {
    const before = await stored();
    expect(await move('delivered', [first.id], newObjectId())).toBe(0);
    await addHistory(newObjectId());
    expect(await stored()).toEqual(before);
  });

  it('takes part in the transaction: nothing stays when it is rolled back', async () => {
    const before = await stored();
    await store.rollBack(async (transaction) => {
      await statuses.move(shopId, [first.id], 'delivered', [entry('moved')], transaction);
      await store.orders.addHistory(shopId, first.id, entry('added'), transaction);
    });
    expect(await stored()).toEqual(before);
  });
});
