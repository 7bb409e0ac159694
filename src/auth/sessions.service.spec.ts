import { beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { type AuthContext } from '../common/auth/auth-context.js';
import { sha256 } from '../common/crypto/keyed-hash.js';
import { type Transaction, type Transactions } from '../database/transactions.js';
import { type AccessTokens } from './access-tokens.js';
import { type Session, type SessionDetails } from './session.types.js';
import { type SessionsRepository } from './sessions.repository.js';
import { type OpenedSession, SessionsService } from './sessions.service.js';

type Stored = SessionDetails & { revoked: boolean };

/** Sessions and refresh tokens in memory, with the repository's conditions. */
class FakeRepository implements Pick<SessionsRepository, keyof SessionsRepository> {
  sessions: Stored[] = [];
  tokens = new Map<string, { readonly sessionId: string; readonly expiresAt: Date; readonly used: boolean }>();
  /** Whether the next token cannot be written. */
  faulty = false;

  /** Does all of the work or nothing of it, one transaction at a time. */
  async transact<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    const before = { sessions: [...this.sessions], tokens: new Map(this.tokens) };
    try {
      return await work({} as Transaction);
    } catch (error) {
      Object.assign(this, before);
      throw error;
    }
  }

  insert(
    session: { userId: string; createdAt: Date; expiresAt: Date; device: string | null },
    tokenHash: string,
  ): Promise<Session> {
    const stored = {
      ...session,
      id: String(this.sessions.length).padStart(24, '0'),
      lastUsedAt: session.createdAt,
      revoked: false,
    };
    this.sessions.push(stored);
    this.tokens.set(tokenHash, { sessionId: stored.id, expiresAt: stored.expiresAt, used: false });
    return Promise.resolve(stored);
  }

  private live(now: Date): Stored[] {
    return this.sessions.filter(({ revoked, expiresAt }) => !revoked && expiresAt > now);
  }

  findLive(id: string, now: Date): Promise<Session | null> {
    return Promise.resolve(this.live(now).find((one) => one.id === id) ?? null);
  }

  listLive(userId: string, now: Date, after: string | null, limit: number): Promise<SessionDetails[]> {
    const own = this.live(now).filter((one) => one.userId === userId && (after === null || one.id < after));
    return Promise.resolve(own.reverse().slice(0, limit));
  }

  touch(id: string, now: Date): Promise<void> {
    this.sessions = this.sessions.map((one) => (one.id === id ? { ...one, lastUsedAt: now } : one));
    return Promise.resolve();
  }

  revoke(id: string): Promise<void> {
    this.sessions = this.sessions.map((one) => (one.id === id ? { ...one, revoked: true } : one));
    return Promise.resolve();
  }

  async revokeOf(userId: string, id: string, now: Date): Promise<boolean> {
    const found = this.live(now).some((one) => one.id === id && one.userId === userId);
    if (found) await this.revoke(id);
    return found;
  }

  async revokeAllOf(userId: string, now: Date): Promise<number> {
    const own = this.live(now).filter((one) => one.userId === userId);
    for (const { id } of own) await this.revoke(id);
    return own.length;
  }

  insertToken(sessionId: string, hash: string, expiresAt: Date): Promise<void> {
    if (this.faulty) return Promise.reject(new Error('the store is full'));
    this.tokens.set(hash, { sessionId, expiresAt, used: false });
    return Promise.resolve();
  }

  sessionOfToken(hash: string): Promise<string | null> {
    return Promise.resolve(this.tokens.get(hash)?.sessionId ?? null);
  }

  useToken(hash: string): Promise<boolean> {
    const token = this.tokens.get(hash);
    if (token === undefined || token.used) return Promise.resolve(false);
    this.tokens.set(hash, { ...token, used: true });
    return Promise.resolve(true);
  }
}

let repository: FakeRepository;
let service: SessionsService;

beforeEach(() => {
  Logger.overrideLogger(false);
  repository = new FakeRepository();
  const accessTokens = {
    issue: (userId: string, sessionId: string) => Promise.resolve(`${userId}/${sessionId}`),
  } as unknown as AccessTokens;
  const transactions = {
    run: (work: (transaction: Transaction) => Promise<unknown>) => repository.transact(work),
  } as unknown as Transactions;
  service = new SessionsService(repository as unknown as SessionsRepository, accessTokens, transactions);
});

const open = (userId = 'robin'): Promise<OpenedSession> => service.open(userId, 'Firefox');
const as = (userId: string, { session }: OpenedSession): AuthContext => ({
  principal: `user:${userId}`,
  kind: 'user',
  userId,
  credentialId: session.id,
});
const liveIds = async (userId: string): Promise<string[]> =>
  (await repository.listLive(userId, new Date(), null, 100)).map(({ id }) => id);
const invalid = expect.objectContaining({ code: 'refresh_token_invalid' });

describe('opening', () => {
  it('makes a session of 30 days, and keeps the refresh token as a hash', async () => {
    const opened = await open();
    expect(await service.tokensOf(opened)).toEqual({
      accessToken: `robin/${opened.session.id}`,
      refreshToken: expect.stringMatching(/^shr_[\w-]{43}$/),
      expiresIn: 900,
    });
    expect([...repository.tokens.keys()]).toEqual([sha256(opened.refreshToken)]);
    const days = (Number(opened.session.expiresAt) - Date.now()) / 86_400_000;
    expect(days).toBeCloseTo(30, 3);
  });
});

describe('refreshing', () => {
  it('gives tokens of the same session, and does not prolong it', async () => {
    const { session, refreshToken } = await open();
    const next = await service.refresh(refreshToken);
    expect(next.accessToken).toBe(`robin/${session.id}`);
    expect(repository.sessions).toHaveLength(1);
    expect(repository.tokens.get(sha256(next.refreshToken))?.expiresAt).toBe(session.expiresAt);
  });

  it('ends the session at the second use of a token, so that the newest token is worth nothing either', async () => {
    const { refreshToken } = await open();
    const next = await service.refresh(refreshToken);
    await expect(service.refresh(refreshToken)).rejects.toEqual(invalid);
    await expect(service.refresh(next.refreshToken)).rejects.toEqual(invalid);
    expect(repository.sessions[0]?.revoked).toBe(true);
  });

  it('uses nothing up when it fails half way: the same token works in the next try', async () => {
    const { session, refreshToken } = await open();
    repository.faulty = true;
    await expect(service.refresh(refreshToken)).rejects.toThrow('the store is full');
    repository.faulty = false;
    expect((await service.refresh(refreshToken)).accessToken).toBe(`robin/${session.id}`);
    expect(repository.sessions[0]?.revoked).toBe(false);
  });

  it('touches nothing for a token that never was, or of a session that is over', async () => {
    await expect(service.refresh('shr_unknown')).rejects.toEqual(invalid);
    const { refreshToken } = await open();
    repository.sessions = repository.sessions.map((one) => ({ ...one, expiresAt: new Date(Date.now() - 1) }));
    await expect(service.refresh(refreshToken)).rejects.toEqual(invalid);
    expect(repository.tokens.get(sha256(refreshToken))?.used).toBe(false);
  });
});

describe('ending', () => {
  it('ends the session of any of its refresh tokens, again and again without a complaint', async () => {
    const { refreshToken } = await open();
    const other = await open();
    await service.refresh(refreshToken);
    for (const token of [refreshToken, refreshToken, 'shr_unknown']) await service.logout(token);
    expect(await liveIds('robin')).toEqual([other.session.id]);
  });

  it("ends one's own session once, and never somebody else's", async () => {
    const [own, foreign] = [await open(), await open('eve')];
    const missing = expect.objectContaining({ code: 'session_not_found' });
    await service.end(as('robin', own), own.session.id);
    await expect(service.end(as('robin', own), own.session.id)).rejects.toEqual(missing);
    await expect(service.end(as('robin', own), foreign.session.id)).rejects.toEqual(missing);
    expect(await liveIds('eve')).toEqual([foreign.session.id]);
  });

  it('ends all sessions of one person, and counts them', async () => {
    for (const userId of ['robin', 'robin', 'eve']) await open(userId);
    expect(await service.endAll('robin')).toBe(2);
    expect(await liveIds('robin')).toEqual([]);
    expect(await service.endAll('robin')).toBe(0);
    expect(await liveIds('eve')).toHaveLength(1);
  });
});

describe('listing', () => {
  it('pages through the live sessions of the caller, newest first', async () => {
    const opened = [await open(), await open(), await open(), await open('eve')];
    const first = opened[0] as OpenedSession;
    const page = await service.list(as('robin', first), null, 2);
    expect(page.items.map(({ id }) => id)).toEqual([opened[2]?.session.id, opened[1]?.session.id]);
    expect(page.items[0]).toMatchObject({ device: 'Firefox', lastUsedAt: expect.any(Date) });
    expect(page.nextCursor).not.toBeNull();
  });
});
