import { Injectable, type OnModuleInit } from '@nestjs/common';
import { sha256 } from '../../lib/crypto/keyed-hash.js';
import { opaqueToken } from '../../lib/crypto/opaque-token.js';
import { PageLinks } from '../../http/addresses/page-links.js';
import { backoff } from '../../infrastructure/jobs/backoff.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../lib/time/durations.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { EmailsService } from '../../events/mail/emails.service.js';
import { type ApplyingHandler, OutboxHandlers } from '../../events/outbox/outbox-handlers.js';
import { type OutboxItem } from '../../events/outbox/outbox.types.js';
import { UsersService } from '../../accounts/users/users.service.js';
import { resetTokenEmail } from './account-emails.js';
import { PasswordResetsRepository } from './password-resets.repository.js';

/** The topic of the requests in the outbox. */
export const PASSWORD_RESET_TOPIC = 'password-reset';
const RESET_TOKEN_LIFETIME_MS = HOUR_MS;
const MAX_ATTEMPTS = 5;

/** Creates the tokens for people who forgot their password, and writes their emails. */
@Injectable()
export class PasswordResetTokensService implements ApplyingHandler, OnModuleInit {
  constructor(
    private readonly handlers: OutboxHandlers,
    private readonly users: UsersService,
    private readonly resets: PasswordResetsRepository,
    private readonly emails: EmailsService,
    private readonly links: PageLinks,
  ) {}

  onModuleInit(): void {
    this.handlers.register(PASSWORD_RESET_TOPIC, this);
  }

  async apply(items: readonly OutboxItem[], transaction: Transaction): Promise<void> {
    for (const { payload } of items) await this.send((payload as { readonly email: string }).email, transaction);
  }

  /** Creates a token that sets a new password once, for an hour, and the link to its page. It replaces an earlier one. */
  async issue(userId: string, transaction: Transaction): Promise<{ readonly token: string; readonly link: string }> {
    const token = opaqueToken('shw');
    const expiresAt = new Date(Date.now() + RESET_TOKEN_LIFETIME_MS);
    await this.resets.replace(userId, sha256(token), expiresAt, transaction);
    return { token, link: this.links.passwordReset(token) };
  }

  retryAfter(attempts: number): number | null {
    return attempts < MAX_ATTEMPTS ? backoff(attempts, MINUTE_MS, DAY_MS) : null;
  }

  private async send(email: string, transaction: Transaction): Promise<void> {
    const user = await this.users.findByEmail(email, transaction);
    if (user === null) return;
    const { token, link } = await this.issue(user.id, transaction);
    await this.emails.add([resetTokenEmail(user, token, RESET_TOKEN_LIFETIME_MS / MINUTE_MS, link)], transaction);
  }
}
