import { Injectable } from '@nestjs/common';
import { AppError } from '../common/errors/app-error.js';
import { RateLimiter } from '../common/throttling/rate-limiter.js';
import { type User } from '../users/user.types.js';
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
  ) {}

  /** @throws AppError email_taken */
  async register(input: { email: string; name: string; password: string }, device: string | null): Promise<SignedIn> {
    return this.signIn(await this.users.register(input), device);
  }

  /** @throws AppError credentials_wrong (the same for an unknown address), rate_limited (per account) */
  async login(email: string, password: string, device: string | null): Promise<SignedIn> {
    await this.limiter.consume('loginAccount', email);
    const user = await this.users.authenticate(email, password);
    if (user === null) throw new AppError('credentials_wrong');
    return this.signIn(user, device);
  }

  private async signIn(user: User, device: string | null): Promise<SignedIn> {
    return { user, tokens: await this.sessions.tokensOf(await this.sessions.open(user.id, device)) };
  }
}
