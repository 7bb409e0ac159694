import { Injectable, Logger } from '@nestjs/common';
import { AuditService } from '../../events/audit/audit.service.js';
import { type Transaction, Transactions } from '../../infrastructure/database/transactions.js';
import { sha256 } from '../../lib/crypto/keyed-hash.js';
import { SecretBox } from '../../lib/crypto/secret-box.js';
import { SECOND_MS } from '../../lib/time/durations.js';
import { MembershipsService } from '../../shops/memberships/memberships.service.js';
import { RefreshSuccessorsRepository } from './refresh-successors.repository.js';
import { type Session, type Tokens } from './session.types.js';
import { SessionsRepository } from './sessions.repository.js';

/**
 * How long after its first use a refresh token still gets the same tokens. Our own deadline is 10 s, and a 503 says to wait for 5 s: the
 * client of a response that was lost repeats its request within this time.
 */
const REPETITION_MS = 30 * SECOND_MS;

/** The tokens as they are stored, encrypted. */
interface StoredTokens extends Pick<Tokens, 'accessToken' | 'refreshToken'> {
  /** When the access token expires, in milliseconds since 1970. */
  readonly expiresAtMs: number;
}

/**
 * Returns the same tokens for a refresh token that is sent again at once: two tabs of a browser share it, or the first response was
 * lost. Whoever has copied a token gains no time by it: the next use of either copy after that ends the session.
 */
@Injectable()
export class RepeatedRefreshesService {
  private readonly logger = new Logger('Sessions');

  constructor(
    private readonly successors: RefreshSuccessorsRepository,
    private readonly sessions: SessionsRepository,
    private readonly memberships: MembershipsService,
    private readonly audit: AuditService,
    private readonly transactions: Transactions,
  ) {}

  /** Stores the tokens that were issued for a refresh token, in the transaction of its use. @param usedAt when it was used */
  async keep(
    usedToken: string,
    { expiresIn, ...tokens }: Tokens,
    usedAt: Date,
    transaction: Transaction,
  ): Promise<void> {
    const usedHash = sha256(usedToken);
    const stored: StoredTokens = { ...tokens, expiresAtMs: usedAt.getTime() + expiresIn * SECOND_MS };
    const sealedTokens = boxOf(usedToken).seal(JSON.stringify(stored), usedHash);
    await this.successors.insert(
      { usedHash, sealedTokens, expiresAt: new Date(usedAt.getTime() + REPETITION_MS) },
      transaction,
    );
  }

  /**
   * The tokens that were returned at the first use of a refresh token. The first repetition is in the audit log of each shop of the
   * person. The time in which it works is not extended.
   * @returns null when that was too long ago, when the new refresh token was used itself, or when the session has ended meanwhile
   */
  async repeat(session: Session, usedToken: string): Promise<Tokens | null> {
    const usedHash = sha256(usedToken);
    const shopIds = await this.memberships.shopIdsOf(session.userId);
    const tokens = await this.transactions.run(async (transaction) => {
      const now = new Date();
      const sealed = await this.successors.find(usedHash, now, transaction);
      if (sealed === null || (await this.sessions.findLive(session.id, now, transaction)) === null) return null;
      const stored = JSON.parse(boxOf(usedToken).open(sealed, usedHash)) as StoredTokens;
      if (!(await this.sessions.isUnused(sha256(stored.refreshToken), transaction))) return null;
      if (await this.successors.markRepeated(usedHash, now, transaction)) {
        await this.record(session, shopIds, transaction);
      }
      const { expiresAtMs, ...same } = stored;
      return { ...same, expiresIn: Math.ceil((expiresAtMs - now.getTime()) / SECOND_MS) };
    });
    if (tokens !== null) {
      this.logger.warn('A refresh token was sent again and got the same tokens', { sessionId: session.id });
    }
    return tokens;
  }

  private async record({ id, userId }: Session, shopIds: readonly string[], transaction: Transaction): Promise<void> {
    for (const shopId of shopIds) {
      const write = { action: 'session.refresh_repeated', subjectId: id } as const;
      await this.audit.record({ shopId, principal: `user:${userId}` }, write, transaction);
    }
  }
}

/** Encrypts with a key that only whoever has the used token can derive. */
function boxOf(usedToken: string): SecretBox {
  return new SecretBox({ encryptionKey: Buffer.from(usedToken), previousEncryptionKey: null }, 'refresh-successor');
}
