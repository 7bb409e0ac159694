import { beforeEach, describe, expect, it } from '@jest/globals';
import { SHOP } from '../../../test/support/contexts.js';
import { type Call, recording, TRANSACTION } from '../../../test/support/fakes.js';
import { paymentEvent } from '../../../test/support/payment-events.js';
import { type ShopEventsService } from '../../events/shop-events/shop-events.service.js';
import { type LedgerService } from '../ledger/ledger.service.js';
import { type MovementsService } from '../movements/movements.service.js';
import { type FirstPurchasesService } from './first-purchases.service.js';
import { type NewOrder, type Order, type SettledChange } from './order.types.js';
import { type OrdersRepository } from './orders.repository.js';
import { OrdersService, type Publication } from './orders.service.js';

const ORDER = '655f1c2ab1e4a9d3f0c81250';
const NOW = new Date('2026-11-23T12:00:00.000Z');
const EXPIRES = new Date('2026-11-23T13:00:00.000Z');
const placed = { id: ORDER, discount: null, paidAt: null, expiresAt: EXPIRES, isFirstPurchase: null } as NewOrder;
const stored = {
  ...placed,
  shopId: SHOP,
  number: 1_001,
  paymentStatus: 'pending',
  reversals: [] as Order['reversals'],
} as Order;
const PAID = { paymentStatus: 'paid', paidAt: NOW, reversals: [] as Order['reversals'] } as SettledChange;
const CREATED = { type: 'order.created', subjectId: ORDER, details: { discountId: null } };

let calls: Call[];
let insert: () => Promise<Order>;
let isSettled: boolean;
let isFirstPurchase: boolean;
let service: OrdersService;

beforeEach(() => {
  [calls, isSettled, isFirstPurchase] = [[], true, true];
  insert = () => Promise.resolve(stored);
  const unused = {} as never;
  service = new OrdersService(
    recording<OrdersRepository>(calls, { insert: () => insert(), settle: () => Promise.resolve(isSettled) }),
    recording<FirstPurchasesService>(calls, { decide: () => Promise.resolve(isFirstPurchase) }),
    recording<LedgerService>(calls, {
      recordPlacement: () => Promise.resolve(),
      recordChange: () => Promise.resolve(),
    }),
    recording<MovementsService>([], { recordChange: () => Promise.resolve() }),
    recording<ShopEventsService>(calls, { record: () => Promise.resolve() }),
    unused,
    unused,
  );
});

describe('insert', () => {
  it('stores a new order, counts it and publishes it in one transaction', async () => {
    expect(await service.insert(SHOP, placed, TRANSACTION)).toBe(stored);
    expect(calls).toEqual([
      ['insert', SHOP, placed, TRANSACTION],
      ['recordPlacement', SHOP, [placed], TRANSACTION],
      ['record', SHOP, [CREATED], TRANSACTION],
    ]);
  });

  it.each([true, false])('decides whether an order with nothing to pay is a first purchase: %s', async (isFirst) => {
    isFirstPurchase = isFirst;
    const free = { ...placed, paidAt: NOW };
    await service.insert(SHOP, free, TRANSACTION);
    expect(calls.slice(0, 3)).toEqual([
      ['decide', { ...free, shopId: SHOP }, NOW, TRANSACTION],
      ['insert', SHOP, { ...free, isFirstPurchase: isFirst }, TRANSACTION],
      ['recordPlacement', SHOP, [{ ...free, isFirstPurchase: isFirst }], TRANSACTION],
    ]);
  });

  it('publishes an order with nothing to pay as paid too', async () => {
    await service.insert(SHOP, { ...placed, paidAt: NOW }, TRANSACTION);
    expect(calls.at(-1)).toEqual(['record', SHOP, [CREATED, { type: 'order.paid', subjectId: ORDER }], TRANSACTION]);
  });

  it('neither counts nor publishes an order that cannot be stored', async () => {
    insert = () => Promise.reject(new Error('all slots are taken'));
    await expect(service.insert(SHOP, placed, TRANSACTION)).rejects.toThrow('all slots are taken');
    expect(calls.map(([name]) => name)).toEqual(['insert']);
  });
});

describe('settle', () => {
  const PUBLICATION: Publication = { moves: {} as Publication['moves'], events: [] };

  it('stores a change of payments, counts it from what the order was before, and publishes it, in one transaction', async () => {
    const events = [{ type: 'order.paid', subjectId: ORDER } as const];
    const publication = { ...PUBLICATION, events };
    expect(await service.settle(stored, PAID, publication, TRANSACTION)).toBe(true);
    const change = { ...PAID, isFirstPurchase: true, awaitedUntil: null, expiryDueAt: EXPIRES };
    expect(calls).toEqual([
      ['decide', stored, NOW, TRANSACTION],
      ['settle', SHOP, ORDER, change, {}, TRANSACTION],
      ['recordChange', stored, change, TRANSACTION],
      ['record', SHOP, events, TRANSACTION],
    ]);
  });

  it('neither counts nor publishes a change that the state tables do not allow', async () => {
    isSettled = false;
    expect(await service.settle(stored, PAID, PUBLICATION, TRANSACTION)).toBe(false);
    expect(calls.map(([name]) => name)).toEqual(['decide', 'settle']);
  });

  it.each<[string, Date | null, boolean]>([
    [
      'decides again whether it is a first purchase when the time of the payment changes',
      new Date(NOW.getTime() + 1),
      true,
    ],
    ['does not decide again whether it is a first purchase when the time of the payment stays', NOW, false],
  ])('%s', async (_, paidAt, isDecided) => {
    await service.settle({ ...stored, paidAt, isFirstPurchase: false }, PAID, PUBLICATION, TRANSACTION);
    expect(calls.some(([name]) => name === 'decide')).toBe(isDecided);
    const change: unknown = expect.objectContaining({ isFirstPurchase: isDecided });
    expect(calls.find(([name]) => name === 'settle')).toEqual(['settle', SHOP, ORDER, change, {}, TRANSACTION]);
  });

  it.each([
    ['waits for the money', new Date(EXPIRES.getTime() + 1), new Date(EXPIRES.getTime() + 1)],
    ['still has its time to pay', new Date(EXPIRES.getTime() - 1), EXPIRES],
  ])('keeps an order from expiring while money is on its way and the order %s', async (_, until, expiryDueAt) => {
    const payments = [paymentEvent('payment.processing', 0, { awaitedUntil: until })];
    const processing = { ...PAID, paymentStatus: 'processing', paidAt: null, payments } as const;
    await service.settle(stored, processing, PUBLICATION, TRANSACTION);
    expect(calls[0]?.[3]).toMatchObject({ awaitedUntil: until, expiryDueAt });
  });

  it('marks no order as a first purchase before it is paid', async () => {
    const failed = { ...PAID, paymentStatus: 'failed', paidAt: null } as const;
    await service.settle(stored, failed, PUBLICATION, TRANSACTION);
    const change = { ...failed, isFirstPurchase: null, awaitedUntil: null, expiryDueAt: EXPIRES };
    expect(calls[0]).toEqual(['settle', SHOP, ORDER, change, {}, TRANSACTION]);
  });
});
