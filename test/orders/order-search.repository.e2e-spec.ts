import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeCursor } from '../../src/lib/paging/page.js';
import { TIME_POSITION_BYTES } from '../../src/lib/paging/time-position.js';
import { newObjectId } from '../../src/lib/ids/object-id.js';
import { OrderSearchRepository } from '../../src/orders/staff/order-search.repository.js';
import { type OrderFilter } from '../../src/orders/staff/order-search.types.js';
import { type NewOrder } from '../../src/orders/order/order.types.js';
import { type PaymentEvent } from '../../src/orders/order/payment-event.types.js';
import { ALEX, CREATED, newOrder, STEVE } from './new-order.js';
import { openOrders, type StoredOrders } from './stored-orders.js';

/** What grows with the events of an order, and what only the store knows. */
const LEFT_OUT = ['payments', 'review', 'history', 'slots', 'accessTokenHash'];
const omit = (order: NewOrder, fields: readonly string[]): object =>
  Object.fromEntries(Object.entries(order).filter(([field]) => !fields.includes(field)));
const SUMMER = { discountId: newObjectId(), code: 'SUMMER10', amountMinor: 100 };
const paidBy = (provider: string, paymentId: string): PaymentEvent => ({
  ...{ provider, paymentId, eventId: `evt_${paymentId}`, type: 'payment.succeeded', cumulative: false },
  ...{ amountMinor: 999, currency: 'EUR', occurredAt: CREATED },
});
const after = (seconds: number): Date => new Date(CREATED.getTime() + seconds * 1_000);

describe('OrderSearchRepository', () => {
  let store: StoredOrders;
  let search: OrderSearchRepository;
  let shopId: string;

  const insert = async (fields: Partial<NewOrder> = {}, shop = shopId): Promise<NewOrder> => {
    const order = newOrder(fields);
    await store.insertMany(shop, [order]);
    return order;
  };
  const list = async (filter: OrderFilter = {}, only: ReadonlySet<string> | null = null): Promise<string[]> => {
    const { items } = await search.list(shopId, only, filter, { after: null, limit: 10 });
    return items.map(({ id }) => id);
  };

  const pages = async (filter: OrderFilter = {}): Promise<string[][]> => {
    const read: string[][] = [];
    let position: string | null = null;
    do {
      const { items, nextCursor } = await search.listWithPayments(shopId, null, filter, { after: position, limit: 2 });
      read.push(items.map(({ id }) => id));
      position = nextCursor === null ? null : decodeCursor(nextCursor, TIME_POSITION_BYTES);
    } while (position !== null && read.length < 9);
    return read;
  };

  beforeAll(async () => {
    store = await openOrders();
    search = new OrderSearchRepository(store.records);
  });
  beforeEach(() => {
    shopId = newObjectId();
  });
  afterAll(() => store.close());

  describe('find', () => {
    it('returns the whole order, without its slots and its token', async () => {
      const order = await insert({ slots: [{ holder: 'steve', number: 1 }] });
      expect(await search.find(shopId, null, order.id)).toEqual({
        ...omit(order, ['slots', 'accessTokenHash']),
        shopId,
      });
    });

    it('returns null for an unknown order and for one of another shop', async () => {
      const { id } = await insert({}, newObjectId());
      expect(await search.find(shopId, null, id)).toBeNull();
      expect(await search.find(shopId, null, newObjectId())).toBeNull();
    });

    it('finds, within some servers, the orders for them and for any server', async () => {
      const [own, free, foreign] = [await insert(), await insert({ serverId: null }), await insert()];
      const only = new Set([own.serverId ?? '']);
      const found = await Promise.all([own, free, foreign].map(({ id }) => search.find(shopId, only, id)));
      expect(found.map((order) => order?.id)).toEqual([own.id, free.id, undefined]);
    });
  });

  describe('list', () => {
    it('returns the orders of the shop, the newest first, without what grows with their events', async () => {
      const old = await insert();
      await insert({}, newObjectId());
      const young = await insert({ createdAt: after(1), slots: [{ holder: 'steve', number: 1 }] });
      const { items, nextCursor } = await search.list(shopId, null, {}, { after: null, limit: 10 });
      const summaries = [young, old].map((order) => ({ ...omit(order, LEFT_OUT), shopId }));
      expect([items, nextCursor]).toEqual([summaries, null]);
      const withPayments = await search.listWithPayments(shopId, null, {}, { after: null, limit: 10 });
      const sums = [young, old].map(({ payments }, index) => ({ ...summaries[index], payments }));
      expect(withPayments.items).toEqual(sums);
    });

    it('returns, within some servers, the orders for them and for any server', async () => {
      const [first, free, second] = [
        await insert(),
        await insert({ serverId: null, createdAt: after(1) }),
        await insert({ createdAt: after(2) }),
      ];
      await insert();
      expect(await list({}, new Set([first.serverId ?? '', second.serverId ?? '']))).toEqual([
        second.id,
        free.id,
        first.id,
      ]);
      expect(await list({}, new Set())).toEqual([free.id]);
    });

    it.each<[string, Partial<NewOrder>, OrderFilter]>([
      ['a status', { status: 'expired' }, { status: 'expired' }],
      ['a payment status', { paymentStatus: 'disputed' }, { paymentStatus: 'disputed' }],
      ['a delivery status', { deliveryStatus: 'leased' }, { deliveryStatus: 'leased' }],
      ['a player', { nicknameKey: ALEX.nicknameKey }, { nicknameKey: ALEX.nicknameKey }],
      ['a mailbox', { buyerKey: ALEX.buyerKey }, { buyerKey: ALEX.buyerKey }],
      ['a first time', { createdAt: after(1) }, { from: after(1) }],
      ['an end', { createdAt: after(-1) }, { to: CREATED }],
      ['a payment', { payments: [paidBy('stripe', 'pi_1')] }, { paymentId: 'pi_1' }],
      ['a payment provider', { payments: [paidBy('stripe', 'pi_1')] }, { provider: 'stripe' }],
      ['a discount code', { discount: SUMMER }, { discountCode: 'SUMMER10' }],
    ])('limits the list to %s', async (_, fields, filter) => {
      const [wanted] = [await insert(fields), await insert()];
      expect(await list(filter)).toEqual([wanted.id]);
    });

    it('finds what any lookup of a search finds, each order once, and counts them', async () => {
      const first = await insert({ nicknameKey: 'steve_1', discount: SUMMER });
      const second = await insert({ nicknameKey: 'steve_2', createdAt: after(1) });
      const third = await insert({ discount: SUMMER, createdAt: after(2) });
      await insert({ nicknameKey: 'steve_1' }, newObjectId());
      for (const nicknameKey of ['stev', 'xsteve_', 'steve\u{10FFFF}']) await insert({ nicknameKey });
      const lookups = [{ nicknamePrefix: 'steve_' }, { discountCode: 'SUMMER10' }, { id: first.id }];
      const page = await search.list(shopId, null, { lookups }, { after: null, limit: 2 });
      expect([page.items.map(({ id }) => id), page.total]).toEqual([[third.id, second.id], 3]);
      const oldest = { after: null, limit: 10, oldestFirst: true };
      const fromOldest = await search.list(shopId, null, { lookups }, oldest);
      expect(fromOldest.items.map(({ id }) => id)).toEqual([first.id, second.id, third.id]);
    });

    it('finds the first 20 players with the beginning of a nickname, also when some of them have many orders', async () => {
      for (let player = 100; player < 125; player++) {
        const orders = Array.from({ length: player === 101 ? 120 : 1 }, () => newOrder({ nicknameKey: `p${player}` }));
        await store.insertMany(shopId, orders);
      }
      const lookups = [{ nicknamePrefix: 'p' }];
      const { items, total } = await search.list(shopId, null, { lookups }, { after: null, limit: 200 });
      const players = [...new Set(items.map(({ nicknameKey }) => nicknameKey))].sort();
      expect([players.length, players.at(-1), total]).toEqual([20, 'p119', 139]);
    });

    it('limits the list to a server and to a product', async () => {
      const [wanted] = [await insert(), await insert(), await insert({ serverId: null })];
      expect(await list({ serverId: wanted.serverId ?? '' })).toEqual([wanted.id]);
      expect(await list({ productId: wanted.items[0]?.productId })).toEqual([wanted.id]);
    });

    it('limits the list to a period, which begins at its first time and ends before its last one', async () => {
      const seconds: string[] = [];
      for (const second of [0, 1, 2, 3]) seconds.push((await insert({ createdAt: after(second) })).id);
      expect(await list({ from: after(1), to: after(3) })).toEqual([seconds[2], seconds[1]]);
    });

    it.each<[string, OrderFilter]>([
      ['the shop', {}],
      ['a player', { nicknameKey: ALEX.nicknameKey }],
      ['a mailbox', { buyerKey: ALEX.buyerKey }],
    ])('limits the orders of %s to several statuses at once', async (_, buyer) => {
      const statuses = { status: 'completed', paymentStatus: 'paid', deliveryStatus: 'queued' } as const;
      const wanted = await insert({ ...ALEX, ...statuses });
      await insert({ ...ALEX, ...statuses, status: 'cancelled' });
      await insert({ ...ALEX, ...statuses, paymentStatus: 'refunded' });
      await insert({ ...ALEX, ...statuses, deliveryStatus: 'delivered' });
      if (Object.keys(buyer).length > 0) await insert({ ...STEVE, ...statuses });
      expect(await list({ ...buyer, ...statuses })).toEqual([wanted.id]);
      expect(await list({ ...buyer, status: 'cancelled', paymentStatus: 'refunded' })).toEqual([]);
    });

    it('continues after a position, with neither a gap nor a repetition, also among orders of the same millisecond', async () => {
      // The ids of the orders do not follow their times: the youngest order has the least id.
      const ids = Array.from({ length: 5 }, () => newObjectId()).sort();
      const [least, ...others] = ids;
      await insert({ id: least, createdAt: after(1) });
      for (const id of others.slice(0, 3)) await insert({ id });
      await insert({ id: others[3], createdAt: after(-1) });
      const [, second, third, fourth, fifth] = ids;
      expect(await pages()).toEqual([[least, fourth], [third, second], [fifth]]);
    });

    it('continues in the order of payment, without the orders that were never paid', async () => {
      const ids = Array.from({ length: 5 }, () => newObjectId()).sort();
      const [first, second, third, fourth, unpaid] = ids;
      for (const [id, paidAt] of [
        [first, after(9)],
        [second, after(7)],
        [third, after(7)],
        [fourth, after(8)],
        [unpaid, null],
      ] as const) {
        await insert({ id, paidAt });
      }
      expect(await pages({ dateField: 'paidAt' })).toEqual([
        [first, fourth],
        [third, second],
      ]);
      const between = { dateField: 'paidAt', from: after(7), to: after(8) } as const;
      expect(await pages(between)).toEqual([[third, second]]);
    });
  });
});
