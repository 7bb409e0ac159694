import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../infrastructure/config/app-config.js';
import { AppError } from '../../domain/errors/app-error.js';
import { Transactions } from '../../infrastructure/database/transactions.js';
import { UsersService } from '../../accounts/users/users.service.js';
import { InvitationRepliesService } from '../team/invitation-replies.service.js';
import { type LoggedIn, type LoginAct, type SignedIn } from './auth.service.js';
import { type ClientDevice } from './device.js';
import { LoginAttemptsService } from './login-attempts.service.js';
import { SessionsService } from './sessions.service.js';

/** What a person gives to create an account. */
export interface NewAccount {
  readonly email: string;
  readonly name: string;
  readonly password: string;
  /** From the email of an invitation to a team. */
  readonly invitationToken?: string | undefined;
}

/** Creates accounts of the people whom the operator admits (`REGISTRATION`). */
@Injectable()
export class RegistrationService {
  constructor(
    private readonly config: AppConfig,
    private readonly invitations: InvitationRepliesService,
    private readonly users: UsersService,
    private readonly sessions: SessionsService,
    private readonly attempts: LoginAttemptsService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Creates an account and its first session, or neither: after an error the same registration can be retried.
   * @throws AppError registration_closed, email_taken
   */
  async register(input: NewAccount, device: ClientDevice): Promise<SignedIn> {
    const { user, result } = await this.registerFor(input, device, (userId, transaction) =>
      this.sessions.open(userId, device.name, transaction),
    );
    return { user, session: result.session, tokens: await this.sessions.tokensOf(result) };
  }

  /** Creates an account for something else than a session, or neither. @throws AppError registration_closed, email_taken, and as `act` */
  async registerFor<Result>(input: NewAccount, device: ClientDevice, act: LoginAct<Result>): Promise<LoggedIn<Result>> {
    const { email, name, password, invitationToken = null } = input;
    await this.requireAdmission(email, invitationToken);
    const passwordHash = await this.users.hashPassword(password);
    return this.transactions.run(async (transaction) => {
      const { language } = device;
      const person = { email, name, language, passwordHash, knownDevices: [this.attempts.known(device)] };
      const user = await this.users.register(person, transaction);
      return { user, result: await act(user.id, transaction) };
    });
  }

  /** An address alone admits nobody: otherwise everybody could find out which addresses are invited. */
  private async requireAdmission(email: string, invitationToken: string | null): Promise<void> {
    const { registration } = this.config;
    if (registration === 'open') return;
    if (registration === 'closed') throw new AppError('registration_closed');
    const invitation = invitationToken === null ? null : await this.invitations.find(invitationToken);
    if (invitation?.email !== email) {
      const message = 'Only invited people can register; send invitationToken and the email address of the invitation';
      throw new AppError('registration_closed', { message });
    }
  }
}
