import { beforeEach, describe, expect, it } from '@jest/globals';
import { FakeEmails, TRANSACTION, undoingTransactions } from '../../../test/support/fakes.js';
import { sha256 } from '../../lib/crypto/keyed-hash.js';
import { type KeyRevocationsService } from '../api-keys/key-revocations.service.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { type SecondFactorService } from '../../accounts/second-factor/second-factor.service.js';
import { type UsersService } from '../../accounts/users/users.service.js';
import { type UsedTokensService } from '../used-tokens/used-tokens.service.js';
import { type PasswordResetsRepository } from './password-resets.repository.js';
import { PasswordResetsService } from './password-resets.service.js';
import { type SessionsService } from './sessions.service.js';

const USER = { id: 'robin', email: 'robin@example.com', name: 'Robin', language: 'en', createdAt: new Date(0) };

let password: string;
/** Whether the address was verified before. */
let proven: boolean;
let isSetupPending: boolean;
let reset: { userId: string; tokenHash: string; expiresAt: Date } | null;
let sessions: string[];
let emails: FakeEmails;
/** Of which people the API keys were revoked. */
let keysRevoked: [userId: string, transaction: Transaction][];
/** Whether ending sessions fails. */
let faulty: boolean;
let hashed: number;
let users: Record<string, unknown>;
/** What was sent with which token. */
let used: Map<string, string>;
let service: PasswordResetsService;

beforeEach(() => {
  [password, reset, hashed, keysRevoked] = ['old password', null, 0, []];
  [proven, isSetupPending, faulty] = [false, false, false];
  [sessions, emails, used] = [[], new FakeEmails(), new Map()];
  users = {
    hashPassword: (given: string) => {
      hashed++;
      return Promise.resolve(`hash of ${given}`);
    },
    resetPassword: (_id: string, hash: string) => {
      password = hash.replace('hash of ', '');
      return Promise.resolve();
    },
    proveEmail: () => {
      proven = true;
      return Promise.resolve();
    },
    get: () => Promise.resolve(USER),
    findById: (id: string) => Promise.resolve(id === USER.id ? USER : null),
    hasPassword: () => Promise.resolve(password !== ''),
  };
  const resets: Pick<PasswordResetsRepository, keyof PasswordResetsRepository> = {
    replace: (userId, tokenHash, expiresAt) => {
      reset = { userId, tokenHash, expiresAt };
      return Promise.resolve();
    },
    findLive: (tokenHash, now) =>
      Promise.resolve(reset?.tokenHash === tokenHash && reset.expiresAt > now ? reset.userId : null),
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
  const transactions = undoingTransactions(() => {
    const before = { password, proven, isSetupPending, reset, sessions: [...sessions] };
    return () => void ({ password, proven, isSetupPending, reset, sessions } = before);
  });
  service = new PasswordResetsService(
    users as unknown as UsersService,
    {
      endAll: (userId: string) => {
        if (faulty) return Promise.reject(new Error('the store is full'));
        sessions.push(`all of ${userId} ended`);
        return Promise.resolve(2);
      },
    } as unknown as SessionsService,
    resets as PasswordResetsRepository,
    {
      cancelSetup: () => {
        isSetupPending = false;
        return Promise.resolve();
      },
    } as unknown as SecondFactorService,
    {
      revokeEverywhere: (userId: string, transaction: Transaction) => {
        keysRevoked.push([userId, transaction]);
        return Promise.resolve(3);
      },
    } as unknown as KeyRevocationsService,
    emails.asService,
    {
      use: (
        token: string,
        content: readonly string[],
        work: (transaction: Transaction) => Promise<[{ userId: string }, unknown]>,
      ) =>
        transactions.run(async (transaction) => {
          const [{ userId }, result] = await work(transaction);
          used.set([token, ...content].join(), userId);
          return result;
        }),
      find: (token: string, content: readonly string[]) => {
        const userId = used.get([token, ...content].join());
        return Promise.resolve(userId === undefined ? null : { userId, shopId: null });
      },
    } as unknown as UsedTokensService,
  );
});

/** A token that was sent by email. */
function aToken(): string {
  reset = { userId: USER.id, tokenHash: sha256('shw_token'), expiresAt: new Date(Date.now() + 60_000) };
  return 'shw_token';
}
const invalid = expect.objectContaining({ code: 'reset_token_invalid' });

describe('resetting a password', () => {
  it('resets a password once, ends all sessions and sends an email', async () => {
    const token = aToken();
    expect(await service.reset(token, 'new password', false)).toEqual({ sessionsEnded: 2, apiKeysRevoked: 0 });
    expect({ password, sessions }).toEqual({ password: 'new password', sessions: ['all of robin ended'] });
    expect(emails.sent.at(-1)).toMatchObject({ to: USER.email, subject: 'Your password was changed' });
    await expect(service.reset(token, 'third password', false)).rejects.toEqual(invalid);
    expect(password).toBe('new password');
  });

  it("revokes the person's API keys only on request, in the same transaction", async () => {
    await service.reset(aToken(), 'new password', false);
    expect(keysRevoked).toEqual([]);
    expect(await service.reset(aToken(), 'newer password', true)).toEqual({ sessionsEnded: 2, apiKeysRevoked: 3 });
    expect(keysRevoked).toEqual([[USER.id, TRANSACTION]]);
  });

  it('proves the address and ends a setup of a second factor, and sends one email', async () => {
    isSetupPending = true;
    await service.reset(aToken(), 'new password', false);
    expect({ proven, isSetupPending }).toEqual({ proven: true, isSetupPending: false });
    expect(emails.sent.map(({ subject }) => subject)).toEqual(['Your password was changed']);
  });

  it('changes nothing when ending the sessions fails: the same token works again', async () => {
    isSetupPending = true;
    const token = aToken();
    faulty = true;
    await expect(service.reset(token, 'new password', false)).rejects.toThrow('the store is full');
    expect({ password, proven, isSetupPending, sessions }).toEqual({
      password: 'old password',
      proven: false,
      isSetupPending: true,
      sessions: [],
    });
    faulty = false;
    expect(await service.reset(token, 'new password', false)).toEqual({ sessionsEnded: 2, apiKeysRevoked: 0 });
  });

  it('changes nothing when another request uses the token at the same time', async () => {
    const token = aToken();
    users['hashPassword'] = () => {
      reset = null;
      return Promise.resolve('hash of new password');
    };
    await expect(service.reset(token, 'new password', false)).rejects.toEqual(invalid);
    expect({ password, proven, sessions }).toEqual({ password: 'old password', proven: false, sessions: [] });
  });

  it('hashes no password for an unknown or expired token', async () => {
    const token = aToken();
    reset = reset && { ...reset, expiresAt: new Date(Date.now() - 1) };
    for (const dead of [token, 'shw_unknown']) await expect(service.reset(dead, 'new', false)).rejects.toEqual(invalid);
    expect(hashed).toBe(0);
  });

  it('welcomes a person with the first password: the page is another one, and the email too', async () => {
    const token = aToken();
    expect(await service.find(token)).toEqual({ email: USER.email, isFirst: false });
    password = '';
    expect(await service.find(token)).toEqual({ email: USER.email, isFirst: true });
    await service.reset(token, 'first password', false);
    expect(emails.sent.map(({ subject }) => subject)).toEqual(['Your account is ready']);
    expect(await service.find(token)).toBeNull();
  });

  it('remembers whose password was set with a token, and the choice about API keys', async () => {
    const token = aToken();
    await service.reset(token, 'new password', true);
    expect(await service.lastUse(token, true)).toBe(USER.id);
    expect(await service.lastUse(token, false)).toBeNull();
    expect(await service.lastUse('shw_other', true)).toBeNull();
  });
});
