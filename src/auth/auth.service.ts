import { randomBytes } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { sha256 } from '../common/crypto/keyed-hash.js';
import { AppError } from '../common/errors/app-error.js';
import { RateLimiter } from '../common/throttling/rate-limiter.js';
import { type User } from '../users/user.types.js';
import { UsersService } from '../users/users.service.js';
import { ACCESS_TOKEN_SECONDS, AccessTokens } from './access-tokens.js';
import { type Session } from './session.types.js';
import { SessionsRepository } from './sessions.repository.js';

const REFRESH_TOKEN_DAYS = 30;
const DAY_MS = 86_400_000;

/** What a client gets to act as a person. */
export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresIn: number;
}

/** Accounts and sessions: registration, login, refresh with rotation and reuse detection. */
@Injectable()
export class AuthService {
  private readonly logger = new Logger('Auth');

  constructor(
    private readonly users: UsersService,
    private readonly sessions: SessionsRepository,
    private readonly accessTokens: AccessTokens,
    private readonly limiter: RateLimiter,
  ) {}

  /** @throws AppError email_taken */
  async register(input: { email: string; name: string; password: string }): Promise<{ user: User; tokens: Tokens }> {
    const user = await this.users.register(input);
    return { user, tokens: await this.tokensOf(await this.openSession(user.id)) };
  }

  /** @throws AppError credentials_wrong (the same for an unknown address), rate_limited (per account) */
  async login(email: string, password: string): Promise<{ user: User; tokens: Tokens }> {
    await this.limiter.consume('loginAccount', email);
    const user = await this.users.authenticate(email, password);
    if (user === null) throw new AppError('credentials_wrong');
    return { user, tokens: await this.tokensOf(await this.openSession(user.id)) };
  }

  /**
   * Trades a refresh token for new tokens, once. A token that comes a second time was copied by somebody: its whole
   * session ends, because nobody can tell the thief from the owner.
   * @throws AppError refresh_token_invalid
   */
  async refresh(refreshToken: string): Promise<Tokens> {
    const hash = sha256(refreshToken);
    const now = new Date();
    const sessionId = await this.sessions.sessionOfToken(hash);
    // Looked at before the token is used up: of parallel tries the first one wins, whatever the others set off.
    const session = sessionId === null ? null : await this.sessions.findLive(sessionId, now);
    if (session === null) throw new AppError('refresh_token_invalid');
    if (!(await this.sessions.useToken(hash, now))) {
      await this.sessions.revoke(session.id, now);
      this.logger.warn('A refresh token came twice; its session is ended', { sessionId: session.id });
      throw new AppError('refresh_token_invalid');
    }
    return this.tokensOf(session);
  }

  /** Opens a session of a person who has proved to be one. */
  openSession(userId: string): Promise<Session> {
    const now = new Date();
    return this.sessions.insert(userId, now, new Date(now.getTime() + REFRESH_TOKEN_DAYS * DAY_MS));
  }

  /** The refresh token expires with its session: rotation does not prolong it. */
  private async tokensOf(session: Session): Promise<Tokens> {
    const refreshToken = `shr_${randomBytes(32).toString('base64url')}`;
    await this.sessions.insertToken(session.id, sha256(refreshToken), session.expiresAt);
    const accessToken = await this.accessTokens.issue(session.userId, session.id);
    return { accessToken, refreshToken, expiresIn: ACCESS_TOKEN_SECONDS };
  }
}
