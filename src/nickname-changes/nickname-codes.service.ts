import { Injectable } from '@nestjs/common';
import { deriveKey, equalInConstantTime, keyedHash } from '../common/crypto/keyed-hash.js';
import { AppError } from '../common/errors/app-error.js';
import { AppConfig } from '../config/app-config.js';
import { type Transaction, Transactions } from '../database/transactions.js';
import {
  CODE_LIFETIME_MS,
  generateCode,
  isLockedOut,
  maySend,
  secondsToTomorrow,
  withNewCode,
} from './nickname-code-rules.js';
import { type CodeState } from './nickname-code.types.js';
import { NicknameCodesRepository } from './nickname-codes.repository.js';

/** Names the record that the transactions of one order's nickname write, for `Transactions.run`. */
export function nicknameOf(orderId: string): string {
  return `nickname ${orderId}`;
}

/** The codes with which a buyer proves to be the owner of the order's email address: 8 digits, stored as a keyed hash. */
@Injectable()
export class NicknameCodesService {
  private readonly pepper: Buffer;

  constructor(
    private readonly codes: NicknameCodesRepository,
    private readonly transactions: Transactions,
    config: AppConfig,
  ) {
    this.pepper = deriveKey(config.encryptionKey, 'nickname-codes');
  }

  /** A new code for an order, or null when its limits allow none now or a parallel request was first. */
  async issue(orderId: string): Promise<string | null> {
    const before = await this.codes.find(orderId);
    return maySend(before, new Date()) ? this.replace(orderId, before) : null;
  }

  /**
   * Checks a code. Each call takes one try, in a transaction of its own: the try stays used also when a later step fails.
   * @returns the proof, for `use`
   * @throws AppError verification_code_invalid for a wrong, an expired and a used code alike, attempts_exhausted
   */
  async prove(orderId: string, code: string): Promise<string> {
    const now = new Date();
    const takeTry = (transaction: Transaction): Promise<string | null> => this.codes.takeTry(orderId, now, transaction);
    const codeHash = await this.transactions.run(takeTry, { oneAtATime: nicknameOf(orderId) });
    if (codeHash === null) {
      if (!isLockedOut(await this.codes.find(orderId), now)) throw new AppError('verification_code_invalid');
      throw new AppError('attempts_exhausted', { headers: { 'Retry-After': String(secondsToTomorrow(now)) } });
    }
    if (!equalInConstantTime(codeHash, this.hashOf(orderId, code))) throw new AppError('verification_code_invalid');
    return codeHash;
  }

  /**
   * Uses the code that `prove` accepted. A code can be used once.
   * @throws AppError verification_code_invalid when it was used or replaced in the meantime
   */
  async use(orderId: string, proof: string, now: Date, transaction: Transaction): Promise<void> {
    if (!(await this.codes.use(orderId, proof, now, transaction))) throw new AppError('verification_code_invalid');
  }

  private async replace(orderId: string, before: CodeState | null): Promise<string | null> {
    const code = generateCode();
    const state = withNewCode(before, this.hashOf(orderId, code), new Date(), CODE_LIFETIME_MS);
    const isStored =
      before === null
        ? await this.codes.insert(orderId, state)
        : await this.transactions.run((transaction) => this.codes.replace(orderId, before, state, transaction), {
            oneAtATime: nicknameOf(orderId),
          });
    return isStored ? code : null;
  }

  private hashOf(orderId: string, code: string): string {
    return keyedHash(this.pepper, `${orderId}:${code}`);
  }
}
