import { Injectable } from '@nestjs/common';
import { type AuthContext } from '../common/auth/auth-context.js';
import { AppError } from '../common/errors/app-error.js';
import { MINUTE_MS } from '../common/time/durations.js';
import { type Transaction } from '../database/transactions.js';
import { MailService } from '../mail/mail.service.js';
import { type User } from '../users/user.types.js';
import { UsersService } from '../users/users.service.js';
import { SecondFactorCodesService } from './second-factor-codes.service.js';
import { disabledMail, enabledMail, recoveryCodesRenewedMail, recoveryCodeUsedMail } from './second-factor-mails.js';
import { keyUri, newSecret } from './second-factor-rules.js';
import { type CheckedCode } from './second-factor.types.js';
import { SecondFactorsRepository } from './second-factors.repository.js';

const SETUP_LIFETIME_MS = 60 * MINUTE_MS;

export interface SecondFactorStatus {
  readonly enabled: boolean;
  readonly recoveryCodesLeft: number;
}

/** A secret that waits for its first code; shown this once. */
export interface SecondFactorSetup {
  readonly secret: string;
  readonly uri: string;
  readonly expiresAt: Date;
}

/**
 * The optional second factor of a person: codes of an authenticator app (TOTP, RFC 6238) and recovery codes. What switches
 * it on or off or shows a secret asks for the password again, since an access token may have been copied.
 */
@Injectable()
export class SecondFactorService {
  constructor(
    private readonly factors: SecondFactorsRepository,
    private readonly codes: SecondFactorCodesService,
    private readonly users: UsersService,
    private readonly mail: MailService,
  ) {}

  async statusOf(userId: string): Promise<SecondFactorStatus> {
    const factor = await this.factors.findEnabled(userId);
    return { enabled: factor !== null, recoveryCodesLeft: factor?.recoveryCodesLeft ?? 0 };
  }

  /**
   * Makes a secret that waits 60 minutes for its first code; until then logins go on without. A second setup replaces it.
   * @throws AppError password_wrong, second_factor_on, state_conflict
   */
  async setUp({ userId }: AuthContext, password: string): Promise<SecondFactorSetup> {
    const { user } = await this.users.confirmPassword(userId, password);
    // For the exact words: what keeps an enabled one in its place is the repository's condition.
    if ((await this.statusOf(userId)).enabled) throw new AppError('second_factor_on');
    const secret = newSecret();
    const expiresAt = new Date(Date.now() + SETUP_LIFETIME_MS);
    await this.factors.setUp(userId, this.codes.seal(userId, secret), expiresAt);
    return { secret, uri: keyUri(secret, user.email), expiresAt };
  }

  /**
   * Switches the second factor on with its first code, which proves that the app has the secret.
   * @returns the recovery codes, known this once
   * @throws AppError second_factor_off when no setup waits, second_factor_on, second_factor_code_invalid, rate_limited
   */
  async confirm({ userId }: AuthContext, code: string): Promise<readonly string[]> {
    const pending = await this.factors.findPending(userId, new Date());
    if (pending === null) {
      if ((await this.statusOf(userId)).enabled) throw new AppError('second_factor_on');
      throw new AppError('second_factor_off', { message: 'No setup of a second factor waits for its first code' });
    }
    const step = await this.codes.checkFirst(pending, code);
    const { codes, hashes } = this.codes.newRecoveryCodes(userId);
    // Another confirmation or another setup was faster.
    if (!(await this.factors.enable(pending, step, hashes, new Date()))) throw new AppError('state_conflict');
    this.mail.post(enabledMail((await this.users.get(userId)).email));
    return codes;
  }

  /** @throws AppError password_wrong, second_factor_off, second_factor_code_invalid, rate_limited */
  async disable(auth: AuthContext, password: string, code: string): Promise<void> {
    const { email } = await this.proveBoth(auth, password, code);
    await this.factors.remove(auth.userId);
    this.mail.post(disabledMail(email));
  }

  /**
   * Removes the second factor without a proof, a setup that waits included: for an account whose maker may have been
   * somebody else.
   * @returns whether it was on
   */
  remove(userId: string, transaction: Transaction): Promise<boolean> {
    return this.factors.removeAny(userId, transaction);
  }

  /**
   * Replaces the recovery codes.
   * @returns the new ones, known this once
   * @throws AppError password_wrong, second_factor_off, second_factor_code_invalid, rate_limited
   */
  async renewRecoveryCodes(auth: AuthContext, password: string, code: string): Promise<readonly string[]> {
    const { email } = await this.proveBoth(auth, password, code);
    const { codes, hashes } = this.codes.newRecoveryCodes(auth.userId);
    if (!(await this.factors.replaceRecoveryCodes(auth.userId, hashes))) throw new AppError('second_factor_off');
    this.mail.post(recoveryCodesRenewedMail(email));
    return codes;
  }

  /**
   * Looks at the code of a login; it counts when it is spent.
   * @throws AppError second_factor_code_invalid, rate_limited
   */
  check(userId: string, code: string): Promise<CheckedCode> {
    return this.codes.check(userId, code);
  }

  /** @throws AppError second_factor_code_invalid when it was used meanwhile */
  spend(code: CheckedCode, transaction: Transaction): Promise<void> {
    return this.codes.spend(code, transaction);
  }

  /** Tells a person by mail that a login took a recovery code. */
  announce(code: CheckedCode, user: User): void {
    if (code.kind !== 'recovery') return;
    this.mail.inBackground(async () => {
      const { recoveryCodesLeft } = await this.statusOf(user.id);
      this.mail.post(recoveryCodeUsedMail(user.email, recoveryCodesLeft));
    });
  }

  private async proveBoth({ userId }: AuthContext, password: string, code: string): Promise<User> {
    const { user } = await this.users.confirmPassword(userId, password);
    if (!(await this.statusOf(userId)).enabled) throw new AppError('second_factor_off');
    await this.codes.spend(await this.codes.check(userId, code));
    return user;
  }
}
