import { Injectable } from '@nestjs/common';
import { sha256 } from '../common/crypto/keyed-hash.js';
import { opaqueToken } from '../common/crypto/opaque-token.js';
import { RateLimiter } from '../common/throttling/rate-limiter.js';
import { HOUR_MS } from '../common/time/durations.js';
import { Transactions } from '../database/transactions.js';
import { MailService } from '../mail/mail.service.js';
import { UsersService } from '../users/users.service.js';
import { resetTokenEmail } from './account-emails.js';
import { PasswordResetsRepository } from './password-resets.repository.js';

const RESET_TOKEN_LIFETIME_MS = HOUR_MS;

/** Requests of people who forgot their password. */
@Injectable()
export class PasswordResetRequestsService {
  constructor(
    private readonly users: UsersService,
    private readonly resets: PasswordResetsRepository,
    private readonly mail: MailService,
    private readonly limiter: RateLimiter,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Sends a token for a new password by email, if the address has an account. The account is looked up after the response,
   * so that neither its text nor its time shows which addresses have one.
   * @throws AppError rate_limited (per address, known or not)
   */
  async forgot(email: string): Promise<void> {
    await this.limiter.consume('passwordResetAccount', email);
    this.mail.inBackground(async () => {
      const user = await this.users.findByEmail(email);
      if (user === null) return;
      const token = opaqueToken('shw');
      const expiresAt = new Date(Date.now() + RESET_TOKEN_LIFETIME_MS);
      await this.transactions.run((transaction) => this.resets.replace(user.id, sha256(token), expiresAt, transaction));
      this.mail.post(resetTokenEmail(email, token));
    });
  }
}
