import { describe, expect, it } from '@jest/globals';
import { type Product } from '../products/product.types.js';
import { buyerKeyOf, deliveryAfter, lineProblems, priceLines, subtotalProblems } from './order-rules.js';
import { DELIVERY_STATUSES, type DeliveryStatus, type PaymentStatus } from './order.types.js';

const product = (id: string, fields: Partial<Product> = {}): [string, Product] => [
  id,
  {
    id,
    shopId: 'shop',
    name: `Product ${id}`,
    description: '',
    priceMinor: 333,
    currency: 'EUR',
    imageUrl: null,
    serverIds: [],
    commandListId: 'list',
    isActive: true,
    createdBy: 'user:1',
    createdAt: new Date(0),
    ...fields,
  },
];

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
        },
        {
          productId: 'b',
          name: 'Product b',
          quantity: 1,
          unitPriceMinor: 0,
          totalMinor: 0,
          commandListId: 'list',
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

describe('buyerKeyOf', () => {
  it('is the address in lower case without outer spaces', () => {
    expect(buyerKeyOf(' Steve@Example.COM ')).toBe('steve@example.com');
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
    ['queued', 'charged_back', 'revoked'],
    ['revoked', 'paid', 'queued'],
    ['revoked', 'refunded', 'revoked'],
  ])('%s, when the payment is %s: %s', (current, payment, expected) => {
    expect(after(current, payment)).toBe(expected);
  });

  it.each(['leased', 'delivered', 'failed'] as const)(
    'does not change goods that are %s: a plugin has taken them',
    (current) => {
      for (const payment of ['paid', 'refunded', 'charged_back'] as const)
        expect(after(current, payment)).toBe(current);
    },
  );

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
