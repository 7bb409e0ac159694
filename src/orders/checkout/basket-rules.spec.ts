import { describe, expect, it } from '@jest/globals';
import { productWith, uncounted } from '../../../test/support/products.js';
import { type Product, type UncountedProduct } from '../../catalogue/products/product.types.js';
import { lineProblems, priceLines, subtotalOf } from './basket-rules.js';

const product = (id: string, fields: Partial<Product> = {}): [string, UncountedProduct] => [
  id,
  uncounted(productWith({ id, name: `Product ${id}`, priceMinor: 333, commandListId: 'list', ...fields })),
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
          requiresOnline: false,
          durationDays: null,
          takesStock: false,
        },
        {
          productId: 'b',
          name: 'Product b',
          quantity: 1,
          unitPriceMinor: 0,
          totalMinor: 0,
          commandListId: 'list',
          requiresOnline: false,
          durationDays: null,
          takesStock: false,
        },
      ],
      limits: [],
      problems: [],
    });
  });

  it.each([
    ['unknown', 'nothing', 's1'],
    ['switched off', 'off', 's1'],
    ['for another server', 'here', 's3'],
  ])('leaves out a product that is %s, and names it', (_why, productId, serverId) => {
    const lines = ['a', productId].map((id) => ({ productId: id, quantity: 1 }));
    const { items, problems } = priceLines(lines, products, serverId);
    expect(items.map((item) => item.productId)).toEqual(['a']);
    const message = `Product ${productId} is not for sale here`;
    expect(problems).toEqual([{ code: 'product_not_available', message, productId }]);
  });

  it('names every product that is not for sale', () => {
    const lines = ['off', 'nothing'].map((productId) => ({ productId, quantity: 1 }));
    expect(priceLines(lines, products, 's1').problems.map(({ productId }) => productId)).toEqual(['off', 'nothing']);
  });

  it('sells a product for each of its servers, and while the server is not known', () => {
    for (const serverId of ['s1', 's2', null]) {
      expect(priceLines([{ productId: 'here', quantity: 1 }], products, serverId).problems).toEqual([]);
    }
  });

  it('takes units from a stock, and names the products that are limited per buyer', () => {
    const limited = new Map([product('a', { stock: 0 }), product('b', { maxPerBuyer: 2 })]);
    const lines = ['a', 'b'].map((productId) => ({ productId, quantity: 3 }));
    const { items, limits, problems } = priceLines(lines, limited, 's1');
    expect(items.map(({ takesStock }) => takesStock)).toEqual([true, false]);
    expect(limits).toEqual([{ productId: 'b', name: 'Product b', quantity: 3, maxPerBuyer: 2 }]);
    expect(problems).toEqual([]);
  });

  it('allows as many units in one order as the product does, and no more', () => {
    const limited = new Map([product('a', { maxPerOrder: 2 })]);
    expect(priceLines([{ productId: 'a', quantity: 2 }], limited, 's1').problems).toEqual([]);
    const message = 'One order may have at most 2 of Product a';
    expect(priceLines([{ productId: 'a', quantity: 3 }], limited, 's1').problems).toEqual([
      { code: 'quantity_not_allowed', message, productId: 'a' },
    ]);
  });

  it('allows a subtotal of 100,000,000,000 minor units and no more', () => {
    const expensive = new Map([product('a', { priceMinor: 50_000_000_000 }), product('b', { priceMinor: 1 })]);
    const lines = [{ productId: 'a', quantity: 2 }];
    expect(priceLines(lines, expensive, 's1').problems).toEqual([]);
    const { problems } = priceLines([...lines, { productId: 'b', quantity: 1 }], expensive, 's1');
    expect(problems).toEqual([{ code: 'validation_failed', message: 'The order is too large' }]);
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

it('sums the prices of the items', () => {
  const products = new Map([product('a'), product('b', { priceMinor: 1 })]);
  const lines = ['a', 'b'].map((productId) => ({ productId, quantity: 2 }));
  expect(subtotalOf(priceLines(lines, products, null).items)).toBe(668);
  expect(subtotalOf([])).toBe(0);
});
