import { describe, expect, it } from '@jest/globals';
import { findProvider, PROVIDER_NAMES } from './provider-registry.js';

const DEVELOPMENT = { environment: 'development' } as const;
const PRODUCTION = { environment: 'production' } as const;

describe('the payment providers', () => {
  it('are found by their names, and by no other text', () => {
    expect(PROVIDER_NAMES).toEqual([
      'stripe',
      'paypal',
      'mercadopago',
      'coinbase',
      'yookassa',
      'mollie',
      'custom',
      'test',
    ]);
    for (const name of PROVIDER_NAMES) expect(findProvider(name, DEVELOPMENT)?.name).toBe(name);
    expect(findProvider('constructor', DEVELOPMENT)).toBeUndefined();
  });

  it('are the same in production, without the one for tests', () => {
    const found = PROVIDER_NAMES.filter((name) => findProvider(name, PRODUCTION) !== undefined);
    expect(found).toEqual(['stripe', 'paypal', 'mercadopago', 'coinbase', 'yookassa', 'mollie', 'custom']);
  });
});
