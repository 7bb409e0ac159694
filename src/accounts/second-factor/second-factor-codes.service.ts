import { createSecretKey, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { deriveKey, equalInConstantTime, keyedHash } from '../../lib/crypto/keyed-hash.js';
import { randomSecret } from '../../lib/crypto/opaque-token.js';
import { SecretBox } from '../../lib/crypto/secret-box.js';
import { AppError } from '../../domain/errors/app-error.js';
import { invalidInput } from '../../domain/errors/require-valid.js';
import { RateLimiter } from '../../http/throttling/rate-limiter.js';
import { AppConfig } from '../../infrastructure/config/app-config.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { matchingStep, newRecoveryCodes, readCode } from './second-factor-rules.js';
import {
  type CheckedCode,
  type SealedFields,
  type SecondFactor,
  type StoredRecoveryCodes,
} from './second-factor.types.js';
import { SecondFactorsRepository } from './second-factors.repository.js';

/** Checks, uses and stores the codes of second factors. A stolen database contains no code or secret that works. */
@Injectable()
export class SecondFactorCodesService {
  private readonly box: SecretBox;
  /** For the codes that prove an address. They expire within the hour, so they need no key of their own. */
  private readonly pepper: KeyObject;

  constructor(
    private readonly factors: SecondFactorsRepository,
    private readonly limiter: RateLimiter,
    config: AppConfig,
  ) {
    this.box = new SecretBox(config, 'second-factors');
    this.pepper = deriveKey(config.encryptionKey, 'second-factor-email-codes');
  }

  /**
   * Checks a code of the app or a recovery code. Every attempt of a person is counted before the code is compared, for
   * every purpose together, so that nobody can try a million codes.
   * @throws AppError second_factor_code_invalid (also without a second factor), rate_limited
   */
  async check(userId: string, typed: string): Promise<CheckedCode> {
    await this.count(userId);
    const read = readCode(typed);
    const factor = await this.factors.findEnabled(userId);
    if (read === null || factor === null) throw new AppError('second_factor_code_invalid');
    if (read.kind === 'recovery') {
      const key = this.recoveryKeyOf(factor);
      if (key === null) throw new AppError('second_factor_code_invalid');
      return { kind: 'recovery', userId, hash: recoveryHash(key, userId, read.code) };
    }
    const step = this.stepOf(factor, read.code);
    if (step === null || step <= factor.lastStep) throw new AppError('second_factor_code_invalid');
    return { kind: 'app', userId, factorId: factor.id, step };
  }

  /**
   * Checks the first code of a secret that waits for it, and the code from the email, if there was one.
   * @returns the time step of the code
   * @throws AppError validation_failed, second_factor_code_invalid, verification_code_invalid, rate_limited
   */
  async checkFirst(pending: SecondFactor, typed: string, emailCode: string | null): Promise<number> {
    const { userId, emailCodeHash } = pending;
    if (emailCodeHash !== null && emailCode === null) {
      throw invalidInput(['emailCode is required: the code that was sent to the email address of the account']);
    }
    await this.count(userId);
    if (emailCodeHash !== null && !equalInConstantTime(emailCodeHash, this.emailHashOf(userId, emailCode ?? ''))) {
      throw new AppError('verification_code_invalid');
    }
    const read = readCode(typed);
    const step = read?.kind === 'app' ? this.stepOf(pending, read.code) : null;
    if (step === null) throw new AppError('second_factor_code_invalid');
    return step;
  }

  /**
   * Uses a code. It works once, and earlier codes of the app no longer work.
   * @throws AppError second_factor_code_invalid when it was used since the check, or is not a recovery code
   */
  async spend(code: CheckedCode, transaction: Transaction): Promise<void> {
    const spent =
      code.kind === 'app'
        ? await this.factors.spendStep(code.userId, code.factorId, code.step, transaction)
        : await this.factors.spendRecoveryCode(code.userId, code.hash, transaction);
    if (!spent) throw new AppError('second_factor_code_invalid');
  }

  /** Encrypts a shared secret. The result can be decrypted only for the same person. */
  seal(userId: string, secret: string): string {
    return this.box.seal(secret, userId);
  }

  /** The hash to store of a code that proves the address of a person. */
  emailHashOf(userId: string, code: string): string {
    return keyedHash(this.pepper, `${userId}:${code}`);
  }

  /**
   * New recovery codes, and what to store of them. Their hashes have a key of their own, so that they stay valid when the
   * encryption key changes: only that key is encrypted again.
   */
  newRecoveryCodes(userId: string): { readonly codes: readonly string[]; readonly stored: StoredRecoveryCodes } {
    const codes = newRecoveryCodes();
    const secret = randomSecret();
    const key = Buffer.from(secret, 'base64url');
    const recoveryHashes = codes.map((code) => recoveryHash(key, userId, readCode(code)?.code ?? ''));
    const sealedRecoveryKey = this.box.seal(secret, recoveryContext(userId));
    return { codes, stored: { recoveryHashes, sealedRecoveryKey } };
  }

  /** The encrypted fields, encrypted with the current key; null when they already are. @throws when it cannot be decrypted */
  reseal(factor: SecondFactor): SealedFields | null {
    const { userId, sealedSecret, sealedRecoveryKey } = factor;
    const sealed = {
      sealedSecret: this.box.reseal(sealedSecret, userId),
      sealedRecoveryKey: sealedRecoveryKey && this.box.reseal(sealedRecoveryKey, recoveryContext(userId)),
    };
    const isCurrent = sealed.sealedSecret === sealedSecret && sealed.sealedRecoveryKey === sealedRecoveryKey;
    return isCurrent ? null : sealed;
  }

  private count(userId: string): Promise<void> {
    return this.limiter.consume('secondFactor', userId);
  }

  private stepOf({ userId, sealedSecret }: SecondFactor, code: string): number | null {
    return matchingStep(
      decrypted(() => this.box.open(sealedSecret, userId)),
      code,
      new Date(),
    );
  }

  private recoveryKeyOf({ userId, sealedRecoveryKey }: SecondFactor): Buffer | null {
    if (sealedRecoveryKey === null) return null;
    return decrypted(() => Buffer.from(this.box.open(sealedRecoveryKey, recoveryContext(userId)), 'base64url'));
  }
}

function recoveryContext(userId: string): string {
  return `${userId}/recovery-codes`;
}

/** A keyed hash: a code has only 50 bits, and a thief of the database could try all of them against a plain hash. */
function recoveryHash(key: Buffer, userId: string, code: string): string {
  return keyedHash(createSecretKey(key), `${userId}:${code}`);
}

/** @throws AppError service_unavailable when it was encrypted with another ENCRYPTION_KEY: every code would seem wrong */
function decrypted<Result>(decrypt: () => Result): Result {
  try {
    return decrypt();
  } catch {
    const cause = new Error('a second factor cannot be decrypted: it was encrypted with another ENCRYPTION_KEY');
    throw new AppError('service_unavailable', { cause });
  }
}
