import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { TOTP } from 'otpauth';
import { startClock, stopClock } from '../../../test/support/clock.js';
import { type Call, recording, TRANSACTION } from '../../../test/support/fakes.js';
import { AppError } from '../../domain/errors/app-error.js';
import { type RateLimiter } from '../../http/throttling/rate-limiter.js';
import { type AppConfig } from '../../infrastructure/config/app-config.js';
import { SecondFactorCodesService } from './second-factor-codes.service.js';
import { newSecret } from './second-factor-rules.js';
import { type SecondFactor } from './second-factor.types.js';
import { type SecondFactorsRepository } from './second-factors.repository.js';

const USER = '655f1c2ab1e4a9d3f0c81299';
const OTHER = '655f1c2ab1e4a9d3f0c81230';
const FACTOR = '655f1c2ab1e4a9d3f0c81231';
const NOW = new Date('2026-11-21T12:00:00.000Z');
const STEP_MS = 30_000;
const STEP = NOW.getTime() / STEP_MS;
const SECRET = newSecret();
const [A, B] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const INVALID = { code: 'second_factor_code_invalid' };

let calls: Call[];
let factor: SecondFactor | null;
let isLimited: boolean;
let isSpent: boolean;
let service: SecondFactorCodesService;

function serviceWith(encryptionKey: Buffer, previousEncryptionKey: Buffer | null = null): SecondFactorCodesService {
  return new SecondFactorCodesService(
    recording<SecondFactorsRepository>(calls, {
      findEnabled: () => Promise.resolve(factor),
      spendStep: () => Promise.resolve(!isSpent),
      spendRecoveryCode: () => Promise.resolve(!isSpent),
    }),
    recording<RateLimiter>(calls, {
      consume: () => (isLimited ? Promise.reject(new AppError('rate_limited')) : Promise.resolve()),
    }),
    { encryptionKey, previousEncryptionKey } as AppConfig,
  );
}

beforeEach(() => {
  stopClock(NOW);
  calls = [];
  [isLimited, isSpent] = [false, false];
  service = serviceWith(A);
  factor = {
    id: FACTOR,
    userId: USER,
    sealedSecret: service.seal(USER, SECRET),
    sealedRecoveryKey: null,
    emailCodeHash: null,
    lastStep: 0,
    recoveryCodesLeft: 10,
  };
});
afterEach(startClock);

/** The code that an app shows this many time steps from now. */
const codeAt = (steps = 0): string =>
  new TOTP({ secret: SECRET }).generate({ timestamp: NOW.getTime() + steps * STEP_MS });
const enabled = (): SecondFactor => {
  if (factor === null) throw new Error('the second factor is off');
  return factor;
};

describe('check', () => {
  it('counts the attempt of the person before it reads anything', async () => {
    await service.check(USER, codeAt());
    expect(calls).toEqual([
      ['consume', 'secondFactor', USER],
      ['findEnabled', USER],
    ]);
    isLimited = true;
    await expect(service.check(USER, codeAt())).rejects.toMatchObject({ code: 'rate_limited' });
    expect(calls).toHaveLength(3);
  });

  it.each([-1, 0, 1])('accepts the code of the app %d steps from now', async (steps) => {
    expect(await service.check(USER, codeAt(steps))).toEqual({
      kind: 'app',
      userId: USER,
      factorId: FACTOR,
      step: STEP + steps,
    });
  });

  it.each([-2, 2])('rejects the code of the app %d steps from now', async (steps) => {
    await expect(service.check(USER, codeAt(steps))).rejects.toMatchObject(INVALID);
  });

  it('rejects a code of the step that was used last, and of earlier ones', async () => {
    factor = { ...enabled(), lastStep: STEP };
    for (const steps of [-1, 0]) await expect(service.check(USER, codeAt(steps))).rejects.toMatchObject(INVALID);
    expect(await service.check(USER, codeAt(1))).toMatchObject({ step: STEP + 1 });
  });

  it('returns the keyed hash of a recovery code, the same however the code is typed', async () => {
    const { codes, stored } = service.newRecoveryCodes(USER);
    factor = { ...enabled(), sealedRecoveryKey: stored.sealedRecoveryKey };
    for (const typed of [codes[0] ?? '', (codes[0] ?? '').toUpperCase().replace('-', ' ')]) {
      expect(await service.check(USER, typed)).toEqual({
        kind: 'recovery',
        userId: USER,
        hash: stored.recoveryHashes[0],
      });
    }
  });

  it('counts and rejects what is no code, and every code without a second factor', async () => {
    await expect(service.check(USER, 'hello')).rejects.toMatchObject(INVALID);
    const { codes } = service.newRecoveryCodes(USER);
    factor = null;
    for (const typed of [codeAt(), codes[0] ?? ''])
      await expect(service.check(USER, typed)).rejects.toMatchObject(INVALID);
    expect(calls.filter(([name]) => name === 'consume')).toHaveLength(3);
  });

  it('throws service_unavailable when the secret was encrypted with another key, or for another person', async () => {
    const unreadable = { code: 'service_unavailable' };
    await expect(serviceWith(B).check(USER, codeAt())).rejects.toMatchObject(unreadable);
    factor = { ...enabled(), sealedSecret: service.seal(OTHER, SECRET) };
    await expect(service.check(USER, codeAt())).rejects.toMatchObject({
      ...unreadable,
      cause: new Error('a second factor cannot be decrypted: it was encrypted with another ENCRYPTION_KEY'),
    });
  });
});

describe('checkFirst', () => {
  it('counts the attempt and returns the time step of a code of the app', async () => {
    expect(await service.checkFirst(enabled(), codeAt(1), null)).toBe(STEP + 1);
    expect(calls).toEqual([['consume', 'secondFactor', USER]]);
  });

  it('compares nothing after too many attempts', async () => {
    isLimited = true;
    await expect(service.checkFirst(enabled(), codeAt(), null)).rejects.toMatchObject({ code: 'rate_limited' });
  });

  it('rejects a wrong code, a recovery code, and what is no code', async () => {
    for (const typed of [codeAt(5), service.newRecoveryCodes(USER).codes[0] ?? '', 'hello']) {
      await expect(service.checkFirst(enabled(), typed, null)).rejects.toMatchObject(INVALID);
    }
  });
});

describe('spend', () => {
  const app = { kind: 'app', userId: USER, factorId: FACTOR, step: STEP } as const;
  const recovery = { kind: 'recovery', userId: USER, hash: 'hash' } as const;

  it('uses the time step, or the recovery code, in the transaction', async () => {
    await service.spend(app, TRANSACTION);
    await service.spend(recovery, TRANSACTION);
    expect(calls).toEqual([
      ['spendStep', USER, FACTOR, STEP, TRANSACTION],
      ['spendRecoveryCode', USER, 'hash', TRANSACTION],
    ]);
  });

  it('rejects a code that was used since the check', async () => {
    isSpent = true;
    await expect(service.spend(app, TRANSACTION)).rejects.toMatchObject(INVALID);
    await expect(service.spend(recovery, TRANSACTION)).rejects.toMatchObject(INVALID);
  });
});

describe('newRecoveryCodes', () => {
  it('returns ten different codes, with hashes that depend on the person and on a key of their own', () => {
    const { codes, stored } = service.newRecoveryCodes(USER);
    expect([new Set(codes).size, new Set(stored.recoveryHashes).size]).toEqual([10, 10]);
    for (const code of codes) expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{5}-[0-9a-hjkmnp-tv-z]{5}$/);
    for (const hash of stored.recoveryHashes) expect(hash).toMatch(/^[0-9a-f]{64}$/);
  });

  it('gives the same code another hash for another person and with other codes', async () => {
    const { codes, stored } = service.newRecoveryCodes(USER);
    const hashOf = async (userId: string, sealedRecoveryKey: string): Promise<unknown> => {
      factor = { ...enabled(), userId, sealedRecoveryKey };
      return ((await service.check(userId, codes[0] ?? '')) as { hash: string }).hash;
    };
    expect(await hashOf(USER, stored.sealedRecoveryKey)).toBe(stored.recoveryHashes[0]);
    expect(await hashOf(USER, service.newRecoveryCodes(USER).stored.sealedRecoveryKey)).not.toBe(
      stored.recoveryHashes[0],
    );
    await expect(hashOf(OTHER, stored.sealedRecoveryKey)).rejects.toMatchObject({ code: 'service_unavailable' });
  });
});

describe('reseal', () => {
  it('lets the secret and all recovery codes work with the new key alone', async () => {
    const { codes, stored } = service.newRecoveryCodes(USER);
    const before = { ...enabled(), sealedRecoveryKey: stored.sealedRecoveryKey };
    factor = before;
    const expected = await service.check(USER, codes[0] ?? '');
    factor = { ...before, ...serviceWith(B, A).reseal(before) };
    expect(await serviceWith(B).check(USER, codes[0] ?? '')).toEqual(expected);
    expect(await serviceWith(B).check(USER, codeAt())).toMatchObject({ kind: 'app', step: STEP });
    await expect(service.check(USER, codeAt())).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(serviceWith(B, A).reseal(factor)).toBeNull();
  });

  it('stores no key while there are no recovery codes, and throws when something cannot be decrypted', () => {
    expect(serviceWith(B, A).reseal(enabled())).toMatchObject({ sealedRecoveryKey: null });
    expect(() => serviceWith(B).reseal(enabled())).toThrow();
    expect(() => service.reseal({ ...enabled(), sealedRecoveryKey: 'changed' })).toThrow();
  });
});
