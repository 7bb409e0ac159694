import { Injectable } from '@nestjs/common';
import { type AuthContext } from '../common/auth/auth-context.js';
import { sha256 } from '../common/crypto/keyed-hash.js';
import { opaqueToken } from '../common/crypto/opaque-token.js';
import { AppError } from '../common/errors/app-error.js';
import { RateLimiter } from '../common/throttling/rate-limiter.js';
import { MINUTE_MS } from '../common/time/durations.js';
import { Transactions } from '../database/transactions.js';
import { MailService } from '../mail/mail.service.js';
import { SecondFactorService } from '../second-factor/second-factor.service.js';
import { UsersService } from '../users/users.service.js';
import { passwordChangedMail, resetTokenMail, secondFactorRemovedMail } from './account-mails.js';
import { type SignedIn } from './auth.service.js';
import { PasswordResetsRepository } from './password-resets.repository.js';
import { SessionsService } from './sessions.service.js';

const RESET_TOKEN_LIFETIME_MS = 60 * MINUTE_MS;

/** A person who changed their password, with the tokens of the session that goes on. */
export interface PasswordChanged extends SignedIn {
  /** The one included in which the password was changed. */
  readonly sessionsEnded: number;
}

/** How a password is replaced: by who knows it, or by who reads the mails of its account. */
@Injectable()
export class PasswordService {
  constructor(
    private readonly users: UsersService,
    private readonly sessions: SessionsService,
    private readonly resets: PasswordResetsRepository,
    private readonly secondFactor: SecondFactorService,
    private readonly mail: MailService,
    private readonly limiter: RateLimiter,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Changes the caller's password. All sessions end with it, the present one included: whoever changes a password may do so
   * because somebody else knows it, or has copied a token. The caller goes on in a new session. A reset token that waits in
   * a mailbox ends too.
   * @throws AppError password_wrong
   */
  async change(
    { userId }: AuthContext,
    { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
    device: string | null,
  ): Promise<PasswordChanged> {
    const proven = await this.users.confirmPassword(userId, currentPassword);
    const passwordHash = await this.users.hashPassword(newPassword);
    const { sessionsEnded, opened } = await this.transactions.run(async (transaction) => {
      const changed = await this.users.setPassword(userId, passwordHash, transaction, proven);
      // Somebody was faster, so what was typed is the current password no more.
      if (!changed) throw new AppError('password_wrong');
      await this.resets.removeOf(userId, transaction);
      const ended = await this.sessions.endAll(userId, transaction);
      return { sessionsEnded: ended, opened: await this.sessions.open(userId, device, transaction) };
    });
    this.mail.post(passwordChangedMail(proven.user.email));
    return { user: proven.user, tokens: await this.sessions.tokensOf(opened), sessionsEnded };
  }

  /**
   * Mails a token for a new password, if the address has an account. The look-up happens after the answer, so that neither
   * its words nor its time tell which addresses have one.
   * @throws AppError rate_limited (per address, known or not)
   */
  async forgot(email: string): Promise<void> {
    await this.limiter.consume('passwordResetAccount', email);
    this.mail.inBackground(async () => {
      const user = await this.users.findByEmail(email);
      if (user === null) return;
      const token = opaqueToken('shw');
      await this.resets.replace(user.id, sha256(token), new Date(Date.now() + RESET_TOKEN_LIFETIME_MS));
      this.mail.post(resetTokenMail(email, token));
    });
  }

  /**
   * Sets a new password with a mailed token, once. All sessions end and none is opened: the second factor, where there is
   * one, is asked for at the next login. Unless this is the first sign that the address is the person's: a registration
   * proves no address, so whoever made the account may be a stranger to it, and their second factor is removed.
   * @returns how many sessions ended
   * @throws AppError reset_token_invalid
   */
  async reset(token: string, newPassword: string): Promise<number> {
    const tokenHash = sha256(token);
    // Hashing a password is dear: not for everybody who sends something.
    if (!(await this.resets.isLive(tokenHash, new Date()))) throw new AppError('reset_token_invalid');
    const passwordHash = await this.users.hashPassword(newPassword);
    const { userId, ended, removed } = await this.transactions.run(async (transaction) => {
      const owner = await this.resets.use(tokenHash, new Date(), transaction);
      if (owner === null) throw new AppError('reset_token_invalid');
      await this.users.setPassword(owner, passwordHash, transaction);
      const first = await this.users.proveEmail(owner, transaction);
      const factorRemoved = first && (await this.secondFactor.remove(owner, transaction));
      return { userId: owner, removed: factorRemoved, ended: await this.sessions.endAll(owner, transaction) };
    });
    this.mail.inBackground(async () => {
      const user = await this.users.findById(userId);
      if (user === null) return;
      this.mail.post(passwordChangedMail(user.email));
      if (removed) this.mail.post(secondFactorRemovedMail(user.email));
    });
    return ended;
  }
}
