import { describe, expect, it } from '@jest/globals';
import { DEFAULT_QUOTAS, readQuotas } from './quotas.js';

describe('readQuotas', () => {
  it.each(['', ' ', ',', ' , '])('returns the defaults for %j', (text) => {
    expect(readQuotas(text)).toEqual(DEFAULT_QUOTAS);
  });

  it('changes the quotas that the list names, and no other', () => {
    expect(readQuotas('productsPerShop=5, serversPerShop=9999999,')).toEqual({
      ...DEFAULT_QUOTAS,
      productsPerShop: 5,
      serversPerShop: 9_999_999,
    });
  });

  it.each([
    'products=5',
    'productsPerShop',
    'productsPerShop=',
    'productsPerShop=0',
    'productsPerShop=-1',
    'productsPerShop=1.5',
    'productsPerShop=1e3',
    'productsPerShop=10000000',
    'productsPerShop=5;serversPerShop=5',
    'productsPerShop=5,toString=5',
    '=5',
  ])('rejects the quotas %j', (text) => {
    expect(readQuotas(text)).toBeNull();
  });
});
