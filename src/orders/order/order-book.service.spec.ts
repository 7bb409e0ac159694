import { beforeEach, describe, expect, it } from '@jest/globals';
import { SHOP } from '../../../test/support/contexts.js';
import { type Call, recording, TRANSACTION } from '../../../test/support/fakes.js';
import { type ShopEventsService } from '../../events/shop-events/shop-events.service.js';
import { type LedgerService } from '../ledger/ledger.service.js';
import { type FirstPurchasesService } from './first-purchases.service.js';
import { OrderBookService } from './order-book.service.js';
import { type NewOrder, type Order } from './order.types.js';
import { type OrdersRepository, type SettledChange } from './orders.repository.js';

const ORDER = '655f1c2ab1e4a9d3f0c81250';
const NOW = new Date('2026-11-23T12:00:00.000Z');
const placed = { id: ORDER, discount: null, paidAt: null, isFirstPurchase: null } as NewOrder;
const stored = { ...placed, shopId: SHOP, paymentStatus: 'pending', reversals: [] as Order['reversals'] } as Order;
const PAID = { paymentStatus: 'paid', paidAt: NOW, reversals: [] as Order['reversals'] } as SettledChange;
const CREATED = { type: 'order.created', subjectId: ORDER, details: { discountId: null } };

let calls: Call[];
let insert: () => Promise<Order>;
let isSettled: boolean;
let isFirstPurchase: boolean;
let book: OrderBookService;

beforeEach(() => {
  [calls, isSettled, isFirstPurchase] = [[], true, true];
  insert = () => Promise.resolve(stored);
  book = new OrderBookService(
    recording<OrdersRepository>(calls, {
      insert: () => insert(),
      insertMany: () => Promise.resolve(),
      settle: () => Promise.resolve(isSettled),
    }),
    recording<FirstPurchasesService>(calls, { decide: () => Promise.resolve(isFirstPurchase) }),
    recording<LedgerService>(calls, { placed: () => Promise.resolve(), changed: () => Promise.resolve() }),
    recording<ShopEventsService>(calls, { record: () => Promise.resolve() }),
  );
});

describe('a new order', () => {
  it('is stored, counted and told in one transaction', async () => {
    expect(await book.insert(SHOP, placed, TRANSACTION)).toBe(stored);
    expect(calls).toEqual([
      ['insert', SHOP, placed, TRANSACTION],
      ['placed', SHOP, [placed], TRANSACTION],
      ['record', SHOP, [CREATED], TRANSACTION],
    ]);
  });

  it.each([true, false])('with nothing to pay is stored and counted as a first purchase: %s', async (isFirst) => {
    isFirstPurchase = isFirst;
    const free = { ...placed, paidAt: NOW };
    await book.insert(SHOP, free, TRANSACTION);
    expect(calls.slice(0, 3)).toEqual([
      ['decide', { ...free, shopId: SHOP }, NOW, TRANSACTION],
      ['insert', SHOP, { ...free, isFirstPurchase: isFirst }, TRANSACTION],
      ['placed', SHOP, [{ ...free, isFirstPurchase: isFirst }], TRANSACTION],
    ]);
  });

  it('with nothing to pay is told as paid too', async () => {
    await book.insert(SHOP, { ...placed, paidAt: NOW }, TRANSACTION);
    expect(calls.at(-1)).toEqual(['record', SHOP, [CREATED, { type: 'order.paid', subjectId: ORDER }], TRANSACTION]);
  });

  it('that cannot be stored is neither counted nor told', async () => {
    insert = () => Promise.reject(new Error('all places are taken'));
    await expect(book.insert(SHOP, placed, TRANSACTION)).rejects.toThrow('all places are taken');
    expect(calls.map(([name]) => name)).toEqual(['insert']);
  });
});

it('orders of another system are counted, and nobody is told of them', async () => {
  await book.insertMany(SHOP, [placed], TRANSACTION);
  expect(calls).toEqual([
    ['insertMany', SHOP, [placed], TRANSACTION],
    ['placed', SHOP, [placed], TRANSACTION],
  ]);
});

describe('what payments change', () => {
  it('is stored, counted from what the order was before, and told, in one transaction', async () => {
    expect(await book.settle(stored, PAID, {} as never, TRANSACTION)).toBe(true);
    const change = { ...PAID, isFirstPurchase: true };
    expect(calls).toEqual([
      ['decide', stored, NOW, TRANSACTION],
      ['settle', SHOP, ORDER, change, {}, TRANSACTION],
      ['changed', stored, change, TRANSACTION],
      ['record', SHOP, [{ type: 'order.paid', subjectId: ORDER }], TRANSACTION],
    ]);
  });

  it('is neither counted nor told when the order must not move to the new state', async () => {
    isSettled = false;
    expect(await book.settle(stored, PAID, {} as never, TRANSACTION)).toBe(false);
    expect(calls.map(([name]) => name)).toEqual(['decide', 'settle']);
  });

  it.each<[string, Date | null, boolean]>([
    ['is decided again when a payment of another time counts', new Date(NOW.getTime() + 1), true],
    ['stays when the time of the payment stays', NOW, false],
  ])('whether it is a first purchase %s', async (_, paidAt, isDecided) => {
    await book.settle({ ...stored, paidAt, isFirstPurchase: false }, PAID, {} as never, TRANSACTION);
    expect(calls.some(([name]) => name === 'decide')).toBe(isDecided);
    const change: unknown = expect.objectContaining({ isFirstPurchase: isDecided });
    expect(calls.find(([name]) => name === 'settle')).toEqual(['settle', SHOP, ORDER, change, {}, TRANSACTION]);
  });

  it('is no first purchase while it is not paid', async () => {
    const failed = { ...PAID, paymentStatus: 'failed', paidAt: null } as const;
    await book.settle(stored, failed, {} as never, TRANSACTION);
    expect(calls[0]).toEqual(['settle', SHOP, ORDER, { ...failed, isFirstPurchase: null }, {}, TRANSACTION]);
  });
});
