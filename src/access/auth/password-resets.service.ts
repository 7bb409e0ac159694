import { Injectable } from '@nestjs/common';
import { SecondFactorService } from '../../accounts/second-factor/second-factor.service.js';
import { UsersService } from '../../accounts/users/users.service.js';
import { AppError } from '../../domain/errors/app-error.js';
import { EmailsService } from '../../events/mail/emails.service.js';
import { sha256 } from '../../lib/crypto/keyed-hash.js';
import { KeyRevocationsService } from '../api-keys/key-revocations.service.js';
import { UsedTokensService } from '../used-tokens/used-tokens.service.js';
import { firstPasswordEmail, passwordChangedEmail } from './account-emails.js';
import { PasswordResetsRepository } from './password-resets.repository.js';
import { SessionsService } from './sessions.service.js';

/** A token that can set a password. */
export interface FoundReset {
  /** The address of the account. */
  readonly email: string;
  /** Whether it sets the first password of an account that the operator has created. */
  readonly isFirst: boolean;
}

/** What a reset ended. */
export interface PasswordReset {
  readonly sessionsEnded: number;
  readonly apiKeysRevoked: number;
}

/** Sets a new password with a token from an email, or from the operator. */
@Injectable()
export class PasswordResetsService {
  constructor(
    private readonly users: UsersService,
    private readonly sessions: SessionsService,
    private readonly resets: PasswordResetsRepository,
    private readonly secondFactor: SecondFactorService,
    private readonly apiKeys: KeyRevocationsService,
    private readonly emails: EmailsService,
    private readonly used: UsedTokensService,
  ) {}

  /** What a token does now; null: nothing. */
  async find(token: string): Promise<FoundReset | null> {
    const userId = await this.resets.findLive(sha256(token), new Date());
    const user = userId === null ? null : await this.users.findById(userId, null);
    return user && { email: user.email, isFirst: !(await this.users.hasPassword(user.id, null)) };
  }

  /**
   * Sets a new password with a token, once. All sessions end, and no session is opened: the next login
   * requires the second factor, if there is one: access to the mailbox does not replace it. Only a person who has proved the
   * address can have one. The token proves the address, and ends a setup that somebody else may have begun.
   * @param revokeApiKeys whether the person's API keys end too, in all shops: whoever had the password could create keys
   * @throws AppError reset_token_invalid
   */
  async reset(token: string, newPassword: string, revokeApiKeys: boolean): Promise<PasswordReset> {
    const tokenHash = sha256(token);
    // Checked first, because hashing a password is expensive.
    if ((await this.resets.findLive(tokenHash, new Date())) === null) throw new AppError('reset_token_invalid');
    const passwordHash = await this.users.hashPassword(newPassword);
    return this.used.use(token, contentOf(revokeApiKeys), async (transaction) => {
      const owner = await this.resets.use(tokenHash, new Date(), transaction);
      if (owner === null) throw new AppError('reset_token_invalid');
      const isFirst = !(await this.users.hasPassword(owner, transaction));
      await this.users.resetPassword(owner, passwordHash, transaction);
      await this.users.proveEmail(owner, transaction);
      await this.secondFactor.cancelSetup(owner, transaction);
      const apiKeysRevoked = revokeApiKeys ? await this.apiKeys.revokeEverywhere(owner, transaction) : 0;
      const sessionsEnded = await this.sessions.endAll(owner, transaction);
      const user = await this.users.get(owner, transaction);
      await this.emails.add([isFirst ? firstPasswordEmail(user) : passwordChangedEmail(user)], transaction);
      return [
        { userId: owner, shopId: null },
        { sessionsEnded, apiKeysRevoked },
      ];
    });
  }

  /**
   * Whose password was set with a token in the last minute, with the same choice about API keys; null: nobody's. Whether the password is the
   * same, the caller checks.
   */
  async lastUse(token: string, revokeApiKeys: boolean): Promise<string | null> {
    return (await this.used.find(token, contentOf(revokeApiKeys)))?.userId ?? null;
  }
}

function contentOf(revokeApiKeys: boolean): readonly string[] {
  return [revokeApiKeys ? 'revoke' : 'keep'];
}
