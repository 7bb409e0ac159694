import { describe, expect, it } from '@jest/globals';
import { productWith } from '../../test/support/products.js';
import { MINUTE_MS } from '../common/time/durations.js';
import { type Product } from '../products/product.types.js';
import { deliveryAfter, freePlace, lineProblems, nextExpiryTry, priceLines, subtotalProblems } from './order-rules.js';
import { DELIVERY_STATUSES, type DeliveryStatus, type PaymentStatus } from './order.types.js';

const product = (id: string, fields: Partial<Product> = {}): [string, Product] => [
  id,
  productWith({ id, name: `Product ${id}`, priceMinor: 333, commandListId: 'list', ...fields }),
];

describe('freePlace', () => {
  const places = (holder: string, ...numbers: number[]): { holder: string; number: number }[] =>
    numbers.map((number) => ({ holder, number }));

  it.each([
    ['the one that the random number names', [], 4, 0.5, 2],
    ['the next one when that is taken', places('a', 2), 4, 0.5, 3],
    ['the first one after the last', places('a', 2, 3), 4, 0.5, 0],
    ['whatever others have', places('b', 0, 1, 2, 3), 4, 0, 0],
    ['the only one that is left', places('a', 0, 1, 3), 4, 0.99, 2],
    ['none when all are taken', places('a', 0, 1, 2, 3), 4, 0, null],
    ['none when more are taken than the quota, which is lower now', places('a', 7, 8, 9), 2, 0, null],
    ['one below the quota when it is lower now', places('a', 7), 2, 0.9, 1],
  ])('is %s', (_, taken, quota, random, place) => {
    expect(freePlace('a', taken, quota, random)).toBe(place);
  });
});

describe('priceLines', () => {
  const products = new Map([
    product('a'),
    product('b', { priceMinor: 0 }),
    product('off', { isActive: false }),
    product('here', { serverIds: ['s1', 's2'] }),
  ]);

  it('takes name, price and the list of commands from the product', () => {
    expect(
      priceLines(
        [
          { productId: 'a', quantity: 3 },
          { productId: 'b', quantity: 1 },
        ],
        products,
        's1',
      ),
    ).toEqual({
      items: [
        {
          productId: 'a',
          name: 'Product a',
          quantity: 3,
          unitPriceMinor: 333,
          totalMinor: 999,
          commandListId: 'list',
          requiresOnline: false,
        },
        {
          productId: 'b',
          name: 'Product b',
          quantity: 1,
          unitPriceMinor: 0,
          totalMinor: 0,
          commandListId: 'list',
          requiresOnline: false,
        },
      ],
    });
  });

  it.each([
    ['unknown', 'nothing', 's1'],
    ['switched off', 'off', 's1'],
    ['for another server', 'here', 's3'],
  ])('names the first product that is %s', (_why, productId, serverId) => {
    const lines = ['a', productId, 'nothing'].map((id) => ({ productId: id, quantity: 1 }));
    expect(priceLines(lines, products, serverId)).toEqual({ unavailable: productId });
  });

  it('sells a product for each of its servers', () => {
    expect(priceLines([{ productId: 'here', quantity: 1 }], products, 's2')).toHaveProperty('items');
  });
});

describe('deliveryAfter', () => {
  const paidAt = new Date(0);
  const after = (current: DeliveryStatus, paymentStatus: PaymentStatus): DeliveryStatus =>
    deliveryAfter(current, { paymentStatus, paidAt });

  it.each<[DeliveryStatus, PaymentStatus, DeliveryStatus]>([
    ['none', 'paid', 'queued'],
    ['none', 'partially_refunded', 'queued'],
    ['none', 'refunded', 'revoked'],
    ['none', 'needs_review', 'revoked'],
    ['queued', 'paid', 'queued'],
    ['queued', 'disputed', 'revoked'],
    ['leased', 'paid', 'leased'],
    ['leased', 'refunded', 'revoked'],
    ['queued', 'charged_back', 'revoked'],
    ['revoked', 'paid', 'queued'],
    ['revoked', 'refunded', 'revoked'],
  ])('%s, when the payment is %s: %s', (current, payment, expected) => {
    expect(after(current, payment)).toBe(expected);
  });

  it.each(['delivered', 'failed'] as const)('does not change goods that are %s', (current) => {
    for (const payment of ['paid', 'refunded', 'charged_back'] as const) expect(after(current, payment)).toBe(current);
  });

  it('changes nothing before the order is paid', () => {
    for (const current of DELIVERY_STATUSES) {
      expect(deliveryAfter(current, { paymentStatus: 'needs_review', paidAt: null })).toBe(current);
    }
  });
});

describe('lineProblems', () => {
  const line = (productId: string): { productId: string; quantity: number } => ({ productId, quantity: 1 });

  it('allows different products, and each of them once', () => {
    expect(lineProblems([line('a'), line('b')])).toEqual([]);
    expect(lineProblems([line('a'), line('b'), line('a')])).toEqual([
      'items must not repeat a product; use its quantity',
    ]);
  });
});

describe('subtotalProblems', () => {
  it('allows a subtotal of 100,000,000,000 minor units and no more', () => {
    expect(subtotalProblems(100_000_000_000)).toEqual([]);
    expect(subtotalProblems(100_000_000_001)).toEqual(['The order is too large']);
  });
});

describe('nextExpiryTry', () => {
  const now = new Date('2026-11-21T12:00:00.000Z');

  it.each([
    [1, 2],
    [2, 4],
    [10, 1_024],
    [11, 1_440],
    [2_000, 1_440],
  ])('after %i failures waits %i minutes', (failures, minutes) => {
    expect(nextExpiryTry(failures, now).getTime() - now.getTime()).toBe(minutes * MINUTE_MS);
  });
});
