import { describe, expect, it } from '@jest/globals';
import { findProvider, PROVIDER_NAMES } from './provider-registry.js';

describe('the payment providers', () => {
  it('are found by their names, and by no other text', () => {
    expect(PROVIDER_NAMES).toEqual(['stripe', 'custom']);
    for (const name of PROVIDER_NAMES) expect(findProvider(name)?.name).toBe(name);
    expect(findProvider('constructor')).toBeUndefined();
  });
});
