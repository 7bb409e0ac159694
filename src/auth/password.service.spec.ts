import { beforeEach, describe, expect, it } from '@jest/globals';
import { type AuthContext } from '../common/auth/auth-context.js';
import { sha256 } from '../common/crypto/keyed-hash.js';
import { AppError } from '../common/errors/app-error.js';
import { type RateLimiter } from '../common/throttling/rate-limiter.js';
import { type Transaction, type Transactions } from '../database/transactions.js';
import { type Mail, type MailService } from '../mail/mail.service.js';
import { type SecondFactorService } from '../second-factor/second-factor.service.js';
import { type UsersService } from '../users/users.service.js';
import { PasswordService } from './password.service.js';
import { type PasswordResetsRepository } from './password-resets.repository.js';
import { type OpenedSession, type SessionsService } from './sessions.service.js';

const USER = { id: 'robin', email: 'robin@example.com', name: 'Robin', createdAt: new Date(0) };
const AUTH: AuthContext = { principal: 'user:robin', kind: 'user', userId: 'robin', credentialId: 'session-1' };

const TOKENS = { accessToken: 'access', refreshToken: 'shr_1', expiresIn: 900 };

let password: string;
/** Whether the address was shown to be the person's before. */
let proven: boolean;
let hasSecondFactor: boolean;
let reset: { userId: string; tokenHash: string; expiresAt: Date } | null;
let sessions: string[];
let mails: Mail[];
let background: Promise<void>[];
let limited: boolean;
let hashed: number;
let users: Record<string, unknown>;
let service: PasswordService;

beforeEach(() => {
  [password, reset, limited, hashed] = ['old password', null, false, 0];
  [proven, hasSecondFactor] = [false, false];
  [sessions, mails, background] = [[], [], []];
  users = {
    confirmPassword: (_id: string, given: string) =>
      given === password
        ? Promise.resolve({ user: USER, passwordChangedAt: null })
        : Promise.reject(new AppError('password_wrong')),
    hashPassword: (given: string) => {
      hashed++;
      return Promise.resolve(`hash of ${given}`);
    },
    setPassword: (_id: string, hash: string) => {
      password = hash.replace('hash of ', '');
      return Promise.resolve(true);
    },
    proveEmail: () => {
      const first = !proven;
      proven = true;
      return Promise.resolve(first);
    },
    findByEmail: (email: string) => Promise.resolve(email === USER.email ? USER : null),
    findById: () => Promise.resolve(USER),
  };
  const resets: Pick<PasswordResetsRepository, keyof PasswordResetsRepository> = {
    replace: (userId, tokenHash, expiresAt) => {
      reset = { userId, tokenHash, expiresAt };
      return Promise.resolve();
    },
    isLive: (tokenHash, now) => Promise.resolve(reset?.tokenHash === tokenHash && reset.expiresAt > now),
    use: (tokenHash, now) => {
      const used = reset?.tokenHash === tokenHash && reset.expiresAt > now ? reset.userId : null;
      if (used !== null) reset = null;
      return Promise.resolve(used);
    },
    removeOf: () => {
      reset = null;
      return Promise.resolve();
    },
  };
  service = new PasswordService(
    users as unknown as UsersService,
    {
      endAll: (userId: string) => {
        sessions.push(`all of ${userId} ended`);
        return Promise.resolve(2);
      },
      open: (userId: string, device: string | null) => {
        sessions.push(`one of ${userId} opened on ${device ?? 'nothing'}`);
        return Promise.resolve({ session: {}, refreshToken: 'shr_1' });
      },
      tokensOf: ({ refreshToken }: OpenedSession) => Promise.resolve({ ...TOKENS, refreshToken }),
    } as unknown as SessionsService,
    resets as PasswordResetsRepository,
    {
      remove: () => {
        const was = hasSecondFactor;
        hasSecondFactor = false;
        return Promise.resolve(was);
      },
    } as unknown as SecondFactorService,
    {
      post: (mail: Mail) => void mails.push(mail),
      inBackground: (work: () => Promise<void>) => void background.push(work()),
    } as unknown as MailService,
    {
      consume: () => (limited ? Promise.reject(new AppError('rate_limited')) : Promise.resolve()),
    } as unknown as RateLimiter,
    {
      run: (work: (transaction: Transaction) => Promise<unknown>) => work({} as Transaction),
    } as unknown as Transactions,
  );
});

async function mailedToken(): Promise<string> {
  await service.forgot(USER.email);
  await Promise.all(background);
  return /shw_[\w-]{43}/.exec(mails.at(-1)?.text ?? '')?.[0] ?? '';
}
const invalid = expect.objectContaining({ code: 'reset_token_invalid' });

describe('changing a password', () => {
  const change = (currentPassword: string): ReturnType<PasswordService['change']> =>
    service.change(AUTH, { currentPassword, newPassword: 'new password' }, 'Firefox');

  it('needs the current one, ends all sessions, opens one, ends a mailed token, and tells by mail', async () => {
    await mailedToken();
    expect(await change('old password')).toEqual({ user: USER, tokens: TOKENS, sessionsEnded: 2 });
    expect({ password, reset, sessions }).toEqual({
      password: 'new password',
      reset: null,
      sessions: ['all of robin ended', 'one of robin opened on Firefox'],
    });
    expect(mails.at(-1)).toMatchObject({ to: USER.email, subject: 'Your password was changed' });
  });

  it('changes nothing with a wrong one, and does not even hash the new one', async () => {
    await expect(change('wrong')).rejects.toMatchObject({ code: 'password_wrong' });
    expect({ password, sessions, mails, hashed }).toEqual({
      password: 'old password',
      sessions: [],
      mails: [],
      hashed: 0,
    });
  });

  it('loses against another change at the same time', async () => {
    users['setPassword'] = () => Promise.resolve(false);
    await expect(change('old password')).rejects.toMatchObject({ code: 'password_wrong' });
    expect({ sessions, mails }).toEqual({ sessions: [], mails: [] });
  });
});

describe('forgetting a password', () => {
  it('mails a token of 60 minutes and keeps its hash; a new one replaces the old', async () => {
    const first = await mailedToken();
    const second = await mailedToken();
    expect(reset).toEqual({ userId: 'robin', tokenHash: sha256(second), expiresAt: expect.any(Date) });
    expect((Number(reset?.expiresAt) - Date.now()) / 60_000).toBeCloseTo(60, 1);
    await expect(service.reset(first, 'new password')).rejects.toEqual(invalid);
  });

  it('answers before anybody has looked for the address: time tells nothing', async () => {
    users['findByEmail'] = () => new Promise(() => undefined);
    await expect(service.forgot(USER.email)).resolves.toBeUndefined();
  });

  it('mails nothing to an unknown address', async () => {
    await service.forgot('nobody@example.com');
    await Promise.all(background);
    expect({ mails, reset }).toEqual({ mails: [], reset: null });
  });

  it('is counted before anything else', async () => {
    limited = true;
    await expect(service.forgot(USER.email)).rejects.toMatchObject({ code: 'rate_limited' });
    expect(background).toEqual([]);
  });
});

describe('resetting a password', () => {
  it('works once, ends all sessions and tells by mail', async () => {
    const token = await mailedToken();
    expect(await service.reset(token, 'new password')).toBe(2);
    await Promise.all(background);
    expect({ password, sessions }).toEqual({ password: 'new password', sessions: ['all of robin ended'] });
    expect(mails.at(-1)).toMatchObject({ to: USER.email, subject: 'Your password was changed' });
    await expect(service.reset(token, 'third password')).rejects.toEqual(invalid);
    expect(password).toBe('new password');
  });

  const SUBJECT = 'The second factor of your account was removed';
  const resetAgain = async (): Promise<string[]> => {
    const before = mails.length + 1;
    await service.reset(await mailedToken(), 'new password');
    await Promise.all(background);
    return mails.slice(before).map(({ subject }) => subject);
  };

  it('removes the second factor at the first sign whose the address is, and tells so; later it leaves it on', async () => {
    hasSecondFactor = true;
    expect(await resetAgain()).toEqual(['Your password was changed', SUBJECT]);
    expect(hasSecondFactor).toBe(false);
    hasSecondFactor = true;
    expect(await resetAgain()).toEqual(['Your password was changed']);
    expect(hasSecondFactor).toBe(true);
  });

  it('tells of no second factor where there was none', async () => {
    expect(await resetAgain()).toEqual(['Your password was changed']);
  });

  it('hashes nothing for a token that is unknown or over', async () => {
    const token = await mailedToken();
    reset = reset && { ...reset, expiresAt: new Date(Date.now() - 1) };
    for (const dead of [token, 'shw_unknown']) await expect(service.reset(dead, 'new')).rejects.toEqual(invalid);
    expect(hashed).toBe(0);
  });
});
