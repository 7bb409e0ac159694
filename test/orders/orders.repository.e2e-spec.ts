import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newObjectId } from '../../src/lib/ids/object-id.js';
import { type OrderRecord } from '../../src/orders/order/order.schema.js';
import { DELIVERY_STATUSES, type HistoryEntry, type NewOrder, type Order } from '../../src/orders/order/order.types.js';
import { PAYMENT_TRANSITIONS, RENAMABLE } from '../../src/orders/order/order-transitions.js';
import { OrderNumbersRepository } from '../../src/orders/order/order-numbers.repository.js';
import { OrderNumbersService } from '../../src/orders/order/order-numbers.service.js';
import { type StoredChange } from '../../src/orders/order/orders.repository.js';
import { paymentEvent } from '../support/payment-events.js';
import { ALEX, CREATED, historyEntry, LATER, newOrder, STEVE } from './new-order.js';
import { openOrders, type StoredOrders } from './stored-orders.js';

const EVENT = paymentEvent('payment.succeeded', 5);
const entry = (action: string, at = LATER): HistoryEntry => historyEntry(action, at);
const PAID: StoredChange = {
  payments: [EVENT],
  paymentStatus: 'paid',
  paidAt: CREATED,
  reversals: [],
  review: null,
  status: 'completed',
  deliveryStatus: 'queued',
  isFirstPurchase: true,
  awaitedUntil: null,
  expiryDueAt: LATER,
  history: entry('payment.succeeded'),
};

describe('OrdersRepository', () => {
  let store: StoredOrders;
  let shopId: string;
  let order: Order;

  const insert = (fields: Partial<NewOrder> = {}, shop = shopId): Promise<Order> => store.insert(shop, fields);
  const find = (shop = shopId, id = order.id): Promise<Order | null> => store.find(shop, id);
  const set = (fields: Partial<OrderRecord>): Promise<unknown> => store.set(order.id, fields);
  const settle = (change = PAID, shop = shopId): Promise<boolean> =>
    store.commit((transaction) => store.orders.settle(shop, order.id, change, PAYMENT_TRANSITIONS, transaction));
  const numbersOf = (): OrderNumbersService => new OrderNumbersService(new OrderNumbersRepository(store.counters));
  const rename = (shop = shopId): Promise<boolean> =>
    store.commit((transaction) =>
      store.orders.rename(shop, order.id, 'Alex_42', entry('nickname_changed'), transaction),
    );

  beforeAll(async () => {
    store = await openOrders();
  });
  beforeEach(async () => {
    shopId = newObjectId();
    order = await insert();
  });
  afterAll(() => store.close());

  describe('the number of an order', () => {
    it('finds the order in its shop only, and no other order of the shop can have it', async () => {
      expect(await store.orders.findByNumber(shopId, order.number)).toEqual(order);
      expect(await store.orders.findByNumber(newObjectId(), order.number)).toBeNull();
      const { number } = await insert({ number: order.number }, newObjectId());
      expect(number).toBe(order.number);
      await expect(
        store.records.insertMany([{ ...(await store.records.findById(order.id).lean()), _id: newObjectId() }]),
      ).rejects.toThrow(/duplicate key/);
    });

    it('begins with 1001 in each shop, also behind numbers that an import has taken', async () => {
      const numbers = numbersOf();
      expect([await numbers.next(shopId), await numbers.next(shopId)]).toEqual([1_001, 1_002]);
      const other = newObjectId();
      expect([await numbers.reserve(other, 5_000), await numbers.next(other)]).toEqual([1_001, 6_001]);
    });

    it('is never given twice, whatever processes do at once, and one write of the counter serves twenty orders', async () => {
      const shop = newObjectId();
      const processes = [1, 2, 3].map(() => numbersOf());
      const numbers = await Promise.all(processes.flatMap((one) => Array.from({ length: 50 }, () => one.next(shop))));
      expect(new Set(numbers).size).toBe(150);
      expect([Math.min(...numbers), Math.max(...numbers)]).toEqual([1_001, 1_001 + 3 * 3 * 20 - 11]);
    });
  });

  describe('insert and find', () => {
    it('returns the order as it was given, in its shop', async () => {
      const { accessTokenHash: _, ...given } = newOrder();
      const stored = await insert(given);
      expect(stored).toEqual({ ...given, shopId });
      expect(await find(shopId, given.id)).toEqual(stored);
      expect(await store.orders.findPublic(given.id, null)).toEqual(stored);
    });

    it('returns an order without a server, with payments and reversals, without or with a discount', async () => {
      const reversals = [{ kind: 'refund', amountMinor: 400, at: LATER }] as const;
      for (const discount of [null, order.discount]) {
        const { accessTokenHash: _, ...given } = newOrder({ serverId: null, payments: [EVENT], reversals, discount });
        await insert(given);
        expect(await find(shopId, given.id)).toEqual({ ...given, shopId });
        const record = await store.records.findById(given.id).lean();
        expect(record?.discountMinor).toBe(discount?.amountMinor ?? 0);
      }
    });

    it('rejects a second order with the same id, which a request that runs twice would insert', async () => {
      await expect(insert({ id: order.id })).rejects.toMatchObject({ code: 'idempotency_in_progress' });
    });

    it('returns null for an order of another shop', async () => {
      expect(await find(newObjectId())).toBeNull();
    });

    it('finds an order by its token only together with its id', async () => {
      const { accessTokenHash, ...given } = newOrder();
      await insert({ ...given, accessTokenHash });
      expect((await store.orders.findByToken(given.id, accessTokenHash))?.id).toBe(given.id);
      expect(await store.orders.findByToken(given.id, 'another hash')).toBeNull();
      expect(await store.orders.findByToken(order.id, accessTokenHash)).toBeNull();
    });

    it('stores many orders in one shop', async () => {
      const many = [newOrder(), newOrder()];
      await store.insertMany(shopId, many);
      for (const { id } of many) expect((await find(shopId, id))?.shopId).toBe(shopId);
    });
  });

  describe('hasPaid', () => {
    const hasPaid = (buyer = STEVE, except = newObjectId(), shop = shopId): Promise<boolean> =>
      store.commit((transaction) => store.placement.hasPaid(shop, buyer, except, transaction));

    it('returns true for another paid order of the same mailbox or player in the same shop, and only for that', async () => {
      expect(await hasPaid()).toBe(false);
      await set({ paidAt: CREATED });
      expect(await hasPaid()).toBe(true);
      expect(await hasPaid({ ...ALEX, buyerKey: STEVE.buyerKey })).toBe(true);
      expect(await hasPaid({ ...ALEX, nicknameKey: STEVE.nicknameKey })).toBe(true);
      expect(await hasPaid(ALEX)).toBe(false);
      expect(await hasPaid(undefined, order.id)).toBe(false);
      expect(await hasPaid(undefined, undefined, newObjectId())).toBe(false);
      await set({ paymentStatus: 'partially_refunded' });
      expect(await hasPaid()).toBe(true);
      for (const paymentStatus of ['refunded', 'charged_back'] as const) {
        await set({ paymentStatus });
        expect(await hasPaid()).toBe(false);
      }
    });
  });

  describe('hasSpent', () => {
    const hasSpent = (buyerKey = STEVE.buyerKey, shop = shopId): Promise<boolean> =>
      store.commit((transaction) => store.placement.hasSpent(shop, buyerKey, transaction));

    it('returns true for a mailbox with a paid order that cost something in the same shop, and only for that', async () => {
      expect(await hasSpent()).toBe(false);
      await set({ paidAt: CREATED });
      expect(await hasSpent()).toBe(true);
      expect(await hasSpent(ALEX.buyerKey)).toBe(false);
      expect(await hasSpent(undefined, newObjectId())).toBe(false);
      await set({ totalMinor: 0 });
      expect(await hasSpent()).toBe(false);
    });
  });

  describe('earliestPayment', () => {
    const earliest = (buyerKey = STEVE.buyerKey, except = newObjectId(), shop = shopId): Promise<Date | null> =>
      store.commit((transaction) => store.orders.earliestPayment(shop, buyerKey, except, transaction));

    it('returns the earliest payment of another order of the same mailbox in the same shop, also for another player', async () => {
      expect(await earliest()).toBeNull();
      await set({ paidAt: LATER });
      expect(await earliest()).toEqual(LATER);
      await insert({ ...ALEX, buyerKey: STEVE.buyerKey, paidAt: CREATED });
      expect(await earliest()).toEqual(CREATED);
      expect(await earliest(ALEX.buyerKey)).toBeNull();
      expect(await earliest(STEVE.buyerKey, newObjectId(), newObjectId())).toBeNull();
    });

    it('leaves out the payment of the order itself', async () => {
      await set({ paidAt: CREATED });
      expect(await earliest(STEVE.buyerKey, order.id)).toBeNull();
    });
  });

  describe('endFirstPurchase', () => {
    const end = (buyerKey = STEVE.buyerKey, except = newObjectId(), shop = shopId): Promise<Order | null> =>
      store.commit((transaction) => store.orders.endFirstPurchase(shop, buyerKey, except, transaction));

    it('unmarks the first purchase of the mailbox in the shop once, and returns the order as it was', async () => {
      await set({ paidAt: CREATED, isFirstPurchase: true });
      expect(await end(ALEX.buyerKey)).toBeNull();
      expect(await end(STEVE.buyerKey, newObjectId(), newObjectId())).toBeNull();
      expect(await end(STEVE.buyerKey, order.id)).toBeNull();
      expect(await end()).toMatchObject({ id: order.id, isFirstPurchase: true });
      expect(await find()).toMatchObject({ isFirstPurchase: false });
      expect(await end()).toBeNull();
    });
  });

  describe('countFree', () => {
    it('counts the free orders of the same mailbox or player in the same shop since a time, up to a number', async () => {
      const free = (fields: Partial<NewOrder> = {}): NewOrder => newOrder({ totalMinor: 0, paidAt: LATER, ...fields });
      await store.insertMany(shopId, [
        free(),
        free({ ...ALEX, buyerKey: STEVE.buyerKey }),
        free({ ...ALEX, nicknameKey: STEVE.nicknameKey }),
        free(ALEX),
        free({ totalMinor: 1 }),
        free({ paidAt: CREATED }),
      ]);
      await store.insertMany(newObjectId(), [free()]);
      const count = (upTo: number): Promise<number> =>
        store.commit((transaction) => store.placement.countFree(shopId, STEVE, CREATED, upTo, transaction));
      expect([await count(10), await count(2)]).toEqual([3, 2]);
    });
  });

  describe('settle', () => {
    it('sets the events, and every field that depends on them', async () => {
      const reversals = [{ kind: 'refund', amountMinor: 400, at: LATER }] as const;
      expect(await settle({ ...PAID, paymentStatus: 'partially_refunded', reversals })).toBe(true);
      expect(await find()).toEqual({
        ...order,
        status: 'completed',
        paymentStatus: 'partially_refunded',
        deliveryStatus: 'queued',
        paidAt: CREATED,
        isFirstPurchase: true,
        reversals,
        payments: [EVENT],
        history: [...order.history, PAID.history],
      });
    });

    it('stores a decision of staff, which later events keep', async () => {
      const review = {
        decision: 'accept',
        payments: ['stripe\npay_1'],
        warnings: [],
        paidAt: CREATED,
      } as const;
      await settle();
      expect((await find())?.review).toBeNull();
      await settle({ ...PAID, review });
      expect((await find())?.review).toEqual(review);
      await settle();
      expect((await find())?.review).toEqual(review);
      const imported = await insert({ review });
      expect(await find(shopId, imported.id)).toEqual(imported);
      expect(imported.review).toEqual(review);
    });

    it('keeps the latest 100 entries of the history', async () => {
      const history = Array.from({ length: 99 }, (_, index) => entry(`entry ${index}`));
      await set({ history });
      for (const action of ['a', 'b', 'c']) await settle({ ...PAID, history: entry(action) });
      const kept = ['a', 'b', 'c'].map((action) => entry(action));
      expect((await find())?.history).toEqual([...history.slice(2), ...kept]);
    });

    it('changes no order of another shop', async () => {
      expect(await settle(PAID, newObjectId())).toBe(false);
      expect(await find()).toEqual(order);
    });

    it.each<[string, Partial<OrderRecord>, StoredChange]>([
      ['a cancelled order to completed', { status: 'cancelled' }, PAID],
      [
        'a received payment to one that was not received',
        { paymentStatus: 'paid' },
        { ...PAID, paymentStatus: 'failed', paidAt: null },
      ],
      ['a leased delivery back into the queue', { deliveryStatus: 'leased' }, PAID],
    ])('refuses to move %s', async (_what, before, change) => {
      await set(before);
      const unchanged = await find();
      expect(await settle(change)).toBe(false);
      expect(await find()).toEqual(unchanged);
    });

    it('completes an order that expired before it was paid', async () => {
      await set({ status: 'expired' });
      expect(await settle()).toBe(true);
      expect((await find())?.status).toBe('completed');
    });
  });

  describe('rename', () => {
    it('changes the nickname and adds the change to the history', async () => {
      expect(await rename()).toBe(true);
      const history = [...order.history, entry('nickname_changed')];
      expect(await find()).toEqual({ ...order, nickname: 'Alex_42', nicknameKey: 'alex_42', history });
    });

    it('works in the states of RENAMABLE, and in no other', async () => {
      for (const deliveryStatus of DELIVERY_STATUSES) {
        await set({ deliveryStatus });
        expect([deliveryStatus, await rename()]).toEqual([deliveryStatus, RENAMABLE.includes(deliveryStatus)]);
      }
    });

    it('changes no order of another shop', async () => {
      expect(await rename(newObjectId())).toBe(false);
      expect(await find()).toEqual(order);
    });
  });

  it('takes part in the transaction: nothing stays when it is rolled back', async () => {
    const id = newObjectId();
    await store.rollBack(async (transaction) => {
      await store.orders.insert(shopId, newOrder({ id }), transaction);
      await store.orders.rename(shopId, order.id, 'Alex_42', entry('nickname_changed'), transaction);
      await store.endings.end(shopId, [order.id], 'expired', entry('expired'), transaction);
      await store.endings.postponeExpiry(shopId, order.id, CREATED, transaction);
      await store.orders.settle(shopId, order.id, PAID, PAYMENT_TRANSITIONS, transaction);
      expect((await store.orders.find(shopId, order.id, transaction))?.payments).toEqual([EVENT]);
      expect(await store.placement.hasPaid(shopId, order, id, transaction)).toBe(true);
    });
    expect(await find(shopId, id)).toBeNull();
    expect(await find()).toEqual(order);
    expect(await store.records.findById(order.id).lean()).toMatchObject({ expiryFailures: 0 });
  });

  it('loses no event when two transactions read the same order: the second one reads what the first one wrote', async () => {
    let attempts = 0;
    let bothHaveRead: () => void = () => undefined;
    const barrier = new Promise<void>((resolve) => (bothHaveRead = resolve));
    const add = (eventId: string): Promise<void> =>
      store.commit(async (transaction) => {
        const read = await store.orders.find(shopId, order.id, transaction);
        attempts += 1;
        if (attempts === 2) bothHaveRead();
        await barrier;
        const payments = [...(read?.payments ?? []), { ...EVENT, eventId }];
        const history = entry(`event ${payments.length}`);
        await store.orders.settle(shopId, order.id, { ...PAID, payments, history }, PAYMENT_TRANSITIONS, transaction);
      });
    await Promise.all([add('evt_1'), add('evt_2')]);
    const stored = await find();
    expect(stored?.payments.map(({ eventId }) => eventId).sort()).toEqual(['evt_1', 'evt_2']);
    expect(stored?.history.map(({ action }) => action)).toEqual(['created', 'event 1', 'event 2']);
    expect(attempts).toBeGreaterThan(2);
  });
});
