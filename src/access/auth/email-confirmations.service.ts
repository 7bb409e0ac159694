import { Injectable } from '@nestjs/common';
import { UsersService } from '../../accounts/users/users.service.js';
import { AppError } from '../../domain/errors/app-error.js';
import { EmailsService } from '../../events/mail/emails.service.js';
import { sha256 } from '../../lib/crypto/keyed-hash.js';
import { UsedTokensService } from '../used-tokens/used-tokens.service.js';
import { addressChangedEmail } from './account-emails.js';
import { EmailChangesRepository } from './email-changes.repository.js';
import { PasswordResetsRepository } from './password-resets.repository.js';

/** What is sent besides the token: nothing. */
const CONTENT: readonly string[] = [];

/** Confirms new addresses of people. An address counts once its reader has confirmed it, and the one before is told. */
@Injectable()
export class EmailConfirmationsService {
  constructor(
    private readonly changes: EmailChangesRepository,
    private readonly resets: PasswordResetsRepository,
    private readonly users: UsersService,
    private readonly emails: EmailsService,
    private readonly used: UsedTokensService,
  ) {}

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
    return this.used.use(token, CONTENT, async (transaction) => {
      const change = await this.changes.use(sha256(token), new Date(), transaction);
      const before = change && (await this.users.findById(change.userId, transaction));
      if (change === null || before === null) throw new AppError('email_token_invalid');
      const changed = await this.users.changeEmail(change.userId, change.email, change, transaction);
      if (!changed) throw new AppError('email_token_invalid');
      await this.resets.removeOf(change.userId, transaction);
      if (change.email !== before.email)
        await this.emails.add([addressChangedEmail(before, change.email)], transaction);
      return [{ userId: change.userId, shopId: null }, undefined];
    });
  }

  /** Whether an address was confirmed with a token in the last minute. */
  async isConfirmed(token: string): Promise<boolean> {
    return (await this.used.find(token, CONTENT)) !== null;
  }
}
