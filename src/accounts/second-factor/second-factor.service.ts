import { Injectable } from '@nestjs/common';
import { type AuthContext } from '../../domain/principal/auth-context.js';
import { AppError } from '../../domain/errors/app-error.js';
import { newVerificationCode } from '../../lib/crypto/verification-code.js';
import { RateLimiter } from '../../http/throttling/rate-limiter.js';
import { mailboxOf } from '../../domain/buyers/mailbox.js';
import { HOUR_MS, MINUTE_MS } from '../../lib/time/durations.js';
import { type Transaction, Transactions } from '../../infrastructure/database/transactions.js';
import { EmailsService } from '../../events/mail/emails.service.js';
import { type User } from '../users/user.types.js';
import { UsersService } from '../users/users.service.js';
import { SecondFactorCodesService } from './second-factor-codes.service.js';
import {
  disabledEmail,
  enabledEmail,
  proofEmail,
  recoveryCodesRenewedEmail,
  recoveryCodeUsedEmail,
} from './second-factor-emails.js';
import { keyUri, newSecret } from './second-factor-rules.js';
import { type CheckedCode } from './second-factor.types.js';
import { SecondFactorsRepository } from './second-factors.repository.js';

const SETUP_LIFETIME_MS = HOUR_MS;

export interface SecondFactorStatus {
  readonly enabled: boolean;
  readonly recoveryCodesLeft: number;
}

/** A new secret that waits for its first code. It is shown only once. */
export interface SecondFactorSetup {
  readonly secret: string;
  readonly uri: string;
  readonly expiresAt: Date;
  /** Whether the person has got a code by email, which `confirm` needs too: the address was not proven yet. */
  readonly emailCodeSent: boolean;
}

/**
 * The optional second factor of a person: codes of an authenticator app (TOTP, RFC 6238) and recovery codes. Every method
 * that switches it on or off or shows a secret requires the password again, because an access token may have been
 * copied.
 */
@Injectable()
export class SecondFactorService {
  constructor(
    private readonly factors: SecondFactorsRepository,
    private readonly codes: SecondFactorCodesService,
    private readonly users: UsersService,
    private readonly emails: EmailsService,
    private readonly limiter: RateLimiter,
    private readonly transactions: Transactions,
  ) {}

  async statusOf(userId: string): Promise<SecondFactorStatus> {
    const factor = await this.factors.findEnabled(userId);
    return { enabled: factor !== null, recoveryCodesLeft: factor?.recoveryCodesLeft ?? 0 };
  }

  /**
   * Creates a secret that waits 60 minutes for its first code. Until then, logins require no code. A second setup
   * replaces the first. A person whose address is not proven gets a code by email: a second factor protects only the person
   * to whom the address belongs, and nobody else can switch one on.
   * @throws AppError password_wrong, second_factor_on, emails_off, rate_limited, state_conflict
   */
  async setUp({ userId }: AuthContext, password: string): Promise<SecondFactorSetup> {
    const { user } = await this.users.confirmPassword(userId, password);
    // Only for the exact error. The repository itself never replaces a second factor that is on.
    if ((await this.statusOf(userId)).enabled) throw new AppError('second_factor_on');
    const emailCode = user.isEmailProven ? null : await this.newEmailCode(user);
    const secret = newSecret();
    const expiresAt = new Date(Date.now() + SETUP_LIFETIME_MS);
    const setup = {
      sealedSecret: this.codes.seal(userId, secret),
      emailCodeHash: emailCode === null ? null : this.codes.emailHashOf(userId, emailCode),
      pendingUntil: expiresAt,
    };
    await this.transactions.run(async (transaction) => {
      await this.factors.setUp(userId, setup, transaction);
      if (emailCode === null) return;
      await this.emails.add([proofEmail(user, emailCode, SETUP_LIFETIME_MS / MINUTE_MS)], transaction);
    });
    return { secret, uri: keyUri(secret, user.email), expiresAt, emailCodeSent: emailCode !== null };
  }

  /**
   * Switches the second factor on with its first code, which proves that the app has the secret, and with the code from the
   * email, which proves the address.
   * @returns the recovery codes, which are shown only once
   * @throws AppError second_factor_off when no setup waits, second_factor_on, validation_failed without the code from the email,
   * second_factor_code_invalid, verification_code_invalid, rate_limited
   */
  async confirm({ userId }: AuthContext, code: string, emailCode: string | null): Promise<readonly string[]> {
    const pending = await this.factors.findPending(userId, new Date());
    if (pending === null) {
      if ((await this.statusOf(userId)).enabled) throw new AppError('second_factor_on');
      throw new AppError('second_factor_off', { message: 'Start the setup of a second factor before you confirm it' });
    }
    const step = await this.codes.checkFirst(pending, code, emailCode);
    const { codes, stored } = this.codes.newRecoveryCodes(userId);
    const user = await this.users.get(userId, null);
    await this.transactions.run(async (transaction) => {
      const enabled = await this.factors.enable(pending, step, stored, new Date(), transaction);
      // Another confirmation or another setup came first.
      if (!enabled) throw new AppError('state_conflict');
      await this.users.proveEmail(userId, transaction);
      await this.emails.add([enabledEmail(user)], transaction);
    });
    return codes;
  }

  /**
   * Switches the second factor off and uses the code, or neither: after an error the same code still works.
   * @throws AppError password_wrong, second_factor_off, second_factor_code_invalid, rate_limited
   */
  async disable({ userId }: AuthContext, password: string, code: string): Promise<void> {
    const { user, checked } = await this.checkBoth(userId, password, code);
    await this.transactions.run(async (transaction) => {
      await this.codes.spend(checked, transaction);
      await this.factors.remove(userId, transaction);
      await this.emails.add([disabledEmail(user)], transaction);
    });
  }

  /** Removes a setup that waits for its first code: somebody else may have begun it. One that is on stays. */
  cancelSetup(userId: string, transaction: Transaction): Promise<void> {
    return this.factors.removePending(userId, transaction);
  }

  /** Deletes what there is of a second factor, for an account that is closed. */
  forget(userId: string, transaction: Transaction): Promise<void> {
    return this.factors.removeAny(userId, transaction);
  }

  /**
   * Switches the second factor off for a person who has lost it, after the operator has checked who they are. The person gets
   * an email.
   * @throws AppError second_factor_off
   */
  async reset(user: User): Promise<void> {
    await this.transactions.run(async (transaction) => {
      if (!(await this.factors.remove(user.id, transaction))) throw new AppError('second_factor_off');
      await this.emails.add([disabledEmail(user)], transaction);
    });
  }

  /**
   * Replaces the recovery codes and uses the code, or neither: after an error the same code still works.
   * @returns the new recovery codes, which are shown only once
   * @throws AppError password_wrong, second_factor_off, second_factor_code_invalid, rate_limited
   */
  async renewRecoveryCodes({ userId }: AuthContext, password: string, code: string): Promise<readonly string[]> {
    const { user, checked } = await this.checkBoth(userId, password, code);
    const { codes, stored } = this.codes.newRecoveryCodes(userId);
    await this.transactions.run(async (transaction) => {
      await this.codes.spend(checked, transaction);
      const replaced = await this.factors.replaceRecoveryCodes(userId, stored, transaction);
      if (!replaced) throw new AppError('second_factor_off');
      await this.emails.add([recoveryCodesRenewedEmail(user)], transaction);
    });
    return codes;
  }

  /**
   * Checks the code of a login. `spend` uses it.
   * @throws AppError second_factor_code_invalid, rate_limited
   */
  check(userId: string, code: string): Promise<CheckedCode> {
    return this.codes.check(userId, code);
  }

  /**
   * Uses the code of a login. The person gets an email when it is a recovery code.
   * @throws AppError second_factor_code_invalid when another request has used it since the check
   */
  async spend(code: CheckedCode, user: User, transaction: Transaction): Promise<void> {
    await this.codes.spend(code, transaction);
    if (code.kind !== 'recovery') return;
    const left = await this.factors.countRecoveryCodes(user.id, transaction);
    await this.emails.add([recoveryCodeUsedEmail(user, left)], transaction);
  }

  /** @throws AppError emails_off, rate_limited for an address that gets too many codes */
  private async newEmailCode({ email }: User): Promise<string> {
    this.emails.require('request a link from its operator that sets your password, which verifies your address too');
    await this.limiter.consume('addressProof', mailboxOf(email));
    return newVerificationCode();
  }

  private async checkBoth(
    userId: string,
    password: string,
    code: string,
  ): Promise<{ user: User; checked: CheckedCode }> {
    const { user } = await this.users.confirmPassword(userId, password);
    if (!(await this.statusOf(userId)).enabled) throw new AppError('second_factor_off');
    return { user, checked: await this.codes.check(userId, code) };
  }
}
