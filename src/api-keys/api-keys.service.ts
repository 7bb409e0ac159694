import { Injectable } from '@nestjs/common';
import { changesBetween } from '../audit/audit-rules.js';
import { AuditService } from '../audit/audit.service.js';
import { type AuditAction, type AuditChange } from '../audit/audit.types.js';
import { type AuthContext, type KeyPrincipal } from '../common/auth/auth-context.js';
import { type Permission } from '../common/auth/permissions.js';
import { sha256 } from '../common/crypto/keyed-hash.js';
import { AppError } from '../common/errors/app-error.js';
import { Page } from '../common/http/page.js';
import { type Transaction, Transactions } from '../database/transactions.js';
import { MembershipsService } from '../memberships/memberships.service.js';
import { ServersService } from '../servers/servers.service.js';
import { addressProblems } from './address-rules.js';
import { type ApiKey, type ApiKeyType } from './api-key.types.js';
import { type ApiKeyChanges, type ApiKeyFilter, ApiKeysRepository } from './api-keys.repository.js';
import { generateKey, keyPreview } from './key-format.js';
import { effectiveScopes, previousKeyEnd, scopeProblems } from './key-rules.js';

/** Where a key may be used; null: no limit. */
export interface KeyRestrictions {
  readonly serverIds: readonly string[] | null;
  readonly ipAllowlist: readonly string[] | null;
}

export interface NewKey extends Partial<KeyRestrictions> {
  readonly shopId: string;
  readonly name: string;
  readonly type: ApiKeyType;
  readonly permissions: readonly string[];
  readonly expiresAt?: Date | null;
}

/** What a key may do at most, and for which game servers. */
export type KeyWorth = Pick<KeyPrincipal, 'scopes' | 'serverIds'>;

/** A key as it was just made or rotated: the only moment at which its full text exists outside of its owner's hands. */
export interface ShownKey {
  readonly record: ApiKey;
  readonly key: string;
}

/**
 * API keys as the people see them who make them. Whatever gives a key anything (making, changing, rotating it) is checked
 * against what the caller holds in its shop now; taking from it never is. Each write stands in the audit log of the shop.
 */
@Injectable()
export class ApiKeysService {
  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly memberships: MembershipsService,
    private readonly servers: ServersService,
    private readonly audit: AuditService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * @throws AppError shop_not_found (also for a shop that is not the caller's), permission_not_grantable, server_not_found,
   * validation_failed
   */
  async create(auth: AuthContext, input: NewKey): Promise<ShownKey> {
    const { shopId, name, type } = input;
    const expiresAt = input.expiresAt ?? null;
    if (expiresAt !== null && expiresAt <= new Date()) {
      throw new AppError('validation_failed', { message: 'expiresAt must be in the future' });
    }
    const scopes = grantable(input.permissions, type, await this.requireMember(auth, shopId));
    const restrictions = await this.restrictionsFor(shopId, input);
    const key = generateKey();
    const fields = { shopId, userId: auth.userId, name, type, scopes, ...restrictions, expiresAt };
    const preview = keyPreview(key);
    const secret = { hash: sha256(key), preview, createdAt: new Date() };
    const terms = { name, type, permissions: scopes, ...restrictions, expiresAt, keyPreview: preview };
    const changes = changesBetween(null, terms);
    return this.transactions.run(async (transaction) => {
      await this.requireStillMember(auth, shopId, transaction);
      const record = await this.keys.insert({ ...fields, ...secret }, transaction);
      await this.note(auth, record, 'api_key.created', changes, transaction);
      return { record, key };
    });
  }

  /** The caller's keys. */
  async list(auth: AuthContext, filter: ApiKeyFilter, after: string | null, limit: number): Promise<Page<ApiKey>> {
    return Page.of(await this.keys.list(auth.userId, filter, after, limit + 1), limit);
  }

  /** @throws AppError api_key_not_found (also for somebody else's) */
  async get(auth: AuthContext, keyId: string): Promise<ApiKey> {
    const key = await this.keys.find(auth.userId, keyId);
    if (key === null) throw new AppError('api_key_not_found');
    return key;
  }

  /**
   * Changes the name, the permissions, or both.
   * @throws AppError validation_failed without either, api_key_not_found, permission_not_grantable; api_key_inactive for the
   * permissions of a key that does not work any more
   */
  async update(
    auth: AuthContext,
    keyId: string,
    changes: { readonly name?: string | undefined; readonly permissions?: readonly string[] | undefined },
  ): Promise<ApiKey> {
    const { name, permissions } = changes;
    if (name === undefined && permissions === undefined) {
      throw new AppError('validation_failed', { message: 'Send name, permissions, or both' });
    }
    const key = await this.get(auth, keyId);
    const named = name === undefined ? {} : { name };
    if (permissions === undefined) return this.change(auth, key, named);
    requireActive(key);
    const member = await this.memberships.membershipOf(auth.userId, key.shopId);
    const scopes = grantable(permissions, key.type, member?.permissions ?? new Set());
    return this.change(auth, key, { ...named, scopes });
  }

  /**
   * Replaces where a key may be used. That can give it more, so the caller has to hold all that it holds.
   * @throws AppError api_key_not_found, api_key_inactive, shop_not_found for somebody who left the shop, server_not_found,
   * permission_not_grantable, validation_failed
   */
  async restrict(auth: AuthContext, keyId: string, wanted: KeyRestrictions): Promise<ApiKey> {
    const key = await this.get(auth, keyId);
    requireActive(key);
    await this.requireHolder(auth, key);
    return this.change(auth, key, await this.restrictionsFor(key.shopId, wanted));
  }

  /**
   * Gives a key a new secret. The present one is accepted for `graceSeconds` more; one before it, from an earlier rotation, is
   * not: never more than two are. Who lost rights that the key holds cannot rotate it before taking them from it.
   * @throws AppError api_key_not_found, api_key_inactive, shop_not_found for somebody who left the shop,
   * permission_not_grantable, state_conflict when another rotation came first
   */
  async rotate(auth: AuthContext, keyId: string, graceSeconds: number): Promise<ShownKey> {
    const present = await this.get(auth, keyId);
    requireActive(present);
    await this.requireHolder(auth, present);
    const key = generateKey();
    const rotatedAt = new Date();
    const previousKeyExpiresAt = previousKeyEnd(rotatedAt, graceSeconds, present.expiresAt);
    const next = { hash: sha256(key), preview: keyPreview(key), rotatedAt, previousKeyExpiresAt };
    const changes = changesBetween(
      { keyPreview: present.preview, previousKeyExpiresAt: present.previousKeyExpiresAt },
      { keyPreview: next.preview, previousKeyExpiresAt },
    );
    return this.transactions.run(async (transaction) => {
      const record = await this.keys.rotate(present, next, transaction);
      if (record === null) throw new AppError('state_conflict');
      await this.note(auth, record, 'api_key.rotated', changes, transaction);
      return { record, key };
    });
  }

  /**
   * Ends a key with all of its secrets; ending it again changes nothing.
   * @throws AppError api_key_not_found
   */
  async revoke(auth: AuthContext, keyId: string): Promise<ApiKey> {
    const revoked = await this.transactions.run(async (transaction) => {
      const key = await this.keys.revoke(auth.userId, keyId, new Date(), transaction);
      if (key !== null) {
        const changes = changesBetween({ revokedAt: null }, { revokedAt: key.revokedAt });
        await this.note(auth, key, 'api_key.revoked', changes, transaction);
      }
      return key;
    });
    return revoked ?? this.get(auth, keyId);
  }

  /**
   * Ends the keys of somebody who is taken out of a shop, all of them for good: whoever joins again makes new ones.
   * @returns how many it ended
   */
  endAllOf(userId: string, shopId: string, transaction: Transaction): Promise<number> {
    return this.keys.revokeAll(userId, shopId, new Date(), transaction);
  }

  /**
   * What a key of a person brings along now, on top of which stands what the person holds; null when it is revoked, expired
   * or not theirs. For what outlives the request that it was used for.
   */
  async worthOf(userId: string, keyId: string, transaction: Transaction): Promise<KeyWorth | null> {
    const key = await this.keys.find(userId, keyId, transaction);
    if (!key?.isActive) return null;
    return { scopes: effectiveScopes(key.scopes, key.type), serverIds: key.serverIds && new Set(key.serverIds) };
  }

  private change(auth: AuthContext, key: ApiKey, changes: ApiKeyChanges): Promise<ApiKey> {
    return this.transactions.run(async (transaction) => {
      const written = await this.keys.update(auth.userId, key.id, changes, transaction);
      if (written === null) throw new AppError('api_key_inactive');
      const changed = changesBetween(editable(written.before), editable(written.after));
      if (changed.length > 0) await this.note(auth, key, 'api_key.updated', changed, transaction);
      return written.after;
    });
  }

  private note(
    { principal }: AuthContext,
    { id, shopId }: ApiKey,
    action: AuditAction,
    changes: AuditChange[],
    transaction: Transaction,
  ): Promise<void> {
    return this.audit.record({ shopId, principal }, { action, subjectId: id, changes }, transaction);
  }

  /** What the caller holds in a shop. @throws AppError shop_not_found when that is none of theirs */
  private async requireMember(auth: AuthContext, shopId: string): Promise<ReadonlySet<Permission>> {
    const member = await this.memberships.membershipOf(auth.userId, shopId);
    if (member === null) throw new AppError('shop_not_found');
    return member.permissions;
  }

  /**
   * Between the look at the membership and the insert of a key, the membership may end, and with it the keys that there are:
   * this one has to come before that, or not at all.
   * @throws AppError shop_not_found
   */
  private async requireStillMember({ userId }: AuthContext, shopId: string, transaction: Transaction): Promise<void> {
    await this.memberships.claimTeam(shopId, transaction);
    const member = await this.memberships.find(shopId, userId, transaction);
    if (member === null) throw new AppError('shop_not_found');
  }

  /** @throws AppError shop_not_found, permission_not_grantable unless the caller holds all that the key does */
  private async requireHolder(auth: AuthContext, key: ApiKey): Promise<void> {
    const held = await this.requireMember(auth, key.shopId);
    grantable([...effectiveScopes(key.scopes, key.type)], key.type, held);
  }

  /** @throws AppError validation_failed, server_not_found unless all are servers of the shop */
  private async restrictionsFor(shopId: string, wanted: Partial<KeyRestrictions>): Promise<KeyRestrictions> {
    const { serverIds = null, ipAllowlist = null } = wanted;
    const problems = addressProblems(ipAllowlist ?? []);
    if (problems.length > 0) throw new AppError('validation_failed', { message: problems.join('; ') });
    await this.servers.requireAll(shopId, serverIds ?? []);
    return { serverIds, ipAllowlist: ipAllowlist && [...new Set(ipAllowlist)] };
  }
}

/** What of a key can be changed, as the audit log names it. */
function editable({ name, scopes, serverIds, ipAllowlist }: ApiKey): Parameters<typeof changesBetween>[1] {
  return { name, permissions: scopes, serverIds, ipAllowlist };
}

function requireActive(key: ApiKey): void {
  if (!key.isActive) throw new AppError('api_key_inactive');
}

function grantable(requested: readonly string[], type: ApiKeyType, held: ReadonlySet<Permission>): Permission[] {
  const problems = scopeProblems(requested, type, held);
  if (problems.length > 0) throw new AppError('permission_not_grantable', { message: problems.join('; ') });
  return [...new Set(requested as readonly Permission[])];
}
