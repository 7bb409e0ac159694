import { beforeEach, describe, expect, it } from '@jest/globals';
import { FakeEmails, undoingTransactions } from '../../../test/support/fakes.js';
import { type AuthContext } from '../../domain/principal/auth-context.js';
import { sha256 } from '../../lib/crypto/keyed-hash.js';
import { AppError } from '../../domain/errors/app-error.js';
import { type UsersService } from '../../accounts/users/users.service.js';
import { PasswordService } from './password.service.js';
import { type PasswordResetsRepository } from './password-resets.repository.js';
import { type OpenedSession, type SessionsService } from './sessions.service.js';

const USER = { id: 'robin', email: 'robin@example.com', name: 'Robin', language: 'en', createdAt: new Date(0) };
const AUTH: AuthContext = { principal: 'user:robin', kind: 'user', userId: 'robin', credentialId: 'session-1' };

const TOKENS = { accessToken: 'access', refreshToken: 'shr_1', expiresIn: 900 };

let password: string;
let reset: { userId: string; tokenHash: string; expiresAt: Date } | null;
let sessions: string[];
let emails: FakeEmails;
/** Whether ending sessions fails. */
let faulty: boolean;
let hashed: number;
let users: Record<string, unknown>;
let service: PasswordService;

beforeEach(() => {
  [password, reset, hashed, faulty] = ['old password', null, 0, false];
  [sessions, emails] = [[], new FakeEmails()];
  users = {
    confirmPassword: (_id: string, given: string) =>
      given === password
        ? Promise.resolve({ user: USER, passwordChangedAt: null })
        : Promise.reject(new AppError('password_wrong')),
    hashPassword: (given: string) => {
      hashed++;
      return Promise.resolve(`hash of ${given}`);
    },
    changePassword: (_proven: unknown, hash: string) => {
      password = hash.replace('hash of ', '');
      return Promise.resolve(true);
    },
  };
  const resets: Pick<PasswordResetsRepository, 'removeOf'> = {
    removeOf: () => {
      reset = null;
      return Promise.resolve();
    },
  };
  service = new PasswordService(
    users as unknown as UsersService,
    {
      endAll: (userId: string) => {
        if (faulty) return Promise.reject(new Error('the store is full'));
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
    emails.asService,
    undoingTransactions(() => {
      const before = { password, reset, sessions: [...sessions] };
      return () => void ({ password, reset, sessions } = before);
    }),
  );
});

/** A token that was sent by email. */
function aToken(): string {
  reset = { userId: USER.id, tokenHash: sha256('shw_token'), expiresAt: new Date(Date.now() + 60_000) };
  return 'shw_token';
}

describe('changing a password', () => {
  const change = (currentPassword: string): ReturnType<PasswordService['change']> =>
    service.change(AUTH, { currentPassword, newPassword: 'new password' }, 'Firefox');

  it('requires the current password, ends all sessions, opens a new one, removes a waiting reset token, and sends an email', async () => {
    aToken();
    expect(await change('old password')).toEqual({ user: USER, session: {}, tokens: TOKENS, sessionsEnded: 2 });
    expect({ password, reset, sessions }).toEqual({
      password: 'new password',
      reset: null,
      sessions: ['all of robin ended', 'one of robin opened on Firefox'],
    });
    expect(emails.sent.at(-1)).toMatchObject({ to: USER.email, subject: 'Your password was changed' });
  });

  it('changes nothing with a wrong current password, and does not hash the new one', async () => {
    await expect(change('wrong')).rejects.toMatchObject({ code: 'password_wrong' });
    expect({ password, sessions, mails: emails.sent, hashed }).toEqual({
      password: 'old password',
      sessions: [],
      mails: [],
      hashed: 0,
    });
  });

  it('changes nothing when ending the sessions fails', async () => {
    const token = aToken();
    faulty = true;
    await expect(change('old password')).rejects.toThrow('the store is full');
    expect({ password, sessions, hash: reset?.tokenHash }).toEqual({
      password: 'old password',
      sessions: [],
      hash: sha256(token),
    });
    expect(emails.sent).toEqual([]);
  });

  it('fails when another request has changed the password first', async () => {
    users['changePassword'] = () => Promise.resolve(false);
    await expect(change('old password')).rejects.toMatchObject({ code: 'password_wrong' });
    expect({ sessions, mails: emails.sent }).toEqual({ sessions: [], mails: [] });
  });
});
