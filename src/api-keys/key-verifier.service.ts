import { Injectable, Logger } from '@nestjs/common';
import { type KeyPrincipal } from '../common/auth/auth-context.js';
import { sha256 } from '../common/crypto/keyed-hash.js';
import { AppError } from '../common/errors/app-error.js';
import { describeError } from '../common/logging/logger.js';
import { isWithin } from './address-rules.js';
import { type ApiKey } from './api-key.types.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { isWellFormedKey } from './key-format.js';
import { effectiveScopes } from './key-rules.js';

const LAST_USED_RESOLUTION_MS = 60_000;

/** API keys in use. Nothing is remembered between two requests: what ends a key holds on the next one, in every process. */
@Injectable()
export class KeyVerifierService {
  private readonly logger = new Logger('ApiKeys');

  constructor(private readonly keys: ApiKeysRepository) {}

  /**
   * The principal of a presented key, or null. A malformed one costs no read, any other one.
   * @param address where the request comes from
   * @throws AppError address_not_allowed for a right key from an address that it does not allow; that counts as no use
   */
  async verify(presented: string, address: string | undefined): Promise<KeyPrincipal | null> {
    if (!isWellFormedKey(presented)) return null;
    const key = await this.keys.findBySecret(sha256(presented));
    if (!key?.isActive) return null;
    if (key.ipAllowlist !== null && !isWithin(key.ipAllowlist, address)) {
      // Perhaps a thief: the one sign of it that the owner of the service gets.
      this.logger.warn(`The key ${key.id} was presented from an address that it does not allow`);
      throw new AppError('address_not_allowed');
    }
    this.noteUse(key);
    return {
      principal: `key:${key.id}`,
      kind: 'api_key',
      userId: key.userId,
      credentialId: key.id,
      shopId: key.shopId,
      scopes: effectiveScopes(key.scopes, key.type),
      serverIds: key.serverIds && new Set(key.serverIds),
    };
  }

  /** At most one write a minute and key, and nobody waits for it. */
  private noteUse({ id, userId, lastUsedAt }: ApiKey): void {
    const now = new Date();
    const before = new Date(now.getTime() - LAST_USED_RESOLUTION_MS);
    if (lastUsedAt !== null && lastUsedAt > before) return;
    this.keys.touch(userId, id, now, before).catch((error: unknown) => {
      this.logger.warn('The use of a key was not noted', describeError(error));
    });
  }
}
