import { Injectable } from '@nestjs/common';
import { sha256 } from '../../lib/crypto/keyed-hash.js';
import { opaqueToken } from '../../lib/crypto/opaque-token.js';
import { AppError } from '../../domain/errors/app-error.js';
import { type ErrorCode } from '../../domain/errors/error-catalogue.js';
import { MINUTE_MS } from '../../lib/time/durations.js';
import { type Transaction, Transactions } from '../../infrastructure/database/transactions.js';
import { EmailsService } from '../../events/mail/emails.service.js';
import { SecondFactorService } from '../../accounts/second-factor/second-factor.service.js';
import { type ProvenPerson, type User } from '../../accounts/users/user.types.js';
import { UsersService } from '../../accounts/users/users.service.js';
import { newDeviceEmail } from './account-emails.js';
import { type ClientDevice } from './device.js';
import { LoginAttemptsService } from './login-attempts.service.js';
import { LoginChallengesRepository } from './login-challenges.repository.js';
import { type Session, type Tokens } from './session.types.js';
import { SessionsService } from './sessions.service.js';

const CHALLENGE_LIFETIME_MS = 5 * MINUTE_MS;

/** A person with the tokens of a new session. */
export interface SignedIn {
  readonly user: User;
  readonly session: Session;
  readonly tokens: Tokens;
}

/** A login that waits for its second factor. The token works only for the second step. */
export interface SecondFactorRequired {
  readonly token: string;
  readonly expiresAt: Date;
}

/** Login in one step or in two, and logout. */
@Injectable()
export class AuthService {
  constructor(
    private readonly users: UsersService,
    private readonly sessions: SessionsService,
    private readonly secondFactor: SecondFactorService,
    private readonly challenges: LoginChallengesRepository,
    private readonly attempts: LoginAttemptsService,
    private readonly emails: EmailsService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Logs a person in. With a second factor, it returns a token for the second step instead.
   * @throws AppError credentials_wrong (the same for an unknown address), rate_limited (per account)
   */
  async login(email: string, password: string, device: ClientDevice): Promise<SignedIn | SecondFactorRequired> {
    const person = await this.users.authenticate(email, password, (history) =>
      this.attempts.count(email, history, this.attempts.known(device)),
    );
    if (person === null) throw new AppError('credentials_wrong');
    const { enabled } = await this.secondFactor.statusOf(person.user.id);
    return enabled ? this.challenge(person) : this.signIn(person, device, 'credentials_wrong');
  }

  /**
   * The second step of a login. The token and the code both work once. After a wrong code the token still works.
   * @throws AppError second_factor_token_invalid, second_factor_code_invalid, rate_limited (per person)
   */
  async completeLogin(token: string, code: string, device: ClientDevice): Promise<SignedIn> {
    const tokenHash = sha256(token);
    const challenge = await this.challenges.findLive(tokenHash, new Date());
    // Before the attempt is counted: only a person who knows the password can use up the attempts.
    if (challenge === null) throw new AppError('second_factor_token_invalid');
    const { userId, passwordChangedAt } = challenge;
    const checked = await this.secondFactor.check(userId, code);
    const person = { user: await this.users.get(userId, null), passwordChangedAt };
    return this.signIn(person, device, 'second_factor_token_invalid', async (transaction) => {
      const used = await this.challenges.use(tokenHash, new Date(), transaction);
      if (!used) throw new AppError('second_factor_token_invalid');
      await this.secondFactor.spend(checked, person.user, transaction);
    });
  }

  /** Ends the session of a refresh token, if there is one. */
  logout(refreshToken: string): Promise<void> {
    return this.sessions.logout(refreshToken);
  }

  private async challenge({ user, passwordChangedAt }: ProvenPerson): Promise<SecondFactorRequired> {
    const token = opaqueToken('shs');
    const expiresAt = new Date(Date.now() + CHALLENGE_LIFETIME_MS);
    await this.challenges.insert(user.id, { passwordChangedAt, tokenHash: sha256(token), expiresAt });
    return { token, expiresAt };
  }

  /**
   * Opens a session in one transaction with the other writes of the login. The person gets an email when the device is new.
   * @param also the other writes
   * @throws AppError `outdated` when the password was changed after it was checked
   */
  private async signIn(
    person: ProvenPerson,
    device: ClientDevice,
    outdated: ErrorCode,
    also?: (transaction: Transaction) => Promise<void>,
  ): Promise<SignedIn> {
    const { user } = person;
    const opened = await this.transactions.run(async (transaction) => {
      await also?.(transaction);
      const counted = await this.users.countLogin(person, this.attempts.known(device), transaction);
      if (counted === null) throw new AppError(outdated);
      if (counted === 'new_device') {
        await this.emails.add([newDeviceEmail(user, device.name, new Date())], transaction);
      }
      return this.sessions.open(user.id, device.name, transaction);
    });
    return { user, session: opened.session, tokens: await this.sessions.tokensOf(opened) };
  }
}
