import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  LOGIN_CHALLENGE_MODEL,
  type LoginChallengeRecord,
  loginChallengeSchema,
} from '../../src/auth/login-challenge.schema.js';
import { LoginChallengesRepository } from '../../src/auth/login-challenges.repository.js';
import {
  PASSWORD_RESET_MODEL,
  type PasswordResetRecord,
  passwordResetSchema,
} from '../../src/auth/password-reset.schema.js';
import { PasswordResetsRepository } from '../../src/auth/password-resets.repository.js';
import {
  REFRESH_TOKEN_MODEL,
  type RefreshTokenRecord,
  refreshTokenSchema,
  SESSION_MODEL,
  type SessionRecord,
  sessionSchema,
} from '../../src/auth/session.schema.js';
import { type Session } from '../../src/auth/session.types.js';
import { SessionsRepository } from '../../src/auth/sessions.repository.js';
import { decodeCursor } from '../../src/common/http/page.js';
import { type Transaction } from '../../src/database/transactions.js';
import { USER_MODEL, type UserRecord, userSchema } from '../../src/users/user.schema.js';
import { type ProvenPerson, type User } from '../../src/users/user.types.js';
import { UsersRepository } from '../../src/users/users.repository.js';
import { openTestStore, type TestStore } from '../support/store.js';

const [PERSON, OTHER_PERSON] = ['655f1c2ab1e4a9d3f0c81230', '655f1c2ab1e4a9d3f0c81231'] as const;
const UNKNOWN = '0'.repeat(24);
// In the future, so that the store does not delete what expires then.
const NOW = new Date('2126-11-21T12:00:00.000Z');
const LATER = new Date('2126-11-22T12:00:00.000Z');

let store: TestStore;
let users: UsersRepository;
let sessions: SessionsRepository;
let challenges: LoginChallengesRepository;
let resets: PasswordResetsRepository;

beforeAll(async () => {
  store = await openTestStore();
  const { connection } = store;
  const userModel = connection.model<UserRecord>(USER_MODEL, userSchema);
  const sessionModel = connection.model<SessionRecord>(SESSION_MODEL, sessionSchema);
  const tokenModel = connection.model<RefreshTokenRecord>(REFRESH_TOKEN_MODEL, refreshTokenSchema);
  const challengeModel = connection.model<LoginChallengeRecord>(LOGIN_CHALLENGE_MODEL, loginChallengeSchema);
  const resetModel = connection.model<PasswordResetRecord>(PASSWORD_RESET_MODEL, passwordResetSchema);
  for (const model of [userModel, sessionModel, tokenModel, challengeModel, resetModel]) await model.createIndexes();
  users = new UsersRepository(userModel);
  sessions = new SessionsRepository(sessionModel, tokenModel);
  challenges = new LoginChallengesRepository(challengeModel);
  resets = new PasswordResetsRepository(resetModel);
});
beforeEach(async () => {
  for (const name of ['users', 'sessions', 'refresh_tokens', 'login_challenges', 'password_resets']) {
    await store.connection.collection(name).deleteMany({});
  }
});
afterAll(() => store.close());

const commit = <Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> => store.commit(work);
/** Runs the same work twice at the same time. */
const twice = <Result>(work: () => Promise<Result>): Promise<Result[]> => Promise.all([work(), work()]);

describe('users', () => {
  const HOME = { network: 'network', device: 'device' };
  const CAFE = { network: 'other network', device: 'other device' };
  const VALUES = {
    email: 'robin@example.com',
    name: 'Robin',
    passwordHash: 'hash',
    knownDevices: [HOME],
    createdAt: NOW,
  };
  const countLogin = (person: ProvenPerson, device = HOME): ReturnType<UsersRepository['countLogin']> =>
    commit((transaction) => users.countLogin(person, device, transaction));
  const insert = (email = VALUES.email): Promise<User> =>
    commit((transaction) => users.insert({ ...VALUES, email }, transaction));
  const proven = async (): Promise<ProvenPerson> => {
    const person = await users.findWithPassword({ email: VALUES.email });
    if (person === null) throw new Error('no such person');
    const { user, passwordChangedAt } = person;
    return { user, passwordChangedAt };
  };
  const setPassword = (userId: string, by: ProvenPerson | null, passwordHash = 'new hash'): Promise<boolean> =>
    commit((transaction) => users.setPassword(userId, { passwordHash, passwordChangedAt: LATER }, by, transaction));

  it('are returned without the hash, except for the check of the password', async () => {
    expect(await users.isEmpty()).toBe(true);
    const user = await insert();
    expect(user).toEqual({ id: user.id, email: VALUES.email, name: 'Robin', createdAt: NOW });
    for (const found of [await users.findById(user.id), await users.findByEmail(VALUES.email)]) {
      expect(found).toEqual(user);
    }
    for (const by of [{ email: VALUES.email }, { _id: user.id }]) {
      expect(await users.findWithPassword(by)).toEqual({
        user,
        passwordHash: 'hash',
        passwordChangedAt: null,
        knownDevices: [HOME],
      });
    }
    expect(await users.isEmpty()).toBe(false);
  });

  it('are not found by another address or id', async () => {
    const user = await insert();
    const other = await insert('other@example.com');
    expect(await users.findById(UNKNOWN)).toBeNull();
    expect(await users.findByEmail('nobody@example.com')).toBeNull();
    expect(await users.findWithPassword({ _id: UNKNOWN })).toBeNull();
    expect(await users.findByIds([user.id, UNKNOWN])).toEqual([user]);
    expect(await users.findByIds([other.id, user.id])).toEqual(expect.arrayContaining([user, other]));
  });

  it('have one account per address, also when two register at once', async () => {
    const results = await Promise.allSettled([insert(), insert()]);
    const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
    expect(failures).toEqual([expect.objectContaining({ code: 'email_taken' })]);
  });

  it('store a login only with the current password', async () => {
    const { id } = await insert();
    const before = await proven();
    expect(await countLogin(before)).toBe('known_device');
    await setPassword(id, null);
    expect(await countLogin(before)).toBeNull();
    expect(await countLogin(before, CAFE)).toBeNull();
    expect(await countLogin(await proven())).toBe('known_device');
    expect(await store.connection.collection('users').findOne()).toMatchObject({ logins: 2, knownDevices: [HOME] });
  });

  it('remember a device at its first login, and the 20 newest ones', async () => {
    await insert();
    const person = await proven();
    expect(await countLogin(person, CAFE)).toBe('new_device');
    expect(await countLogin(person, CAFE)).toBe('known_device');
    expect(await countLogin(person, { ...CAFE, device: 'another program there' })).toBe('new_device');
    for (let number = 3; number <= 20; number++) await countLogin(person, { network: 'x', device: String(number) });
    const stored = await users.findWithPassword({ _id: person.user.id });
    expect(stored?.knownDevices).toHaveLength(20);
    expect(stored?.knownDevices[0]).toEqual(CAFE);
    expect(await countLogin(person, HOME)).toBe('new_device');
  });

  it('forget the devices with a change that says so', async () => {
    const { id } = await insert();
    const change = { passwordHash: 'x', passwordChangedAt: LATER, knownDevices: [] };
    await commit((transaction) => users.setPassword(id, change, null, transaction));
    expect(await store.connection.collection('users').findOne()).toMatchObject({ knownDevices: [] });
  });

  it('change a password once for the given current password, and always without one', async () => {
    const { id } = await insert();
    const other = await insert('other@example.com');
    const before = await proven();
    const results = await Promise.all(['one', 'two'].map((hash) => setPassword(id, before, hash)));
    expect(results.filter(Boolean)).toHaveLength(1);
    expect(await users.findWithPassword({ _id: id })).toMatchObject({
      passwordHash: results[0] === true ? 'one' : 'two',
      passwordChangedAt: LATER,
    });
    expect(await setPassword(id, before, 'three')).toBe(false);
    expect(await setPassword(id, null, 'reset')).toBe(true);
    expect(await users.findWithPassword({ _id: id })).toMatchObject({ passwordHash: 'reset' });
    expect(await users.findWithPassword({ _id: other.id })).toMatchObject({ passwordHash: 'hash' });
    expect(await setPassword(UNKNOWN, null)).toBe(false);
  });

  it('verify their address once', async () => {
    const { id } = await insert();
    const prove = (at: Date): Promise<boolean> => commit((transaction) => users.proveEmail(id, at, transaction));
    const results = await Promise.all([prove(NOW), prove(LATER)]);
    expect([...results].sort()).toEqual([false, true]);
    const emailProvenAt = results[0] ? NOW : LATER;
    expect(await store.connection.collection('users').findOne()).toMatchObject({ emailProvenAt });
  });

  it('do not change when the transaction is rolled back', async () => {
    await store.rollBack((transaction) => users.insert(VALUES, transaction));
    expect(await users.isEmpty()).toBe(true);
    const { id } = await insert();
    const person = await proven();
    const before = await store.connection.collection('users').findOne();
    const change = { passwordHash: 'x', passwordChangedAt: LATER };
    await store.rollBack((transaction) => users.countLogin(person, CAFE, transaction));
    await store.rollBack((transaction) => users.setPassword(id, change, person, transaction));
    await store.rollBack((transaction) => users.proveEmail(id, LATER, transaction));
    expect(await store.connection.collection('users').findOne()).toEqual(before);
  });
});

describe('sessions', () => {
  const open = (userId: string = PERSON, expiresAt = LATER): Promise<Session> =>
    commit((transaction) => sessions.insert(userId, { createdAt: NOW, expiresAt, device: 'Firefox' }, transaction));
  const isLive = async ({ id }: Session): Promise<boolean> => (await sessions.findLive(id, NOW)) !== null;
  const PAGE = { after: null, limit: 50 };

  it('are live until they expire', async () => {
    const session = await open();
    expect(session).toEqual({ id: session.id, userId: PERSON, expiresAt: LATER });
    expect(await sessions.findLive(session.id, NOW)).toEqual(session);
    expect(await sessions.findLive(session.id, LATER)).toBeNull();
    expect(await sessions.findLive(UNKNOWN, NOW)).toBeNull();
  });

  it('are listed for their person until they expire, page by page, newest first', async () => {
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
    expect(rest).toEqual({ items: [{ ...first, ...details }], nextCursor: null });
    expect(await isLive(expired)).toBe(false);
  });

  it('are revoked for ever, each one alone', async () => {
    const [session, other] = [await open(), await open()];
    for (const at of [NOW, LATER]) await commit((transaction) => sessions.revoke(session.id, at, transaction));
    expect([await isLive(session), await isLive(other)]).toEqual([false, true]);
    const record = await store.connection.collection('sessions').findOne({ revokedAt: { $ne: null } });
    expect(record).toMatchObject({ revokedAt: NOW });
  });

  it('are revoked only by their person, and only once', async () => {
    const session = await open();
    const revokeOf = (userId: string): Promise<Session | null> =>
      commit((transaction) => sessions.revokeOf(userId, session.id, NOW, transaction));
    expect(await revokeOf(OTHER_PERSON)).toBeNull();
    expect(await isLive(session)).toBe(true);
    const results = await twice(() => revokeOf(PERSON));
    expect(results.filter((result) => result !== null)).toEqual([session]);
    expect(await isLive(session)).toBe(false);
  });

  it('are all revoked for one person, and the number of live ones is returned', async () => {
    const [one, two, other] = [await open(), await open(), await open(OTHER_PERSON)];
    await open(PERSON, NOW);
    const revokeAll = (): Promise<number> => commit((transaction) => sessions.revokeAllOf(PERSON, NOW, transaction));
    expect([await revokeAll(), await revokeAll()]).toEqual([2, 0]);
    expect([await isLive(one), await isLive(two), await isLive(other)]).toEqual([false, false, true]);
  });

  it('have refresh tokens that work once and stay known afterwards', async () => {
    const session = await open();
    await commit((transaction) => sessions.insertToken(session, 'hash', transaction));
    expect(await sessions.sessionOfToken('hash')).toBe(session.id);
    expect(await sessions.sessionOfToken('other')).toBeNull();
    const use = (at: Date): Promise<boolean> => commit((transaction) => sessions.useToken('hash', at, transaction));
    expect((await Promise.all([use(NOW), use(LATER)])).sort()).toEqual([false, true]);
    expect(await sessions.sessionOfToken('hash')).toBe(session.id);
    const again = commit((transaction) => sessions.insertToken(session, 'hash', transaction));
    await expect(again).rejects.toThrow('duplicate key');
  });

  it('do not change when the transaction is rolled back', async () => {
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

describe('logins that wait for the second factor', () => {
  const insert = (tokenHash: string, expiresAt = LATER): Promise<unknown> =>
    challenges.insert(PERSON, { passwordChangedAt: NOW, tokenHash, expiresAt });
  const use = (tokenHash: string): Promise<boolean> =>
    commit((transaction) => challenges.use(tokenHash, NOW, transaction));

  it('are found by their token until they expire', async () => {
    const challenge = { userId: PERSON, passwordChangedAt: NOW };
    expect(await insert('hash')).toEqual(challenge);
    expect(await challenges.findLive('hash', NOW)).toEqual(challenge);
    expect(await challenges.findLive('hash', LATER)).toBeNull();
    expect(await challenges.findLive('other', NOW)).toBeNull();
  });

  it('are used once, each one alone, and not after they expire', async () => {
    await insert('hash');
    await insert('other');
    await insert('expired', NOW);
    expect((await twice(() => use('hash'))).sort()).toEqual([false, true]);
    expect(await use('expired')).toBe(false);
    expect(await challenges.findLive('other', NOW)).not.toBeNull();
  });

  it('stay when the transaction is rolled back', async () => {
    await insert('hash');
    await store.rollBack((transaction) => challenges.use('hash', NOW, transaction));
    expect(await challenges.findLive('hash', NOW)).not.toBeNull();
  });
});

describe('password resets', () => {
  const replace = (userId: string, hash: string, expiresAt = LATER): Promise<void> =>
    commit((transaction) => resets.replace(userId, hash, expiresAt, transaction));
  const use = (hash: string): Promise<string | null> => commit((transaction) => resets.use(hash, NOW, transaction));

  it('replace the earlier one of the same person', async () => {
    await replace(PERSON, 'first');
    await replace(OTHER_PERSON, 'other');
    await replace(PERSON, 'second');
    const live = ['first', 'second', 'other'].map((hash) => resets.isLive(hash, NOW));
    expect(await Promise.all(live)).toEqual([false, true, true]);
    expect(await resets.isLive('second', LATER)).toBe(false);
  });

  it('are used once, by their own token, and not after they expire', async () => {
    await replace(PERSON, 'hash');
    await replace(OTHER_PERSON, 'expired', NOW);
    expect(await use('other')).toBeNull();
    expect(await use('expired')).toBeNull();
    const results = await twice(() => use('hash'));
    expect(results.filter((result) => result !== null)).toEqual([PERSON]);
  });

  it('are removed for one person', async () => {
    await replace(PERSON, 'hash');
    await replace(OTHER_PERSON, 'other');
    await commit((transaction) => resets.removeOf(OTHER_PERSON, transaction));
    expect([await resets.isLive('hash', NOW), await resets.isLive('other', NOW)]).toEqual([true, false]);
  });

  it('do not change when the transaction is rolled back', async () => {
    await replace(PERSON, 'hash');
    await store.rollBack((transaction) => resets.replace(PERSON, 'next', LATER, transaction));
    await store.rollBack((transaction) => resets.use('hash', NOW, transaction));
    await store.rollBack((transaction) => resets.removeOf(PERSON, transaction));
    expect([await resets.isLive('hash', NOW), await resets.isLive('next', NOW)]).toEqual([true, false]);
  });
});
