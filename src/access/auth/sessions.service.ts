import { Injectable, Logger } from '@nestjs/common';
import { type AuthContext } from '../../domain/principal/auth-context.js';
import { sha256 } from '../../lib/crypto/keyed-hash.js';
import { opaqueToken } from '../../lib/crypto/opaque-token.js';
import { AppError } from '../../domain/errors/app-error.js';
import { orNotFound } from '../../domain/errors/or-not-found.js';
import { type Page, type PageRequest } from '../../lib/paging/page.js';
import { DAY_MS } from '../../lib/time/durations.js';
import { type Transaction, Transactions } from '../../infrastructure/database/transactions.js';
import { ACCESS_TOKEN_SECONDS, AccessTokens } from './access-tokens.js';
import { RepeatedRefreshesService } from './repeated-refreshes.service.js';
import { type Session, type SessionDetails, type Tokens } from './session.types.js';
import { SessionsRepository } from './sessions.repository.js';

const SESSION_LIFETIME_MS = 30 * DAY_MS;

/** A new session with its first refresh token. Only the hash of the token is stored, so it is known only here. */
export interface OpenedSession {
  readonly session: Session;
  readonly refreshToken: string;
}

/**
 * Sessions: their refresh tokens, with rotation and reuse detection, and every way to end a session. The access tokens of a
 * session end together with it, because each request reads its session.
 */
@Injectable()
export class SessionsService {
  private readonly logger = new Logger('Sessions');

  constructor(
    private readonly sessions: SessionsRepository,
    private readonly accessTokens: AccessTokens,
    private readonly repetitions: RepeatedRefreshesService,
    private readonly transactions: Transactions,
  ) {}

  /** Opens a session of a person who has logged in. It is valid for 30 days; a refresh does not extend it. */
  async open(userId: string, device: string | null, transaction: Transaction): Promise<OpenedSession> {
    const createdAt = new Date();
    const expiresAt = new Date(createdAt.getTime() + SESSION_LIFETIME_MS);
    const refreshToken = opaqueToken('shr');
    const session = await this.sessions.insert(userId, { createdAt, expiresAt, device }, transaction);
    await this.sessions.insertToken(session, sha256(refreshToken), transaction);
    return { session, refreshToken };
  }

  /** The tokens of a session that was just opened or refreshed. */
  async tokensOf({ session, refreshToken }: OpenedSession): Promise<Tokens> {
    const accessToken = await this.accessTokens.issue(session.userId, session.id);
    return { accessToken, refreshToken, expiresIn: ACCESS_TOKEN_SECONDS };
  }

  /**
   * Exchanges a refresh token for new tokens. Sent again within 30 seconds, it gets the same tokens. When it is used later, somebody
   * has copied it. The service cannot know which of the two is the owner, so the whole session ends. When the exchange fails, nothing
   * is stored, and the token still works.
   * @throws AppError refresh_token_invalid
   */
  async refresh(refreshToken: string): Promise<Tokens> {
    const hash = sha256(refreshToken);
    const now = new Date();
    const sessionId = await this.sessions.sessionOfToken(hash);
    // Read before the token is used: when several requests use it at once, the first one succeeds, even though the others
    // end the session.
    const session = sessionId === null ? null : await this.sessions.findLive(sessionId, now, null);
    if (session === null) throw new AppError('refresh_token_invalid');
    const tokens = await this.tokensOf({ session, refreshToken: opaqueToken('shr') });
    if (!(await this.rotate(session, refreshToken, tokens, now))) {
      const repeated = await this.repetitions.repeat(session, refreshToken);
      if (repeated !== null) return repeated;
      // In a transaction of its own: the session must stay revoked although the request fails.
      await this.revoke(session.id, now);
      this.logger.warn('A refresh token was used twice; its session was ended', { sessionId: session.id });
      throw new AppError('refresh_token_invalid');
    }
    return tokens;
  }

  /** Replaces a refresh token with another one; returns false when it was already used. */
  private rotate(session: Session, usedToken: string, next: Tokens, now: Date): Promise<boolean> {
    return this.transactions.run(async (transaction) => {
      if (!(await this.sessions.useToken(sha256(usedToken), now, transaction))) return false;
      await this.sessions.insertToken(session, sha256(next.refreshToken), transaction);
      await this.repetitions.keep(usedToken, next, now, transaction);
      await this.sessions.touch(session.id, now, transaction);
      return true;
    });
  }

  /** Ends the session of a refresh token, used or not. An unknown token and an ended session give the same result. */
  async logout(refreshToken: string): Promise<void> {
    const sessionId = await this.sessions.sessionOfToken(sha256(refreshToken));
    if (sessionId !== null) await this.revoke(sessionId, new Date());
  }

  /** Ends all sessions of the caller, and returns how many there were. */
  logoutAll({ userId }: AuthContext): Promise<number> {
    return this.transactions.run((transaction) => this.endAll(userId, transaction));
  }

  /** The live sessions of the caller, newest first. */
  list({ userId }: AuthContext, page: PageRequest): Promise<Page<SessionDetails>> {
    return this.sessions.listLive(userId, new Date(), page);
  }

  /** @throws AppError session_not_found, also for another person's session and for one that has ended */
  async end({ userId }: AuthContext, sessionId: string): Promise<void> {
    const ended = await this.transactions.run((transaction) =>
      this.sessions.revokeOf(userId, sessionId, new Date(), transaction),
    );
    orNotFound(ended, 'session_not_found');
  }

  /** Ends all sessions of a person, and returns how many there were. */
  endAll(userId: string, transaction: Transaction): Promise<number> {
    return this.sessions.revokeAllOf(userId, new Date(), transaction);
  }

  private revoke(sessionId: string, now: Date): Promise<void> {
    return this.transactions.run((transaction) => this.sessions.revoke(sessionId, now, transaction));
  }
}
