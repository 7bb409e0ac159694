import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ObjectId } from 'mongodb';
import { ALL_PERMISSIONS } from '../../src/domain/principal/permissions.js';
import { aKey, aMember, aPerson, aShop, type TestShop } from '../support/actors.js';
import { anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { inDatabase } from '../support/in-database.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

describe('PATCH /api-keys/{keyId} (contract 2)', () => {
  let app: TestApp;
  let shop: TestShop;
  let keyId: string;
  let key: string;
  let token: string;
  const patch = (body: unknown, id = keyId, as = token): ReturnType<TestApp['api']['patch']> =>
    app.api.patch(`/api-keys/${id}`, body, { token: as });
  const scopes = async (): Promise<unknown> =>
    expectSuccess(await app.api.get(`/api-keys/${keyId}`, { token }))['scopes'];

  beforeAll(async () => {
    app = await startTestApp();
    shop = await aShop(app.api);
    token = shop.owner.token;
    ({ id: keyId, key } = await aKey(app.api, shop, 'secret', ['products:read']));
  });
  afterAll(() => app.close());

  it('changes name and permissions and returns exactly the seven fields of the record', async () => {
    const response = await patch({ name: 'Renamed', permissions: ['products:read', 'orders:write'] });
    expect(expectSuccess(response, 'API key updated')).toEqual({
      id: keyId,
      name: 'Renamed',
      permissions: ['read', 'write'],
      type: 'secret',
      keyPreview: `${key.slice(0, 10)}...`,
      isActive: true,
      createdAt: anInstant,
    });
    expect(await scopes()).toEqual(['products:read', 'orders:write']);
  });

  it('keeps a field that is not sent', async () => {
    expectSuccess(await patch({ name: 'First', permissions: ['orders:read'] }));
    expect(expectSuccess(await patch({ name: 'Second' }))).toMatchObject({ name: 'Second', permissions: ['read'] });
    expect(await scopes()).toEqual(['orders:read']);
    expect(expectSuccess(await patch({ permissions: [] }))).toMatchObject({ name: 'Second', permissions: [] });
    expect(await scopes()).toEqual([]);
  });

  it('writes nothing, and no audit entry, when nothing changes', async () => {
    const log = async (): Promise<unknown> =>
      expectSuccess(await app.api.get(`/shops/${shop.shopId}/audit?limit=2`, { token }));
    expectSuccess(await patch({ name: 'Same', permissions: ['orders:read', 'products:read'] }));
    const before = await log();
    for (const body of [
      { name: 'Same' },
      { permissions: ['orders:read', 'products:read'] },
      { name: 'Same', permissions: ['orders:read', 'products:read'] },
      // Pasted with a space, it is the same permission.
      { permissions: ['orders:read ', 'products:read'] },
    ]) {
      expect(expectSuccess(await patch(body))).toMatchObject({ id: keyId, name: 'Same', permissions: ['read'] });
    }
    const unbound = { serverIds: null, ipAllowlist: null };
    expectSuccess(await app.api.put(`/api-keys/${keyId}/restrictions`, unbound, { token }));
    expect(await log()).toEqual(before);
  });

  it('records every change of a key in the audit log, also at the end of a list that is too long for the entry', async () => {
    expectSuccess(await patch({ permissions: ALL_PERMISSIONS }));
    expectSuccess(await patch({ permissions: ALL_PERMISSIONS.slice(0, -2) }));
    const [entry] = expectSuccess<{ changes: { before: string; after: string }[] }[]>(
      await app.api.get(`/shops/${shop.shopId}/audit?limit=1`, { token }),
    );
    expect(entry).toMatchObject({ action: 'api_key.updated', subjectId: keyId });
    // Cut, with a hash that shows that it is another list.
    const cut = expect.stringMatching(/^shops:read, .+\.\.\. \(sha256 [0-9a-f]{12}\)$/) as unknown;
    expect(entry?.changes).toEqual([{ field: 'permissions', before: cut, after: cut }]);
    expect(entry?.changes[0]?.before).not.toBe(entry?.changes[0]?.after);
  });

  it('applies to the next request with the key', async () => {
    const products = (): ReturnType<TestApp['api']['get']> => app.api.get(`/products/${shop.shopId}`, { key });
    expectSuccess(await patch({ permissions: ['products:read'] }));
    expectSuccess(await products());
    expectSuccess(await patch({ permissions: ['orders:read'] }));
    expectError(await products(), 403, 'The credential lacks the permission products:read');
  });

  it('stores one of the two lists when two changes run in parallel', async () => {
    const lists = [['orders:read'], ['orders:write']];
    const responses = await Promise.all(lists.map((permissions) => patch({ permissions })));
    for (const response of responses) expectSuccess(response);
    expect(lists).toContainEqual(await scopes());
  });

  it.each([
    [{}, 'Send name, permissions, or both'],
    [{ name: null }, 'name must be a string'],
    [{ name: '' }, 'Send name, permissions, or both'],
    [{ name: 'x'.repeat(81) }, 'name must have 1 to 80 characters'],
    [{ name: { $set: 1 } }, 'name must be a string'],
    [{ name: 'line\nbreak' }, 'name must not contain control characters'],
    [{ permissions: null }, 'permissions must be a list'],
    [{ permissions: { 0: 'orders:read' } }, 'permissions must be a list'],
    [{ permissions: ['orders:read', null] }, /^permissions must contain only strings/],
    [{ permissions: ['orders:delete'] }, /^permissions: orders:delete is not a known permission; /],
    [{ permissions: ['read'] }, /^permissions: read is not a known permission; /],
    [{ permissions: ['toString'] }, /^permissions: toString is not a known permission; /],
    [{ type: 'secret' }, 'type is not a known field'],
    [{ isActive: true }, 'isActive is not a known field'],
    [{ shopId: '0'.repeat(24) }, 'shopId is not a known field'],
    [{ $set: { scopes: ['team:write'] } }, '$set is not a known field'],
  ])('returns 400 for %j and changes nothing', async (body, error) => {
    expectSuccess(await patch({ name: 'Kept', permissions: ['orders:read'] }));
    expectError(await patch(body), 400, error, `/api/v2/api-keys/${keyId}`);
    expect(expectSuccess(await app.api.get(`/api-keys/${keyId}`, { token }))).toMatchObject({
      name: 'Kept',
      scopes: ['orders:read'],
    });
  });

  it('returns 400 for a malformed id, and without a body', async () => {
    const malformed = await patch({ name: 'x' }, 'not-an-id');
    expectError(malformed, 400, 'An identifier in the path is not an ObjectId of 24 hexadecimal digits');
    const empty = await app.api.call('patch', `/api-keys/${keyId}`, { token });
    expectError(empty, 400, 'The body is missing: send a JSON object');
  });

  it("returns 400 for a permission that the key's type cannot have, also for an owner", async () => {
    const plugin = await aKey(app.api, shop, 'plugin');
    const rejected = await patch({ permissions: ['orders:read', 'team:write'] }, plugin.id);
    expectError(rejected, 400, /^permissions: a plugin key cannot have team:write; /);
  });

  it('returns 400 for more permissions than the caller has now: a demoted person cannot keep the old ones', async () => {
    const member = await aMember(app, shop, 'manager');
    const own = await aKey(app.api, { ...shop, owner: member }, 'secret', ['discounts:write']);
    expectError(
      await patch({ permissions: ['webhooks:write'] }, own.id, member.token),
      400,
      'permissions: you do not have webhooks:write yourself',
    );
    await inDatabase(app, (database) =>
      database.collection('members').updateOne({ userId: new ObjectId(member.userId) }, { $set: { role: 'analyst' } }),
    );
    expectError(
      await patch({ permissions: ['discounts:write'] }, own.id, member.token),
      400,
      'permissions: you do not have discounts:write yourself',
    );
    expectSuccess(await patch({ permissions: ['orders:read'] }, own.id, member.token));
  });

  it('returns 401 without a token, for a wrong token, and for the key itself: no key can give itself permissions', async () => {
    const path = `/api-keys/${keyId}`;
    const body = { permissions: ['team:write'] };
    const before = await scopes();
    expectError(await app.api.patch(path, body), 401, 'Authentication is missing or invalid');
    expectError(await app.api.patch(path, body, { token: 'x.y.z' }), 401, 'Authentication is missing or invalid');
    expectError(await app.api.patch(path, body, { key }), 401, /^This endpoint takes no API key/);
    expect(await scopes()).toEqual(before);
  });

  it('returns the same 404 for an unknown key and for the key of a stranger or another member', async () => {
    const admin = await aMember(app, shop, 'admin');
    const stranger = await aPerson(app.api);
    for (const response of [
      await patch({ name: 'x' }, '0'.repeat(24)),
      await patch({ name: 'x' }, keyId, admin.token),
      await patch({ permissions: ['orders:read'] }, keyId, stranger.token),
    ]) {
      expectError(response, 404, 'There is no such API key');
    }
  });
});
