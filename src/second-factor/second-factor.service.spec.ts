import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { TOTP } from 'otpauth';
import { type AuthContext } from '../common/auth/auth-context.js';
import { AppError } from '../common/errors/app-error.js';
import { type RateLimiter } from '../common/throttling/rate-limiter.js';
import { type AppConfig } from '../config/app-config.js';
import { type Transaction } from '../database/transactions.js';
import { type Mail, type MailService } from '../mail/mail.service.js';
import { type UsersService } from '../users/users.service.js';
import { SecondFactorCodesService } from './second-factor-codes.service.js';
import { SecondFactorService } from './second-factor.service.js';
import { type SecondFactor } from './second-factor.types.js';
import { type SecondFactorsRepository } from './second-factors.repository.js';

const USER = { id: 'robin', email: 'robin@example.com', name: 'Robin', createdAt: new Date(0) };
const AUTH: AuthContext = { principal: 'user:robin', kind: 'user', userId: 'robin', credentialId: 'session-1' };
const TRANSACTION = {} as Transaction;

interface Stored {
  sealedSecret: string;
  enabled: boolean;
  pendingUntil: Date | null;
  lastStep: number;
  hashes: readonly string[];
}

/** The second factor of one person in memory, with the repository's conditions. */
class FakeRepository implements Pick<SecondFactorsRepository, keyof SecondFactorsRepository> {
  stored: Stored | null = null;

  private read(found: boolean): SecondFactor | null {
    if (this.stored === null || !found) return null;
    const { sealedSecret, lastStep, hashes } = this.stored;
    return { userId: 'robin', sealedSecret, lastStep, recoveryCodesLeft: hashes.length };
  }
  private change(when: boolean, change: Partial<Stored>): Promise<boolean> {
    if (this.stored === null || !when) return Promise.resolve(false);
    this.stored = { ...this.stored, ...change };
    return Promise.resolve(true);
  }

  findEnabled(): Promise<SecondFactor | null> {
    return Promise.resolve(this.read(this.stored?.enabled === true));
  }
  findPending(_userId: string, now: Date): Promise<SecondFactor | null> {
    return Promise.resolve(this.read(Number(this.stored?.pendingUntil) > now.getTime()));
  }
  setUp(_userId: string, sealedSecret: string, pendingUntil: Date): Promise<void> {
    this.stored = { sealedSecret, enabled: false, pendingUntil, lastStep: 0, hashes: [] };
    return Promise.resolve();
  }
  enable(pending: SecondFactor, lastStep: number, hashes: readonly string[]): Promise<boolean> {
    const same = this.stored?.sealedSecret === pending.sealedSecret && !this.stored.enabled;
    return this.change(same, { enabled: true, pendingUntil: null, lastStep, hashes });
  }
  spendStep(_userId: string, _sealedSecret: string, step: number): Promise<boolean> {
    return this.change(Number(this.stored?.lastStep) < step, { lastStep: step });
  }
  spendRecoveryCode(_userId: string, hash: string): Promise<boolean> {
    const hashes = this.stored?.hashes ?? [];
    return this.change(hashes.includes(hash), { hashes: hashes.filter((one) => one !== hash) });
  }
  replaceRecoveryCodes(_userId: string, hashes: readonly string[]): Promise<boolean> {
    return this.change(true, { hashes });
  }
  remove(): Promise<void> {
    this.stored = null;
    return Promise.resolve();
  }
  removeAny(): Promise<boolean> {
    const was = this.stored?.enabled === true;
    this.stored = null;
    return Promise.resolve(was);
  }
}

let repository: FakeRepository;
let mails: Mail[];
let background: Promise<void>[];
let tries: number;
let limited: boolean;
let service: SecondFactorService;

function serviceWith(encryptionKey: Buffer): SecondFactorService {
  const limiter = {
    consume: (name: string, subject: string) => {
      expect([name, subject]).toEqual(['secondFactor', 'robin']);
      tries++;
      return limited ? Promise.reject(new AppError('rate_limited')) : Promise.resolve();
    },
  } as unknown as RateLimiter;
  const config = { encryptionKey } as AppConfig;
  const users = {
    confirmPassword: (_id: string, password: string) =>
      password === 'right' ? Promise.resolve({ user: USER }) : Promise.reject(new AppError('password_wrong')),
    get: () => Promise.resolve(USER),
  } as unknown as UsersService;
  const mail = {
    post: (one: Mail) => void mails.push(one),
    inBackground: (work: () => Promise<void>) => void background.push(work()),
  } as unknown as MailService;
  const factors = repository as unknown as SecondFactorsRepository;
  return new SecondFactorService(factors, new SecondFactorCodesService(factors, limiter, config), users, mail);
}

// Codes live 30 s: time stands still, or a test that meets their end would fail.
beforeAll(() => {
  jest.useFakeTimers({ now: Date.UTC(2026, 10, 21, 12) });
});
afterAll(() => {
  jest.useRealTimers();
});
beforeEach(() => {
  repository = new FakeRepository();
  [mails, background, tries, limited] = [[], [], 0, false];
  service = serviceWith(Buffer.alloc(32, 1));
});

/** The code that an app shows so many steps from now. */
const codeOf = (secret: string, steps = 0): string =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 });
const failure = (code: string): unknown => expect.objectContaining({ code });
const INVALID = failure('second_factor_code_invalid');

async function enabled(): Promise<{ secret: string; recoveryCodes: readonly string[] }> {
  const { secret } = await service.setUp(AUTH, 'right');
  const recoveryCodes = await service.confirm(AUTH, codeOf(secret, -1));
  return { secret, recoveryCodes };
}

describe('setting up', () => {
  it('needs the password, shows the secret once and keeps it encrypted', async () => {
    await expect(service.setUp(AUTH, 'wrong')).rejects.toEqual(failure('password_wrong'));
    expect(repository.stored).toBeNull();
    const { secret, uri, expiresAt } = await service.setUp(AUTH, 'right');
    expect(uri).toContain(`secret=${secret}`);
    expect((expiresAt.getTime() - Date.now()) / 60_000).toBeCloseTo(60, 1);
    expect(JSON.stringify(repository.stored)).not.toContain(secret);
    expect(await service.statusOf('robin')).toEqual({ enabled: false, recoveryCodesLeft: 0 });
  });

  it('is refused while one is on', async () => {
    await enabled();
    await expect(service.setUp(AUTH, 'right')).rejects.toEqual(failure('second_factor_on'));
  });
});

describe('confirming', () => {
  it('switches on with the first code, keeps recovery codes as hashes, and tells by mail', async () => {
    const { recoveryCodes } = await enabled();
    expect(recoveryCodes).toHaveLength(10);
    for (const code of recoveryCodes) expect(JSON.stringify(repository.stored)).not.toContain(code.replace('-', ''));
    expect(await service.statusOf('robin')).toEqual({ enabled: true, recoveryCodesLeft: 10 });
    expect(mails).toEqual([expect.objectContaining({ subject: 'A second factor protects your account' })]);
  });

  it('takes no wrong code and no recovery code, and waits on', async () => {
    const { secret } = await service.setUp(AUTH, 'right');
    for (const code of ['000000', codeOf(secret, 5), 'abcde-fghjk', 'x']) {
      await expect(service.confirm(AUTH, code)).rejects.toEqual(INVALID);
    }
    expect(tries).toBe(4);
    expect(await service.confirm(AUTH, codeOf(secret))).toHaveLength(10);
  });

  it('is refused without a setup, with one that is over, and a second time', async () => {
    await expect(service.confirm(AUTH, '123456')).rejects.toEqual(failure('second_factor_off'));
    const { secret } = await service.setUp(AUTH, 'right');
    if (repository.stored) repository.stored.pendingUntil = new Date(Date.now() - 1);
    await expect(service.confirm(AUTH, codeOf(secret))).rejects.toEqual(failure('second_factor_off'));
    const again = await enabled();
    await expect(service.confirm(AUTH, codeOf(again.secret))).rejects.toEqual(failure('second_factor_on'));
  });
});

describe('a code of the app', () => {
  it('works once, and with it every earlier one is over', async () => {
    const { secret } = await enabled();
    const code = codeOf(secret, 1);
    const checked = await service.check('robin', code);
    await service.spend(checked, TRANSACTION);
    await expect(service.spend(checked, TRANSACTION)).rejects.toEqual(INVALID);
    await expect(service.check('robin', code)).rejects.toEqual(INVALID);
    await expect(service.check('robin', codeOf(secret))).rejects.toEqual(INVALID);
  });

  it('does not work for a login when it was the one that switched the factor on', async () => {
    const { secret } = await enabled();
    await expect(service.check('robin', codeOf(secret, -1))).rejects.toEqual(INVALID);
  });

  it('is counted before it is compared, right or wrong, whatever it is for', async () => {
    const { secret } = await enabled();
    [tries, limited] = [0, true];
    const uses = [
      () => service.check('robin', codeOf(secret)),
      () => service.disable(AUTH, 'right', codeOf(secret)),
      () => service.renewRecoveryCodes(AUTH, 'right', codeOf(secret)),
    ];
    for (const use of uses) await expect(use()).rejects.toEqual(failure('rate_limited'));
    expect(tries).toBe(3);
  });

  it('is a failure of ours, not a wrong code, when the secret was sealed with another key', async () => {
    const { secret } = await enabled();
    const other = serviceWith(Buffer.alloc(32, 2));
    await expect(other.check('robin', codeOf(secret))).rejects.toEqual(failure('service_unavailable'));
  });

  it('is never right without a second factor', async () => {
    await expect(service.check('robin', '123456')).rejects.toEqual(INVALID);
  });
});

describe('a recovery code', () => {
  it('works once in place of a code, in any spelling, and its use is told by mail', async () => {
    const { recoveryCodes } = await enabled();
    const checked = await service.check('robin', (recoveryCodes[3] ?? '').toUpperCase().replace('-', ' '));
    await service.spend(checked, TRANSACTION);
    service.announce(checked, USER);
    await Promise.all(background);
    expect(mails.at(-1)?.text).toContain('9 are left');
    const again = await service.check('robin', recoveryCodes[3] ?? '');
    await expect(service.spend(again, TRANSACTION)).rejects.toEqual(INVALID);
  });

  it('is refused when it never was one', async () => {
    await enabled();
    const unknown = await service.check('robin', '00000-00000');
    await expect(service.spend(unknown, TRANSACTION)).rejects.toEqual(INVALID);
  });

  it('is replaced by a renewal, which needs the password and a code', async () => {
    const { secret, recoveryCodes } = await enabled();
    await expect(service.renewRecoveryCodes(AUTH, 'wrong', codeOf(secret))).rejects.toEqual(failure('password_wrong'));
    const renewed = await service.renewRecoveryCodes(AUTH, 'right', codeOf(secret));
    expect(renewed).toHaveLength(10);
    const old = await service.check('robin', recoveryCodes[0] ?? '');
    await expect(service.spend(old, TRANSACTION)).rejects.toEqual(INVALID);
    await service.spend(await service.check('robin', renewed[0] ?? ''), TRANSACTION);
  });
});

describe('switching off', () => {
  it('needs the password and a code or a recovery code, and tells by mail', async () => {
    const { recoveryCodes } = await enabled();
    const code = recoveryCodes[0] ?? '';
    await expect(service.disable(AUTH, 'wrong', code)).rejects.toEqual(failure('password_wrong'));
    await expect(service.disable(AUTH, 'right', '000000')).rejects.toEqual(INVALID);
    await service.disable(AUTH, 'right', code);
    expect(await service.statusOf('robin')).toEqual({ enabled: false, recoveryCodesLeft: 0 });
    expect(mails.at(-1)?.subject).toBe('The second factor of your account was switched off');
  });

  it('is refused when it is off', async () => {
    await expect(service.disable(AUTH, 'right', '123456')).rejects.toEqual(failure('second_factor_off'));
    expect(tries).toBe(0);
  });
});

describe('removing without a proof', () => {
  it('removes an enabled one with its recovery codes, and a setup that waits, and says which it was', async () => {
    const { recoveryCodes } = await enabled();
    expect(await service.remove('robin', TRANSACTION)).toBe(true);
    expect(await service.statusOf('robin')).toEqual({ enabled: false, recoveryCodesLeft: 0 });
    await expect(service.check('robin', recoveryCodes[0] ?? '')).rejects.toEqual(INVALID);
    const { secret } = await service.setUp(AUTH, 'right');
    expect(await service.remove('robin', TRANSACTION)).toBe(false);
    await expect(service.confirm(AUTH, codeOf(secret))).rejects.toEqual(failure('second_factor_off'));
    expect(await service.remove('robin', TRANSACTION)).toBe(false);
  });
});
