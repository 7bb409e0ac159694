import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { spread } from '../../../catalogue/pricing/price-basket.js';
import { type Reversal } from '../../../orders/order/order.types.js';
import { eventsOf, type SaleEvent, type SaleFacts } from '../../../orders/ledger/sale-events.js';
import { addSales, forEachSum, netMinorOf, NO_SALES, type SalesSums, sumsOf } from './sale-sums.js';

const at = (hour: number): Date => new Date(Date.UTC(2026, 10, 20, hour));
const FACTS: SaleFacts = {
  orderId: 'order',
  serverId: 'survival',
  currency: 'EUR',
  buyerKey: 'steve',
  nicknameKey: 'steve',
  items: [
    { productId: 'vip', quantity: 2, discountMinor: 51, netMinor: 149 },
    { productId: 'rank', quantity: 1, discountMinor: 50, netMinor: 150 },
    { productId: 'vip', quantity: 1, discountMinor: 0, netMinor: 0 },
  ],
  itemCount: 4,
  subtotalMinor: 400,
  discountCode: 'SUMMER',
  discountMinor: 101,
  totalMinor: 299,
};
const ALL = null;
const backOf = (reversals: readonly Reversal[]): number =>
  reversals.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
const event = (kind: SaleEvent['kind'], hour: number, lines: number[] = [], count = 1): SaleEvent => {
  const provider = kind === 'created' || kind === 'converted' ? null : 'stripe';
  const amountMinor = lines.reduce((sum, minor) => sum + minor, 0);
  return { kind, at: at(hour), amountMinor, lines, count, provider };
};

describe('sumsOf', () => {
  it.each<[SaleEvent, string | null, object]>([
    [event('created', 8), ALL, { orders: 1 }],
    [event('converted', 8, [], -1), ALL, { convertedOrders: -1 }],
    [event('new_buyer', 9), ALL, { newBuyers: 1 }],
    [event('paid', 9), ALL, { paidOrders: 1, grossMinor: 299, discountMinor: 101, itemsSold: 4 }],
    [event('paid', 9), 'vip', { paidOrders: 1, grossMinor: 149, discountMinor: 51, itemsSold: 3 }],
    [event('paid', 9, [], -1), 'rank', { paidOrders: -1, grossMinor: -150, discountMinor: -50, itemsSold: -1 }],
    [event('refund', 10, [50, 51, 0]), ALL, { refundsMinor: 101 }],
    [event('refund', 10, [50, 51, 0], -1), 'vip', { refundsMinor: -50 }],
    [event('refund', 10, [50, 51, 0]), 'rank', { refundsMinor: 51 }],
    [event('chargeback', 10, [148, 150, 1]), 'vip', { chargebacksMinor: 149 }],
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
        const items = spread(lines, subtotalMinor - totalMinor).map((one) => ({ ...one, quantity: 1 }));
        const discountMinor = subtotalMinor - totalMinor;
        const facts = { ...FACTS, items, itemCount: items.length, subtotalMinor, totalMinor, discountMinor };
        const reversals: Reversal[] = [];
        const giveBack = (amountMinor: number): void => {
          if (amountMinor > 0) reversals.push({ kind: 'refund', at: at(10), amountMinor });
        };
        for (const refund of refunds) giveBack(Math.min(refund, totalMinor - backOf(reversals)));
        giveBack(totalMinor - backOf(reversals));
        const state = { createdAt: at(8), paidAt: at(9), isFirstPurchase: false, payments: [], items, reversals };
        const events = eventsOf(state);
        const products = [...new Set(items.map(({ productId }) => productId))];
        for (const one of events) {
          const ofProducts = products.map((productId) => sumsOf(facts, one, productId));
          const {
            paidOrders: _ofOrder,
            orders: _created,
            convertedOrders: _converted,
            ...ofOrder
          } = sumsOf(facts, one, ALL);
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

  it('adds no amounts for a product that the order does not have', () => {
    const free = { ...FACTS, items: [] };
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
