import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { TOTP } from 'otpauth';
import { FakeEmails, undoingTransactions, wordsOf } from '../../../test/support/fakes.js';
import { userWith } from '../../../test/support/members.js';
import { FakeSecondFactors } from '../../../test/support/second-factors.js';
import { type AuthContext } from '../../domain/principal/auth-context.js';
import { AppError } from '../../domain/errors/app-error.js';
import { type RateLimiter } from '../../http/throttling/rate-limiter.js';
import { type AppConfig } from '../../infrastructure/config/app-config.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { type Email } from '../../events/mail/email.types.js';
import { type User } from '../users/user.types.js';
import { type UsersService } from '../users/users.service.js';
import { SecondFactorCodesService } from './second-factor-codes.service.js';
import { SecondFactorService } from './second-factor.service.js';
import { type SecondFactorsRepository } from './second-factors.repository.js';

const USER: User = userWith({ id: 'robin', email: 'robin@example.com', name: 'Robin' });
const AUTH: AuthContext = { principal: 'user:robin', kind: 'user', userId: 'robin', credentialId: 'session-1' };
const TRANSACTION = {} as Transaction;

let repository: FakeSecondFactors;
let emails: FakeEmails;
let attempts: number;
let limited: boolean;
let isEmailProven: boolean;
let service: SecondFactorService;

function serviceWith(encryptionKey: Buffer): SecondFactorService {
  const limiter = {
    consume: (name: string, subject: string) => {
      expect([name, subject]).toEqual(name === 'addressProof' ? [name, USER.email] : ['secondFactor', 'robin']);
      if (name === 'secondFactor') attempts++;
      return limited ? Promise.reject(new AppError('rate_limited')) : Promise.resolve();
    },
  } as unknown as RateLimiter;
  const config = { encryptionKey } as AppConfig;
  const users = {
    confirmPassword: (_id: string, password: string) =>
      password === 'right'
        ? Promise.resolve({ user: { ...USER, isEmailProven } })
        : Promise.reject(new AppError('password_wrong')),
    get: () => Promise.resolve(USER),
    proveEmail: () => Promise.resolve(void (isEmailProven = true)),
  } as unknown as UsersService;
  const factors = repository as unknown as SecondFactorsRepository;
  const codes = new SecondFactorCodesService(factors, limiter, config);
  const transactions = undoingTransactions(() => repository.save());
  return new SecondFactorService(factors, codes, users, emails.asService, limiter, transactions);
}

// A code is valid for 30 s. The clock stands still, so that no code expires during a test.
beforeAll(() => {
  jest.useFakeTimers({ now: Date.UTC(2026, 10, 21, 12) });
});
afterAll(() => {
  jest.useRealTimers();
});
beforeEach(() => {
  repository = new FakeSecondFactors();
  [emails, attempts, limited, isEmailProven] = [new FakeEmails(), 0, false, true];
  service = serviceWith(Buffer.alloc(32, 1));
});

/** The code that an app shows this many steps from now. */
const codeOf = (secret: string, steps = 0): string =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 });
const failure = (code: string): unknown => expect.objectContaining({ code });
const INVALID = failure('second_factor_code_invalid');

async function enabled(): Promise<{ secret: string; recoveryCodes: readonly string[] }> {
  const { secret } = await service.setUp(AUTH, 'right');
  const recoveryCodes = await service.confirm(AUTH, codeOf(secret, -1), null);
  return { secret, recoveryCodes };
}

describe('setting up', () => {
  it('requires the password for a setup, shows the secret once and stores it encrypted', async () => {
    await expect(service.setUp(AUTH, 'wrong')).rejects.toEqual(failure('password_wrong'));
    expect(repository.stored).toBeNull();
    const { secret, uri, expiresAt } = await service.setUp(AUTH, 'right');
    expect(uri).toContain(`secret=${secret}`);
    expect((expiresAt.getTime() - Date.now()) / 60_000).toBeCloseTo(60, 1);
    expect(JSON.stringify(repository.stored)).not.toContain(secret);
    expect(await service.statusOf('robin')).toEqual({ enabled: false, recoveryCodesLeft: 0 });
  });

  it('rejects a setup while the second factor is on', async () => {
    await enabled();
    await expect(service.setUp(AUTH, 'right')).rejects.toEqual(failure('second_factor_on'));
  });
});

describe('confirming', () => {
  it('switches the second factor on with the first code, stores only hashes of the recovery codes, and sends an email', async () => {
    const { recoveryCodes } = await enabled();
    expect(recoveryCodes).toHaveLength(10);
    for (const code of recoveryCodes) expect(JSON.stringify(repository.stored)).not.toContain(code.replace('-', ''));
    expect(await service.statusOf('robin')).toEqual({ enabled: true, recoveryCodesLeft: 10 });
    expect(emails.sent).toEqual([expect.objectContaining({ subject: 'Two-factor login is on' })]);
  });

  it('rejects a wrong code and a recovery code, and keeps waiting for the right one', async () => {
    const { secret } = await service.setUp(AUTH, 'right');
    for (const code of ['000000', codeOf(secret, 5), 'abcde-fghjk', 'x']) {
      await expect(service.confirm(AUTH, code, null)).rejects.toEqual(INVALID);
    }
    expect(attempts).toBe(4);
    expect(await service.confirm(AUTH, codeOf(secret), null)).toHaveLength(10);
  });

  it('fails without a setup, after the setup has expired, and a second time', async () => {
    await expect(service.confirm(AUTH, '123456', null)).rejects.toMatchObject({
      code: 'second_factor_off',
      message: 'Start the setup of a second factor before you confirm it',
    });
    const { secret } = await service.setUp(AUTH, 'right');
    if (repository.stored) repository.stored.pendingUntil = new Date(Date.now() - 1);
    await expect(service.confirm(AUTH, codeOf(secret), null)).rejects.toEqual(failure('second_factor_off'));
    const again = await enabled();
    await expect(service.confirm(AUTH, codeOf(again.secret), null)).rejects.toEqual(failure('second_factor_on'));
  });
});

describe('an address that is not proven', () => {
  beforeEach(() => {
    isEmailProven = false;
  });

  /** The code of the latest email. */
  const mailedCode = (): string => /^\d{8}$/m.exec(wordsOf(emails.sent.at(-1) as Email))?.[0] ?? '';

  it('gets a code at the setup, which is stored only as a hash and switches the second factor on together with that of the app', async () => {
    const { secret, emailCodeSent } = await service.setUp(AUTH, 'right');
    expect(emailCodeSent).toBe(true);
    expect(emails.sent).toEqual([expect.objectContaining({ to: USER.email, isAwaited: true })]);
    const code = mailedCode();
    expect(JSON.stringify(repository.stored)).not.toContain(code);
    expect(await service.confirm(AUTH, codeOf(secret), code)).toHaveLength(10);
    expect(isEmailProven).toBe(true);
    expect(repository.stored?.emailCodeHash).toBeNull();
  });

  it('rejects a confirmation without the code from the email, which counts as no attempt, and with a wrong or an earlier one', async () => {
    await service.setUp(AUTH, 'right');
    const earlier = mailedCode();
    const { secret } = await service.setUp(AUTH, 'right');
    await expect(service.confirm(AUTH, codeOf(secret), null)).rejects.toMatchObject({
      code: 'validation_failed',
      message: 'emailCode is required: the code that was sent to the email address of the account',
    });
    expect(attempts).toBe(0);
    for (const wrong of ['00000000', '', earlier]) {
      await expect(service.confirm(AUTH, codeOf(secret), wrong)).rejects.toEqual(failure('verification_code_invalid'));
    }
    await expect(service.confirm(AUTH, '000000', mailedCode())).rejects.toEqual(INVALID);
    expect(attempts).toBe(4);
    expect([isEmailProven, (await service.statusOf('robin')).enabled]).toEqual([false, false]);
  });

  it('gets a limited number of codes, and none without emails', async () => {
    limited = true;
    await expect(service.setUp(AUTH, 'right')).rejects.toEqual(failure('rate_limited'));
    limited = false;
    emails.areOff = true;
    await expect(service.setUp(AUTH, 'right')).rejects.toMatchObject({
      code: 'emails_off',
      message: expect.stringContaining('request a link from its operator that sets your password'),
    });
    expect([emails.sent, repository.stored]).toEqual([[], null]);
  });

  it('needs no code when the address was proven before the setup, also without emails', async () => {
    [isEmailProven, emails.areOff] = [true, true];
    const { secret, emailCodeSent } = await service.setUp(AUTH, 'right');
    expect([emailCodeSent, emails.sent]).toEqual([false, []]);
    expect(await service.confirm(AUTH, codeOf(secret), null)).toHaveLength(10);
  });
});

describe('two confirmations at once', () => {
  it('switches the second factor on once for two confirmations at once: one of them fails with state_conflict', async () => {
    const { secret } = await service.setUp(AUTH, 'right');
    const both = await Promise.allSettled([1, 2].map(() => service.confirm(AUTH, codeOf(secret), null)));
    expect(both).toEqual([
      expect.objectContaining({ status: 'fulfilled' }),
      expect.objectContaining({ reason: failure('state_conflict') }),
    ]);
    expect(emails.sent).toHaveLength(1);
  });
});

describe('a code of the app', () => {
  it('sends no email about a login with a code of the app', async () => {
    const { secret } = await enabled();
    const before = emails.sent.length;
    await service.spend(await service.check('robin', codeOf(secret)), USER, TRANSACTION);
    expect(emails.sent).toHaveLength(before);
  });

  it('accepts a code of the app once, and no earlier code after it', async () => {
    const { secret } = await enabled();
    const code = codeOf(secret, 1);
    const checked = await service.check('robin', code);
    await service.spend(checked, USER, TRANSACTION);
    await expect(service.spend(checked, USER, TRANSACTION)).rejects.toEqual(INVALID);
    await expect(service.check('robin', code)).rejects.toEqual(INVALID);
    await expect(service.check('robin', codeOf(secret))).rejects.toEqual(INVALID);
  });

  it('rejects a code of the app for a login after it has switched the second factor on', async () => {
    const { secret } = await enabled();
    await expect(service.check('robin', codeOf(secret, -1))).rejects.toEqual(INVALID);
  });

  it('counts a code of the app before it compares it, right or wrong, for every purpose', async () => {
    const { secret } = await enabled();
    [attempts, limited] = [0, true];
    const uses = [
      () => service.check('robin', codeOf(secret)),
      () => service.disable(AUTH, 'right', codeOf(secret)),
      () => service.renewRecoveryCodes(AUTH, 'right', codeOf(secret)),
    ];
    for (const use of uses) await expect(use()).rejects.toEqual(failure('rate_limited'));
    expect(attempts).toBe(3);
  });

  it('gives a server error, not a wrong code, when the secret was encrypted with another key', async () => {
    const { secret } = await enabled();
    const other = serviceWith(Buffer.alloc(32, 2));
    await expect(other.check('robin', codeOf(secret))).rejects.toEqual(failure('service_unavailable'));
  });

  it('rejects every code of an app without a second factor', async () => {
    await expect(service.check('robin', '123456')).rejects.toEqual(INVALID);
  });
});

describe('a recovery code', () => {
  it('accepts a recovery code once instead of a code, in any spelling, and sends an email about its use', async () => {
    const { recoveryCodes } = await enabled();
    const checked = await service.check('robin', (recoveryCodes[3] ?? '').toUpperCase().replace('-', ' '));
    await service.spend(checked, USER, TRANSACTION);
    expect(emails.sent.slice(-1).map(wordsOf)).toEqual([expect.stringContaining('You have 9 recovery codes left')]);
    expect(emails.transactions.at(-1)).toBe(TRANSACTION);
    const again = await service.check('robin', recoveryCodes[3] ?? '');
    await expect(service.spend(again, USER, TRANSACTION)).rejects.toEqual(INVALID);
  });

  it('rejects an unknown recovery code', async () => {
    await enabled();
    const unknown = await service.check('robin', '00000-00000');
    await expect(service.spend(unknown, USER, TRANSACTION)).rejects.toEqual(INVALID);
  });

  it('rejects the old recovery codes after a renewal, which requires the password and a code', async () => {
    const { secret, recoveryCodes } = await enabled();
    await expect(service.renewRecoveryCodes(AUTH, 'wrong', codeOf(secret))).rejects.toEqual(failure('password_wrong'));
    const renewed = await service.renewRecoveryCodes(AUTH, 'right', codeOf(secret));
    expect(renewed).toHaveLength(10);
    const old = await service.check('robin', recoveryCodes[0] ?? '');
    await expect(service.spend(old, USER, TRANSACTION)).rejects.toEqual(INVALID);
    await service.spend(await service.check('robin', renewed[0] ?? ''), USER, TRANSACTION);
  });
});

describe('renewing the recovery codes', () => {
  it('fails when the second factor was switched off at the same time', async () => {
    const { secret } = await enabled();
    repository.replaceRecoveryCodes = () => Promise.resolve(false);
    await expect(service.renewRecoveryCodes(AUTH, 'right', codeOf(secret))).rejects.toEqual(
      failure('second_factor_off'),
    );
  });

  it('uses no code when storing the new ones fails: the same code works again', async () => {
    const { recoveryCodes } = await enabled();
    const code = recoveryCodes[0] ?? '';
    const before = repository.stored;
    repository.faulty = true;
    await expect(service.renewRecoveryCodes(AUTH, 'right', code)).rejects.toThrow('the store is full');
    expect(repository.stored).toEqual(before);
    repository.faulty = false;
    expect(await service.renewRecoveryCodes(AUTH, 'right', code)).toHaveLength(10);
  });
});

describe('switching off', () => {
  it('requires the password and a code to switch the second factor off, and sends an email', async () => {
    const { recoveryCodes } = await enabled();
    const code = recoveryCodes[0] ?? '';
    await expect(service.disable(AUTH, 'wrong', code)).rejects.toEqual(failure('password_wrong'));
    await expect(service.disable(AUTH, 'right', '000000')).rejects.toEqual(INVALID);
    await service.disable(AUTH, 'right', code);
    expect(await service.statusOf('robin')).toEqual({ enabled: false, recoveryCodesLeft: 0 });
    expect(emails.sent.at(-1)?.subject).toBe('Two-factor login is off');
  });

  it('uses no code when the removal fails: the same code works again', async () => {
    const { secret } = await enabled();
    const before = repository.stored;
    repository.faulty = true;
    await expect(service.disable(AUTH, 'right', codeOf(secret))).rejects.toThrow('the store is full');
    expect(repository.stored).toEqual(before);
    expect(emails.sent).toHaveLength(1);
    repository.faulty = false;
    await service.disable(AUTH, 'right', codeOf(secret));
  });

  it('throws when the second factor is off already', async () => {
    await expect(service.disable(AUTH, 'right', '123456')).rejects.toEqual(failure('second_factor_off'));
    expect(attempts).toBe(0);
  });
});

describe('cancelling a setup', () => {
  it('removes a setup that waits, and keeps a second factor that is on', async () => {
    const { secret } = await service.setUp(AUTH, 'right');
    await service.cancelSetup('robin', TRANSACTION);
    await expect(service.confirm(AUTH, codeOf(secret), null)).rejects.toEqual(failure('second_factor_off'));
    await enabled();
    await service.cancelSetup('robin', TRANSACTION);
    expect(await service.statusOf('robin')).toEqual({ enabled: true, recoveryCodesLeft: 10 });
  });
});
