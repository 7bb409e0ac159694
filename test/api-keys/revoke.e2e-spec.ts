import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ObjectId } from 'mongodb';
import { aKey, aMember, aPerson, aShop, type TestShop } from '../support/actors.js';
import { anId, anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { inDatabase } from '../support/in-database.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const REJECTED = 'Authentication is missing or invalid';

describe('DELETE /api-keys/{keyId}', () => {
  let app: TestApp;
  let shop: TestShop;
  let token: string;
  const revoke = (id: string, as = token): ReturnType<TestApp['api']['delete']> =>
    app.api.delete(`/api-keys/${id}`, { token: as });
  const audited = async (): Promise<unknown[]> =>
    expectSuccess<unknown[]>(await app.api.get(`/shops/${shop.shopId}/audit`, { token }));

  beforeAll(async () => {
    app = await startTestApp();
    shop = await aShop(app.api);
    token = shop.owner.token;
  });
  afterAll(() => app.close());

  it('ends the key at once, returns its record, and keeps it in the lists', async () => {
    const { id, key } = await aKey(app.api, shop, 'plugin', ['products:read']);
    expectSuccess(await app.api.get(`/products/${shop.shopId}`, { key }));
    const record = expectSuccess(await revoke(id), 'API key revoked');
    expect(record).toEqual({
      id,
      name: 'plugin key',
      permissions: ['read'],
      type: 'plugin',
      keyPreview: `${key.slice(0, 10)}...`,
      isActive: false,
      createdAt: anInstant,
    });
    expectError(await app.api.get(`/products/${shop.shopId}`, { key }), 401, REJECTED);
    expect(expectSuccess(await app.api.get('/api-keys?isActive=false&limit=1', { token }))).toEqual([record]);
    const details = expectSuccess(await app.api.get(`/api-keys/${id}`, { token }));
    expect(details).toMatchObject({ ...record, revokedAt: anInstant, scopes: ['products:read'] });
  });

  it('rejects every request that comes after the response, while 20 callers use the key all the time', async () => {
    const { id, key } = await aKey(app.api, shop, 'plugin', ['products:read']);
    let isRevoked = false;
    const late: number[] = [];
    const caller = async (): Promise<void> => {
      for (let sent = 0, rejected = 0; rejected < 3 && sent < 1_000; sent++) {
        const cameLate = isRevoked;
        const { status } = await app.api.get(`/products/${shop.shopId}`, { key });
        if (cameLate) late.push(status);
        if (status === 401) rejected++;
      }
    };
    const callers = Promise.all(Array.from({ length: 20 }, caller));
    expectSuccess(await revoke(id));
    isRevoked = true;
    await callers;
    expect(new Set(late)).toEqual(new Set([401]));
  });

  it('ends both secrets of a key in the grace period of a rotation', async () => {
    const { id, key } = await aKey(app.api, shop);
    const next = expectSuccess<{ key: string }>(await app.api.post(`/api-keys/${id}/rotate`, {}, { token }));
    expectSuccess(await revoke(id));
    for (const presented of [key, next.key]) {
      expectError(await app.api.get(`/products/${shop.shopId}`, { key: presented }), 401, REJECTED);
    }
    const details = expectSuccess(await app.api.get(`/api-keys/${id}`, { token }));
    expect(details).toMatchObject({ isActive: false, previousKeyExpiresAt: null });
  });

  it('returns the same again, changes nothing and adds one audit entry in total, also for parallel requests', async () => {
    const { id } = await aKey(app.api, shop);
    const responses = await Promise.all(Array.from({ length: 10 }, () => revoke(id)));
    const records = responses.map((response) => expectSuccess(response, 'API key revoked'));
    const { revokedAt } = expectSuccess(await app.api.get(`/api-keys/${id}`, { token }));
    records.push(expectSuccess(await revoke(id)));
    for (const record of records) expect(record).toEqual(records[0]);
    expect(expectSuccess(await app.api.get(`/api-keys/${id}`, { token }))).toMatchObject({ revokedAt });
    const entries = (await audited()).filter((entry) => (entry as { subjectId: string }).subjectId === id);
    expect(entries).toEqual([
      {
        id: anId,
        at: anInstant,
        actor: { type: 'user', id: shop.owner.userId, name: 'Olivia' },
        action: 'api_key.revoked',
        summary: 'An API key was revoked',
        subjectId: id,
        changes: [{ field: 'revokedAt', before: null, after: revokedAt }],
      },
      expect.objectContaining({ action: 'api_key.created' }),
    ]);
  });

  it('allows only a new name for a revoked key', async () => {
    const { id } = await aKey(app.api, shop, 'plugin', ['orders:read']);
    expectSuccess(await revoke(id));
    const path = `/api-keys/${id}`;
    for (const rejected of [
      await app.api.patch(path, { permissions: ['orders:read', 'orders:write'] }, { token }),
      await app.api.patch(path, { permissions: [] }, { token }),
      await app.api.put(`${path}/restrictions`, { serverIds: null, ipAllowlist: null }, { token }),
      await app.api.post(`${path}/rotate`, {}, { token }),
    ]) {
      expectError(rejected, 400, 'The API key is revoked or expired');
    }
    const renamed = await app.api.patch(path, { name: 'Old survival server' }, { token });
    expect(expectSuccess(renamed)).toMatchObject({ name: 'Old survival server', isActive: false });
  });

  it('wins against a parallel change: a revoked key gets no permissions after it', async () => {
    for (let times = 0; times < 5; times++) {
      const { id } = await aKey(app.api, shop, 'plugin', ['orders:read']);
      const permissions = ['orders:read', 'orders:write'];
      const [changed, revoked] = await Promise.all([
        app.api.patch(`/api-keys/${id}`, { permissions }, { token }),
        revoke(id),
      ]);
      expectSuccess(revoked);
      const [last] = (await audited()) as { action: string; subjectId: string }[];
      expect(last).toMatchObject({ subjectId: id, action: 'api_key.revoked' });
      if (changed.status === 200) expectSuccess(changed);
      else expectError(changed, 400, 'The API key is revoked or expired');
    }
  });

  it('revokes a key for its owner who has left the shop', async () => {
    const member = await aMember(app, shop, 'support');
    const { id } = await aKey(app.api, { ...shop, owner: member }, 'plugin', ['orders:read']);
    await inDatabase(app, (database) =>
      database.collection('members').deleteOne({ userId: new ObjectId(member.userId) }),
    );
    expectSuccess(await revoke(id, member.token));
  });

  it('returns 400, 401 and 404, the 404 also for the key of another member, and ends no key then', async () => {
    const { id, key } = await aKey(app.api, shop);
    expectError(await revoke('x'), 400, 'An identifier in the path is not an ObjectId of 24 hexadecimal digits');
    expectError(await app.api.delete(`/api-keys/${id}`), 401, REJECTED);
    expectError(await app.api.delete(`/api-keys/${id}`, { key }), 401, /^This endpoint takes no API key/);
    const admin = await aMember(app, shop, 'admin');
    const stranger = await aPerson(app.api);
    for (const person of [admin, stranger]) {
      expectError(await revoke(id, person.token), 404, 'There is no such API key');
    }
    expectError(await revoke('0'.repeat(24)), 404, 'There is no such API key');
    expectSuccess(await app.api.get(`/products/${shop.shopId}`, { key }));
  });
});

describe('/shops/{shopId}/api-keys', () => {
  let app: TestApp;
  let shop: TestShop;
  const list = (as: string, query = ''): ReturnType<TestApp['api']['get']> =>
    app.api.get(`/shops/${shop.shopId}/api-keys${query}`, { token: as });
  const revoke = (id: string, as: string): ReturnType<TestApp['api']['delete']> =>
    app.api.delete(`/shops/${shop.shopId}/api-keys/${id}`, { token: as });

  beforeAll(async () => {
    app = await startTestApp();
    shop = await aShop(app.api);
  });
  afterAll(() => app.close());

  it('shows members with team:write the keys of all members, and lets them revoke these', async () => {
    const { id, key } = await aKey(app.api, shop, 'plugin', ['products:read']);
    const admin = await aMember(app, shop, 'admin');
    const details = expectSuccess(await app.api.get(`/api-keys/${id}`, { token: shop.owner.token }));
    expect(expectSuccess(await list(admin.token), 'API keys retrieved')).toEqual([details]);
    const revoked = expectSuccess(await revoke(id, admin.token), 'API key revoked');
    expect(revoked).toEqual({ ...details, isActive: false, revokedAt: anInstant });
    expect(expectSuccess(await revoke(id, admin.token))).toEqual(revoked);
    expectError(await app.api.get(`/products/${shop.shopId}`, { key }), 401, REJECTED);
    expect(expectSuccess(await list(admin.token, '?isActive=true'))).toEqual([]);
    const [entry] = expectSuccess<object[]>(
      await app.api.get(`/shops/${shop.shopId}/audit?limit=1`, { token: admin.token }),
    );
    expect(entry).toMatchObject({ actor: { id: admin.userId }, action: 'api_key.revoked', subjectId: id });
  });

  it('rejects members without team:write, and other shops', async () => {
    const { id } = await aKey(app.api, shop);
    const support = await aMember(app, shop, 'support');
    for (const response of [await list(support.token), await revoke(id, support.token)]) {
      expectError(response, 403, 'The credential lacks the permission team:write');
    }
    const other = await aShop(app.api);
    const foreign = await app.api.delete(`/shops/${other.shopId}/api-keys/${id}`, { token: other.owner.token });
    expectError(foreign, 404, 'There is no such API key');
    expect(expectSuccess(await app.api.get(`/api-keys/${id}`, { token: shop.owner.token }))).toMatchObject({
      isActive: true,
    });
  });
});
