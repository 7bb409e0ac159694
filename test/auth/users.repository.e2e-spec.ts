import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Transaction } from '../../src/infrastructure/database/transactions.js';
import { USER_MODEL, type UserRecord, userSchema } from '../../src/accounts/users/user.schema.js';
import { type ProvenPerson, type User } from '../../src/accounts/users/user.types.js';
import { UsersRepository } from '../../src/accounts/users/users.repository.js';
import { openModel, openTestStore, type TestStore } from '../support/store.js';
import { LATER, NOW, UNKNOWN } from './stored-accounts.js';

let store: TestStore;
let users: UsersRepository;

beforeAll(async () => {
  store = await openTestStore();
  const model = await openModel<UserRecord>(store.connection, USER_MODEL, userSchema);
  users = new UsersRepository(model);
});
beforeEach(async () => {
  await store.connection.collection('users').deleteMany({});
});
afterAll(() => store.close());

const commit = <Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> => store.commit(work);

describe('users', () => {
  const HOME = { network: 'network', device: 'device' };
  const CAFE = { network: 'other network', device: 'other device' };
  const VALUES = {
    email: 'robin@example.com',
    name: 'Robin',
    language: 'de' as const,
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

  it('returns users without the hash, except for the check of the password', async () => {
    expect(await users.isEmpty()).toBe(true);
    const user = await insert();
    const { email, name, language } = VALUES;
    expect(user).toEqual({ id: user.id, email, isEmailProven: false, name, language, createdAt: NOW });
    for (const found of [await users.findById(user.id, null), await users.findByEmail(VALUES.email, null)]) {
      expect(found).toEqual(user);
    }
    for (const by of [{ email: VALUES.email }, { _id: user.id }]) {
      expect(await users.findWithPassword(by)).toEqual({
        user,
        passwordHash: 'hash',
        passwordChangedAt: null,
        logins: 0,
        knownDevices: [HOME],
      });
    }
    expect(await users.isEmpty()).toBe(false);
  });

  it('knows that a person has set no password yet', async () => {
    const { id } = await commit((transaction) => users.insert({ ...VALUES, passwordHash: null }, transaction));
    expect(await users.hasPassword(id, null)).toBe(false);
    await setPassword(id, null);
    expect(await users.hasPassword(id, null)).toBe(true);
  });

  it('returns null for another address or id', async () => {
    const user = await insert();
    const other = await insert('other@example.com');
    expect(await users.findById(UNKNOWN, null)).toBeNull();
    expect(await users.findByEmail('nobody@example.com', null)).toBeNull();
    expect(await users.findWithPassword({ _id: UNKNOWN })).toBeNull();
    expect(await users.findByIds([user.id, UNKNOWN], null)).toEqual([user]);
    expect(await users.findByIds([other.id, user.id], null)).toEqual(expect.arrayContaining([user, other]));
  });

  it('stores one account per address, also when two register at once', async () => {
    const results = await Promise.allSettled([insert(), insert()]);
    const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
    expect(failures).toEqual([expect.objectContaining({ code: 'email_taken' })]);
  });

  it('stores a login only with the current password', async () => {
    const { id } = await insert();
    const before = await proven();
    expect(await countLogin(before)).toBe('known_device');
    await setPassword(id, null);
    expect(await countLogin(before)).toBeNull();
    expect(await countLogin(before, CAFE)).toBeNull();
    expect(await countLogin(await proven())).toBe('known_device');
    expect(await store.connection.collection('users').findOne()).toMatchObject({ logins: 2, knownDevices: [HOME] });
  });

  it('remembers a device at its first login, and the 20 newest ones', async () => {
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

  it('forgets the devices with a password change that clears them', async () => {
    const { id } = await insert();
    const change = { passwordHash: 'x', passwordChangedAt: LATER, knownDevices: [] };
    await commit((transaction) => users.setPassword(id, change, null, transaction));
    expect(await store.connection.collection('users').findOne()).toMatchObject({ knownDevices: [] });
  });

  it('changes a password once for the given current password, and always without one', async () => {
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

  it('verifies an address, and keeps the first time', async () => {
    const { id } = await insert();
    expect(await users.findById(id, null)).toMatchObject({ isEmailProven: false });
    await store.connection.collection('users').updateOne({}, { $unset: { emailProvenAt: 1 } });
    expect(await users.findById(id, null)).toMatchObject({ isEmailProven: false });
    for (const at of [NOW, LATER]) await commit((transaction) => users.proveEmail(id, at, transaction));
    expect(await users.findById(id, null)).toMatchObject({ isEmailProven: true });
    expect(await store.connection.collection('users').findOne()).toMatchObject({ emailProvenAt: NOW });
  });

  it('changes no user when the transaction is rolled back', async () => {
    await store.rollBack((transaction) => users.insert(VALUES, transaction));
    expect(await users.isEmpty()).toBe(true);
    const { id } = await insert();
    const person = await proven();
    const before = await store.connection.collection('users').findOne();
    const change = { passwordHash: 'x', passwordChangedAt: LATER };
    for (const device of [HOME, CAFE]) {
      await store.rollBack((transaction) => users.countLogin(person, device, transaction));
    }
    await store.rollBack((transaction) => users.setPassword(id, change, person, transaction));
    await store.rollBack((transaction) => users.proveEmail(id, LATER, transaction));
    expect(await store.connection.collection('users').findOne()).toEqual(before);
  });
});
