import { createHmac } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { type ExecutionContext } from '@nestjs/common';
import { type Call, recording } from '../../../test/support/fakes.js';
import { type AppConfig } from '../../infrastructure/config/app-config.js';
import { type AuthContext } from '../../domain/principal/auth-context.js';
import { JwtAuthGuard } from './jwt-auth.guard.js';
import { JwtStrategy } from './jwt.strategy.js';
import { type Session } from './session.types.js';
import { type SessionsRepository } from './sessions.repository.js';

const USER = '655f1c2ab1e4a9d3f0c81299';
const SESSION = '655f1c2ab1e4a9d3f0c81298';
const SECRET = 'a secret of the service with 32 characters';
const NOW_S = Math.floor(Date.now() / 1000);
const CLAIMS = {
  sub: USER,
  sid: SESSION,
  typ: 'access',
  iat: NOW_S,
  exp: NOW_S + 900,
  iss: 'shop-platform',
  aud: 'shop-platform-api',
};

let calls: Call[];
let session: Session | null;
let outage: Error | null;
let guard: JwtAuthGuard;

beforeEach(() => {
  calls = [];
  session = { id: SESSION, userId: USER, expiresAt: new Date(Date.now() + 900_000) };
  outage = null;
  const sessions = recording<SessionsRepository>(calls, {
    findLive: () => (outage === null ? Promise.resolve(session) : Promise.reject(outage)),
  });
  // The strategy registers itself with passport, in place of the previous one.
  new JwtStrategy(sessions, { jwtSecret: SECRET } as AppConfig);
  guard = new JwtAuthGuard();
});

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function signed(payload: unknown): string {
  const content = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded(payload)}`;
  return `${content}.${createHmac('sha256', SECRET).update(content).digest('base64url')}`;
}

function callerOf(authorization: string | undefined): Promise<AuthContext | null> {
  const request = { headers: { authorization } };
  return guard.callerOf({
    switchToHttp: () => ({ getRequest: () => request, getResponse: () => ({}) }),
  } as unknown as ExecutionContext);
}

describe('JwtAuthGuard', () => {
  it('returns the person of a token whose session is live', async () => {
    const auth = { principal: `user:${USER}`, kind: 'user', userId: USER, credentialId: SESSION };
    expect(await callerOf(`Bearer ${signed(CLAIMS)}`)).toEqual(auth);
    expect(calls).toEqual([['findLive', SESSION, expect.any(Date), null]]);
  });

  it.each([
    ['no header', undefined],
    ['another scheme', `Basic ${signed(CLAIMS)}`],
    ['a token that is not signed by the service', `Bearer ${signed(CLAIMS).slice(0, -3)}AAA`],
    ['an expired token', `Bearer ${signed({ ...CLAIMS, exp: NOW_S - 60 })}`],
    ['a token of another issuer', `Bearer ${signed({ ...CLAIMS, iss: 'another' })}`],
    ['a token for another audience', `Bearer ${signed({ ...CLAIMS, aud: 'another' })}`],
    ['a token of another type', `Bearer ${signed({ ...CLAIMS, typ: 'refresh' })}`],
    ['a token whose content is null', `Bearer ${signed(null)}`],
  ])('returns null for %s, without a read', async (_, authorization) => {
    expect(await callerOf(authorization)).toBeNull();
    expect(calls).toEqual([]);
  });

  it('returns null when the session has ended, and when it belongs to another person', async () => {
    const owned = session;
    session = null;
    expect(await callerOf(`Bearer ${signed(CLAIMS)}`)).toBeNull();
    session = owned && { ...owned, userId: '0'.repeat(24) };
    expect(await callerOf(`Bearer ${signed(CLAIMS)}`)).toBeNull();
  });

  it('accepts a header of 1,024 characters, and rejects a longer one', async () => {
    const token = signed(CLAIMS);
    const header = (length: number): string => `Bearer${token.padStart(length - 'Bearer'.length)}`;
    expect(await callerOf(header(1_024))).not.toBeNull();
    expect(await callerOf(header(1_025))).toBeNull();
  });

  it('throws the error of a session that cannot be read: an outage does not make a token invalid', async () => {
    outage = new Error('the store is down');
    await expect(callerOf(`Bearer ${signed(CLAIMS)}`)).rejects.toBe(outage);
  });
});
