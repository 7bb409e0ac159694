import { Injectable } from '@nestjs/common';
import { KeyRevocationsService } from '../api-keys/key-revocations.service.js';
import { type AuthContext } from '../../domain/principal/auth-context.js';
import { sha256 } from '../../lib/crypto/keyed-hash.js';
import { AppError } from '../../domain/errors/app-error.js';
import { Transactions } from '../../infrastructure/database/transactions.js';
import { EmailsService } from '../../events/mail/emails.service.js';
import { SecondFactorService } from '../../accounts/second-factor/second-factor.service.js';
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

/** What a reset ended. */
export interface PasswordReset {
  readonly sessionsEnded: number;
  readonly apiKeysRevoked: number;
}

/** The two ways to set a new password: with the current one, or with a token from an email. */
@Injectable()
export class PasswordService {
  constructor(
    private readonly users: UsersService,
    private readonly sessions: SessionsService,
    private readonly resets: PasswordResetsRepository,
    private readonly secondFactor: SecondFactorService,
    private readonly apiKeys: KeyRevocationsService,
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

  /** Whether a token from an email can set a password now. */
  isResetToken(token: string): Promise<boolean> {
    return this.resets.isLive(sha256(token), new Date());
  }

  /**
   * Sets a new password with a token from an email, once. All sessions end, and no session is opened: the next login
   * requires the second factor, if there is one: access to the mailbox does not replace it. Only a person who has proved the
   * address can have one. The token proves the address, and ends a setup that somebody else may have begun.
   * @param revokeApiKeys whether the person's API keys end too, in all shops: whoever had the password could create keys
   * @throws AppError reset_token_invalid
   */
  async reset(token: string, newPassword: string, revokeApiKeys: boolean): Promise<PasswordReset> {
    const tokenHash = sha256(token);
    // Checked first, because hashing a password is expensive.
    if (!(await this.resets.isLive(tokenHash, new Date()))) throw new AppError('reset_token_invalid');
    const passwordHash = await this.users.hashPassword(newPassword);
    return this.transactions.run(async (transaction) => {
      const owner = await this.resets.use(tokenHash, new Date(), transaction);
      if (owner === null) throw new AppError('reset_token_invalid');
      await this.users.resetPassword(owner, passwordHash, transaction);
      await this.users.proveEmail(owner, transaction);
      await this.secondFactor.cancelSetup(owner, transaction);
      const apiKeysRevoked = revokeApiKeys ? await this.apiKeys.revokeEverywhere(owner, transaction) : 0;
      const sessionsEnded = await this.sessions.endAll(owner, transaction);
      const user = await this.users.get(owner, transaction);
      await this.emails.add([passwordChangedEmail(user)], transaction);
      return { sessionsEnded, apiKeysRevoked };
    });
  }
}
