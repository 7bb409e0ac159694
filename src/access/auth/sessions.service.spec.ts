import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { type AuthContext } from '../../domain/principal/auth-context.js';
import { sha256 } from '../../lib/crypto/keyed-hash.js';
import { FakeAudit, recording, undoingTransactions } from '../../../test/support/fakes.js';
import { Page, type PageRequest } from '../../lib/paging/page.js';
import { DAY_MS } from '../../lib/time/durations.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { type AccessTokens } from './access-tokens.js';
import { type NewSession, type Session, type SessionDetails } from './session.types.js';
import { type SessionsRepository } from './sessions.repository.js';
import { type MembershipsService } from '../../shops/memberships/memberships.service.js';
import { type NewRefreshSuccessor, type RefreshSuccessorsRepository } from './refresh-successors.repository.js';
import { RepeatedRefreshesService } from './repeated-refreshes.service.js';
import { type OpenedSession, SessionsService } from './sessions.service.js';

type Stored = SessionDetails & { revoked: boolean };

/** Sessions and refresh tokens in memory, with the conditions of the repository. */
class FakeRepository implements Omit<SessionsRepository, 'findLiveWithMember'> {
  sessions: Stored[] = [];
  tokens = new Map<string, { readonly sessionId: string; readonly expiresAt: Date; readonly used: boolean }>();
  successors = new Map<string, NewRefreshSuccessor & { readonly repeated: boolean }>();
  /** Whether inserting a token fails. */
  faulty = false;

  /** Stores the state, and returns a function that restores it. */
  save(): () => void {
    const before = {
      sessions: [...this.sessions],
      tokens: new Map(this.tokens),
      successors: new Map(this.successors),
    };
    return () => void Object.assign(this, before);
  }

  insert(userId: string, session: NewSession): Promise<Session> {
    const id = String(this.sessions.length).padStart(24, '0');
    const stored = { ...session, id, userId, lastUsedAt: session.createdAt, revoked: false };
    this.sessions.push(stored);
    return Promise.resolve(stored);
  }

  private live(now: Date): Stored[] {
    return this.sessions.filter(({ revoked, expiresAt }) => !revoked && expiresAt > now);
  }

  findLive(id: string, now: Date): Promise<Session | null> {
    return Promise.resolve(this.live(now).find((one) => one.id === id) ?? null);
  }

  listLive(userId: string, now: Date, { after, limit }: PageRequest): Promise<Page<SessionDetails>> {
    const own = this.live(now).filter((one) => one.userId === userId && (after === null || one.id < after));
    return Promise.resolve(Page.of(own.reverse().slice(0, limit + 1), limit));
  }

  touch(id: string, now: Date): Promise<void> {
    this.sessions = this.sessions.map((one) => (one.id === id ? { ...one, lastUsedAt: now } : one));
    return Promise.resolve();
  }

  revoke(id: string): Promise<void> {
    this.sessions = this.sessions.map((one) => (one.id === id ? { ...one, revoked: true } : one));
    return Promise.resolve();
  }

  async revokeOf(userId: string, id: string, now: Date): Promise<Session | null> {
    const session = this.live(now).find((one) => one.id === id && one.userId === userId);
    if (session !== undefined) await this.revoke(id);
    return session ?? null;
  }

  async revokeAllOf(userId: string, now: Date): Promise<number> {
    const own = this.live(now).filter((one) => one.userId === userId);
    for (const { id } of own) await this.revoke(id);
    return own.length;
  }

  insertToken({ id, expiresAt }: Session, hash: string): Promise<void> {
    if (this.faulty) return Promise.reject(new Error('the store is full'));
    this.tokens.set(hash, { sessionId: id, expiresAt, used: false });
    return Promise.resolve();
  }

  sessionOfToken(hash: string): Promise<string | null> {
    return Promise.resolve(this.tokens.get(hash)?.sessionId ?? null);
  }

  isUnused(hash: string): Promise<boolean> {
    return Promise.resolve(this.tokens.get(hash)?.used === false);
  }

  useToken(hash: string): Promise<boolean> {
    const token = this.tokens.get(hash);
    if (token === undefined || token.used) return Promise.resolve(false);
    this.tokens.set(hash, { ...token, used: true });
    return Promise.resolve(true);
  }
}

const TRANSACTION = {} as Transaction;
const SHOPS = ['655f1c2ab1e4a9d3f0c81234', '655f1c2ab1e4a9d3f0c81235'];

/** The stored successors of tokens, with the conditions of their repository. */
function successorsIn(store: FakeRepository): RefreshSuccessorsRepository {
  return recording<RefreshSuccessorsRepository>([], {
    insert: (successor) =>
      Promise.resolve(void store.successors.set(successor.usedHash, { ...successor, repeated: false })),
    find: (usedHash, now) => {
      const found = store.successors.get(usedHash);
      return Promise.resolve(found !== undefined && found.expiresAt > now ? found.sealedTokens : null);
    },
    markRepeated: (usedHash) => {
      const found = store.successors.get(usedHash);
      if (found === undefined || found.repeated) return Promise.resolve(false);
      store.successors.set(usedHash, { ...found, repeated: true });
      return Promise.resolve(true);
    },
  });
}

let repository: FakeRepository;
let service: SessionsService;
let audit: FakeAudit;
let issued: number;

afterEach(() => {
  jest.useRealTimers();
});
beforeEach(() => {
  Logger.overrideLogger(false);
  [repository, audit, issued] = [new FakeRepository(), new FakeAudit(), 0];
  const accessTokens = {
    issue: (userId: string, sessionId: string) => Promise.resolve(`${userId}/${sessionId}/${++issued}`),
  } as unknown as AccessTokens;
  const transactions = undoingTransactions(() => repository.save());
  const sessions = repository as unknown as SessionsRepository;
  const memberships = recording<MembershipsService>([], { shopIdsOf: () => Promise.resolve(SHOPS) });
  const repetitions = new RepeatedRefreshesService(
    successorsIn(repository),
    sessions,
    memberships,
    audit.asService,
    transactions,
  );
  service = new SessionsService(sessions, accessTokens, repetitions, transactions);
});

const open = (userId = 'robin'): Promise<OpenedSession> => service.open(userId, 'Firefox', TRANSACTION);
const as = (userId: string, { session }: OpenedSession): AuthContext => ({
  principal: `user:${userId}`,
  kind: 'user',
  userId,
  credentialId: session.id,
});
const liveIds = async (userId: string): Promise<string[]> =>
  (await repository.listLive(userId, new Date(), { after: null, limit: 100 })).items.map(({ id }) => id);
const NOW = new Date('2026-11-28T12:00:00.000Z');
const invalid = expect.objectContaining({ code: 'refresh_token_invalid' });

describe('opening', () => {
  it('creates a session of 30 days, and stores only the hash of the refresh token', async () => {
    const opened = await open();
    expect(await service.tokensOf(opened)).toEqual({
      accessToken: `robin/${opened.session.id}/1`,
      refreshToken: expect.stringMatching(/^shr_[\w-]{43}$/),
      expiresIn: 900,
    });
    expect([...repository.tokens.keys()]).toEqual([sha256(opened.refreshToken)]);
    const days = (Number(opened.session.expiresAt) - Date.now()) / DAY_MS;
    expect(days).toBeCloseTo(30, 3);
  });
});

describe('refreshing', () => {
  it('returns tokens of the same session, and does not extend it', async () => {
    const { session, refreshToken } = await open();
    const next = await service.refresh(refreshToken);
    expect(next.accessToken).toBe(`robin/${session.id}/1`);
    expect(next.refreshToken).toMatch(/^shr_[\w-]{43}$/);
    expect(repository.sessions).toHaveLength(1);
    expect(repository.tokens.get(sha256(next.refreshToken))?.expiresAt).toBe(session.expiresAt);
  });

  it('returns the same tokens for the same token within 30 seconds of its first use, with one audit entry in each shop', async () => {
    jest.useFakeTimers({ now: NOW });
    const { session, refreshToken } = await open();
    const first = await service.refresh(refreshToken);
    expect(await service.refresh(refreshToken)).toEqual(first);
    jest.advanceTimersByTime(29_999);
    expect(await service.refresh(refreshToken)).toEqual({ ...first, expiresIn: 871 });
    expect(repository.sessions[0]?.revoked).toBe(false);
    const write = { action: 'session.refresh_repeated', subjectId: session.id };
    expect(audit.entries).toEqual(SHOPS.map((shopId) => ({ author: { shopId, principal: 'user:robin' }, ...write })));
    expect((await service.refresh(first.refreshToken)).refreshToken).not.toBe(first.refreshToken);
  });

  it.each([
    ['30 seconds after its first use', () => jest.advanceTimersByTimeAsync(30_000)],
    ['when its successor was used', (next: string) => service.refresh(next)],
  ])('ends the session when a token is used again %s: the newest token stops working too', async (_, happen) => {
    jest.useFakeTimers({ now: NOW });
    const { refreshToken } = await open();
    const next = await service.refresh(refreshToken);
    await happen(next.refreshToken);
    await expect(service.refresh(refreshToken)).rejects.toEqual(invalid);
    await expect(service.refresh(next.refreshToken)).rejects.toEqual(invalid);
    expect(repository.sessions[0]?.revoked).toBe(true);
    expect(audit.entries).toEqual([]);
  });

  it('returns no tokens again when the session ends between the two reads of a repetition', async () => {
    const { session, refreshToken } = await open();
    await service.refresh(refreshToken);
    const read = repository.findLive.bind(repository);
    repository.findLive = async (id, now) => {
      const found = await read(id, now);
      await repository.revoke(session.id);
      return found;
    };
    await expect(service.refresh(refreshToken)).rejects.toEqual(invalid);
  });

  it('stores the new tokens readable only with the used token', async () => {
    const { refreshToken } = await open();
    const next = await service.refresh(refreshToken);
    const stored = JSON.stringify([...repository.successors]);
    for (const secret of [refreshToken, next.refreshToken, next.accessToken]) expect(stored).not.toContain(secret);
  });

  it('stores nothing when the second write of a refresh fails: the same token works again', async () => {
    const { session, refreshToken } = await open();
    repository.faulty = true;
    await expect(service.refresh(refreshToken)).rejects.toThrow('the store is full');
    repository.faulty = false;
    expect((await service.refresh(refreshToken)).accessToken).toBe(`robin/${session.id}/2`);
    expect(repository.sessions[0]?.revoked).toBe(false);
  });

  it('changes nothing for an unknown token, or for a token of a session that has expired', async () => {
    await expect(service.refresh('shr_unknown')).rejects.toEqual(invalid);
    const { refreshToken } = await open();
    repository.sessions = repository.sessions.map((one) => ({ ...one, expiresAt: new Date(Date.now() - 1) }));
    await expect(service.refresh(refreshToken)).rejects.toEqual(invalid);
    expect(repository.tokens.get(sha256(refreshToken))?.used).toBe(false);
  });
});

describe('ending', () => {
  it('ends the session of any of its refresh tokens, also a second time and without an error for unknown tokens', async () => {
    const { refreshToken } = await open();
    const other = await open();
    await service.refresh(refreshToken);
    for (const token of [refreshToken, refreshToken, 'shr_unknown']) await service.logout(token);
    expect(await liveIds('robin')).toEqual([other.session.id]);
  });

  it("ends the caller's own session once, and never another person's", async () => {
    const [own, foreign] = [await open(), await open('eve')];
    const missing = expect.objectContaining({ code: 'session_not_found' });
    await service.end(as('robin', own), own.session.id);
    await expect(service.end(as('robin', own), own.session.id)).rejects.toEqual(missing);
    await expect(service.end(as('robin', own), foreign.session.id)).rejects.toEqual(missing);
    expect(await liveIds('eve')).toEqual([foreign.session.id]);
  });

  it('ends all sessions of one person, and returns how many there were', async () => {
    for (const userId of ['robin', 'eve']) await open(userId);
    const own = await open();
    expect(await service.logoutAll(as('robin', own))).toBe(2);
    expect(await liveIds('robin')).toEqual([]);
    expect(await service.endAll('robin', TRANSACTION)).toBe(0);
    expect(await liveIds('eve')).toHaveLength(1);
  });
});

describe('listing', () => {
  it('returns the live sessions of the caller in pages, newest first', async () => {
    const opened = [await open(), await open(), await open(), await open('eve')];
    const first = opened[0] as OpenedSession;
    const page = await service.list(as('robin', first), { after: null, limit: 2 });
    expect(page.items.map(({ id }) => id)).toEqual([opened[2]?.session.id, opened[1]?.session.id]);
    expect(page.items[0]).toMatchObject({ device: 'Firefox', lastUsedAt: expect.any(Date) });
    expect(page.nextCursor).not.toBeNull();
  });
});
