import { describe, expect, it } from '@jest/globals';
import { ChargeChecks } from './charge-checks.js';

describe('ChargeChecks', () => {
  it('passes the shop and its currency to the finder that is registered', async () => {
    const checks = new ChargeChecks();
    checks.register((shopId, currency) => Promise.resolve((amount) => `${shopId} ${amount} ${currency}`));
    expect((await checks.of('shop', 'EUR'))(5)).toBe('shop 5 EUR');
  });

  it('throws when there is no finder, and when there would be two', () => {
    const checks = new ChargeChecks();
    expect(() => checks.of('shop', 'EUR')).toThrow('No finder of charge checks is registered');
    const finder = () => Promise.resolve(() => null);
    checks.register(finder);
    expect(() => {
      checks.register(finder);
    }).toThrow('There is a finder of charge checks already');
  });
});
