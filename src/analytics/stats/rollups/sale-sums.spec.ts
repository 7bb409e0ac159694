import { describe, expect, it } from '@jest/globals';
import { type SaleScope } from '../../../orders/ledger/ledger.types.js';
import { type SaleEvent, type SaleFacts } from '../../../orders/ledger/sale-events.js';
import { addSales, isIn, NO_SALES, scopesOf, subtractSales, sumsOf } from './sale-sums.js';

const at = (hour: number): Date => new Date(Date.UTC(2026, 10, 20, hour));
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

describe('scopesOf', () => {
  it('returns all orders, the server, each product once, and both; no scope of a server for an order without one', () => {
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
    'excludes the scope %j from the scopes of an order',
    (scope) => {
      expect(isIn({ ...ALL, ...scope }, FACTS)).toBe(false);
    },
  );
});

describe('sumsOf', () => {
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
  ])('returns what %j adds in %j', (given, scope, sums) => {
    expect(sumsOf(FACTS, given, scope)).toEqual(sums);
  });

  it('adds no amounts for the share of a product in an order that was free', () => {
    const free = { ...FACTS, subtotalMinor: 0, totalMinor: 0, discountMinor: 0, items: [] };
    expect(sumsOf(free, event('paid', 9), { ...ALL, productId: 'vip' })).toEqual({
      ...{ paidOrders: 1, grossMinor: 0, discountMinor: 0, itemsSold: 0 },
    });
  });
});

describe('addSales and subtractSales', () => {
  it('add and subtract every sum, and 0 for what is missing', () => {
    const ones = Object.fromEntries(Object.keys(NO_SALES).map((name) => [name, 1])) as unknown as typeof NO_SALES;
    const twos = Object.fromEntries(Object.keys(NO_SALES).map((name) => [name, 2]));
    expect(addSales(ones, ones)).toEqual(twos);
    expect(addSales(ones, {})).toEqual(ones);
    expect(subtractSales(twos as unknown as typeof NO_SALES, ones)).toEqual(ones);
    expect(subtractSales(ones, {})).toEqual(ones);
  });
});
