import { beforeEach, describe, expect, it } from '@jest/globals';
import { directTransactions, FakeEmails, TRANSACTION, wordsOf } from '../../../test/support/fakes.js';
import { sha256 } from '../../lib/crypto/keyed-hash.js';
import { AppError } from '../../domain/errors/app-error.js';
import { type SecondFactorService } from '../../accounts/second-factor/second-factor.service.js';
import { type LoginHistory, type User } from '../../accounts/users/user.types.js';
import { type UsersService } from '../../accounts/users/users.service.js';
import { AuthService, type SecondFactorRequired, type SignedIn } from './auth.service.js';
import { type ClientDevice } from './device.js';
import { type LoginAttemptsService } from './login-attempts.service.js';
import { type LoginChallenge, type LoginChallengesRepository } from './login-challenges.repository.js';
import { type Session } from './session.types.js';
import { type OpenedSession, type SessionsService } from './sessions.service.js';

const USER: User = {
  isEmailProven: true,
  ...{ id: 'user-1', email: 'robin@example.com', name: 'Robin' },
  language: 'de',
  createdAt: new Date(0),
};
const SESSION: Session = { id: 'session-1', userId: USER.id, expiresAt: new Date(1) };
const SIGNED_IN: SignedIn = {
  user: USER,
  session: SESSION,
  tokens: { accessToken: 'access', refreshToken: 'shr_1', expiresIn: 900 },
};

/** A device, and how the fake remembers it. */
const FIREFOX: ClientDevice = { name: 'Firefox', address: '203.0.113.7', language: 'de' };
const KNOWN = { network: 'network of 203.0.113.7', device: 'Firefox' };

let opened: string[];
let counted: string[];
let limited: boolean;
/** Whether the password did not change between its check and the end of the login. */
let unchanged: boolean;
let isNewDevice: boolean;
let emails: FakeEmails;
let passwordChangedAt: Date | null;
let hasSecondFactor: boolean;
let spent: string[];
let challenges: Map<string, LoginChallenge & { expiresAt: Date }>;
/** What happens while a code is checked. */
let meanwhile: () => void;
let service: AuthService;

const failure = (code: string): unknown => expect.objectContaining({ code });

function fakes(): ConstructorParameters<typeof AuthService> {
  const users = {
    authenticate: async (_email: string, password: string, count: (history: LoginHistory) => Promise<void>) => {
      await count({ passwordChangedAt, logins: 0, knownDevices: [] });
      return password === 'right' ? { user: USER, passwordChangedAt } : null;
    },
    countLogin: (_person: object, device: object) => {
      expect(device).toEqual(KNOWN);
      return Promise.resolve(unchanged ? (isNewDevice ? 'new_device' : 'known_device') : null);
    },
    get: () => Promise.resolve(USER),
  } as unknown as UsersService;
  const sessions = {
    open: (userId: string, device: string | null, transaction: unknown) => {
      expect(transaction).toBe(TRANSACTION);
      opened.push(`${userId} on ${device ?? 'nothing'}`);
      return Promise.resolve({ session: SESSION, refreshToken: 'shr_1' });
    },
    tokensOf: ({ refreshToken }: OpenedSession) =>
      Promise.resolve({ accessToken: 'access', refreshToken, expiresIn: 900 }),
  } as unknown as SessionsService;
  const secondFactor = {
    statusOf: () => Promise.resolve({ enabled: hasSecondFactor, recoveryCodesLeft: 10 }),
    check: (_userId: string, code: string) => {
      meanwhile();
      return code === '123456' ? Promise.resolve(code) : Promise.reject(new AppError('second_factor_code_invalid'));
    },
    spend: (code: string, user: unknown, transaction: unknown) => {
      expect([user, transaction]).toEqual([USER, TRANSACTION]);
      if (spent.includes(code)) return Promise.reject(new AppError('second_factor_code_invalid'));
      spent.push(code);
      return Promise.resolve();
    },
  } as unknown as SecondFactorService;
  const waiting: Pick<LoginChallengesRepository, keyof LoginChallengesRepository> = {
    insert: (userId, { tokenHash, ...values }) => {
      const challenge = { userId, ...values };
      challenges.set(tokenHash, challenge);
      return Promise.resolve(challenge);
    },
    findLive: (hash, now) => {
      const found = challenges.get(hash);
      return Promise.resolve(found !== undefined && found.expiresAt > now ? found : null);
    },
    use: (hash) => Promise.resolve(challenges.delete(hash)),
  };
  const attempts = {
    known: ({ name, address }: ClientDevice) => ({ network: `network of ${address ?? ''}`, device: name }),
    count: (email: string, history: LoginHistory | null, { network }: { network: string }) => {
      counted.push(`${email} ${history?.passwordChangedAt?.getTime() ?? 'never'} ${network}`);
      return limited ? Promise.reject(new AppError('rate_limited')) : Promise.resolve();
    },
  } as unknown as LoginAttemptsService;
  const challengesRepository = waiting as LoginChallengesRepository;
  return [users, sessions, secondFactor, challengesRepository, attempts, emails.asService, directTransactions];
}

beforeEach(() => {
  [opened, counted, spent, challenges] = [[], [], [], new Map()];
  meanwhile = () => undefined;
  [limited, unchanged, hasSecondFactor, passwordChangedAt] = [false, true, false, null];
  [isNewDevice, emails] = [false, new FakeEmails()];
  service = new AuthService(...fakes());
});

describe('logging in', () => {
  it('opens a session with the name of the device', async () => {
    expect(await service.login(USER.email, 'right', FIREFOX)).toEqual(SIGNED_IN);
    expect(opened).toEqual(['user-1 on Firefox']);
  });

  it('counts the attempt before it checks the password, and opens no session for a wrong one', async () => {
    const wrong = service.login(USER.email, 'wrong', FIREFOX);
    await expect(wrong).rejects.toEqual(failure('credentials_wrong'));
    expect(counted).toEqual([`${USER.email} never ${KNOWN.network}`]);
    limited = true;
    await expect(service.login(USER.email, 'right', FIREFOX)).rejects.toEqual(failure('rate_limited'));
    expect(opened).toEqual([]);
  });

  it('sends an email about a login from a new device only, in the language of the account', async () => {
    await service.login(USER.email, 'right', FIREFOX);
    expect(emails.sent).toEqual([]);
    isNewDevice = true;
    await service.login(USER.email, 'right', FIREFOX);
    expect(emails.sent).toMatchObject([{ to: USER.email, subject: 'Anmeldung mit einem neuen Gerät' }]);
    expect(emails.sent.map(wordsOf)).toEqual([expect.stringMatching(/^Zeit\n\d{4}-.*Z\nGerät\nFirefox$/m)]);
    expect(emails.transactions).toEqual([TRANSACTION]);
  });

  it('opens no session when the password was changed after it was checked', async () => {
    unchanged = false;
    await expect(service.login(USER.email, 'right', FIREFOX)).rejects.toEqual(failure('credentials_wrong'));
    expect(opened).toEqual([]);
  });
});

describe('logging in with a second factor', () => {
  const firstStep = async (): Promise<string> => {
    hasSecondFactor = true;
    return ((await service.login(USER.email, 'right', FIREFOX)) as SecondFactorRequired).token;
  };

  it('opens no session in the first step, and stores only the hash of its token, for 5 minutes', async () => {
    const token = await firstStep();
    expect(token).toMatch(/^shs_[\w-]{43}$/);
    expect([...challenges.keys()]).toEqual([sha256(token)]);
    expect((Number([...challenges.values()][0]?.expiresAt) - Date.now()) / 60_000).toBeCloseTo(5, 1);
    expect(opened).toEqual([]);
  });

  it('opens a session in the second step, once per token', async () => {
    const token = await firstStep();
    expect(await service.completeLogin(token, '123456', FIREFOX)).toEqual(SIGNED_IN);
    expect(opened).toEqual(['user-1 on Firefox']);
    spent = [];
    const again = service.completeLogin(token, '123456', FIREFOX);
    await expect(again).rejects.toEqual(failure('second_factor_token_invalid'));
    expect(opened).toHaveLength(1);
  });

  it('keeps the token after a wrong code, and rejects a used code in another login', async () => {
    const token = await firstStep();
    const wrong = service.completeLogin(token, '000000', FIREFOX);
    await expect(wrong).rejects.toEqual(failure('second_factor_code_invalid'));
    await service.completeLogin(token, '123456', FIREFOX);
    const other = service.completeLogin(await firstStep(), '123456', FIREFOX);
    await expect(other).rejects.toEqual(failure('second_factor_code_invalid'));
    expect(opened).toHaveLength(1);
  });

  it('opens one session when two requests use the token at once', async () => {
    const token = await firstStep();
    meanwhile = () => challenges.clear();
    const second = service.completeLogin(token, '123456', FIREFOX);
    await expect(second).rejects.toEqual(failure('second_factor_token_invalid'));
    expect([spent, opened]).toEqual([[], []]);
  });

  it('rejects an unknown token, an expired one, and any token after a password change', async () => {
    const token = await firstStep();
    const invalid = failure('second_factor_token_invalid');
    await expect(service.completeLogin('shs_unknown', '123456', FIREFOX)).rejects.toEqual(invalid);
    unchanged = false;
    await expect(service.completeLogin(token, '123456', FIREFOX)).rejects.toEqual(invalid);
    for (const challenge of challenges.values()) challenge.expiresAt = new Date(Date.now() - 1);
    await expect(service.completeLogin(token, '123456', FIREFOX)).rejects.toEqual(invalid);
    expect(opened).toEqual([]);
  });
});
