import { beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { shopContext } from '../../test/support/contexts.js';
import { FakeAudit, FakeOwnerEmails, FakeQuotas, TRANSACTION, transactionsInTurns } from '../../test/support/fakes.js';
import { type AuthContext } from '../common/auth/auth-context.js';
import { type Permission, permissionsOfRole } from '../common/auth/permissions.js';
import { sha256 } from '../common/crypto/keyed-hash.js';
import { AppError } from '../common/errors/app-error.js';
import { Page } from '../common/http/page.js';
import { type Transaction } from '../database/transactions.js';
import { newCreation } from '../idempotency/creation.js';
import { type MembershipsService } from '../memberships/memberships.service.js';
import { claimOf } from '../quotas/quotas.service.js';
import { type ServersService } from '../servers/servers.service.js';
import { type ApiKey, type ApiKeyChange, type NewApiKey, type NextSecret } from './api-key.types.js';
import { type ApiKeysRepository } from './api-keys.repository.js';
import { ApiKeysService, type NewKey, type ShownKey } from './api-keys.service.js';
import { keyCreatedEmail, keyRotatedEmail } from './key-emails.js';
import { KeyRevocationsService } from './key-revocations.service.js';
import { keyPreview } from './key-format.js';

const SHOP = '655f1c2ab1e4a9d3f0c81234';
const USER = '655f1c2ab1e4a9d3f0c81230';
const SERVER = '655f1c2ab1e4a9d3f0c81260';
const AUTH: AuthContext = { principal: `user:${USER}`, kind: 'user', userId: USER, credentialId: 'session' };
const AUTHOR = { shopId: SHOP, principal: AUTH.principal };
const STRANGER = { ...AUTH, userId: 'somebody' };
const INPUT = { shopId: SHOP, name: 'Survival', type: 'plugin', permissions: ['orders:read'] } as const;
const NEW = {
  isActive: true,
  revokedAt: null,
  rotatedAt: null,
  rotationId: null,
  previousKeyExpiresAt: null,
  lastUsedAt: null,
};

/** Keys in memory, with the conditions of the repository. */
class FakeRepository implements Pick<
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

let repository: FakeRepository;
let held: ReadonlySet<Permission> | null;
let isStillMember: boolean;
/** What happens while the service checks the game servers of a request. */
let meanwhile: () => void;
let audit: FakeAudit;
let quotas: FakeQuotas;
let emails: FakeOwnerEmails;
/** What each transaction takes turns for. */
let queues: (string | undefined)[];
let service: ApiKeysService;
let revocations: KeyRevocationsService;

beforeEach(() => {
  Logger.overrideLogger(false);
  repository = new FakeRepository();
  held = permissionsOfRole('owner');
  isStillMember = true;
  meanwhile = () => undefined;
  audit = new FakeAudit();
  quotas = new FakeQuotas();
  emails = new FakeOwnerEmails();
  queues = [];
  service = new ApiKeysService(
    repository as unknown as ApiKeysRepository,
    {
      membershipOf: () => Promise.resolve(held && { permissions: held }),
      claimTeam: () => Promise.resolve(),
      find: () => Promise.resolve(isStillMember ? {} : null),
    } as unknown as MembershipsService,
    {
      requireAll: (shopId: string, ids: readonly string[]) => {
        meanwhile();
        return shopId === SHOP && ids.every((id) => id === SERVER)
          ? Promise.resolve()
          : Promise.reject(new AppError('server_not_found'));
      },
    } as unknown as ServersService,
    quotas.asService,
    emails.asService,
    audit.asService,
    transactionsInTurns(queues),
  );
  revocations = new KeyRevocationsService(
    repository as unknown as ApiKeysRepository,
    audit.asService,
    transactionsInTurns([]),
  );
});

const create = (auth: AuthContext, input: NewKey, creation = newCreation()): Promise<ShownKey> =>
  service.create(auth, creation, input);
const rotate = (auth: AuthContext, id: string, graceSeconds: number, rotation = newCreation()): Promise<ShownKey> =>
  service.rotate(auth, id, rotation, graceSeconds);
const rejected = (work: Promise<unknown>, code: string): Promise<void> => expect(work).rejects.toMatchObject({ code });

describe('creating a key', () => {
  it('sends an email to the owners of the shop and to the person, without the key', async () => {
    const { record, key } = await create(AUTH, INPUT);
    const email = keyCreatedEmail('owner@example.com', 'Sky Realm', record);
    expect(emails.sent).toEqual([{ shopId: SHOP, email, also: USER }]);
    expect(email.text).toContain(record.preview);
    expect(email.text).not.toContain(key);
  });

  it('takes turns with what else counts against the quota of the shop', async () => {
    await create(AUTH, INPUT);
    expect(queues).toEqual([claimOf('keysPerShop', SHOP)]);
  });

  it('counts against the quotas of the shop and of the person, and stores nothing when one is reached', async () => {
    await create(AUTH, INPUT);
    quotas.isFull = true;
    await rejected(create(AUTH, INPUT), 'quota_reached');
    quotas.isFull = false;
    await create(AUTH, INPUT);
    expect(quotas.asked).toEqual([
      ['keysPerShop', SHOP, 0, TRANSACTION],
      ['keysPerPerson', USER, 0, TRANSACTION],
      ['keysPerShop', SHOP, 1, TRANSACTION],
      ['keysPerShop', SHOP, 1, TRANSACTION],
      ['keysPerPerson', USER, 1, TRANSACTION],
    ]);
    expect([repository.stored.length, audit.entries.length]).toEqual([2, 2]);
  });

  it('stores only the hash and the preview, never the key', async () => {
    const { record, key } = await create(AUTH, INPUT);
    expect(record).toMatchObject({ userId: USER, shopId: SHOP, scopes: ['orders:read'], expiresAt: null });
    expect(repository.hashes).toEqual([sha256(key)]);
    expect(JSON.stringify([repository.stored, audit.entries])).not.toContain(key);
  });

  it('returns 404 for a shop that the caller is not a member of', async () => {
    held = null;
    await rejected(create(AUTH, INPUT), 'shop_not_found');
    held = permissionsOfRole('owner');
    isStillMember = false;
    await rejected(create(AUTH, INPUT), 'shop_not_found');
    expect([repository.stored, audit.entries]).toEqual([[], []]);
  });

  it('rejects permissions that the caller lacks, an expiry in the past, and invalid restrictions', async () => {
    const past = new Date(Date.now() - 1);
    await rejected(create(AUTH, { ...INPUT, expiresAt: past }), 'validation_failed');
    await rejected(create(AUTH, { ...INPUT, ipAllowlist: ['localhost'] }), 'validation_failed');
    await rejected(create(AUTH, { ...INPUT, serverIds: ['0'.repeat(24)] }), 'server_not_found');
    held = permissionsOfRole('analyst');
    const tooMany = create(AUTH, { ...INPUT, permissions: ['orders:write', 'everything'] });
    await expect(tooMany).rejects.toMatchObject({
      code: 'permission_not_grantable',
      message: 'permissions: you do not have orders:write yourself; permissions: everything is not a known permission',
    });
    expect(repository.stored).toEqual([]);
    expect(audit.entries).toEqual([]);
  });

  it('writes an audit entry with all values in the shop of the key', async () => {
    const { record } = await create(AUTH, { ...INPUT, serverIds: [SERVER], ipAllowlist: ['192.0.2.7'] });
    expect(audit.entries).toEqual([
      {
        author: AUTHOR,
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
    ]);
  });
});

describe('a request that is repeated because its process died', () => {
  const creation = newCreation();
  const repeated = { ...creation, isRepeated: true };

  it('creates one key, and never shows its secret', async () => {
    await create(AUTH, INPUT, creation);
    await rejected(create(AUTH, INPUT, repeated), 'secret_shown_once');
    expect([repository.stored.length, audit.entries.length]).toEqual([1, 1]);
  });

  it('creates the key when the first request did not', async () => {
    expect((await create(AUTH, INPUT, repeated)).record).toMatchObject({ id: creation.id });
  });

  it('rotates a key once, so the previous secret stays valid for its grace period', async () => {
    const { record } = await create(AUTH, INPUT);
    await rotate(AUTH, record.id, 60, creation);
    await rejected(rotate(AUTH, record.id, 60, repeated), 'secret_shown_once');
    expect(repository.hashes).toHaveLength(2);
    await rotate(AUTH, record.id, 60, { ...newCreation(), isRepeated: true });
    expect(repository.hashes).toHaveLength(3);
  });
});

describe('updating a key', () => {
  it("needs a name or permissions, and one of the caller's own keys", async () => {
    const { record } = await create(AUTH, INPUT);
    await expect(service.update(AUTH, record.id, {})).rejects.toMatchObject({
      code: 'validation_failed',
      message: 'Send name, permissions, or both',
    });
    for (const changes of [{ name: 'x' }, { permissions: [] }]) {
      await rejected(service.update(STRANGER, record.id, changes), 'api_key_not_found');
    }
  });

  it('lets a person who left the shop rename a key and remove its permissions, but not give it any', async () => {
    const { record } = await create(AUTH, INPUT);
    held = null;
    expect(await service.update(AUTH, record.id, { name: 'Old' })).toMatchObject({ name: 'Old' });
    expect(await service.update(AUTH, record.id, { permissions: [] })).toMatchObject({ scopes: [] });
    await rejected(service.update(AUTH, record.id, { permissions: ['orders:read'] }), 'permission_not_grantable');
  });

  it('keeps the fields that are not sent', async () => {
    const { record } = await create(AUTH, INPUT);
    await service.update(AUTH, record.id, { permissions: ['servers:read', 'servers:read'] });
    expect(repository.stored).toEqual([{ ...record, scopes: ['servers:read'] }]);
    const changes = [{ field: 'permissions', before: 'orders:read', after: 'servers:read' }];
    expect(audit.entries.at(-1)).toEqual({ author: AUTHOR, action: 'api_key.updated', subjectId: record.id, changes });
  });

  it('writes no audit entry when it changes nothing', async () => {
    const { record } = await create(AUTH, INPUT);
    expect(await service.update(AUTH, record.id, { name: INPUT.name })).toEqual(record);
    expect(audit.entries).toHaveLength(1);
  });

  it('changes only the name of a key that no longer works', async () => {
    const { record } = await create(AUTH, INPUT);
    repository.become(record.id, { isActive: false });
    await rejected(service.update(AUTH, record.id, { permissions: [] }), 'api_key_inactive');
    await rejected(service.restrict(AUTH, record.id, { serverIds: null, ipAllowlist: null }), 'api_key_inactive');
    await rejected(rotate(AUTH, record.id, 0), 'api_key_inactive');
    expect(await service.update(AUTH, record.id, { name: 'Old' })).toMatchObject({ name: 'Old' });
  });
});

describe('restricting a key', () => {
  it('replaces both lists, without duplicates', async () => {
    const { record } = await create(AUTH, { ...INPUT, ipAllowlist: ['192.0.2.7'] });
    const wanted = { serverIds: [SERVER], ipAllowlist: ['10.0.0.0/8', '10.0.0.0/8'] };
    expect(await service.restrict(AUTH, record.id, wanted)).toEqual({
      ...record,
      serverIds: [SERVER],
      ipAllowlist: ['10.0.0.0/8'],
    });
    const free = { serverIds: null, ipAllowlist: null };
    expect(await service.restrict(AUTH, record.id, free)).toEqual({ ...record, ...free });
    expect(audit.entries.at(-1)?.changes).toEqual([
      { field: 'serverIds', before: SERVER, after: null },
      { field: 'ipAllowlist', before: '10.0.0.0/8', after: null },
    ]);
  });

  it('needs all permissions of the key, because it can give the key more', async () => {
    const { record } = await create(AUTH, { ...INPUT, permissions: ['orders:read', 'orders:write'] });
    const free = { serverIds: null, ipAllowlist: null };
    await rejected(service.restrict(STRANGER, record.id, free), 'api_key_not_found');
    held = permissionsOfRole('analyst');
    await rejected(service.restrict(AUTH, record.id, free), 'permission_not_grantable');
    held = null;
    await rejected(service.restrict(AUTH, record.id, free), 'shop_not_found');
    expect(audit.entries).toHaveLength(1);
  });

  it('is rejected when the key is revoked meanwhile, without an audit entry', async () => {
    const { record } = await create(AUTH, INPUT);
    meanwhile = () => repository.become(record.id, { revokedAt: new Date(), isActive: false });
    await rejected(service.restrict(AUTH, record.id, { serverIds: null, ipAllowlist: null }), 'api_key_inactive');
    expect(audit.entries).toHaveLength(1);
  });
});

describe('rotating a key', () => {
  it('sends an email to the owners of the shop and to the person, without the key', async () => {
    const { record } = await create(AUTH, INPUT);
    const rotated = await rotate(AUTH, record.id, 0);
    const email = keyRotatedEmail('owner@example.com', 'Sky Realm', rotated.record);
    expect(emails.sent[1]).toEqual({ shopId: SHOP, email, also: USER });
    expect(email.text).not.toContain(rotated.key);
  });

  it('returns a new secret, and keeps the current one during the grace period', async () => {
    const { record, key } = await create(AUTH, INPUT);
    const rotated = await rotate(AUTH, record.id, 3_600);
    expect(rotated.key).not.toBe(key);
    const { rotationId, rotatedAt, previousKeyExpiresAt } = rotated.record;
    expect((previousKeyExpiresAt?.getTime() ?? 0) - (rotatedAt?.getTime() ?? 0)).toBe(3_600_000);
    const fields = { rotationId, rotatedAt, previousKeyExpiresAt };
    expect(rotated.record).toEqual({ ...record, preview: keyPreview(rotated.key), ...fields });
    expect(repository.hashes).toEqual([sha256(key), sha256(rotated.key)]);
    expect(audit.entries.at(-1)).toEqual({
      author: AUTHOR,
      action: 'api_key.rotated',
      subjectId: record.id,
      changes: [
        { field: 'keyPreview', before: keyPreview(key), after: keyPreview(rotated.key) },
        { field: 'previousKeyExpiresAt', before: null, after: previousKeyExpiresAt?.toISOString() },
      ],
    });
    expect(JSON.stringify([repository.stored, audit.entries])).not.toContain(rotated.key);
  });

  it('needs all permissions of the key, because the new secret gives them', async () => {
    const { record } = await create(AUTH, { ...INPUT, permissions: ['orders:read', 'orders:write'] });
    await rejected(rotate(STRANGER, record.id, 0), 'api_key_not_found');
    held = permissionsOfRole('analyst');
    await rejected(rotate(AUTH, record.id, 0), 'permission_not_grantable');
    held = null;
    await rejected(rotate(AUTH, record.id, 0), 'shop_not_found');
    held = permissionsOfRole('analyst');
    await service.update(AUTH, record.id, { permissions: ['orders:read'] });
    expect(await rotate(AUTH, record.id, 0)).toMatchObject({ record: { previousKeyExpiresAt: null } });
  });

  it('does not need permissions that the type of the key excludes', async () => {
    const { record } = await create(AUTH, INPUT);
    repository.become(record.id, { scopes: ['orders:read', 'team:write'] });
    held = permissionsOfRole('support');
    expect(await rotate(AUTH, record.id, 0)).toMatchObject({ record: { id: record.id } });
  });

  it('fails when another rotation came first', async () => {
    const { record } = await create(AUTH, INPUT);
    const both = await Promise.allSettled([rotate(AUTH, record.id, 0), rotate(AUTH, record.id, 0)]);
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(both[1]).toMatchObject({ reason: { code: 'state_conflict' } });
    expect(audit.entries).toHaveLength(2);
  });
});

describe('revoking a key', () => {
  it('revokes it forever; a second time changes nothing and writes no second audit entry', async () => {
    const { record } = await create(AUTH, INPUT);
    await rejected(revocations.revoke(STRANGER, record.id), 'api_key_not_found');
    const revoked = await revocations.revoke(AUTH, record.id);
    expect(revoked).toMatchObject({ id: record.id, isActive: false });
    expect(await revocations.revoke(AUTH, record.id)).toEqual(revoked);
    const changes = [{ field: 'revokedAt', before: null, after: revoked.revokedAt?.toISOString() }];
    expect(audit.entries.slice(1)).toEqual([
      { author: AUTHOR, action: 'api_key.revoked', subjectId: record.id, changes },
    ]);
  });

  it('is allowed for a person who left the shop', async () => {
    const { record } = await create(AUTH, INPUT);
    held = null;
    expect(await revocations.revoke(AUTH, record.id)).toMatchObject({ isActive: false });
  });
});

describe('the keys of a shop', () => {
  const manager = shopContext('admin', { userId: 'manager', principal: 'user:manager', shopId: SHOP });
  const elsewhere = shopContext('admin', { userId: 'manager', principal: 'user:manager', shopId: 'another shop' });
  const page = { after: null, limit: 10 };

  it('are listed for members who manage its team, and for nobody in other shops', async () => {
    const { record } = await create(AUTH, INPUT);
    expect((await service.listInShop(manager, {}, page)).items).toEqual([record]);
    expect((await service.listInShop(elsewhere, {}, page)).items).toEqual([]);
  });

  it('can be revoked by members who manage its team, and the audit log names them; a second time changes nothing', async () => {
    const { record } = await create(AUTH, INPUT);
    await rejected(revocations.revokeInShop(elsewhere, record.id), 'api_key_not_found');
    const revoked = await revocations.revokeInShop(manager, record.id);
    expect(revoked).toMatchObject({ id: record.id, isActive: false });
    expect(await revocations.revokeInShop(manager, record.id)).toEqual(revoked);
    expect(audit.entries.slice(1)).toEqual([
      expect.objectContaining({
        author: { shopId: SHOP, principal: 'user:manager' },
        action: 'api_key.revoked',
        subjectId: record.id,
      }),
    ]);
  });
});

describe('the keys of a person', () => {
  it('are listed for their creator only', async () => {
    const { record } = await create(AUTH, INPUT);
    const page = { after: null, limit: 10 };
    expect((await service.list(AUTH, {}, page)).items).toEqual([record]);
    expect((await service.list(STRANGER, {}, page)).items).toEqual([]);
  });

  it('have the rights of their own list and type, until they are revoked with all others of the shop', async () => {
    const { record } = await create(AUTH, { ...INPUT, serverIds: [SERVER] });
    const rights = { scopes: new Set(['orders:read', 'deliveries:read']), serverIds: new Set([SERVER]) };
    expect(await service.rightsOf(USER, record.id, TRANSACTION)).toEqual(rights);
    expect(await service.rightsOf('somebody', record.id, TRANSACTION)).toBeNull();
    expect(await revocations.revokeAllOf(USER, 'another shop', TRANSACTION)).toBe(0);
    expect(await revocations.revokeAllOf(USER, SHOP, TRANSACTION)).toBe(1);
    expect(await service.rightsOf(USER, record.id, TRANSACTION)).toBeNull();
  });

  it('are revoked in all shops at once, with an audit entry for each that was not revoked before', async () => {
    const [first, second] = [await create(AUTH, INPUT), await create(AUTH, INPUT)];
    await revocations.revoke(AUTH, first.record.id);
    expect(await revocations.revokeEverywhere(USER, TRANSACTION)).toBe(1);
    expect(await service.rightsOf(USER, second.record.id, TRANSACTION)).toBeNull();
    expect(audit.entries.slice(3)).toEqual([
      expect.objectContaining({ author: AUTHOR, action: 'api_key.revoked', subjectId: second.record.id }),
    ]);
    expect(await revocations.revokeEverywhere('somebody', TRANSACTION)).toBe(0);
  });

  it('may act for every server when they are limited to none', async () => {
    const { record } = await create(AUTH, INPUT);
    expect(await service.rightsOf(USER, record.id, TRANSACTION)).toMatchObject({ serverIds: null });
  });
});
