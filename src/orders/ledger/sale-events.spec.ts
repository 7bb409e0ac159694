import { describe, expect, it } from '@jest/globals';
import {
  difference,
  eventsOf,
  isIn,
  type SaleEvent,
  type SaleFacts,
  type SaleScope,
  type SaleState,
  scopesOf,
  sumsOf,
} from './sale-events.js';

const at = (hour: number): Date => new Date(Date.UTC(2026, 10, 20, hour));
const UNPAID: SaleState = { createdAt: at(8), paidAt: null, isFirstPurchase: null, payments: [], reversals: [] };
const succeeded = (provider: string, hour: number): SaleState['payments'][number] => {
  return { provider, type: 'payment.succeeded', occurredAt: at(hour) };
};
const PAID: SaleState = { ...UNPAID, paidAt: at(9), isFirstPurchase: true, payments: [succeeded('stripe', 9)] };
const REFUND = { kind: 'refund', amountMinor: 100, at: at(10) } as const;
const FACTS: SaleFacts = {
  orderId: 'order',
  serverId: 'survival',
  currency: 'EUR',
  buyerKey: 'steve',
  items: [
    { productId: 'vip', quantity: 2, totalMinor: 200 },
    { productId: 'rank', quantity: 1, totalMinor: 200 },
    { productId: 'vip', quantity: 1, totalMinor: 0 },
  ],
  itemCount: 4,
  subtotalMinor: 400,
  discountCode: 'SUMMER',
  discountMinor: 101,
  totalMinor: 299,
};
const ALL: SaleScope = { currency: 'EUR', serverId: null, productId: null };
const event = (kind: SaleEvent['kind'], hour: number, amountMinor = 0, count = 1): SaleEvent => {
  const provider = kind === 'created' || kind === 'converted' ? null : 'stripe';
  return { kind, at: at(hour), amountMinor, count, provider };
};

describe('the events of an order', () => {
  it.each<[string, SaleState, SaleEvent[]]>([
    ['unpaid', UNPAID, [event('created', 8)]],
    ['paid', { ...PAID, isFirstPurchase: false }, [event('created', 8), event('converted', 8), event('paid', 9)]],
    [
      'paid by a new buyer and refunded in part',
      { ...PAID, reversals: [REFUND] },
      [event('created', 8), event('converted', 8), event('paid', 9), event('new_buyer', 9), event('refund', 10, 100)],
    ],
  ])('that is %s', (_what, state, events) => {
    expect(eventsOf(state)).toEqual(events);
  });

  it.each<[string, SaleState['payments'], string | null]>([
    ['nobody, when it was free', [], null],
    ['nobody, when the payment failed', [{ ...succeeded('stripe', 9), type: 'payment.failed' }], null],
    ['who reported the payment of that time', [succeeded('mollie', 8), succeeded('stripe', 9)], 'stripe'],
    ['the first one, when staff said when it was paid', [succeeded('mollie', 7), succeeded('stripe', 8)], 'mollie'],
  ])('name as its provider %s', (_what, payments, provider) => {
    const events = eventsOf({ ...PAID, payments, reversals: [REFUND] });
    expect(events.map((one) => one.provider)).toEqual([null, null, provider, provider, provider]);
  });
});

describe('the difference', () => {
  it.each<[string, SaleState, SaleState, SaleEvent[]]>([
    ['of the same state is nothing', PAID, PAID, []],
    ['of a payment is what it adds', UNPAID, PAID, [event('converted', 8), event('paid', 9), event('new_buyer', 9)]],
    [
      'of a payment that turns out to be earlier takes the other one back',
      { ...PAID, isFirstPurchase: false },
      { ...PAID, isFirstPurchase: false, paidAt: at(7) },
      [event('paid', 9, 0, -1), event('paid', 7)],
    ],
    [
      'of a payment that turns out to be of another provider takes the one back',
      { ...PAID, isFirstPurchase: false },
      { ...PAID, isFirstPurchase: false, payments: [succeeded('mollie', 9)] },
      [event('paid', 9, 0, -1), { ...event('paid', 9), provider: 'mollie' }],
    ],
    [
      'of two equal refunds and one is one',
      { ...PAID, reversals: [REFUND, REFUND] },
      { ...PAID, reversals: [REFUND] },
      [event('refund', 10, 100, -1)],
    ],
  ])('%s', (_what, before, after, events) => {
    expect(difference(eventsOf(before), eventsOf(after))).toEqual(events);
  });
});

describe('the scopes of an order', () => {
  it('are all orders, its server, each product once, and both; without a server no scope of a server', () => {
    const names = scopesOf(FACTS).map(({ serverId, productId }) => [serverId, productId]);
    expect(names).toEqual([
      [null, null],
      [null, 'vip'],
      [null, 'rank'],
      ['survival', null],
      ['survival', 'vip'],
      ['survival', 'rank'],
    ]);
    expect(scopesOf({ ...FACTS, serverId: null })).toHaveLength(3);
    for (const scope of scopesOf(FACTS)) expect(isIn(scope, FACTS)).toBe(true);
  });

  it.each<Partial<SaleScope>>([{ currency: 'USD' }, { serverId: 'creative' }, { productId: 'key' }])(
    'are not %j',
    (scope) => {
      expect(isIn({ ...ALL, ...scope }, FACTS)).toBe(false);
    },
  );
});

describe('what an event adds', () => {
  it.each<[SaleEvent, SaleScope, object]>([
    [event('created', 8), ALL, { orders: 1 }],
    [event('converted', 8, 0, -1), ALL, { convertedOrders: -1 }],
    [event('new_buyer', 9), ALL, { newBuyers: 1 }],
    [event('paid', 9), ALL, { paidOrders: 1, grossMinor: 299, discountMinor: 101, itemsSold: 4 }],
    // 299 * 200 / 400 = 149.5
    [
      event('paid', 9),
      { ...ALL, productId: 'vip' },
      { paidOrders: 1, grossMinor: 150, discountMinor: 50, itemsSold: 3 },
    ],
    [
      event('paid', 9, 0, -1),
      { ...ALL, productId: 'rank' },
      { paidOrders: -1, grossMinor: -150, discountMinor: -50, itemsSold: -1 },
    ],
    [event('refund', 10, 101), ALL, { refundsMinor: 101 }],
    [event('refund', 10, 101, -1), { ...ALL, productId: 'vip' }, { refundsMinor: -51 }],
    [event('chargeback', 10, 299), { ...ALL, productId: 'vip' }, { chargebacksMinor: 150 }],
  ])('%j, in %j', (given, scope, sums) => {
    expect(sumsOf(FACTS, given, scope)).toEqual(sums);
  });

  it('is nothing for the share of a product in an order that was free', () => {
    const free = { ...FACTS, subtotalMinor: 0, totalMinor: 0, discountMinor: 0, items: [] };
    expect(sumsOf(free, event('paid', 9), { ...ALL, productId: 'vip' })).toEqual({
      ...{ paidOrders: 1, grossMinor: 0, discountMinor: 0, itemsSold: 0 },
    });
  });
});
