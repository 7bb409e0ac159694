import { Injectable } from '@nestjs/common';
import { AppError } from '../common/errors/app-error.js';
import { RateLimiter } from '../common/throttling/rate-limiter.js';
import { Transactions } from '../database/transactions.js';
import { type ProvenPerson, type User } from '../users/user.types.js';
import { UsersService } from '../users/users.service.js';
import { SessionsService, type Tokens } from './sessions.service.js';

/** A person with the tokens of a new session. */
export interface SignedIn {
  readonly user: User;
  readonly tokens: Tokens;
}

/** How people get in: registration and login. */
@Injectable()
export class AuthService {
  constructor(
    private readonly users: UsersService,
    private readonly sessions: SessionsService,
    private readonly limiter: RateLimiter,
    private readonly transactions: Transactions,
  ) {}

  /** @throws AppError email_taken */
  async register(input: { email: string; name: string; password: string }, device: string | null): Promise<SignedIn> {
    const user = await this.users.register(input);
    return { user, tokens: await this.sessions.tokensOf(await this.sessions.open(user.id, device)) };
  }

  /** @throws AppError credentials_wrong (the same for an unknown address), rate_limited (per account) */
  async login(email: string, password: string, device: string | null): Promise<SignedIn> {
    await this.limiter.consume('loginAccount', email);
    const person = await this.users.authenticate(email, password);
    if (person === null) throw new AppError('credentials_wrong');
    return this.signIn(person, device);
  }

  private async signIn(person: ProvenPerson, device: string | null): Promise<SignedIn> {
    const { user } = person;
    const opened = await this.transactions.run(async (transaction) => {
      if (!(await this.users.countLogin(person, transaction))) throw new AppError('credentials_wrong');
      return this.sessions.open(user.id, device, transaction);
    });
    return { user, tokens: await this.sessions.tokensOf(opened) };
  }
}
