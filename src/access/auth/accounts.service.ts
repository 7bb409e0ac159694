import { Injectable } from '@nestjs/common';
import { type User } from '../../accounts/users/user.types.js';
import { UsersService } from '../../accounts/users/users.service.js';
import { AppError } from '../../domain/errors/app-error.js';
import { type AuthContext } from '../../domain/principal/auth-context.js';
import { EmailsService } from '../../events/mail/emails.service.js';
import { Transactions } from '../../infrastructure/database/transactions.js';
import { DeparturesService } from '../team/departures.service.js';
import { AccountRecordsService } from './account-records.service.js';
import { accountClosedEmail } from './account-emails.js';
import { SessionsService } from './sessions.service.js';

/** A person's own account: its name, and its end. What the person did in shops stays in their audit logs, without a name. */
@Injectable()
export class AccountsService {
  constructor(
    private readonly users: UsersService,
    private readonly departures: DeparturesService,
    private readonly sessions: SessionsService,
    private readonly records: AccountRecordsService,
    private readonly emails: EmailsService,
    private readonly transactions: Transactions,
  ) {}

  /** @throws AppError authentication_required when the account no longer exists */
  get({ userId }: AuthContext): Promise<User> {
    return this.users.get(userId, null);
  }

  /** Gives the caller another name. @throws AppError authentication_required when the account no longer exists */
  rename({ userId }: AuthContext, name: string): Promise<User> {
    return this.transactions.run((transaction) => this.users.rename(userId, name, transaction));
  }

  /**
   * Deletes the caller's account: the person leaves all teams, the API keys are revoked, and all sessions end.
   * @throws AppError password_wrong, last_owner when the person is the only owner of an open shop
   */
  async close(auth: AuthContext, currentPassword: string): Promise<void> {
    const proven = await this.users.confirmPassword(auth.userId, currentPassword);
    await this.transactions.run(async (transaction) => {
      // Another request changed the password first, so the given one is no longer the current one.
      if (!(await this.users.remove(proven, transaction))) throw new AppError('password_wrong');
      await this.departures.leaveAll(auth, transaction);
      await this.records.removeOf(auth.userId, transaction);
      await this.sessions.endAll(auth.userId, transaction);
      await this.emails.add([accountClosedEmail(proven.user)], transaction);
    });
  }
}
