import { describe, expect, it } from '@jest/globals';
import { isOwnerInPerson } from './auth-context.js';

describe('isOwnerInPerson', () => {
  it.each([
    ['user', 'owner', true],
    ['user', 'admin', false],
    ['api_key', 'owner', false],
  ] as const)('a %s of an %s: %s', (kind, role, expected) => {
    expect(isOwnerInPerson({ kind, role })).toBe(expected);
  });
});
