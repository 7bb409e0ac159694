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
import { type OpenedSession, SessionsService } from './sessions.service.js';

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

/** What a login is for: a session, or something else in its transaction. */
export type LoginAct<Result> = (userId: string, transaction: Transaction) => Promise<Result>;

/** A person who has logged in, and what the login was for. */
export interface LoggedIn<Result> {
  readonly user: User;
  readonly result: Result;
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
    const login = await this.loginFor(email, password, device, this.openSession(device));
    return 'expiresAt' in login ? login : this.signedIn(login);
  }

  /** As `login`, for something else than a session. @throws AppError as `login`, and as `act` */
  async loginFor<Result>(
    email: string,
    password: string,
    device: ClientDevice,
    act: LoginAct<Result>,
  ): Promise<LoggedIn<Result> | SecondFactorRequired> {
    const person = await this.authenticate(email, password, device);
    if (person === null) throw new AppError('credentials_wrong');
    const { enabled } = await this.secondFactor.statusOf(person.user.id);
    return enabled ? this.challenge(person) : this.logIn(person, device, 'credentials_wrong', act);
  }

  /**
   * The second step of a login. The token and the code both work once. After a wrong code the token still works.
   * @throws AppError second_factor_token_invalid, second_factor_code_invalid, rate_limited (per person)
   */
  async completeLogin(token: string, code: string, device: ClientDevice): Promise<SignedIn> {
    return this.signedIn(await this.completeLoginFor(token, code, device, this.openSession(device)));
  }

  /** As `completeLogin`, for something else than a session. @throws AppError as `completeLogin`, and as `act` */
  async completeLoginFor<Result>(
    token: string,
    code: string,
    device: ClientDevice,
    act: LoginAct<Result>,
  ): Promise<LoggedIn<Result>> {
    const tokenHash = sha256(token);
    const challenge = await this.challenges.findLive(tokenHash, new Date());
    // Before the attempt is counted: only a person who knows the password can use up the attempts.
    if (challenge === null) throw new AppError('second_factor_token_invalid');
    const { userId, passwordChangedAt } = challenge;
    const checked = await this.secondFactor.check(userId, code);
    const person = { user: await this.users.get(userId, null), passwordChangedAt };
    return this.logIn(person, device, 'second_factor_token_invalid', async (id, transaction) => {
      const used = await this.challenges.use(tokenHash, new Date(), transaction);
      if (!used) throw new AppError('second_factor_token_invalid');
      await this.secondFactor.spend(checked, person.user, transaction);
      return act(id, transaction);
    });
  }

  /** Whether a password is the one of a person. It counts as an attempt to log in. @throws AppError rate_limited */
  async confirms(userId: string, password: string, device: ClientDevice): Promise<boolean> {
    const user = await this.users.findById(userId, null);
    return user !== null && (await this.authenticate(user.email, password, device))?.user.id === userId;
  }

  /** Ends the session of a refresh token, if there is one. */
  logout(refreshToken: string): Promise<void> {
    return this.sessions.logout(refreshToken);
  }

  private authenticate(email: string, password: string, device: ClientDevice): Promise<ProvenPerson | null> {
    return this.users.authenticate(email, password, (history) =>
      this.attempts.count(email, history, this.attempts.known(device)),
    );
  }

  private openSession({ name }: ClientDevice): LoginAct<OpenedSession> {
    return (userId, transaction) => this.sessions.open(userId, name, transaction);
  }

  private async signedIn({ user, result }: LoggedIn<OpenedSession>): Promise<SignedIn> {
    return { user, session: result.session, tokens: await this.sessions.tokensOf(result) };
  }

  private async challenge({ user, passwordChangedAt }: ProvenPerson): Promise<SecondFactorRequired> {
    const token = opaqueToken('shs');
    const expiresAt = new Date(Date.now() + CHALLENGE_LIFETIME_MS);
    await this.challenges.insert(user.id, { passwordChangedAt, tokenHash: sha256(token), expiresAt });
    return { token, expiresAt };
  }

  /**
   * Counts a login in one transaction with what it is for. The person gets an email when the device is new.
   * @throws AppError `outdated` when the password was changed after it was checked
   */
  private async logIn<Result>(
    person: ProvenPerson,
    device: ClientDevice,
    outdated: ErrorCode,
    act: LoginAct<Result>,
  ): Promise<LoggedIn<Result>> {
    const { user } = person;
    const result = await this.transactions.run(async (transaction) => {
      const counted = await this.users.countLogin(person, this.attempts.known(device), transaction);
      if (counted === null) throw new AppError(outdated);
      if (counted === 'new_device') {
        await this.emails.add([newDeviceEmail(user, device.name, new Date())], transaction);
      }
      return act(user.id, transaction);
    });
    return { user, result };
  }
}
