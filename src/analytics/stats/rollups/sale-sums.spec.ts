import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type SaleEvent, type SaleFacts } from '../../../orders/ledger/sale-events.js';
import { addSales, forEachSum, netMinorOf, NO_SALES, type SalesSums, sumsOf } from './sale-sums.js';

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
const event = (kind: SaleEvent['kind'], hour: number, amountMinor = 0, count = 1, beforeMinor = 0): SaleEvent => {
  const provider = kind === 'created' || kind === 'converted' ? null : 'stripe';
  return { kind, at: at(hour), amountMinor, beforeMinor, count, provider };
};

describe('sumsOf', () => {
  it.each<[SaleEvent, string | null, object]>([
    [event('created', 8), ALL, { orders: 1 }],
    [event('converted', 8, 0, -1), ALL, { convertedOrders: -1 }],
    [event('new_buyer', 9), ALL, { newBuyers: 1 }],
    [event('paid', 9), ALL, { paidOrders: 1, grossMinor: 299, discountMinor: 101, itemsSold: 4 }],
    // The first line has 299 * 200 / 400 = 149.5, rounded up; the lines up to the second have 299.
    [event('paid', 9), 'vip', { paidOrders: 1, grossMinor: 150, discountMinor: 50, itemsSold: 3 }],
    [event('paid', 9, 0, -1), 'rank', { paidOrders: -1, grossMinor: -149, discountMinor: -51, itemsSold: -1 }],
    [event('refund', 10, 101), ALL, { refundsMinor: 101 }],
    [event('refund', 10, 101, -1), 'vip', { refundsMinor: -51 }],
    [event('refund', 10, 101), 'rank', { refundsMinor: 50 }],
    [event('chargeback', 10, 299), 'vip', { chargebacksMinor: 150 }],
    // Of each pair of refunds of 0.01, one is of each product.
    [event('refund', 10, 1), 'vip', { refundsMinor: 1 }],
    [event('refund', 10, 1), 'rank', { refundsMinor: 0 }],
    [event('refund', 10, 1, 1, 1), 'vip', { refundsMinor: 0 }],
    [event('refund', 10, 1, 1, 1), 'rank', { refundsMinor: 1 }],
  ])('returns what %j adds for the product %s', (given, productId, sums) => {
    expect(sumsOf(FACTS, given, productId)).toEqual(sums);
  });

  it('adds for all products together what it adds for the order, and after a full refund nothing is left of any', () => {
    const line = fc.record({ productId: fc.constantFrom('vip', 'rank', 'key', 'crate'), totalMinor: fc.nat(3_000) });
    const drawn = fc.record({
      lines: fc.array(line, { minLength: 1, maxLength: 6 }),
      discount: fc.nat(3_000),
      refunds: fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 8 }),
    });
    fc.assert(
      fc.property(drawn, ({ lines, discount, refunds }) => {
        const subtotalMinor = lines.reduce((sum, { totalMinor }) => sum + totalMinor, 0);
        const totalMinor = subtotalMinor - Math.min(discount, subtotalMinor);
        const items = lines.map((one) => ({ ...one, quantity: 1 }));
        const discountMinor = subtotalMinor - totalMinor;
        const facts = { ...FACTS, items, itemCount: items.length, subtotalMinor, totalMinor, discountMinor };
        const events = [event('paid', 9)];
        let back = 0;
        const giveBack = (amountMinor: number): void => {
          if (amountMinor > 0) events.push(event('refund', 10, amountMinor, 1, back));
          back += amountMinor;
        };
        for (const refund of refunds) giveBack(Math.min(refund, totalMinor - back));
        giveBack(totalMinor - back);
        const products = [...new Set(items.map(({ productId }) => productId))];
        for (const one of events) {
          const ofProducts = products.map((productId) => sumsOf(facts, one, productId));
          const { paidOrders: _ofOrder, ...ofOrder } = sumsOf(facts, one, ALL);
          expect(ofProducts.reduce<SalesSums>(addSales, NO_SALES)).toMatchObject(ofOrder);
        }
        for (const productId of products) {
          const sums = events.map((one) => sumsOf(facts, one, productId)).reduce<SalesSums>(addSales, NO_SALES);
          expect(netMinorOf(sums)).toBe(0);
          expect(Math.min(sums.grossMinor, sums.discountMinor)).toBeGreaterThanOrEqual(0);
        }
      }),
    );
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
