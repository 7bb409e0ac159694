import { beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { AppError } from '../common/errors/app-error.js';
import { sha256 } from '../common/crypto/keyed-hash.js';
import { type RateLimiter } from '../common/throttling/rate-limiter.js';
import { type UsersService } from '../users/users.service.js';
import { type AccessTokens } from './access-tokens.js';
import { AuthService } from './auth.service.js';
import { type Session } from './session.types.js';
import { type SessionsRepository } from './sessions.repository.js';

const USER = { id: 'user-1', email: 'robin@example.com', name: 'Robin', createdAt: new Date(0) };

/** Sessions and refresh tokens in memory, with the repository's conditions. */
class FakeRepository implements Pick<
  SessionsRepository,
  'insert' | 'findLive' | 'revoke' | 'insertToken' | 'sessionOfToken' | 'useToken'
> {
  sessions: (Session & { revoked: boolean })[] = [];
  tokens = new Map<string, { sessionId: string; expiresAt: Date; used: boolean }>();

  insert(userId: string, _createdAt: Date, expiresAt: Date): Promise<Session> {
    const session = { id: `session-${this.sessions.length}`, userId, expiresAt, revoked: false };
    this.sessions.push(session);
    return Promise.resolve(session);
  }

  findLive(id: string, now: Date): Promise<Session | null> {
    const found = this.sessions.find((one) => one.id === id && !one.revoked && one.expiresAt > now);
    return Promise.resolve(found ?? null);
  }

  revoke(id: string): Promise<void> {
    this.sessions = this.sessions.map((one) => (one.id === id ? { ...one, revoked: true } : one));
    return Promise.resolve();
  }

  insertToken(sessionId: string, hash: string, expiresAt: Date): Promise<void> {
    this.tokens.set(hash, { sessionId, expiresAt, used: false });
    return Promise.resolve();
  }

  sessionOfToken(hash: string): Promise<string | null> {
    return Promise.resolve(this.tokens.get(hash)?.sessionId ?? null);
  }

  useToken(hash: string): Promise<boolean> {
    const token = this.tokens.get(hash);
    if (token === undefined || token.used) return Promise.resolve(false);
    token.used = true;
    return Promise.resolve(true);
  }
}

let repository: FakeRepository;
let counted: string[];
let limited: boolean;
let service: AuthService;

beforeEach(() => {
  Logger.overrideLogger(false);
  repository = new FakeRepository();
  counted = [];
  limited = false;
  const users = {
    register: () => Promise.resolve(USER),
    authenticate: (_email: string, password: string) => Promise.resolve(password === 'right' ? USER : null),
  } as unknown as UsersService;
  const accessTokens = {
    issue: (userId: string, sessionId: string) => Promise.resolve(`${userId}/${sessionId}`),
  } as unknown as AccessTokens;
  const limiter = {
    consume: (name: string, subject: string) => {
      counted.push(`${name} ${subject}`);
      return limited ? Promise.reject(new AppError('rate_limited')) : Promise.resolve();
    },
  } as unknown as RateLimiter;
  service = new AuthService(users, repository as unknown as SessionsRepository, accessTokens, limiter);
});

const invalid = expect.objectContaining({ code: 'refresh_token_invalid' });

describe('logging in', () => {
  it('opens a session for 30 days, and keeps the refresh token as a hash', async () => {
    const { user, tokens } = await service.login(USER.email, 'right');
    expect(user).toBe(USER);
    expect(tokens).toEqual({
      accessToken: 'user-1/session-0',
      refreshToken: expect.stringMatching(/^shr_[\w-]{43}$/),
      expiresIn: 900,
    });
    expect([...repository.tokens.keys()]).toEqual([sha256(tokens.refreshToken)]);
    const days = (Number(repository.sessions[0]?.expiresAt) - Date.now()) / 86_400_000;
    expect(days).toBeCloseTo(30, 3);
  });

  it('counts the account before it looks at the password, and opens nothing on a wrong one', async () => {
    const wrong = service.login(USER.email, 'wrong');
    await expect(wrong).rejects.toMatchObject({ code: 'credentials_wrong' });
    expect(counted).toEqual([`loginAccount ${USER.email}`]);
    limited = true;
    await expect(service.login(USER.email, 'right')).rejects.toMatchObject({ code: 'rate_limited' });
    expect(repository.sessions).toEqual([]);
  });
});

describe('refreshing', () => {
  it('gives tokens of the same session, and does not prolong it', async () => {
    const { tokens } = await service.login(USER.email, 'right');
    const next = await service.refresh(tokens.refreshToken);
    expect(next.accessToken).toBe('user-1/session-0');
    expect(repository.sessions).toHaveLength(1);
    expect(repository.tokens.get(sha256(next.refreshToken))?.expiresAt).toBe(repository.sessions[0]?.expiresAt);
  });

  it('ends the session at the second use of a token, so that the newest token is worth nothing either', async () => {
    const { tokens } = await service.login(USER.email, 'right');
    const next = await service.refresh(tokens.refreshToken);
    await expect(service.refresh(tokens.refreshToken)).rejects.toEqual(invalid);
    await expect(service.refresh(next.refreshToken)).rejects.toEqual(invalid);
    expect(repository.sessions[0]?.revoked).toBe(true);
  });

  it('touches nothing for a token that never was, or of a session that is over', async () => {
    await expect(service.refresh('shr_unknown')).rejects.toEqual(invalid);
    const { tokens } = await service.login(USER.email, 'right');
    repository.sessions = repository.sessions.map((session) => ({ ...session, expiresAt: new Date(Date.now() - 1) }));
    await expect(service.refresh(tokens.refreshToken)).rejects.toEqual(invalid);
    expect(repository.tokens.get(sha256(tokens.refreshToken))?.used).toBe(false);
  });
});
