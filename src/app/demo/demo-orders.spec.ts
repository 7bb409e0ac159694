import { describe, expect, it } from '@jest/globals';
import { productWith } from '../../../test/support/products.js';
import { deliveryAfter } from '../../orders/order/order-rules.js';
import { type UnnumberedOrder } from '../../orders/order/order.types.js';
import { DEMO_DAYS, DEMO_ORDERS, demoOrders, seededRandom } from './demo-orders.js';

const NOW = new Date('2026-11-21T12:34:56.789Z');
const CATALOGUE = {
  shopId: 'a'.repeat(24),
  currency: 'EUR',
  serverIds: ['1'.repeat(24), '2'.repeat(24)],
  products: [999, 249, 499, 2499, 4999].map((priceMinor, index) =>
    productWith({ id: String(index).repeat(24), shopId: 'a'.repeat(24), name: `Product ${index}`, priceMinor }),
  ),
  discount: { id: 'd'.repeat(24), code: 'WELCOME10', percent: 10 },
};

describe('demoOrders', () => {
  const orders = demoOrders(CATALOGUE, NOW);

  it('creates 5,000 orders of the last 90 days, oldest first, each with its own id', () => {
    expect(orders).toHaveLength(DEMO_ORDERS);
    expect(new Set(orders.map(({ id }) => id)).size).toBe(DEMO_ORDERS);
    const times = orders.map(({ createdAt }) => createdAt.getTime());
    expect(times).toEqual([...times].sort((left, right) => left - right));
    expect(Math.min(...times)).toBeGreaterThanOrEqual(NOW.getTime() - (DEMO_DAYS + 1) * 86_400_000);
    expect(new Set(orders.map(({ createdAt }) => createdAt.toISOString().slice(0, 10))).size).toBeGreaterThanOrEqual(
      DEMO_DAYS,
    );
  });

  // One assertion for all orders: 40,000 of them take Jest 10 seconds.
  const breaking = (rule: (order: UnnumberedOrder) => boolean): UnnumberedOrder[] =>
    orders.filter((order) => !rule(order));

  it('creates no event of a demo order in the future or before its order', () => {
    const inTime = ({ createdAt, paidAt, reversals }: UnnumberedOrder): boolean => {
      const moments = [...(paidAt ? [paidAt] : []), ...reversals.map(({ at }) => at)];
      return createdAt < NOW && moments.every((moment) => moment >= createdAt && moment <= NOW);
    };
    expect(breaking(inTime)).toEqual([]);
  });

  it('refunds no money before it was paid', () => {
    const paidFirst = ({ paidAt, reversals }: UnnumberedOrder): boolean =>
      reversals.every(({ at }) => paidAt !== null && at >= paidAt);
    expect(breaking(paidFirst)).toEqual([]);
  });

  it('computes correct sums in every demo order, in whole minor units', () => {
    const addsUp = ({ items, itemCount, subtotalMinor, totalMinor, discount, reversals }: UnnumberedOrder): boolean =>
      items.every((item) => item.totalMinor === item.unitPriceMinor * item.quantity) &&
      new Set(items.map(({ productId }) => productId)).size === items.length &&
      items.reduce((sum, item) => sum + item.totalMinor, 0) === subtotalMinor &&
      items.reduce((sum, item) => sum + item.quantity, 0) === itemCount &&
      totalMinor === subtotalMinor - (discount?.amountMinor ?? 0) &&
      Number.isSafeInteger(totalMinor) &&
      totalMinor > 0 &&
      reversals.every(({ amountMinor }) => amountMinor === totalMinor);
    expect(breaking(addsUp)).toEqual([]);
  });

  it('sets consistent states in every demo order', () => {
    const fits = ({
      status,
      paymentStatus,
      deliveryStatus,
      paidAt,
      reversals,
      isFirstPurchase,
    }: UnnumberedOrder): boolean => {
      const isPaid = ['paid', 'refunded', 'charged_back'].includes(paymentStatus);
      return (
        (paidAt !== null) === isPaid &&
        status === (isPaid ? 'completed' : 'expired') &&
        reversals.length === (paymentStatus === 'refunded' || paymentStatus === 'charged_back' ? 1 : 0) &&
        (isFirstPurchase === null) === !isPaid &&
        deliveryAfter(deliveryStatus, { paymentStatus, paidAt }) === deliveryStatus
      );
    };
    expect(breaking(fits)).toEqual([]);
  });

  it('counts exactly one first purchase for each buyer who has paid: the first', () => {
    const seen = new Set<string>();
    const isFirst = ({ buyerKey, paidAt, isFirstPurchase }: UnnumberedOrder): boolean => {
      if (paidAt === null) return true;
      const isNew = !seen.has(buyerKey);
      seen.add(buyerKey);
      return isFirstPurchase === isNew;
    };
    expect(breaking(isFirst)).toEqual([]);
    expect(seen.size).toBeGreaterThan(500);
  });

  it('creates the same orders every time, except for their ids', () => {
    const plain = (made: typeof orders): unknown[] => made.map(({ id: _, ...order }) => order);
    expect(plain(demoOrders(CATALOGUE, NOW))).toEqual(plain(orders));
  });

  it('contains every kind of order that statistics show', () => {
    expect(new Set(orders.map(({ paymentStatus }) => paymentStatus))).toEqual(
      new Set(['pending', 'failed', 'refunded', 'charged_back', 'paid']),
    );
    expect(new Set(orders.map(({ serverId }) => serverId))).toEqual(new Set(CATALOGUE.serverIds));
    expect(orders.some(({ discount }) => discount !== null)).toBe(true);
  });
});

describe('seededRandom', () => {
  it('repeats for one seed, is spread over [0, 1), and differs between seeds', () => {
    const draw = (seed: number): number[] => Array.from({ length: 1_000 }, seededRandom(seed));
    expect(draw(1)).toEqual(draw(1));
    expect(draw(1)).not.toEqual(draw(2));
    for (const value of draw(3)) expect(value >= 0 && value < 1).toBe(true);
    expect(draw(4).reduce((sum, value) => sum + value, 0) / 1_000).toBeCloseTo(0.5, 1);
  });
});
