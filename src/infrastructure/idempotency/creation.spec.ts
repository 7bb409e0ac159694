import { describe, expect, it } from '@jest/globals';
import { newCreation } from './creation.js';

describe('newCreation', () => {
  it('generates an id and a secret of its own, and has not run before', () => {
    const [one, other] = [newCreation(), newCreation()];
    expect(one.isRepeated).toBe(false);
    expect([one.id, one.secret]).not.toEqual([other.id, other.secret]);
    expect(one.secret).toMatch(/^[\w-]{43}$/);
  });
});
