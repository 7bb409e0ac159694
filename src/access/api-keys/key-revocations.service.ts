import { Injectable } from '@nestjs/common';
import { changesBetween } from '../../events/audit/audit-rules.js';
import { type AuditedWrite, AuditService } from '../../events/audit/audit.service.js';
import { type AuthContext, type ShopContext } from '../../domain/principal/auth-context.js';
import { orNotFound } from '../../domain/errors/or-not-found.js';
import { type Transaction, Transactions } from '../../infrastructure/database/transactions.js';
import { type ApiKey } from './api-key.types.js';
import { ApiKeysRepository } from './api-keys.repository.js';

/** Revokes API keys. It only takes rights away, so the caller needs none of the permissions of a key. */
@Injectable()
export class KeyRevocationsService {
  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly audit: AuditService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Revokes a key with all its secrets. Revoking it again changes nothing.
   * @throws AppError api_key_not_found
   */
  async revoke(auth: AuthContext, keyId: string): Promise<ApiKey> {
    return (
      (await this.revokeKeyOf(auth.userId, keyId, auth)) ??
      orNotFound(await this.keys.find(auth.userId, keyId, null), 'api_key_not_found')
    );
  }

  /**
   * Revokes the key of any person in the shop, for members who manage its team.
   * @throws AppError api_key_not_found, also for a key of another shop
   */
  async revokeInShop(context: ShopContext, keyId: string): Promise<ApiKey> {
    const key = orNotFound(await this.keys.findInShop(context.shopId, keyId), 'api_key_not_found');
    const revoked = await this.revokeKeyOf(key.userId, keyId, context);
    return revoked ?? orNotFound(await this.keys.findInShop(context.shopId, keyId), 'api_key_not_found');
  }

  /**
   * Revokes all keys of a person who leaves a shop. They stay revoked when the person joins again.
   * @returns how many it revoked
   */
  revokeAllOf(userId: string, shopId: string, transaction: Transaction): Promise<number> {
    return this.keys.revokeAll(userId, shopId, new Date(), transaction);
  }

  /**
   * Revokes the keys of a person in all shops, with an entry in the audit log of each.
   * @returns how many it revoked
   */
  async revokeEverywhere(userId: string, transaction: Transaction): Promise<number> {
    const keys = await this.keys.revokeEverywhere(userId, new Date(), transaction);
    const principal = `user:${userId}` as const;
    for (const shopId of new Set(keys.map((key) => key.shopId))) {
      const ofShop = keys.filter((key) => key.shopId === shopId);
      await this.audit.recordAll({ shopId, principal }, ofShop.map(revocation), transaction);
    }
    return keys.length;
  }

  /** @returns null when the key is already revoked, or the person has no such key */
  private revokeKeyOf(userId: string, keyId: string, author: AuthContext): Promise<ApiKey | null> {
    return this.transactions.run(async (transaction) => {
      const key = await this.keys.revoke(userId, keyId, new Date(), transaction);
      if (key !== null) {
        const { principal } = author;
        await this.audit.record({ shopId: key.shopId, principal }, revocation(key), transaction);
      }
      return key;
    });
  }
}

function revocation({ id, revokedAt }: ApiKey): AuditedWrite {
  return { action: 'api_key.revoked', subjectId: id, changes: changesBetween({ revokedAt: null }, { revokedAt }) };
}
