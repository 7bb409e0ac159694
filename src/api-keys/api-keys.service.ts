import { Injectable, Logger } from '@nestjs/common';
import { type AuthContext, type KeyPrincipal } from '../common/auth/auth-context.js';
import { type Permission } from '../common/auth/permissions.js';
import { sha256 } from '../common/crypto/keyed-hash.js';
import { AppError } from '../common/errors/app-error.js';
import { Page } from '../common/http/page.js';
import { describeError } from '../common/logging/logger.js';
import { MembershipsService } from '../memberships/memberships.service.js';
import { type ApiKey, type ApiKeyType } from './api-key.types.js';
import { type ApiKeyFilter, ApiKeysRepository } from './api-keys.repository.js';
import { generateKey, isWellFormedKey, keyPreview } from './key-format.js';
import { effectiveScopes, scopeProblems } from './key-rules.js';

const LAST_USED_RESOLUTION_MS = 60_000;

export interface NewKey {
  readonly shopId: string;
  readonly name: string;
  readonly type: ApiKeyType;
  readonly permissions: readonly string[];
  readonly expiresAt?: Date | null;
}

/** API keys: made and managed by people, used by programs. */
@Injectable()
export class ApiKeysService {
  private readonly logger = new Logger('ApiKeys');

  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly memberships: MembershipsService,
  ) {}

  /**
   * Makes a key; the only moment at which its full text exists outside of its owner's hands.
   * @throws AppError shop_not_found (also for a shop that is not the caller's), permission_not_grantable
   */
  async create(auth: AuthContext, input: NewKey): Promise<{ record: ApiKey; key: string }> {
    const held = await this.memberships.permissionsOf(auth.userId, input.shopId);
    if (held === null) throw new AppError('shop_not_found');
    const scopes = grantable(input.permissions, input.type, held);
    const expiresAt = input.expiresAt ?? null;
    if (expiresAt !== null && expiresAt <= new Date()) {
      throw new AppError('validation_failed', { message: 'expiresAt must be in the future' });
    }
    const key = generateKey();
    const { shopId, name, type } = input;
    const record = await this.keys.insert({
      shopId,
      userId: auth.userId,
      name,
      type,
      scopes,
      hash: sha256(key),
      preview: keyPreview(key),
      createdAt: new Date(),
      expiresAt,
    });
    return { record, key };
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
   * @throws AppError validation_failed without either, api_key_not_found, permission_not_grantable
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
    const scopes = permissions === undefined ? undefined : await this.scopesFor(auth, key, permissions);
    const updated = await this.keys.update(auth.userId, keyId, {
      ...(name === undefined ? {} : { name }),
      ...(scopes === undefined ? {} : { scopes }),
    });
    if (updated === null) throw new AppError('api_key_not_found');
    return updated;
  }

  /** The principal of a presented key, or null. A malformed one costs no read, any other one. */
  async verify(presented: string): Promise<KeyPrincipal | null> {
    if (!isWellFormedKey(presented)) return null;
    const key = await this.keys.findByHash(sha256(presented));
    if (!key?.isActive) return null;
    this.noteUse(key);
    return {
      principal: `key:${key.id}`,
      kind: 'api_key',
      userId: key.userId,
      credentialId: key.id,
      shopId: key.shopId,
      scopes: effectiveScopes(key.scopes, key.type),
    };
  }

  private async scopesFor(auth: AuthContext, key: ApiKey, permissions: readonly string[]): Promise<Permission[]> {
    const held = await this.memberships.permissionsOf(auth.userId, key.shopId);
    return grantable(permissions, key.type, held ?? new Set());
  }

  /** At most one write a minute and key, and nobody waits for it. */
  private noteUse({ id, userId, lastUsedAt }: ApiKey): void {
    const now = new Date();
    if (lastUsedAt !== null && now.getTime() - lastUsedAt.getTime() < LAST_USED_RESOLUTION_MS) return;
    this.keys.touch(userId, id, now).catch((error: unknown) => {
      this.logger.warn('The use of a key was not noted', describeError(error));
    });
  }
}

function grantable(requested: readonly string[], type: ApiKeyType, held: ReadonlySet<Permission>): Permission[] {
  const problems = scopeProblems(requested, type, held);
  if (problems.length > 0) throw new AppError('permission_not_grantable', { message: problems.join('; ') });
  return [...new Set(requested as readonly Permission[])];
}
