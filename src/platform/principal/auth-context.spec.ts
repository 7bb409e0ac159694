import { describe, expect, it } from '@jest/globals';
import { isSignedInOwner, requireServer } from './auth-context.js';

describe('isSignedInOwner', () => {
  it.each([
    ['user', 'owner', true],
    ['user', 'admin', false],
    ['api_key', 'owner', false],
  ] as const)('decides whether a %s of an %s is an owner who signed in: %s', (kind, role, expected) => {
    expect(isSignedInOwner({ kind, role })).toBe(expected);
  });
});

describe('requireServer', () => {
  const bound = { serverIds: new Set(['one']) };

  it('lets a caller without a limit act for every server and for none in particular', () => {
    for (const serverId of ['one', undefined]) expect(() => requireServer({ serverIds: null }, serverId)).not.toThrow();
  });

  it('lets a caller who is limited to servers act only for one of them, and requires that it names one', () => {
    expect(() => requireServer(bound, 'one')).not.toThrow();
    for (const serverId of ['two', undefined]) expect(() => requireServer(bound, serverId)).toThrow('server');
  });
});
