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

/** The codes of second factors: looked at, spent, and kept so that a stolen database holds none that works. */
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
   * Looks at a code, of the app or for recovery. Counted per person before anything is compared, whatever it is for, so
   * that a million codes are not a million tries.
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
   * Looks at the first code of a secret that waits for it.
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
   * Uses a code up: it works once, and so does every earlier one of the app.
   * @throws AppError second_factor_code_invalid when it was used meanwhile, or never was a recovery code
   */
  async spend(code: CheckedCode, transaction?: Transaction): Promise<void> {
    const spent =
      code.kind === 'app'
        ? await this.factors.spendStep(code.userId, code.sealedSecret, code.step, transaction)
        : await this.factors.spendRecoveryCode(code.userId, code.hash, transaction);
    if (!spent) throw new AppError('second_factor_code_invalid');
  }

  /** Encrypts a shared secret; it opens for this person only. */
  seal(userId: string, secret: string): string {
    return this.box.seal(secret, userId);
  }

  /** New recovery codes, with the hashes to keep. */
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

  /** @throws AppError service_unavailable when it was sealed with another ENCRYPTION_KEY: no code can be right then */
  private open(userId: string, sealedSecret: string): string {
    try {
      return this.box.open(sealedSecret, userId);
    } catch {
      const cause = new Error('a second factor cannot be read: it was sealed with another ENCRYPTION_KEY');
      throw new AppError('service_unavailable', { cause });
    }
  }

  /** Keyed, because 50 bits could be tried out by whoever has the database alone. */
  private recoveryHash(userId: string, code: string): string {
    return keyedHash(this.pepper, `${userId}:${code}`);
  }
}
