import { beforeEach, describe, expect, it } from '@jest/globals';
import { AppError } from '../common/errors/app-error.js';
import { type RateLimiter } from '../common/throttling/rate-limiter.js';
import { type Transaction, type Transactions } from '../database/transactions.js';
import { type UsersService } from '../users/users.service.js';
import { AuthService } from './auth.service.js';
import { type OpenedSession, type SessionsService } from './sessions.service.js';

const USER = { id: 'user-1', email: 'robin@example.com', name: 'Robin', createdAt: new Date(0) };

let opened: string[];
let counted: string[];
let limited: boolean;
/** Whether the password is the same at the end of a login as it was when it was checked. */
let unchanged: boolean;
let service: AuthService;

beforeEach(() => {
  opened = [];
  counted = [];
  limited = false;
  unchanged = true;
  const users = {
    register: () => Promise.resolve(USER),
    authenticate: (_email: string, password: string) =>
      Promise.resolve(password === 'right' ? { user: USER, passwordChangedAt: null } : null),
    countLogin: () => Promise.resolve(unchanged),
  } as unknown as UsersService;
  const sessions = {
    open: (userId: string, device: string | null) => {
      opened.push(`${userId} on ${device ?? 'nothing'}`);
      return Promise.resolve({ refreshToken: 'shr_1' });
    },
    tokensOf: ({ refreshToken }: OpenedSession) =>
      Promise.resolve({ accessToken: 'access', refreshToken, expiresIn: 900 }),
  } as unknown as SessionsService;
  const limiter = {
    consume: (name: string, subject: string) => {
      counted.push(`${name} ${subject}`);
      return limited ? Promise.reject(new AppError('rate_limited')) : Promise.resolve();
    },
  } as unknown as RateLimiter;
  const transactions = {
    run: (work: (transaction: Transaction) => Promise<unknown>) => work({} as Transaction),
  } as unknown as Transactions;
  service = new AuthService(users, sessions, limiter, transactions);
});

describe('logging in', () => {
  it('opens a session of the device', async () => {
    const tokens = { accessToken: 'access', refreshToken: 'shr_1', expiresIn: 900 };
    expect(await service.login(USER.email, 'right', 'Firefox')).toEqual({ user: USER, tokens });
    expect(opened).toEqual(['user-1 on Firefox']);
  });

  it('counts the account before it looks at the password, and opens nothing on a wrong one', async () => {
    const wrong = service.login(USER.email, 'wrong', null);
    await expect(wrong).rejects.toMatchObject({ code: 'credentials_wrong' });
    expect(counted).toEqual([`loginAccount ${USER.email}`]);
    limited = true;
    await expect(service.login(USER.email, 'right', null)).rejects.toMatchObject({ code: 'rate_limited' });
    expect(opened).toEqual([]);
  });

  it('opens nothing when the password was changed while it was checked', async () => {
    unchanged = false;
    await expect(service.login(USER.email, 'right', null)).rejects.toMatchObject({ code: 'credentials_wrong' });
    expect(opened).toEqual([]);
  });
});
