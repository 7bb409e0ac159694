import { describe, expect, it } from '@jest/globals';
import { productWith } from '../../../test/support/products.js';
import { completed, productProblems, type ProductInput, toInput, toStored } from './product-input.js';

const productOf = (fields: Partial<ProductInput> = {}): ProductInput => ({
  ...completed({ name: 'VIP', price: 9.99 }),
  ...fields,
});

describe('the problems of a product', () => {
  it.each<[string, Partial<ProductInput>, string[]]>([
    ['none', {}, []],
    ['none, for nothing to pay', { price: 0 }, []],
    ['none, for a price before the sale', { compareAtPrice: 10 }, []],
    ['a price before the sale that is the price', { compareAtPrice: 9.99 }, ['compareAtPrice must be above price']],
    ['a lower price before the sale', { compareAtPrice: 9.98 }, ['compareAtPrice must be above price']],
    ['a price with too many decimals', { price: 1.005 }, ['price has more decimals than EUR allows']],
    [
      'a price before the sale with too many decimals',
      { compareAtPrice: 10.005 },
      ['compareAtPrice has more decimals than EUR allows'],
    ],
    ['none, for expiry commands with a duration', { expiryCommands: ['say over'], durationDays: 1 }, []],
    ['expiry commands without a duration', { expiryCommands: ['say over'] }, ['expiryCommands need durationDays']],
    ['a duration without expiry commands', { durationDays: 30 }, ['durationDays needs expiryCommands']],
    ['an unsafe command', { commands: ['say hi', ''] }, ['commands.1: must not be empty']],
    ['an unsafe command for taking back', { takeBackCommands: [''] }, ['takeBackCommands.0: must not be empty']],
    [
      'an unsafe command for the expiry',
      { expiryCommands: [''], durationDays: 1 },
      ['expiryCommands.0: must not be empty'],
    ],
  ])('reports %s for a product', (_, fields, problems) => {
    expect(productProblems(productOf(fields), 'EUR')).toEqual(problems);
  });
});

describe('a stored product', () => {
  it('shows a stored product as it was written, in major units of its currency', () => {
    for (const [currency, price, compareAtPrice] of [
      ['EUR', 9.99, 14.99],
      ['JPY', 150, null],
      ['KWD', 1.005, 2],
    ] as const) {
      const stages = {
        commands: ['say a'],
        takeBackCommands: ['say b'],
        expiryCommands: ['say c'],
        extendCommands: ['say d'],
        upgradeCommands: ['say e'],
      };
      const shown = productOf({ price, compareAtPrice, ...stages, durationDays: 7, stock: 0, slug: 'vip' });
      const stored = toStored(shown, currency);
      expect(Object.keys(stored)).not.toEqual(expect.arrayContaining(['commands']));
      expect(toInput({ ...productWith({ currency }), ...stored, ...stages })).toEqual(shown);
    }
  });

  it.each([
    [null, null],
    [5, 5],
    [0, 0],
    [-2, 0],
  ])('shows a stock of %p as %p, never below zero', (stock, shown) => {
    const stages = { commands: [], takeBackCommands: [], expiryCommands: [], extendCommands: [], upgradeCommands: [] };
    expect(toInput({ ...productWith({ stock }), ...stages }).stock).toBe(shown);
  });
});
