import { describe, expect, it } from '@jest/globals';
import { requireServer, requireSignedInOwner } from './auth-context.js';

describe('requireSignedInOwner', () => {
  it('lets only an owner pass who signed in', () => {
    const call = (kind: 'user' | 'api_key', role: 'owner' | 'admin') => () => {
      requireSignedInOwner({ kind, role }, 'close a shop');
    };
    expect(call('user', 'owner')).not.toThrow();
    for (const other of [call('user', 'admin'), call('api_key', 'owner')]) {
      expect(other).toThrow('Only an owner with a bearer token can close a shop');
    }
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
