import { Injectable } from '@nestjs/common';
import { UsersService } from '../../accounts/users/users.service.js';
import { mailboxOf } from '../../domain/buyers/mailbox.js';
import { AppError } from '../../domain/errors/app-error.js';
import { type AuthContext } from '../../domain/principal/auth-context.js';
import { EmailsService } from '../../events/mail/emails.service.js';
import { PageLinks } from '../../http/addresses/page-links.js';
import { RateLimiter } from '../../http/throttling/rate-limiter.js';
import { Transactions } from '../../infrastructure/database/transactions.js';
import { sha256 } from '../../lib/crypto/keyed-hash.js';
import { opaqueToken } from '../../lib/crypto/opaque-token.js';
import { HOUR_MS, MINUTE_MS } from '../../lib/time/durations.js';
import { addressChangedEmail, confirmAddressEmail } from './email-change-emails.js';
import { EmailChangesRepository } from './email-changes.repository.js';
import { PasswordResetsRepository } from './password-resets.repository.js';

const TOKEN_LIFETIME_MS = HOUR_MS;

/** New addresses of people. An address counts once its reader has confirmed it, and the one before is told. */
@Injectable()
export class EmailChangesService {
  constructor(
    private readonly changes: EmailChangesRepository,
    private readonly resets: PasswordResetsRepository,
    private readonly users: UsersService,
    private readonly limiter: RateLimiter,
    private readonly links: PageLinks,
    private readonly emails: EmailsService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Sends a token to the new address of the caller, or to the current one, which nobody has confirmed yet. Whether the address has an account is not looked up: only its reader learns that,
   * when they confirm it.
   * @throws AppError emails_off, password_wrong, email_unchanged, rate_limited (per mailbox)
   */
  async request({ userId }: AuthContext, newEmail: string, currentPassword: string): Promise<void> {
    this.emails.require('nobody can change an address until its operator sets SMTP_URL');
    const { user, passwordChangedAt } = await this.users.confirmPassword(userId, currentPassword);
    if (newEmail === user.email && user.isEmailProven) throw new AppError('email_unchanged');
    await this.limiter.consume('addressProof', mailboxOf(newEmail));
    const token = opaqueToken('shm');
    const expiresAt = new Date(Date.now() + TOKEN_LIFETIME_MS);
    const to = { email: newEmail, language: user.language };
    const email = confirmAddressEmail(to, token, TOKEN_LIFETIME_MS / MINUTE_MS, this.links.emailChange(token));
    await this.transactions.run(async (transaction) => {
      const change = { userId, email: newEmail, passwordChangedAt };
      await this.changes.replace(change, sha256(token), expiresAt, transaction);
      await this.emails.add([email], transaction);
    });
  }

  /** The address that a token can confirm now; null for another token. */
  async addressOf(token: string): Promise<string | null> {
    return (await this.changes.findLive(sha256(token), new Date()))?.email ?? null;
  }

  /**
   * Gives an account its new address, once. A password that was changed since the request makes the token invalid: a person who has
   * lost control of the account can stop a change in this way. What was sent to the old address to reset the password stops working.
   * @throws AppError email_token_invalid, email_taken
   */
  confirm(token: string): Promise<void> {
    return this.transactions.run(async (transaction) => {
      const change = await this.changes.use(sha256(token), new Date(), transaction);
      const before = change && (await this.users.findById(change.userId, transaction));
      if (change === null || before === null) throw new AppError('email_token_invalid');
      const changed = await this.users.changeEmail(change.userId, change.email, change, transaction);
      if (!changed) throw new AppError('email_token_invalid');
      await this.resets.removeOf(change.userId, transaction);
      if (change.email === before.email) return;
      await this.emails.add([addressChangedEmail(before, change.email)], transaction);
    });
  }
}
