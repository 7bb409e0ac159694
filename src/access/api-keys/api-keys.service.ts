import { Injectable } from '@nestjs/common';
import { lockOn } from '../../domain/limits/lock-names.js';
import { changesBetween } from '../../events/audit/audit-rules.js';
import { AuditService } from '../../events/audit/audit.service.js';
import { type AuditAction, type AuditChange } from '../../events/audit/audit.types.js';
import { type AuthContext, type KeyPrincipal, type ShopContext } from '../../domain/principal/auth-context.js';
import { type Permission } from '../../domain/principal/permissions.js';
import { sha256 } from '../../lib/crypto/keyed-hash.js';
import { AppError } from '../../domain/errors/app-error.js';
import { orNotFound } from '../../domain/errors/or-not-found.js';
import { requireValid } from '../../domain/errors/require-valid.js';
import { type Page, type PageRequest } from '../../lib/paging/page.js';
import { type Transaction, Transactions } from '../../infrastructure/database/transactions.js';
import { type Moment } from '../../lib/time/instant.js';
import { type Creation } from '../../infrastructure/idempotency/creation.js';
import { MembershipsService } from '../../shops/memberships/memberships.service.js';
import { OwnerEmailsService } from '../../shops/owner-emails/owner-emails.service.js';
import { QuotasService } from '../../infrastructure/quotas/quotas.service.js';
import { type ApiKey, type ApiKeyChange, type ApiKeyFilter, type ApiKeyType } from './api-key.types.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { keyCreatedEmail, keyRotatedEmail } from './key-emails.js';
import { generateKey, keyPreview } from './key-format.js';
import { effectiveScopes, previousKeyEnd, scopeProblems } from './key-rules.js';
import { type KeyRestrictions, KeyLimitsService } from './key-limits.service.js';

export interface NewKey extends Partial<KeyRestrictions> {
  readonly shopId: string;
  readonly name: string;
  readonly type: ApiKeyType;
  readonly permissions: readonly string[];
  readonly expiresAt?: Moment | null;
}

/** The permissions of a key, and the game servers that it is limited to. */
export type KeyRights = Pick<KeyPrincipal, 'scopes' | 'serverIds'>;

/** A key that was just created or rotated. Only the hash of the key is stored, so the key is known only here. */
export interface ShownKey {
  readonly record: ApiKey;
  readonly key: string;
}

/**
 * The API keys of people. A call that gives a key anything (create, update, restrict, rotate) needs those permissions in the
 * key's shop now. A call that only takes something away needs none. Every write has an entry in the shop's audit log.
 */
@Injectable()
export class ApiKeysService {
  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly memberships: MembershipsService,
    private readonly limits: KeyLimitsService,
    private readonly quotas: QuotasService,
    private readonly emails: OwnerEmailsService,
    private readonly audit: AuditService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Creates a key. The caller and the owners of the shop get an email.
   * @param key a key of the form of `generateKey` that nobody can guess
   * @throws AppError shop_not_found (also when the caller is not a member), permission_not_grantable, server_not_found,
   * validation_failed, quota_reached; secret_shown_once when the same request has created the key before
   */
  async create(
    auth: AuthContext,
    { id, isRepeated }: Pick<Creation, 'id' | 'isRepeated'>,
    input: NewKey,
    key = generateKey(),
  ): Promise<ShownKey> {
    if (isRepeated && (await this.keys.find(auth.userId, id, null)) !== null) throw new AppError('secret_shown_once');
    const { shopId, name, type } = input;
    const held = await this.requireMember(auth, shopId);
    const expiresAt = await this.limits.expiryFor(shopId, input);
    const scopes = grantable(input.permissions, type, held);
    const restrictions = await this.limits.restrictionsFor(shopId, input);
    const fields = { id, shopId, name, type, scopes, ...restrictions, expiresAt };
    const preview = keyPreview(key);
    const secret = { hash: sha256(key), preview, createdAt: new Date() };
    const audited = { name, type, permissions: scopes, ...restrictions, expiresAt, keyPreview: preview };
    const changes = changesBetween(null, audited);
    const work = async (transaction: Transaction): Promise<ShownKey> => {
      await this.requireStillMember(auth, shopId, transaction);
      await this.requireRoom(auth.userId, shopId, transaction);
      const record = await this.keys.insert(auth.userId, { ...fields, ...secret }, transaction);
      await this.record(auth, record, 'api_key.created', changes, transaction);
      await this.emails.add(shopId, (shop) => keyCreatedEmail(shop, record), transaction, { also: auth.userId });
      return { record, key };
    };
    return this.transactions.run(work, { oneAtATime: lockOn('keysPerShop', shopId) });
  }

  /** The names of these keys of a shop, by id, also of revoked ones; without ids, of its newest keys. */
  namesIn(shopId: string, ids: readonly string[] | null): Promise<ReadonlyMap<string, string>> {
    return this.keys.namesIn(shopId, ids);
  }

  /** The caller's keys. */
  list(auth: AuthContext, filter: ApiKeyFilter, page: PageRequest): Promise<Page<ApiKey>> {
    return this.keys.list({ userId: auth.userId }, filter, page);
  }

  /** The keys of all people in the shop, for members who manage its team. */
  listInShop({ shopId }: ShopContext, filter: Omit<ApiKeyFilter, 'shopId'>, page: PageRequest): Promise<Page<ApiKey>> {
    return this.keys.list({ shopId }, filter, page);
  }

  /** @throws AppError api_key_not_found, also for another person's key */
  async get(auth: AuthContext, keyId: string): Promise<ApiKey> {
    return orNotFound(await this.keys.find(auth.userId, keyId, null), 'api_key_not_found');
  }

  /**
   * Changes the name, the permissions, or both.
   * @throws AppError validation_failed when both are absent, api_key_not_found, permission_not_grantable; api_key_inactive for
   * the permissions of a key that is revoked or expired
   */
  async update(
    auth: AuthContext,
    keyId: string,
    change: { readonly name?: string | undefined; readonly permissions?: readonly string[] | undefined },
  ): Promise<ApiKey> {
    const { name, permissions } = change;
    requireValid(name === undefined && permissions === undefined ? ['Send name, permissions, or both'] : []);
    const key = await this.get(auth, keyId);
    const named = name === undefined ? {} : { name };
    if (permissions === undefined) return this.change(auth, key, named);
    requireActive(key);
    const member = await this.memberships.membershipOf(auth.userId, key.shopId);
    const scopes = grantable(permissions, key.type, member?.permissions ?? new Set());
    return this.change(auth, key, { ...named, scopes });
  }

  /**
   * Replaces the restrictions of a key. This can give the key more, so the caller must have all permissions of the key.
   * @throws AppError api_key_not_found, api_key_inactive, shop_not_found when the caller has left the shop, server_not_found,
   * permission_not_grantable, validation_failed
   */
  async restrict(auth: AuthContext, keyId: string, requested: KeyRestrictions): Promise<ApiKey> {
    const key = await this.get(auth, keyId);
    requireActive(key);
    await this.requireHolder(auth, key);
    return this.change(auth, key, await this.limits.restrictionsFor(key.shopId, requested));
  }

  /**
   * Gives a key a new secret. The current one is accepted for `graceSeconds` more. A secret from before an earlier rotation
   * stops working, so at most two work. The caller must have all permissions of the key. The caller and the owners of the shop
   * get an email.
   * @throws AppError api_key_not_found, api_key_inactive, shop_not_found when the caller has left the shop,
   * permission_not_grantable, state_conflict when another rotation came first; secret_shown_once when the same request has
   * rotated the key before
   */
  async rotate(auth: AuthContext, keyId: string, rotation: Creation, graceSeconds: number): Promise<ShownKey> {
    const current = await this.get(auth, keyId);
    if (rotation.isRepeated && current.rotationId === rotation.id) throw new AppError('secret_shown_once');
    requireActive(current);
    await this.requireHolder(auth, current);
    const key = generateKey();
    const rotatedAt = new Date();
    const previousKeyExpiresAt = previousKeyEnd(rotatedAt, graceSeconds, current.expiresAt);
    const next = {
      hash: sha256(key),
      preview: keyPreview(key),
      rotationId: rotation.id,
      rotatedAt,
      previousKeyExpiresAt,
    };
    const changes = changesBetween(
      { keyPreview: current.preview, previousKeyExpiresAt: current.previousKeyExpiresAt },
      { keyPreview: next.preview, previousKeyExpiresAt },
    );
    return this.transactions.run(async (transaction) => {
      const record = await this.keys.rotate(current, next, transaction);
      if (record === null) throw new AppError('state_conflict');
      await this.record(auth, record, 'api_key.rotated', changes, transaction);
      await this.emails.add(current.shopId, (shop) => keyRotatedEmail(shop, record), transaction, {
        also: auth.userId,
      });
      return { record, key };
    });
  }

  /**
   * The rights of a person's key now, for work that goes on after the request that the key made. The caller must also check
   * the rights of the person.
   * @returns null when the key is revoked or expired, or the person has no such key
   */
  async rightsOf(userId: string, keyId: string, transaction: Transaction): Promise<KeyRights | null> {
    const key = await this.keys.find(userId, keyId, transaction);
    if (!key?.isActive) return null;
    return { scopes: effectiveScopes(key.scopes, key.type), serverIds: key.serverIds && new Set(key.serverIds) };
  }

  private change(auth: AuthContext, { id }: ApiKey, change: ApiKeyChange): Promise<ApiKey> {
    return this.transactions.run(async (transaction) => {
      const before = orNotFound(await this.keys.find(auth.userId, id, transaction), 'api_key_not_found');
      const after = await this.keys.update(auth.userId, id, change, transaction);
      if (after === null) throw new AppError('api_key_inactive');
      const changes = changesBetween(editable(before), editable(after));
      if (changes.length > 0) await this.record(auth, after, 'api_key.updated', changes, transaction);
      return after;
    });
  }

  private record(
    { principal }: Pick<AuthContext, 'principal'>,
    { id, shopId }: ApiKey,
    action: AuditAction,
    changes: AuditChange[],
    transaction: Transaction,
  ): Promise<void> {
    return this.audit.record({ shopId, principal }, { action, subjectId: id, changes }, transaction);
  }

  /** The permissions of the caller in a shop. @throws AppError shop_not_found when the caller is not a member */
  private async requireMember(auth: AuthContext, shopId: string): Promise<ReadonlySet<Permission>> {
    return orNotFound(await this.memberships.membershipOf(auth.userId, shopId), 'shop_not_found').permissions;
  }

  /**
   * Checks the membership again in the transaction of the insert. A membership that ends revokes the keys that exist, so a
   * key must not be inserted after that.
   * @throws AppError shop_not_found
   */
  private async requireStillMember({ userId }: AuthContext, shopId: string, transaction: Transaction): Promise<void> {
    await this.memberships.claimTeam(shopId, transaction);
    orNotFound(await this.memberships.find(shopId, userId, transaction), 'shop_not_found');
  }

  /** @throws AppError quota_reached when the person or the shop has as many keys as possible */
  private async requireRoom(userId: string, shopId: string, transaction: Transaction): Promise<void> {
    const countOf = (of: Parameters<ApiKeysRepository['countActive']>[0]) => (upTo: number) =>
      this.keys.countActive(of, upTo, transaction);
    await this.quotas.requireRoom('keysPerShop', shopId, countOf({ shopId }), transaction);
    await this.quotas.requireRoom('keysPerPerson', userId, countOf({ userId }), transaction);
  }

  /** @throws AppError shop_not_found, permission_not_grantable unless the caller has all permissions of the key */
  private async requireHolder(auth: AuthContext, key: ApiKey): Promise<void> {
    const held = await this.requireMember(auth, key.shopId);
    grantable([...effectiveScopes(key.scopes, key.type)], key.type, held);
  }
}

/** The fields of a key that can change, with their names in the audit log. */
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
