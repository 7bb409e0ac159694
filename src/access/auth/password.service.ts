import { Injectable } from '@nestjs/common';
import { type AuthContext } from '../../domain/principal/auth-context.js';
import { AppError } from '../../domain/errors/app-error.js';
import { Transactions } from '../../infrastructure/database/transactions.js';
import { EmailsService } from '../../events/mail/emails.service.js';
import { UsersService } from '../../accounts/users/users.service.js';
import { passwordChangedEmail } from './account-emails.js';
import { type SignedIn } from './auth.service.js';
import { PasswordResetsRepository } from './password-resets.repository.js';
import { SessionsService } from './sessions.service.js';

/** A person who changed their password, with the tokens of the new session. */
export interface PasswordChanged extends SignedIn {
  /** How many sessions were ended, including the one of the request. */
  readonly sessionsEnded: number;
}

/** Sets a new password with the current one. `PasswordResetsService` sets one with a token from an email. */
@Injectable()
export class PasswordService {
  constructor(
    private readonly users: UsersService,
    private readonly sessions: SessionsService,
    private readonly resets: PasswordResetsRepository,
    private readonly emails: EmailsService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Changes the caller's password. All sessions end, also the current one: people change a password when somebody else
   * may know it, or may have copied a token. The caller gets a new session. A reset token that was sent before stops
   * working too.
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
      const changed = await this.users.changePassword(proven, passwordHash, transaction);
      // Another request changed the password first, so the given one is no longer the current one.
      if (!changed) throw new AppError('password_wrong');
      await this.resets.removeOf(userId, transaction);
      const ended = await this.sessions.endAll(userId, transaction);
      await this.emails.add([passwordChangedEmail(proven.user)], transaction);
      return { sessionsEnded: ended, opened: await this.sessions.open(userId, device, transaction) };
    });
    const { session } = opened;
    return { user: proven.user, session, tokens: await this.sessions.tokensOf(opened), sessionsEnded };
  }
}
