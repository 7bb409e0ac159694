import { Injectable } from '@nestjs/common';
import { RateLimiter } from '../../http/throttling/rate-limiter.js';
import { Transactions } from '../../infrastructure/database/transactions.js';
import { EmailsService } from '../../events/mail/emails.service.js';
import { OutboxService } from '../../events/outbox/outbox.service.js';
import { PASSWORD_RESET_TOPIC } from './password-reset-tokens.service.js';

/** Requests of people who forgot their password. */
@Injectable()
export class PasswordResetRequestsService {
  constructor(
    private readonly outbox: OutboxService,
    private readonly limiter: RateLimiter,
    private readonly emails: EmailsService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Sends a token for a new password by email, if the address has an account. Each request is stored alike, and the account is
   * looked up after the response, so that neither its body nor its time shows which addresses have one.
   * @throws AppError emails_off, rate_limited (per address, known or not)
   */
  async forgot(email: string): Promise<void> {
    this.emails.require('request a link from its operator that sets a new password');
    await this.limiter.consume('passwordResetAccount', email);
    const message = {
      topic: PASSWORD_RESET_TOPIC,
      shopId: null,
      orderId: null,
      lane: 'requests',
      stream: null,
      payload: { email },
    };
    await this.transactions.run((transaction) => this.outbox.add([message], transaction));
  }
}
