import { describe, expect, it } from '@jest/globals';
import { type SaleEvent, type SaleFacts } from '../../../orders/ledger/sale-events.js';
import { addSales, forEachSum, sumsOf } from './sale-sums.js';

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
const ALL = null;
const event = (kind: SaleEvent['kind'], hour: number, amountMinor = 0, count = 1): SaleEvent => {
  const provider = kind === 'created' || kind === 'converted' ? null : 'stripe';
  return { kind, at: at(hour), amountMinor, count, provider };
};

describe('sumsOf', () => {
  it.each<[SaleEvent, string | null, object]>([
    [event('created', 8), ALL, { orders: 1 }],
    [event('converted', 8, 0, -1), ALL, { convertedOrders: -1 }],
    [event('new_buyer', 9), ALL, { newBuyers: 1 }],
    [event('paid', 9), ALL, { paidOrders: 1, grossMinor: 299, discountMinor: 101, itemsSold: 4 }],
    // 299 * 200 / 400 = 149.5
    [event('paid', 9), 'vip', { paidOrders: 1, grossMinor: 150, discountMinor: 50, itemsSold: 3 }],
    [event('paid', 9, 0, -1), 'rank', { paidOrders: -1, grossMinor: -150, discountMinor: -50, itemsSold: -1 }],
    [event('refund', 10, 101), ALL, { refundsMinor: 101 }],
    [event('refund', 10, 101, -1), 'vip', { refundsMinor: -51 }],
    [event('chargeback', 10, 299), 'vip', { chargebacksMinor: 150 }],
  ])('returns what %j adds for the product %s', (given, productId, sums) => {
    expect(sumsOf(FACTS, given, productId)).toEqual(sums);
  });

  it('adds no amounts for the share of a product in an order that was free', () => {
    const free = { ...FACTS, subtotalMinor: 0, totalMinor: 0, discountMinor: 0, items: [] };
    expect(sumsOf(free, event('paid', 9), 'vip')).toEqual({
      ...{ paidOrders: 1, grossMinor: 0, discountMinor: 0, itemsSold: 0 },
    });
  });
});

describe('addSales', () => {
  it('adds every sum, and 0 for what is missing', () => {
    const ones = forEachSum(() => 1);
    expect(addSales(ones, ones)).toEqual(forEachSum(() => 2));
    expect(addSales(ones, {})).toEqual(ones);
  });
});
