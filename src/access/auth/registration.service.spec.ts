import { beforeEach, describe, expect, it } from '@jest/globals';
import { directTransactions, TRANSACTION } from '../../../test/support/fakes.js';
import { type AppConfig } from '../../infrastructure/config/app-config.js';
import { type UsersService } from '../../accounts/users/users.service.js';
import { type InvitationRepliesService } from '../team/invitation-replies.service.js';
import { type ClientDevice } from './device.js';
import { type LoginAttemptsService } from './login-attempts.service.js';
import { RegistrationService } from './registration.service.js';
import { type SessionsService } from './sessions.service.js';

const USER = {
  id: 'user-1',
  email: 'robin@example.com',
  name: 'Robin',
  language: 'de',
  createdAt: new Date(0),
} as const;
const PERSON = { email: USER.email, name: 'Robin', password: 'right' };
const FIREFOX: ClientDevice = { name: 'Firefox', address: '203.0.113.7', language: 'de' };
const KNOWN = { network: 'network of 203.0.113.7', device: 'Firefox' };

let registered: object[];
let opened: string[];

function serviceWith(registration: AppConfig['registration']): RegistrationService {
  const users = {
    hashPassword: (password: string) => Promise.resolve(`hash of ${password}`),
    register: (person: object, transaction: unknown) => {
      registered.push(person);
      expect(transaction).toBe(TRANSACTION);
      return Promise.resolve(USER);
    },
  } as unknown as UsersService;
  const sessions = {
    open: (userId: string, device: string | null, transaction: unknown) => {
      expect(transaction).toBe(TRANSACTION);
      opened.push(`${userId} on ${device ?? 'nothing'}`);
      return Promise.resolve({ session: 'session', refreshToken: 'shr_1' });
    },
    tokensOf: () => Promise.resolve('tokens'),
  } as unknown as SessionsService;
  const invitations = {
    find: (token: string) => Promise.resolve(token === 'shi_1' ? { email: USER.email } : null),
  } as unknown as InvitationRepliesService;
  const attempts = { known: () => KNOWN } as unknown as LoginAttemptsService;
  const config = { registration } as AppConfig;
  return new RegistrationService(config, invitations, users, sessions, attempts, directTransactions);
}

beforeEach(() => {
  [registered, opened] = [[], []];
});

describe('RegistrationService', () => {
  it('stores the account with the hash of the password, and opens its first session in the same transaction', async () => {
    expect(await serviceWith('open').register(PERSON, FIREFOX)).toEqual({
      user: USER,
      session: 'session',
      tokens: 'tokens',
    });
    const { email, name } = PERSON;
    expect(registered).toEqual([{ email, name, language: 'de', passwordHash: 'hash of right', knownDevices: [KNOWN] }]);
    expect(opened).toEqual(['user-1 on Firefox']);
  });

  it.each([
    ['open', PERSON, true],
    ['invited', { ...PERSON, invitationToken: 'shi_1' }, true],
    ['invited', PERSON, false],
    ['invited', { ...PERSON, invitationToken: 'shi_2' }, false],
    ['invited', { ...PERSON, invitationToken: 'shi_1', email: 'other@example.com' }, false],
    ['closed', { ...PERSON, invitationToken: 'shi_1' }, false],
  ] as const)('decides with REGISTRATION=%s about %j: %s', async (registration, person, isAdmitted) => {
    const registering = serviceWith(registration).register(person, FIREFOX);
    if (isAdmitted) await registering;
    else await expect(registering).rejects.toMatchObject({ code: 'registration_closed' });
    expect(registered).toHaveLength(isAdmitted ? 1 : 0);
  });
});
