import { type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type LockName, lockOn } from '../../domain/limits/lock-names.js';
import { deriveKey, equalInConstantTime, keyedHash } from '../../lib/crypto/keyed-hash.js';
import { newVerificationCode } from '../../lib/crypto/verification-code.js';
import { AppError } from '../../domain/errors/app-error.js';
import { networkOf } from '../../lib/network/network-of.js';
import { RateLimiter } from '../../http/throttling/rate-limiter.js';
import { mailboxOf } from '../../domain/buyers/mailbox.js';
import { AppConfig } from '../../infrastructure/config/app-config.js';
import { type Transaction, Transactions } from '../../infrastructure/database/transactions.js';
import { CODE_LIFETIME_MS, isLockedOut, maySend, secondsToTomorrow, withNewCode } from './nickname-code-rules.js';
import { type CodeHolder } from './nickname-code.types.js';
import { NicknameCodesRepository } from './nickname-codes.repository.js';

/** Names the record that the transactions of one order's nickname write, for `Transactions.run`. */
export function nicknameOf(orderId: string): LockName {
  return lockOn('nicknameChange', orderId);
}

const BUYER = 'buyer';

/**
 * The codes with which a buyer proves to be the owner of the order's email address: 8 digits, stored as a keyed hash. Whoever has
 * the token of the order, and each network without it, has codes and attempts of their own. So a stranger who knows the
 * id of an order uses up only what the stranger's own network has.
 */
@Injectable()
export class NicknameCodesService {
  private readonly pepper: KeyObject;

  constructor(
    private readonly codes: NicknameCodesRepository,
    private readonly limiter: RateLimiter,
    private readonly transactions: Transactions,
    config: AppConfig,
  ) {
    this.pepper = deriveKey(config.encryptionKey, 'nickname-codes');
  }

  /** The holder of the codes of a request with the token of the order. */
  buyer(orderId: string): CodeHolder {
    return { orderId, holder: BUYER };
  }

  /** The holder of the codes of requests without the token from the network of an address. */
  network(orderId: string, address: string | undefined): CodeHolder {
    return { orderId, holder: keyedHash(this.pepper, `${orderId} network ${networkOf(address)}`) };
  }

  /** Whether codes are those of requests with the token. All others share a limit of their own for the mailbox. */
  isBuyer({ holder }: CodeHolder): boolean {
    return holder === BUYER;
  }

  /**
   * Makes a new code, unless the limits allow none now or a parallel request was first.
   * @param email of the order. All networks without the token together can send 10 codes a day to its mailbox.
   * @param deliver writes the email with the code, in the transaction that stores the code
   */
  async issue(
    of: CodeHolder,
    email: string,
    deliver: (code: string, transaction: Transaction) => Promise<void>,
  ): Promise<void> {
    const before = await this.codes.find(of);
    if (!maySend(before, new Date())) return;
    if (!this.isBuyer(of) && !(await this.limiter.tryConsume('nicknameCodeMailbox', mailboxOf(email)))) return;
    const code = newVerificationCode();
    const state = withNewCode(before, this.hashOf(of, code), new Date(), CODE_LIFETIME_MS);
    const store = async (transaction: Transaction): Promise<void> => {
      if (before === null) await this.codes.insert(of, state, transaction);
      else if (!(await this.codes.replace(of, before, state, transaction))) throw new AppError('state_conflict');
      await deliver(code, transaction);
    };
    await this.transactions.run(store, { oneAtATime: nicknameOf(of.orderId) }).catch((error: unknown) => {
      if (!(error instanceof AppError && error.code === 'state_conflict')) throw error;
    });
  }

  /**
   * Checks a code. Each call takes one attempt, in a transaction of its own: the attempt stays used also when a later
   * step fails.
   * @returns the proof, for `use`
   * @throws AppError verification_code_invalid for a wrong, an expired and a used code alike, attempts_exhausted
   */
  async prove(of: CodeHolder, code: string): Promise<string> {
    const now = new Date();
    const takeAttempt = (transaction: Transaction): Promise<string | null> =>
      this.codes.takeAttempt(of, now, transaction);
    const codeHash = await this.transactions.run(takeAttempt, { oneAtATime: nicknameOf(of.orderId) });
    if (codeHash === null) {
      if (!isLockedOut(await this.codes.find(of), now)) throw new AppError('verification_code_invalid');
      throw new AppError('attempts_exhausted', { headers: { 'Retry-After': String(secondsToTomorrow(now)) } });
    }
    if (!equalInConstantTime(codeHash, this.hashOf(of, code))) throw new AppError('verification_code_invalid');
    return codeHash;
  }

  /**
   * Uses the code that `prove` accepted. A code can be used once.
   * @throws AppError verification_code_invalid when it was used or replaced in the meantime
   */
  async use(of: CodeHolder, proof: string, now: Date, transaction: Transaction): Promise<void> {
    if (!(await this.codes.use(of, proof, now, transaction))) throw new AppError('verification_code_invalid');
  }

  private hashOf({ orderId, holder }: CodeHolder, code: string): string {
    return keyedHash(this.pepper, `${orderId}:${holder}:${code}`);
  }
}
