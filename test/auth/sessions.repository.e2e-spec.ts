import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  REFRESH_TOKEN_MODEL,
  type RefreshTokenRecord,
  refreshTokenSchema,
  SESSION_MODEL,
  type SessionRecord,
  sessionSchema,
} from '../../src/access/auth/session.schema.js';
import { type Session } from '../../src/access/auth/session.types.js';
import { SessionsRepository } from '../../src/access/auth/sessions.repository.js';
import { decodeCursor } from '../../src/lib/paging/page.js';
import { type Transaction } from '../../src/infrastructure/database/transactions.js';
import { openModel, openTestStore, type TestStore } from '../support/store.js';
import { LATER, NOW, OTHER_PERSON, PERSON, twice, UNKNOWN } from './stored-accounts.js';

let store: TestStore;
let sessions: SessionsRepository;

beforeAll(async () => {
  store = await openTestStore();
  const sessionModel = await openModel<SessionRecord>(store.connection, SESSION_MODEL, sessionSchema);
  const tokenModel = await openModel<RefreshTokenRecord>(store.connection, REFRESH_TOKEN_MODEL, refreshTokenSchema);
  sessions = new SessionsRepository(sessionModel, tokenModel);
});
beforeEach(async () => {
  await store.connection.collection('sessions').deleteMany({});
  await store.connection.collection('refresh_tokens').deleteMany({});
});
afterAll(() => store.close());

const commit = <Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> => store.commit(work);

describe('sessions', () => {
  const open = (userId: string = PERSON, expiresAt = LATER): Promise<Session> =>
    commit((transaction) => sessions.insert(userId, { createdAt: NOW, expiresAt, device: 'Firefox' }, transaction));
  const isLive = async ({ id }: Session): Promise<boolean> => (await sessions.findLive(id, NOW, null)) !== null;
  const PAGE = { after: null, limit: 50 };

  it('finds a session until it expires', async () => {
    const session = await open();
    expect(session).toEqual({ id: session.id, userId: PERSON, expiresAt: LATER });
    expect(await sessions.findLive(session.id, NOW, null)).toEqual(session);
    expect(await sessions.findLive(session.id, LATER, null)).toBeNull();
    expect(await sessions.findLive(UNKNOWN, NOW, null)).toBeNull();
  });

  it('lists the sessions of a person until they expire, page by page, newest first', async () => {
    const [first, second, third] = [await open(), await open(), await open()];
    await open(OTHER_PERSON);
    const expired = await open(PERSON, NOW);
    const revoked = await open();
    await commit((transaction) => sessions.revoke(revoked.id, NOW, transaction));
    await commit((transaction) => sessions.touch(second.id, LATER, transaction));
    const page = await sessions.listLive(PERSON, NOW, { after: null, limit: 2 });
    const details = { createdAt: NOW, lastUsedAt: NOW, device: 'Firefox' };
    expect(page.items).toEqual([
      { ...third, ...details },
      { ...second, ...details, lastUsedAt: LATER },
    ]);
    const rest = await sessions.listLive(PERSON, NOW, { after: decodeCursor(page.nextCursor ?? ''), limit: 2 });
    expect([rest.items, rest.nextCursor]).toEqual([[{ ...first, ...details }], null]);
    expect(await isLive(expired)).toBe(false);
  });

  it('revokes each session alone and for ever', async () => {
    const [session, other] = [await open(), await open()];
    for (const at of [NOW, LATER]) await commit((transaction) => sessions.revoke(session.id, at, transaction));
    expect([await isLive(session), await isLive(other)]).toEqual([false, true]);
    const record = await store.connection.collection('sessions').findOne({ revokedAt: { $ne: null } });
    expect(record).toMatchObject({ revokedAt: NOW });
  });

  it('revokes a session only for its person, and only once', async () => {
    const session = await open();
    const revokeOf = (userId: string): Promise<Session | null> =>
      commit((transaction) => sessions.revokeOf(userId, session.id, NOW, transaction));
    expect(await revokeOf(OTHER_PERSON)).toBeNull();
    expect(await isLive(session)).toBe(true);
    const results = await twice(() => revokeOf(PERSON));
    expect(results.filter((result) => result !== null)).toEqual([session]);
    expect(await isLive(session)).toBe(false);
  });

  it('revokes all sessions of one person, and returns the number of live ones', async () => {
    const [one, two, other] = [await open(), await open(), await open(OTHER_PERSON)];
    await open(PERSON, NOW);
    const revokeAll = (): Promise<number> => commit((transaction) => sessions.revokeAllOf(PERSON, NOW, transaction));
    expect([await revokeAll(), await revokeAll()]).toEqual([2, 0]);
    expect([await isLive(one), await isLive(two), await isLive(other)]).toEqual([false, false, true]);
  });

  it('accepts a refresh token once, and recognises it afterwards', async () => {
    const session = await open();
    await commit((transaction) => sessions.insertToken(session, 'hash', transaction));
    expect(await sessions.sessionOfToken('hash')).toBe(session.id);
    expect(await sessions.sessionOfToken('other')).toBeNull();
    const use = (at: Date): Promise<boolean> => commit((transaction) => sessions.useToken('hash', at, transaction));
    expect((await Promise.all([use(NOW), use(LATER)])).sort()).toEqual([false, true]);
    expect(await sessions.sessionOfToken('hash')).toBe(session.id);
    await commit((transaction) => sessions.insertToken(session, 'new', transaction));
    const isUnused = (hash: string): Promise<boolean> => commit((transaction) => sessions.isUnused(hash, transaction));
    expect([await isUnused('hash'), await isUnused('new')]).toEqual([false, true]);
    const again = commit((transaction) => sessions.insertToken(session, 'hash', transaction));
    await expect(again).rejects.toThrow('duplicate key');
  });

  it('changes no session when the transaction is rolled back', async () => {
    const session = await open();
    await commit((transaction) => sessions.insertToken(session, 'hash', transaction));
    const { items } = await sessions.listLive(PERSON, NOW, PAGE);
    const values = { createdAt: NOW, expiresAt: LATER, device: null };
    await store.rollBack((transaction) => sessions.insert(PERSON, values, transaction));
    await store.rollBack((transaction) => sessions.touch(session.id, LATER, transaction));
    await store.rollBack((transaction) => sessions.revoke(session.id, NOW, transaction));
    await store.rollBack((transaction) => sessions.revokeOf(PERSON, session.id, NOW, transaction));
    await store.rollBack((transaction) => sessions.revokeAllOf(PERSON, NOW, transaction));
    await store.rollBack((transaction) => sessions.insertToken(session, 'other', transaction));
    await store.rollBack((transaction) => sessions.useToken('hash', NOW, transaction));
    expect((await sessions.listLive(PERSON, NOW, PAGE)).items).toEqual(items);
    expect(await sessions.sessionOfToken('other')).toBeNull();
    expect(await commit((transaction) => sessions.useToken('hash', NOW, transaction))).toBe(true);
  });
});
