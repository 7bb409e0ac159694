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
import { confirmAddressEmail } from './account-emails.js';
import { EmailChangesRepository } from './email-changes.repository.js';

const TOKEN_LIFETIME_MS = HOUR_MS;

/** Requests of people for another address. `EmailConfirmationsService` confirms it. */
@Injectable()
export class EmailChangesService {
  constructor(
    private readonly changes: EmailChangesRepository,
    private readonly users: UsersService,
    private readonly limiter: RateLimiter,
    private readonly links: PageLinks,
    private readonly emails: EmailsService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Sends a token to the new address of the caller, or to the current one as long as nobody has confirmed it. Whether the address has an
   * account is not looked up: only its reader learns that, when they confirm it.
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
}
