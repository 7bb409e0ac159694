import { expect } from '@jest/globals';
import {
  type ApiKey,
  type ApiKeyChange,
  type NewApiKey,
  type NextSecret,
} from '../../src/access/api-keys/api-key.types.js';
import { type ApiKeysRepository } from '../../src/access/api-keys/api-keys.repository.js';
import { ApiKeysService, type NewKey, type ShownKey } from '../../src/access/api-keys/api-keys.service.js';
import { KeyLimitsService } from '../../src/access/api-keys/key-limits.service.js';
import { type AuthContext } from '../../src/domain/principal/auth-context.js';
import { type Permission, permissionsOfRole } from '../../src/domain/principal/permissions.js';
import { AppError } from '../../src/domain/errors/app-error.js';
import { Page } from '../../src/lib/paging/page.js';
import { type Transaction } from '../../src/infrastructure/database/transactions.js';
import { newCreation } from '../../src/infrastructure/idempotency/creation.js';
import { type MembershipsService } from '../../src/shops/memberships/memberships.service.js';
import { type ServersService } from '../../src/catalogue/servers/servers.service.js';
import { SHOP, USER } from './contexts.js';
import { FakeAudit, FakeOwnerEmails, FakeQuotas, TRANSACTION, transactionsInTurns } from './fakes.js';
import { shopTimes } from './shops.js';

export const SERVER = '655f1c2ab1e4a9d3f0c81260';
/** The person who makes the keys. */
export const AUTH: AuthContext = { principal: `user:${USER}`, kind: 'user', userId: USER, credentialId: 'session' };
/** What the audit log says of a write of this person. */
export const AUTHOR = { shopId: SHOP, principal: AUTH.principal };
export const STRANGER = { ...AUTH, userId: 'somebody' };
export const INPUT = { shopId: SHOP, name: 'Survival', type: 'plugin', permissions: ['orders:read'] } as const;
const NEW = {
  isActive: true,
  revokedAt: null,
  rotatedAt: null,
  rotationId: null,
  previousKeyExpiresAt: null,
  lastUsedAt: null,
};

/** Keys in memory, with the conditions of the repository. */
export class FakeApiKeys implements Pick<
  ApiKeysRepository,
  'insert' | 'list' | 'find' | 'findInShop' | 'update' | 'rotate' | 'revoke' | 'revokeAll'
> {
  stored: ApiKey[] = [];
  hashes: string[] = [];

  insert(userId: string, { hash, ...input }: NewApiKey): Promise<ApiKey> {
    const record = { ...input, userId, ...NEW };
    this.stored.push(record);
    this.hashes.push(hash);
    return Promise.resolve(record);
  }

  list(of: { userId?: string; shopId?: string }): Promise<Page<ApiKey>> {
    const found = this.stored.filter((key) => key.userId === of.userId || key.shopId === of.shopId);
    return Promise.resolve(new Page(found, null));
  }

  findInShop(shopId: string, keyId: string): Promise<ApiKey | null> {
    return Promise.resolve(this.stored.find((key) => key.id === keyId && key.shopId === shopId) ?? null);
  }

  revokeAll(userId: string, shopId: string, revokedAt: Date): Promise<number> {
    const ended = this.stored.filter((key) => key.userId === userId && key.shopId === shopId);
    for (const { id } of ended) this.become(id, { revokedAt, isActive: false });
    return Promise.resolve(ended.length);
  }

  revokeEverywhere(userId: string, revokedAt: Date): Promise<ApiKey[]> {
    const ended = this.stored.filter((key) => key.userId === userId && key.revokedAt === null);
    return Promise.resolve(ended.map(({ id }) => this.become(id, { revokedAt, isActive: false })));
  }

  countActive(of: { userId?: string; shopId?: string }, upTo: number, transaction: Transaction): Promise<number> {
    expect([upTo, transaction]).toEqual([5, TRANSACTION]);
    const counted = this.stored.filter((key) => key.userId === of.userId || key.shopId === of.shopId);
    return Promise.resolve(counted.filter(({ isActive }) => isActive).length);
  }

  find(userId: string, keyId: string): Promise<ApiKey | null> {
    return Promise.resolve(this.stored.find((key) => key.id === keyId && key.userId === userId) ?? null);
  }

  async update(userId: string, keyId: string, change: ApiKeyChange): Promise<ApiKey | null> {
    const key = await this.find(userId, keyId);
    const isOpen = key?.revokedAt === null || Object.keys(change).join() === 'name';
    return isOpen ? this.become(keyId, change) : null;
  }

  rotate(key: ApiKey, { hash, ...fields }: NextSecret): Promise<ApiKey | null> {
    if (this.stored.find(({ id }) => id === key.id)?.preview !== key.preview) return Promise.resolve(null);
    this.hashes.push(hash);
    return Promise.resolve(this.become(key.id, fields));
  }

  async revoke(userId: string, keyId: string, revokedAt: Date): Promise<ApiKey | null> {
    const key = await this.find(userId, keyId);
    return key?.revokedAt === null ? this.become(keyId, { revokedAt, isActive: false }) : null;
  }

  /** Changes a stored key, as if time had passed or another process had written it. */
  become(keyId: string, changes: Partial<ApiKey>): ApiKey {
    const changed = { ...this.stored.find(({ id }) => id === keyId), ...changes } as ApiKey;
    this.stored = this.stored.map((key) => (key.id === keyId ? changed : key));
    return changed;
  }
}

/** The service with its fakes. */
export class ApiKeysInMemory {
  readonly repository = new FakeApiKeys();
  readonly audit = new FakeAudit();
  readonly quotas = new FakeQuotas();
  readonly emails = new FakeOwnerEmails();
  /** The `oneAtATime` names of the transactions so far. */
  readonly queues: (string | undefined)[] = [];
  /** The permissions of the person in the shop; null: the person is not a member. */
  held: ReadonlySet<Permission> | null = permissionsOfRole('owner');
  /** Whether the person is still a member when the transaction runs. */
  isStillMember = true;
  /** What happens while the service checks the game servers of a request. */
  meanwhile: () => void = () => undefined;
  readonly service = new ApiKeysService(
    this.repository as unknown as ApiKeysRepository,
    {
      membershipOf: () => Promise.resolve(this.held && { permissions: this.held }),
      claimTeam: () => Promise.resolve(),
      find: () => Promise.resolve(this.isStillMember ? {} : null),
    } as unknown as MembershipsService,
    new KeyLimitsService(shopTimes, {
      requireAll: (shopId: string, ids: readonly string[]) => {
        this.meanwhile();
        return shopId === SHOP && ids.every((id) => id === SERVER)
          ? Promise.resolve()
          : Promise.reject(new AppError('server_not_found'));
      },
    } as unknown as ServersService),
    this.quotas.asService,
    this.emails.asService,
    this.audit.asService,
    transactionsInTurns(this.queues),
  );

  create(auth: AuthContext, input: NewKey, creation = newCreation()): Promise<ShownKey> {
    return this.service.create(auth, creation, input);
  }

  rotate(auth: AuthContext, keyId: string, graceSeconds: number, rotation = newCreation()): Promise<ShownKey> {
    return this.service.rotate(auth, keyId, rotation, graceSeconds);
  }
}
