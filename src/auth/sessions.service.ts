import { Injectable, Logger } from '@nestjs/common';
import { type AuthContext } from '../common/auth/auth-context.js';
import { sha256 } from '../common/crypto/keyed-hash.js';
import { opaqueToken } from '../common/crypto/opaque-token.js';
import { AppError } from '../common/errors/app-error.js';
import { Page } from '../common/http/page.js';
import { DAY_MS } from '../common/time/durations.js';
import { type Transaction, Transactions } from '../database/transactions.js';
import { ACCESS_TOKEN_SECONDS, AccessTokens } from './access-tokens.js';
import { type Session, type SessionDetails } from './session.types.js';
import { SessionsRepository } from './sessions.repository.js';

const SESSION_LIFETIME_MS = 30 * DAY_MS;

/** What a client gets to act as a person. */
export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresIn: number;
}

/** A session that was just opened, with its first refresh token, which is known this once. */
export interface OpenedSession {
  readonly session: Session;
  readonly refreshToken: string;
}

/**
 * Sessions: their tokens, with rotation and reuse detection, and every way in which they end. A session that ends takes its
 * access tokens with it, because each request reads its session.
 */
@Injectable()
export class SessionsService {
  private readonly logger = new Logger('Sessions');

  constructor(
    private readonly sessions: SessionsRepository,
    private readonly accessTokens: AccessTokens,
    private readonly transactions: Transactions,
  ) {}

  /** Opens a session of a person who has proved to be one. It lives 30 days; no refresh prolongs it. */
  async open(userId: string, device: string | null, transaction?: Transaction): Promise<OpenedSession> {
    const createdAt = new Date();
    const expiresAt = new Date(createdAt.getTime() + SESSION_LIFETIME_MS);
    const refreshToken = opaqueToken('shr');
    const session = await this.sessions.insert(
      { userId, createdAt, expiresAt, device },
      sha256(refreshToken),
      transaction,
    );
    return { session, refreshToken };
  }

  /** The tokens of a session that was opened or refreshed just now. */
  async tokensOf({ session, refreshToken }: OpenedSession): Promise<Tokens> {
    const accessToken = await this.accessTokens.issue(session.userId, session.id);
    return { accessToken, refreshToken, expiresIn: ACCESS_TOKEN_SECONDS };
  }

  /**
   * Trades a refresh token for new tokens, once. A token that comes a second time was copied by somebody: its whole
   * session ends, because nobody can tell the thief from the owner. A trade that fails half way never was: its token still
   * works.
   * @throws AppError refresh_token_invalid
   */
  async refresh(refreshToken: string): Promise<Tokens> {
    const hash = sha256(refreshToken);
    const now = new Date();
    const sessionId = await this.sessions.sessionOfToken(hash);
    // Looked at before the token is used up: of parallel tries the first one wins, whatever the others set off.
    const session = sessionId === null ? null : await this.sessions.findLive(sessionId, now);
    if (session === null) throw new AppError('refresh_token_invalid');
    const next = opaqueToken('shr');
    if (!(await this.rotate(session, hash, sha256(next), now))) {
      // Outside of the transaction: what a refused refresh sets off has to stay.
      await this.sessions.revoke(session.id, now);
      this.logger.warn('A refresh token came twice; its session is ended', { sessionId: session.id });
      throw new AppError('refresh_token_invalid');
    }
    return this.tokensOf({ session, refreshToken: next });
  }

  /** Puts a refresh token in the place of another one; false when that was used before. */
  private rotate(session: Session, usedHash: string, nextHash: string, now: Date): Promise<boolean> {
    return this.transactions.run(async (transaction) => {
      if (!(await this.sessions.useToken(usedHash, now, transaction))) return false;
      await this.sessions.insertToken(session.id, nextHash, session.expiresAt, transaction);
      await this.sessions.touch(session.id, now, transaction);
      return true;
    });
  }

  /** Ends the session of a refresh token, used or not. Nothing tells a token that never was from one whose session ended. */
  async logout(refreshToken: string): Promise<void> {
    const sessionId = await this.sessions.sessionOfToken(sha256(refreshToken));
    if (sessionId !== null) await this.sessions.revoke(sessionId, new Date());
  }

  /** The live sessions of the caller, newest first. */
  async list({ userId }: AuthContext, after: string | null, limit: number): Promise<Page<SessionDetails>> {
    return Page.of(await this.sessions.listLive(userId, new Date(), after, limit + 1), limit);
  }

  /** @throws AppError session_not_found, also for a session of somebody else's and for one that is over */
  async end({ userId }: AuthContext, sessionId: string): Promise<void> {
    if (!(await this.sessions.revokeOf(userId, sessionId, new Date()))) throw new AppError('session_not_found');
  }

  /** Ends all sessions of a person, and says how many. */
  endAll(userId: string, transaction?: Transaction): Promise<number> {
    return this.sessions.revokeAllOf(userId, new Date(), transaction);
  }
}
