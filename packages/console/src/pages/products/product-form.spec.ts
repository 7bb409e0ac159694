import { describe, expect, it } from '@jest/globals';
import { bodyOf, NEW_PRODUCT } from './product-form.js';

describe('what the editor of a product sends', () => {
  it('has only what was changed, with numbers, lines and nulls', () => {
    const before = { ...NEW_PRODUCT, name: 'VIP', price: '9.99', stock: '5', categoryId: 'c1', summary: 'Short' };
    const after = {
      ...before,
      price: '12.50',
      stock: '',
      categoryId: '',
      summary: '',
      commands: 'say a\n\n  say b \n',
      upgradeCommands: 'say up',
      extendCommands: ' say more\n',
    };
    expect(bodyOf(after, before)).toEqual({
      price: 12.5,
      stock: null,
      categoryId: null,
      summary: null,
      commands: ['say a', 'say b'],
      upgradeCommands: ['say up'],
      extendCommands: ['say more'],
    });
  });

  it('leaves what is no number as it is, so that the service names the field', () => {
    expect(bodyOf({ ...NEW_PRODUCT, price: '9 euros' }, NEW_PRODUCT)).toEqual({ price: '9 euros' });
  });
});
