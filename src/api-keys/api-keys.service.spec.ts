import { beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { type AuthContext } from '../common/auth/auth-context.js';
import { type Permission, permissionsOfRole } from '../common/auth/permissions.js';
import { sha256 } from '../common/crypto/keyed-hash.js';
import { type MembershipsService } from '../memberships/memberships.service.js';
import { type ApiKey } from './api-key.types.js';
import { type ApiKeysRepository, type NewApiKey } from './api-keys.repository.js';
import { ApiKeysService } from './api-keys.service.js';
import { generateKey } from './key-format.js';

const SHOP = '655f1c2ab1e4a9d3f0c81234';
const USER = '655f1c2ab1e4a9d3f0c81230';
const AUTH: AuthContext = { principal: `user:${USER}`, kind: 'user', userId: USER, credentialId: 'session' };
const INPUT = { shopId: SHOP, name: 'Survival', type: 'plugin', permissions: ['orders:read'] } as const;

/** Keys in memory, with the repository's conditions. */
class FakeRepository implements Pick<ApiKeysRepository, 'insert' | 'find' | 'findByHash' | 'update' | 'touch'> {
  stored: { record: ApiKey; hash: string }[] = [];
  reads = 0;
  touched: { keyId: string; at: Date }[] = [];
  failTouch = false;

  insert({ hash, ...input }: NewApiKey): Promise<ApiKey> {
    const record = { ...input, id: `key-${this.stored.length}`, isActive: true, lastUsedAt: null };
    this.stored.push({ record, hash });
    return Promise.resolve(record);
  }

  find(userId: string, keyId: string): Promise<ApiKey | null> {
    const found = this.stored.find(({ record }) => record.id === keyId && record.userId === userId);
    return Promise.resolve(found?.record ?? null);
  }

  findByHash(hash: string): Promise<ApiKey | null> {
    this.reads++;
    return Promise.resolve(this.stored.find((one) => one.hash === hash)?.record ?? null);
  }

  update(userId: string, keyId: string, changes: Partial<ApiKey>): Promise<ApiKey | null> {
    const found = this.stored.find(({ record }) => record.id === keyId && record.userId === userId);
    if (found === undefined) return Promise.resolve(null);
    found.record = { ...found.record, ...changes };
    return Promise.resolve(found.record);
  }

  touch(_userId: string, keyId: string, at: Date): Promise<void> {
    this.touched.push({ keyId, at });
    return this.failTouch ? Promise.reject(new Error('the database is down')) : Promise.resolve();
  }

  /** Changes what is stored, as time or another process would. */
  become(changes: Partial<ApiKey>): void {
    this.stored = this.stored.map(({ record, hash }) => ({ record: { ...record, ...changes }, hash }));
  }
}

let repository: FakeRepository;
let held: ReadonlySet<Permission> | null;
let service: ApiKeysService;

beforeEach(() => {
  Logger.overrideLogger(false);
  repository = new FakeRepository();
  held = permissionsOfRole('owner');
  const memberships = { permissionsOf: () => Promise.resolve(held) } as unknown as MembershipsService;
  service = new ApiKeysService(repository as unknown as ApiKeysRepository, memberships);
});

describe('making a key', () => {
  it('stores the hash and the preview, never the key', async () => {
    const { record, key } = await service.create(AUTH, INPUT);
    expect(record).toMatchObject({ userId: USER, shopId: SHOP, scopes: ['orders:read'], expiresAt: null });
    expect(repository.stored[0]?.hash).toBe(sha256(key));
    expect(JSON.stringify(repository.stored)).not.toContain(key);
  });

  it('is refused in a shop that the caller does not belong to, as if there were none', async () => {
    held = null;
    await expect(service.create(AUTH, INPUT)).rejects.toMatchObject({ code: 'shop_not_found' });
    expect(repository.stored).toEqual([]);
  });

  it('is refused with more than the caller holds, and with an expiry that is over', async () => {
    held = permissionsOfRole('analyst');
    const more = service.create(AUTH, { ...INPUT, permissions: ['orders:write'] });
    await expect(more).rejects.toMatchObject({ code: 'permission_not_grantable' });
    const over = service.create(AUTH, { ...INPUT, expiresAt: new Date(Date.now() - 1) });
    await expect(over).rejects.toMatchObject({ code: 'validation_failed', message: 'expiresAt must be in the future' });
    expect(repository.stored).toEqual([]);
  });
});

describe('presenting a key', () => {
  it('names its creator, its shop and its list', async () => {
    const { record, key } = await service.create(AUTH, INPUT);
    expect(await service.verify(key)).toEqual({
      principal: `key:${record.id}`,
      kind: 'api_key',
      userId: USER,
      credentialId: record.id,
      shopId: SHOP,
      scopes: new Set(['orders:read']),
    });
  });

  it('costs no read when it is malformed, and one when nobody has it', async () => {
    for (const text of ['', 'shp_', 'x'.repeat(40), `${generateKey()} `]) expect(await service.verify(text)).toBeNull();
    expect(repository.reads).toBe(0);
    expect(await service.verify(generateKey())).toBeNull();
    expect(repository.reads).toBe(1);
  });

  it('is worth nothing once it is inactive, and is not stamped', async () => {
    const { key } = await service.create(AUTH, INPUT);
    repository.become({ isActive: false });
    expect(await service.verify(key)).toBeNull();
    expect(repository.touched).toEqual([]);
  });

  it('is stamped at most once a minute', async () => {
    const { key } = await service.create(AUTH, INPUT);
    await service.verify(key);
    repository.become({ lastUsedAt: new Date(Date.now() - 59_000) });
    await service.verify(key);
    expect(repository.touched).toHaveLength(1);
    repository.become({ lastUsedAt: new Date(Date.now() - 61_000) });
    await service.verify(key);
    expect(repository.touched).toHaveLength(2);
  });

  it('is not held up by a stamp that fails', async () => {
    const { key } = await service.create(AUTH, INPUT);
    repository.failTouch = true;
    expect(await service.verify(key)).toMatchObject({ shopId: SHOP });
  });
});

describe('changing a key', () => {
  it('needs a name or permissions, and a key of the caller', async () => {
    const { record } = await service.create(AUTH, INPUT);
    await expect(service.update(AUTH, record.id, {})).rejects.toMatchObject({ code: 'validation_failed' });
    const stranger = { ...AUTH, userId: 'somebody' };
    for (const changes of [{ name: 'x' }, { permissions: [] }]) {
      const foreign = service.update(stranger, record.id, changes);
      await expect(foreign).rejects.toMatchObject({ code: 'api_key_not_found' });
    }
  });

  it('lets somebody who left the shop rename and empty a key, but give it nothing', async () => {
    const { record } = await service.create(AUTH, INPUT);
    held = null;
    expect(await service.update(AUTH, record.id, { name: 'Old' })).toMatchObject({ name: 'Old' });
    expect(await service.update(AUTH, record.id, { permissions: [] })).toMatchObject({ scopes: [] });
    const more = service.update(AUTH, record.id, { permissions: ['orders:read'] });
    await expect(more).rejects.toMatchObject({ code: 'permission_not_grantable' });
  });

  it('never changes what is not sent', async () => {
    const { record } = await service.create(AUTH, INPUT);
    await service.update(AUTH, record.id, { permissions: ['servers:read', 'servers:read'] });
    expect(repository.stored[0]?.record).toEqual({ ...record, scopes: ['servers:read'] });
  });
});
