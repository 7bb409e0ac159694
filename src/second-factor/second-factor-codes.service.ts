import { Injectable } from '@nestjs/common';
import { deriveKey, keyedHash } from '../common/crypto/keyed-hash.js';
import { SecretBox } from '../common/crypto/secret-box.js';
import { AppError } from '../common/errors/app-error.js';
import { RateLimiter } from '../common/throttling/rate-limiter.js';
import { AppConfig } from '../config/app-config.js';
import { type Transaction } from '../database/transactions.js';
import { matchingStep, newRecoveryCodes, readCode } from './second-factor-rules.js';
import { type CheckedCode, type SecondFactor } from './second-factor.types.js';
import { SecondFactorsRepository } from './second-factors.repository.js';

/** Checks, uses and stores the codes of second factors. A stolen database contains no code or secret that works. */
@Injectable()
export class SecondFactorCodesService {
  private readonly box: SecretBox;
  private readonly pepper: Buffer;

  constructor(
    private readonly factors: SecondFactorsRepository,
    private readonly limiter: RateLimiter,
    config: AppConfig,
  ) {
    const master = config.encryptionKey;
    this.box = new SecretBox(master, 'second-factors');
    this.pepper = deriveKey(master, 'recovery-codes');
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
    if (read.kind === 'recovery') return { kind: 'recovery', userId, hash: this.recoveryHash(userId, read.code) };
    const step = this.stepOf(factor, read.code);
    if (step === null || step <= factor.lastStep) throw new AppError('second_factor_code_invalid');
    return { kind: 'app', userId, sealedSecret: factor.sealedSecret, step };
  }

  /**
   * Checks the first code of a secret that waits for it.
   * @returns the time step of the code
   * @throws AppError second_factor_code_invalid, rate_limited
   */
  async checkFirst(pending: SecondFactor, typed: string): Promise<number> {
    await this.count(pending.userId);
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
        ? await this.factors.spendStep(code.userId, code.sealedSecret, code.step, transaction)
        : await this.factors.spendRecoveryCode(code.userId, code.hash, transaction);
    if (!spent) throw new AppError('second_factor_code_invalid');
  }

  /** Encrypts a shared secret. The result can be decrypted only for the same person. */
  seal(userId: string, secret: string): string {
    return this.box.seal(secret, userId);
  }

  /** New recovery codes, and the hashes to store. */
  newRecoveryCodes(userId: string): { codes: readonly string[]; hashes: readonly string[] } {
    const codes = newRecoveryCodes();
    return { codes, hashes: codes.map((code) => this.recoveryHash(userId, readCode(code)?.code ?? '')) };
  }

  private count(userId: string): Promise<void> {
    return this.limiter.consume('secondFactor', userId);
  }

  private stepOf({ userId, sealedSecret }: SecondFactor, code: string): number | null {
    return matchingStep(this.open(userId, sealedSecret), code, new Date());
  }

  /** @throws AppError service_unavailable when it was encrypted with another ENCRYPTION_KEY: every code would seem wrong */
  private open(userId: string, sealedSecret: string): string {
    try {
      return this.box.open(sealedSecret, userId);
    } catch {
      const cause = new Error('a second factor cannot be decrypted: it was encrypted with another ENCRYPTION_KEY');
      throw new AppError('service_unavailable', { cause });
    }
  }

  /** A keyed hash: a code has only 50 bits, and a thief of the database could try all of them against a plain hash. */
  private recoveryHash(userId: string, code: string): string {
    return keyedHash(this.pepper, `${userId}:${code}`);
  }
}
