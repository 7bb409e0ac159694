import { beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { type AuditedWrite, type AuditService, type Author } from '../audit/audit.service.js';
import { type AuthContext } from '../common/auth/auth-context.js';
import { type Permission, permissionsOfRole } from '../common/auth/permissions.js';
import { sha256 } from '../common/crypto/keyed-hash.js';
import { AppError } from '../common/errors/app-error.js';
import { type Transaction, type Transactions } from '../database/transactions.js';
import { type MembershipsService } from '../memberships/memberships.service.js';
import { type ServersService } from '../servers/servers.service.js';
import { type ApiKey } from './api-key.types.js';
import { type ApiKeyChanges, type ApiKeysRepository, type NewApiKey, type NextSecret } from './api-keys.repository.js';
import { ApiKeysService } from './api-keys.service.js';
import { keyPreview } from './key-format.js';

const SHOP = '655f1c2ab1e4a9d3f0c81234';
const USER = '655f1c2ab1e4a9d3f0c81230';
const SERVER = '655f1c2ab1e4a9d3f0c81260';
const AUTH: AuthContext = { principal: `user:${USER}`, kind: 'user', userId: USER, credentialId: 'session' };
const STRANGER = { ...AUTH, userId: 'somebody' };
const INPUT = { shopId: SHOP, name: 'Survival', type: 'plugin', permissions: ['orders:read'] } as const;
const NEW = { isActive: true, revokedAt: null, rotatedAt: null, previousKeyExpiresAt: null, lastUsedAt: null };

/** Keys in memory, with the repository's conditions. */
class FakeRepository implements Pick<ApiKeysRepository, 'insert' | 'find' | 'update' | 'rotate' | 'revoke'> {
  stored: ApiKey[] = [];
  hashes: string[] = [];

  insert({ hash, ...input }: NewApiKey): Promise<ApiKey> {
    const record = { ...input, ...NEW, id: `key-${this.stored.length}` };
    this.stored.push(record);
    this.hashes.push(hash);
    return Promise.resolve(record);
  }

  find(userId: string, keyId: string): Promise<ApiKey | null> {
    return Promise.resolve(this.stored.find((key) => key.id === keyId && key.userId === userId) ?? null);
  }

  async update(
    userId: string,
    keyId: string,
    changes: ApiKeyChanges,
  ): Promise<{ before: ApiKey; after: ApiKey } | null> {
    const before = await this.find(userId, keyId);
    return before && { before, after: this.become(keyId, changes) };
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

  /** Changes what is stored, as time or another process would. */
  become(keyId: string, changes: Partial<ApiKey>): ApiKey {
    const changed = { ...this.stored.find(({ id }) => id === keyId), ...changes } as ApiKey;
    this.stored = this.stored.map((key) => (key.id === keyId ? changed : key));
    return changed;
  }
}

let repository: FakeRepository;
let held: ReadonlySet<Permission> | null;
let isStillMember: boolean;
let audited: { author: Author; write: AuditedWrite }[];
let service: ApiKeysService;

beforeEach(() => {
  Logger.overrideLogger(false);
  repository = new FakeRepository();
  held = permissionsOfRole('owner');
  isStillMember = true;
  audited = [];
  service = new ApiKeysService(
    repository as unknown as ApiKeysRepository,
    {
      membershipOf: () => Promise.resolve(held && { permissions: held }),
      claimTeam: () => Promise.resolve(),
      find: () => Promise.resolve(isStillMember ? {} : null),
    } as unknown as MembershipsService,
    {
      requireAll: (shopId: string, ids: readonly string[]) =>
        shopId === SHOP && ids.every((id) => id === SERVER)
          ? Promise.resolve()
          : Promise.reject(new AppError('server_not_found')),
    } as unknown as ServersService,
    {
      record: (author: Author, write: AuditedWrite) => Promise.resolve(void audited.push({ author, write })),
    } as unknown as AuditService,
    { run: (work: (transaction: Transaction) => unknown) => work({} as Transaction) } as Transactions,
  );
});

const refused = (work: Promise<unknown>, code: string): Promise<void> => expect(work).rejects.toMatchObject({ code });

describe('making a key', () => {
  it('stores the hash and the preview, never the key', async () => {
    const { record, key } = await service.create(AUTH, INPUT);
    expect(record).toMatchObject({ userId: USER, shopId: SHOP, scopes: ['orders:read'], expiresAt: null });
    expect(repository.hashes).toEqual([sha256(key)]);
    expect(JSON.stringify([repository.stored, audited])).not.toContain(key);
  });

  it('is refused in a shop that the caller does not belong to, as if there were none', async () => {
    held = null;
    await refused(service.create(AUTH, INPUT), 'shop_not_found');
    held = permissionsOfRole('owner');
    isStillMember = false;
    await refused(service.create(AUTH, INPUT), 'shop_not_found');
    expect([repository.stored, audited]).toEqual([[], []]);
  });

  it('is refused with more than the caller holds, with an expiry that is over, with what restricts it to nowhere', async () => {
    const past = new Date(Date.now() - 1);
    await refused(service.create(AUTH, { ...INPUT, expiresAt: past }), 'validation_failed');
    await refused(service.create(AUTH, { ...INPUT, ipAllowlist: ['localhost'] }), 'validation_failed');
    await refused(service.create(AUTH, { ...INPUT, serverIds: ['0'.repeat(24)] }), 'server_not_found');
    held = permissionsOfRole('analyst');
    await refused(service.create(AUTH, { ...INPUT, permissions: ['orders:write'] }), 'permission_not_grantable');
    expect(repository.stored).toEqual([]);
    expect(audited).toEqual([]);
  });

  it('is audited in the shop of the key, with all that it was made from', async () => {
    const { record } = await service.create(AUTH, { ...INPUT, serverIds: [SERVER], ipAllowlist: ['192.0.2.7'] });
    expect(audited).toEqual([
      {
        author: { shopId: SHOP, principal: AUTH.principal },
        write: {
          action: 'api_key.created',
          subjectId: record.id,
          changes: [
            { field: 'name', before: null, after: 'Survival' },
            { field: 'type', before: null, after: 'plugin' },
            { field: 'permissions', before: null, after: 'orders:read' },
            { field: 'serverIds', before: null, after: SERVER },
            { field: 'ipAllowlist', before: null, after: '192.0.2.7' },
            { field: 'keyPreview', before: null, after: record.preview },
          ],
        },
      },
    ]);
  });
});

describe('changing a key', () => {
  it('needs a name or permissions, and a key of the caller', async () => {
    const { record } = await service.create(AUTH, INPUT);
    await refused(service.update(AUTH, record.id, {}), 'validation_failed');
    for (const changes of [{ name: 'x' }, { permissions: [] }]) {
      await refused(service.update(STRANGER, record.id, changes), 'api_key_not_found');
    }
  });

  it('lets somebody who left the shop rename and empty a key, but give it nothing', async () => {
    const { record } = await service.create(AUTH, INPUT);
    held = null;
    expect(await service.update(AUTH, record.id, { name: 'Old' })).toMatchObject({ name: 'Old' });
    expect(await service.update(AUTH, record.id, { permissions: [] })).toMatchObject({ scopes: [] });
    await refused(service.update(AUTH, record.id, { permissions: ['orders:read'] }), 'permission_not_grantable');
  });

  it('never changes what is not sent', async () => {
    const { record } = await service.create(AUTH, INPUT);
    await service.update(AUTH, record.id, { permissions: ['servers:read', 'servers:read'] });
    expect(repository.stored).toEqual([{ ...record, scopes: ['servers:read'] }]);
    const changes = [{ field: 'permissions', before: 'orders:read', after: 'servers:read' }];
    expect(audited.at(-1)?.write).toEqual({ action: 'api_key.updated', subjectId: record.id, changes });
  });

  it('leaves a key that does not work any more nothing but a new name', async () => {
    const { record } = await service.create(AUTH, INPUT);
    repository.become(record.id, { isActive: false });
    await refused(service.update(AUTH, record.id, { permissions: [] }), 'api_key_inactive');
    await refused(service.restrict(AUTH, record.id, { serverIds: null, ipAllowlist: null }), 'api_key_inactive');
    await refused(service.rotate(AUTH, record.id, 0), 'api_key_inactive');
    expect(await service.update(AUTH, record.id, { name: 'Old' })).toMatchObject({ name: 'Old' });
  });
});

describe('restricting a key', () => {
  it('replaces both lists, without what is listed twice', async () => {
    const { record } = await service.create(AUTH, { ...INPUT, ipAllowlist: ['192.0.2.7'] });
    const wanted = { serverIds: [SERVER], ipAllowlist: ['10.0.0.0/8', '10.0.0.0/8'] };
    expect(await service.restrict(AUTH, record.id, wanted)).toEqual({
      ...record,
      serverIds: [SERVER],
      ipAllowlist: ['10.0.0.0/8'],
    });
    const free = { serverIds: null, ipAllowlist: null };
    expect(await service.restrict(AUTH, record.id, free)).toEqual({ ...record, ...free });
    expect(audited.at(-1)?.write.changes).toEqual([
      { field: 'serverIds', before: SERVER, after: null },
      { field: 'ipAllowlist', before: '10.0.0.0/8', after: null },
    ]);
  });

  it('is for who holds all that the key holds: it may give it more', async () => {
    const { record } = await service.create(AUTH, { ...INPUT, permissions: ['orders:read', 'orders:write'] });
    const free = { serverIds: null, ipAllowlist: null };
    await refused(service.restrict(STRANGER, record.id, free), 'api_key_not_found');
    held = permissionsOfRole('analyst');
    await refused(service.restrict(AUTH, record.id, free), 'permission_not_grantable');
    held = null;
    await refused(service.restrict(AUTH, record.id, free), 'shop_not_found');
    expect(audited).toHaveLength(1);
  });
});

describe('rotating a key', () => {
  it('shows a new secret and keeps the present one for the grace', async () => {
    const { record, key } = await service.create(AUTH, INPUT);
    const rotated = await service.rotate(AUTH, record.id, 3_600);
    expect(rotated.key).not.toBe(key);
    const { rotatedAt, previousKeyExpiresAt } = rotated.record;
    expect((previousKeyExpiresAt?.getTime() ?? 0) - (rotatedAt?.getTime() ?? 0)).toBe(3_600_000);
    expect(rotated.record).toEqual({ ...record, preview: keyPreview(rotated.key), rotatedAt, previousKeyExpiresAt });
    expect(repository.hashes).toEqual([sha256(key), sha256(rotated.key)]);
    expect(audited.at(-1)).toEqual({
      author: { shopId: SHOP, principal: AUTH.principal },
      write: {
        action: 'api_key.rotated',
        subjectId: record.id,
        changes: [
          { field: 'keyPreview', before: keyPreview(key), after: keyPreview(rotated.key) },
          { field: 'previousKeyExpiresAt', before: null, after: previousKeyExpiresAt?.toISOString() },
        ],
      },
    });
    expect(JSON.stringify([repository.stored, audited])).not.toContain(rotated.key);
  });

  it('is for who holds all that the key holds: giving a secret out is giving what it opens', async () => {
    const { record } = await service.create(AUTH, { ...INPUT, permissions: ['orders:read', 'orders:write'] });
    await refused(service.rotate(STRANGER, record.id, 0), 'api_key_not_found');
    held = permissionsOfRole('analyst');
    await refused(service.rotate(AUTH, record.id, 0), 'permission_not_grantable');
    held = null;
    await refused(service.rotate(AUTH, record.id, 0), 'shop_not_found');
    held = permissionsOfRole('analyst');
    await service.update(AUTH, record.id, { permissions: ['orders:read'] });
    expect(await service.rotate(AUTH, record.id, 0)).toMatchObject({ record: { previousKeyExpiresAt: null } });
  });

  it('asks nothing for what the type of the key cuts off', async () => {
    const { record } = await service.create(AUTH, INPUT);
    repository.become(record.id, { scopes: ['orders:read', 'team:write'] });
    held = permissionsOfRole('support');
    expect(await service.rotate(AUTH, record.id, 0)).toMatchObject({ record: { id: record.id } });
  });

  it('is refused when another rotation came between', async () => {
    const { record } = await service.create(AUTH, INPUT);
    const both = await Promise.allSettled([service.rotate(AUTH, record.id, 0), service.rotate(AUTH, record.id, 0)]);
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(both[1]).toMatchObject({ reason: { code: 'state_conflict' } });
    expect(audited).toHaveLength(2);
  });
});

describe('revoking a key', () => {
  it('ends it for good; again it changes nothing and is not audited twice', async () => {
    const { record } = await service.create(AUTH, INPUT);
    await refused(service.revoke(STRANGER, record.id), 'api_key_not_found');
    const revoked = await service.revoke(AUTH, record.id);
    expect(revoked).toMatchObject({ id: record.id, isActive: false });
    expect(await service.revoke(AUTH, record.id)).toEqual(revoked);
    const changes = [{ field: 'revokedAt', before: null, after: revoked.revokedAt?.toISOString() }];
    expect(audited.slice(1).map(({ write }) => write)).toEqual([
      { action: 'api_key.revoked', subjectId: record.id, changes },
    ]);
  });

  it('is open to somebody who left the shop', async () => {
    const { record } = await service.create(AUTH, INPUT);
    held = null;
    expect(await service.revoke(AUTH, record.id)).toMatchObject({ isActive: false });
  });
});
