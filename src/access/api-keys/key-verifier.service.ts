import { Injectable, Logger } from '@nestjs/common';
import { type KeyPrincipal } from '../../domain/principal/auth-context.js';
import { sha256 } from '../../lib/crypto/keyed-hash.js';
import { AppError } from '../../domain/errors/app-error.js';
import { describeError } from '../../infrastructure/logging/logger.js';
import { MINUTE_MS } from '../../lib/time/durations.js';
import { type Transaction, Transactions } from '../../infrastructure/database/transactions.js';
import { isWithin } from './address-rules.js';
import { type ApiKey } from './api-key.types.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { isWellFormedKey } from './key-format.js';
import { effectiveScopes } from './key-rules.js';

const LAST_USED_RESOLUTION_MS = MINUTE_MS;

function principalOf(key: ApiKey): KeyPrincipal {
  return {
    principal: `key:${key.id}`,
    kind: 'api_key',
    userId: key.userId,
    credentialId: key.id,
    shopId: key.shopId,
    scopes: effectiveScopes(key.scopes, key.type),
    publicView: key.type === 'storefront',
    serverIds: key.serverIds && new Set(key.serverIds),
    readsBuyers: key.type === 'secret',
  };
}

/** Checks the API keys of requests. Nothing is cached: a revoked key fails on the next request, in every process. */
@Injectable()
export class KeyVerifierService {
  private readonly logger = new Logger('ApiKeys');

  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly transactions: Transactions,
  ) {}

  /**
   * The caller with a key, or null when the key is not valid. It takes one read, and none for a malformed key.
   * @param address the address that the request comes from
   * @throws AppError address_not_allowed for a valid key from an address that it does not allow; this is not stored as a use
   */
  async verify(presented: string, address: string | undefined): Promise<KeyPrincipal | null> {
    if (!isWellFormedKey(presented)) return null;
    const key = await this.keys.findBySecret(sha256(presented));
    if (!key?.isActive) return null;
    if (key.ipAllowlist !== null && !isWithin(key.ipAllowlist, address)) {
      // The key may be stolen. This line is the only sign of it for the operator of the service.
      this.logger.warn(`The API key ${key.id} was used from an address that it does not allow`);
      throw new AppError('address_not_allowed');
    }
    this.recordUse(key);
    return principalOf(key);
  }

  /** At most one write per key and minute. The request does not wait for it. */
  private recordUse({ id, userId, lastUsedAt }: ApiKey): void {
    const now = new Date();
    const before = new Date(now.getTime() - LAST_USED_RESOLUTION_MS);
    if (lastUsedAt !== null && lastUsedAt > before) return;
    const touch = (transaction: Transaction): Promise<void> => this.keys.touch(userId, id, now, before, transaction);
    this.transactions.run(touch).catch((error: unknown) => {
      this.logger.warn('The use of an API key was not stored', describeError(error));
    });
  }
}
