import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newObjectId } from '../../src/lib/ids/object-id.js';
import { type HeldUnits } from '../../src/orders/reservations/order-limits.js';
import { type OrderUnits, OrderStockRepository } from '../../src/orders/reservations/order-stock.repository.js';
import { type NewOrder, ORDER_STATUSES, type OrderItem } from '../../src/orders/order/order.types.js';
import { ALEX, newOrder, STEVE } from './new-order.js';
import { openOrders, type StoredOrders } from './stored-orders.js';

const [VIP, COINS] = [newObjectId(), newObjectId()];

describe('OrderStockRepository', () => {
  let store: StoredOrders;
  let stock: OrderStockRepository;
  let shopId: string;

  const item = (productId: string, quantity: number, takesStock = false): OrderItem => ({
    productId,
    name: 'VIP',
    quantity,
    listMinor: 100,
    saleId: null,
    saleMinor: 0,
    unitPriceMinor: 100,
    totalMinor: 100 * quantity,
    discountMinor: 0,
    netMinor: 100 * quantity,
    commandListId: newObjectId(),
    requiresOnline: false,
    durationDays: null,
    repeat: 'parallel',
    countsAs: productId,
    ownedEverywhere: false,
    takesStock,
  });
  const insert = async (fields: Partial<NewOrder>, shop = shopId): Promise<string> =>
    (await store.insert(shop, fields)).id;
  const held = (buyer = STEVE, shop = shopId, since = new Date(0)): Promise<HeldUnits[]> =>
    stock.heldBy(shop, buyer, new Set([VIP]), since, null);
  const count = async (...[buyer, shop, since]: Parameters<typeof held>): Promise<number> =>
    (await held(buyer, shop, since)).reduce((sum, { quantity }) => sum + quantity, 0);

  beforeAll(async () => {
    store = await openOrders();
    stock = new OrderStockRepository(store.records);
  });
  beforeEach(() => {
    shopId = newObjectId();
  });
  afterAll(() => store.close());

  it('counts the units of a product that a mailbox or a player has in open and completed orders of the shop', async () => {
    for (const status of ORDER_STATUSES) await insert({ status, items: [item(VIP, 2), item(COINS, 50)] });
    await insert({ ...ALEX, nicknameKey: STEVE.nicknameKey, items: [item(VIP, 10)] });
    await insert({ ...ALEX, buyerKey: STEVE.buyerKey, items: [item(VIP, 100)] });
    await insert({ ...ALEX, items: [item(VIP, 1_000)] });
    await insert({ items: [item(VIP, 7)] }, newObjectId());
    for (const paymentStatus of ['refunded', 'charged_back'] as const)
      await insert({ status: 'completed', paymentStatus, items: [item(VIP, 10_000)] });
    expect([await count(), await count(ALEX), await count(STEVE, newObjectId())]).toEqual([114, 1_110, 0]);
  });

  it('says of each order when it was placed, whether it is unpaid, and whether the mailbox or the player is the same', async () => {
    const [early, late] = [new Date('2026-11-01T00:00:00.000Z'), new Date('2026-11-02T00:00:00.000Z')];
    await insert({ createdAt: early, items: [item(VIP, 1)] });
    await insert({
      ...ALEX,
      nicknameKey: STEVE.nicknameKey,
      status: 'completed',
      createdAt: late,
      items: [item(VIP, 2)],
    });
    const [one, other] = [
      { productId: VIP, quantity: 1, orderedAt: early, isOpen: true, isSameMailbox: true, isSamePlayer: true },
      { productId: VIP, quantity: 2, orderedAt: late, isOpen: false, isSameMailbox: false, isSamePlayer: true },
    ];
    expect((await held()).sort((a, b) => a.quantity - b.quantity)).toEqual([one, other]);
    expect(await held(STEVE, shopId, late)).toEqual([other]);
    expect(await held(STEVE, shopId, new Date(late.getTime() + 1))).toEqual([]);
  });

  it('finds the units of everybody in the shop without a buyer', async () => {
    await insert({ items: [item(VIP, 2)] });
    await insert({ ...ALEX, items: [item(VIP, 10), item(COINS, 50)] });
    await insert({ status: 'cancelled', items: [item(VIP, 100)] });
    await insert({ items: [item(VIP, 7)] }, newObjectId());
    const all = await stock.heldBy(shopId, null, new Set([VIP]), new Date(0), null);
    expect(all.map(({ quantity }) => quantity).sort()).toEqual([10, 2]);
  });

  it('counts orders of its own transaction', async () => {
    await store.rollBack(async (transaction) => {
      await store.orders.insert(shopId, newOrder({ items: [item(VIP, 2)] }), transaction);
      expect(await stock.heldBy(shopId, STEVE, new Set([VIP]), new Date(0), transaction)).toHaveLength(1);
    });
    expect(await count()).toBe(0);
  });

  it('returns the items of the named orders of the shop that took units from a stock', async () => {
    const mixed = await insert({ items: [item(VIP, 2, true), item(COINS, 50)] });
    const without = await insert({ items: [item(COINS, 50)] });
    await insert({ items: [item(VIP, 9, true)] });
    const unitsOf = (shop: string): Promise<OrderUnits[]> =>
      store.commit((transaction) => stock.unitsOf(shop, [mixed, without], transaction));
    expect(await unitsOf(shopId)).toEqual([
      { productId: VIP, quantity: 2, takesStock: true },
      { productId: COINS, quantity: 50, takesStock: false },
    ]);
    expect(await unitsOf(newObjectId())).toEqual([]);
  });
});
