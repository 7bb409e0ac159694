import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startClock, stopClock } from '../../../test/support/clock.js';
import { type Call, recording, TRANSACTION } from '../../../test/support/fakes.js';
import { userWith } from '../../../test/support/members.js';
import { AppError } from '../../domain/errors/app-error.js';
import { type PasswordHasher } from './password-hasher.js';
import { type User } from './user.types.js';
import { type UsersRepository } from './users.repository.js';
import { UsersService } from './users.service.js';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const CHANGED = new Date('2026-11-20T12:00:00.000Z');
const USER = userWith();
const DEVICE = { network: 'network', device: 'device' };
const PERSON = {
  user: USER,
  passwordChangedAt: CHANGED,
  passwordHash: 'hash of right',
  logins: 3,
  knownDevices: [DEVICE],
};
const PROVEN = { user: USER, passwordChangedAt: CHANGED };

let calls: Call[];
let person: typeof PERSON | null;
let user: User | null;
let service: UsersService;

beforeEach(() => {
  stopClock(NOW);
  calls = [];
  person = PERSON;
  user = USER;
  service = new UsersService(
    recording<UsersRepository>(calls, {
      insert: ({ email, name, language, createdAt }) => Promise.resolve(userWith({ email, name, language, createdAt })),
      findWithPassword: () => Promise.resolve(person),
      countLogin: () => Promise.resolve('known_device'),
      setPassword: () => Promise.resolve(true),
      proveEmail: () => Promise.resolve(),
      isEmpty: () => Promise.resolve(false),
      findByEmail: () => Promise.resolve(user),
      findById: () => Promise.resolve(user),
      findByIds: () => Promise.resolve([USER]),
    }),
    recording<PasswordHasher>(calls, {
      hash: (password) => Promise.resolve(`hash of ${password}`),
      verify: (hash, password) => Promise.resolve(hash === `hash of ${password}`),
    }),
  );
});
afterEach(startClock);

it('registers a person with the time of the registration', async () => {
  const values = { email: 'new@example.com', name: 'New', language: 'de', passwordHash: 'hash' } as const;
  const person = { ...values, knownDevices: [DEVICE] };
  const registered = await service.register(person, TRANSACTION);
  expect(registered).toEqual(userWith({ email: 'new@example.com', name: 'New', language: 'de', createdAt: NOW }));
  expect(calls).toEqual([['insert', { ...person, createdAt: NOW }, TRANSACTION]]);
});

describe('authenticate', () => {
  const authenticate = (password: string): Promise<unknown> =>
    service.authenticate(USER.email, password, (history) => {
      calls.push(['count', history]);
      return Promise.resolve();
    });

  it('counts the attempt before it compares the password, and returns the person without the hash', async () => {
    expect(await authenticate('right')).toEqual(PROVEN);
    expect(calls).toEqual([
      ['findWithPassword', { email: USER.email }],
      ['count', PERSON],
      ['verify', 'hash of right', 'right'],
    ]);
  });

  it('returns null for a wrong password', async () => {
    expect(await authenticate('wrong')).toBeNull();
  });

  it('counts and compares for an unknown address too', async () => {
    person = null;
    expect(await authenticate('right')).toBeNull();
    expect(calls.slice(1)).toEqual([
      ['count', null],
      ['verify', null, 'right'],
    ]);
  });

  it('compares nothing after too many attempts', async () => {
    const limited = new AppError('rate_limited');
    const attempt = service.authenticate(USER.email, 'right', () => Promise.reject(limited));
    await expect(attempt).rejects.toBe(limited);
    expect(calls.map(([name]) => name)).toEqual(['findWithPassword']);
  });
});

describe('confirmPassword', () => {
  it('returns the person for the right password', async () => {
    expect(await service.confirmPassword(USER.id, 'right')).toEqual(PROVEN);
    expect(calls[0]).toEqual(['findWithPassword', { _id: USER.id }]);
  });

  it('throws password_wrong for a wrong password and an account that no longer exists', async () => {
    await expect(service.confirmPassword(USER.id, 'wrong')).rejects.toMatchObject({ code: 'password_wrong' });
    person = null;
    await expect(service.confirmPassword(USER.id, 'right')).rejects.toMatchObject({ code: 'password_wrong' });
  });
});

it('changes a password only for the person who gave the current one, resets it in any case', async () => {
  expect(await service.changePassword(PROVEN, 'hash of new', TRANSACTION)).toBe(true);
  await service.resetPassword(USER.id, 'hash of new', TRANSACTION);
  const change = { passwordHash: 'hash of new', passwordChangedAt: NOW };
  expect(calls).toEqual([
    ['setPassword', USER.id, change, PROVEN, TRANSACTION],
    ['setPassword', USER.id, { ...change, knownDevices: [] }, null, TRANSACTION],
  ]);
});

it('hashes passwords, counts logins and stores which addresses are verified', async () => {
  expect(await service.hashPassword('right')).toBe('hash of right');
  expect(await service.countLogin(PROVEN, DEVICE, TRANSACTION)).toBe('known_device');
  await service.proveEmail(USER.id, TRANSACTION);
  expect(calls).toEqual([
    ['hash', 'right'],
    ['countLogin', PROVEN, DEVICE, TRANSACTION],
    ['proveEmail', USER.id, NOW, TRANSACTION],
  ]);
});

describe('finding people', () => {
  it('returns the person, or null', async () => {
    expect([await service.findById(USER.id, TRANSACTION), await service.findByEmail(USER.email, TRANSACTION)]).toEqual([
      USER,
      USER,
    ]);
    user = null;
    expect([await service.findById(USER.id, null), await service.findByEmail(USER.email, null)]).toEqual([null, null]);
    expect(await service.isEmpty()).toBe(false);
  });

  it('throws authentication_required for an account that no longer exists', async () => {
    expect(await service.get(USER.id, TRANSACTION)).toEqual(USER);
    user = null;
    await expect(service.get(USER.id, null)).rejects.toMatchObject({ code: 'authentication_required' });
  });

  it('returns people by id', async () => {
    expect(await service.byIds([USER.id, '0'.repeat(24)], TRANSACTION)).toEqual(new Map([[USER.id, USER]]));
  });
});
