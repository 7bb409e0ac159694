import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ObjectId } from 'mongodb';
import { API_KEY_TYPES, TYPE_CEILINGS } from '../../src/access/api-keys/api-key.types.js';
import {
  ALL_PERMISSIONS,
  type Permission,
  type Role,
  ROLE_NAMES,
  ROLES,
} from '../../src/domain/principal/permissions.js';
import { aKey, aMember, aPerson, aShop, type Person, type TestShop } from '../support/actors.js';
import { type Call, type Method } from '../support/client.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { inDatabase } from '../support/in-database.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const NO_CREDENTIAL = 'This endpoint takes no API key; send an access token in Authorization, after Bearer';
const NO_KEY = 'There is no such API key';
const NO_SHOP = 'There is no such shop';
const FREE = { serverIds: null, ipAllowlist: null };

/** Every way to get a key, or more permissions for a key. Each must reject permissions that the caller does not have. */
describe('Permissions that the caller does not have', () => {
  let app: TestApp;
  let shop: TestShop;

  const lacks = (...permissions: string[]): string =>
    permissions.map((permission) => `permissions: you do not have ${permission} yourself`).join('; ');
  const make = (person: Person, body: object): ReturnType<TestApp['api']['post']> =>
    app.api.post(
      '/api-keys',
      { shopId: shop.shopId, name: 'More', type: 'secret', permissions: [], ...body },
      { token: person.token },
    );
  const change = (person: Person, id: string, permissions: readonly string[]): ReturnType<TestApp['api']['patch']> =>
    app.api.patch(`/api-keys/${id}`, { permissions }, { token: person.token });
  const rotate = (person: Person, id: string): ReturnType<TestApp['api']['post']> =>
    app.api.post(`/api-keys/${id}/rotate`, { graceSeconds: 0 }, { token: person.token });
  const restrict = (person: Person, id: string): ReturnType<TestApp['api']['put']> =>
    app.api.put(`/api-keys/${id}/restrictions`, FREE, { token: person.token });
  const becomes = (person: Person, role: Role | null): Promise<unknown> =>
    inDatabase<unknown>(app, (database) => {
      const members = database.collection('members');
      const member = { userId: new ObjectId(person.userId) };
      return role === null ? members.deleteOne(member) : members.updateOne(member, { $set: { role } });
    });
  const detailsOf = async (person: Person, id: string): Promise<unknown> =>
    expectSuccess(await app.api.get(`/api-keys/${id}`, { token: person.token }));

  beforeAll(async () => {
    app = await startTestApp();
    shop = await aShop(app.api);
  });
  afterAll(() => app.close());

  it.each(ROLE_NAMES.filter((role) => role !== 'owner'))(
    'rejects each permission that the caller does not have, when a %s creates or changes a key',
    async (role) => {
      const person = await aMember(app, shop, role);
      const held: readonly Permission[] = ROLES[role];
      const own = expectSuccess<{ id: string }>(await make(person, { permissions: held }));
      for (const permission of ALL_PERMISSIONS.filter((one) => !held.includes(one))) {
        expectError(await make(person, { permissions: [permission] }), 400, lacks(permission));
        expectError(await change(person, own.id, [...held.slice(0, 2), permission]), 400, lacks(permission));
      }
      expect(await detailsOf(person, own.id)).toMatchObject({ scopes: held });
    },
  );

  it.each(API_KEY_TYPES)('rejects permissions that the key type %s cannot have, also for the owner', async (type) => {
    const ceiling: readonly Permission[] = TYPE_CEILINGS[type];
    const own = expectSuccess<{ id: string }>(await make(shop.owner, { type, permissions: ceiling }));
    for (const permission of ALL_PERMISSIONS.filter((one) => !ceiling.includes(one))) {
      const error = new RegExp(`^permissions: a ${type} key cannot have ${permission}; `);
      expectError(await make(shop.owner, { type, permissions: [permission] }), 400, error);
      expectError(await change(shop.owner, own.id, [...ceiling, permission]), 400, error);
    }
    expect(await detailsOf(shop.owner, own.id)).toMatchObject({ scopes: ceiling });
  });

  it.each([
    ['an unknown permission', ['team:admin'], /^permissions: team:admin is not a known permission; /],
    ['a wildcard', ['*'], /^permissions: \* is not a known permission; /],
    ['a wildcard of a resource', ['orders:*'], /^permissions: orders:\* is not a known permission; /],
    ['a role', ['owner'], /^permissions: owner is not a known permission; /],
    ['in upper case', ['Orders:Read'], /^permissions: Orders:Read is not a known permission; /],
    ['with a letter that looks the same', ['оrders:read'], /^permissions: оrders:read is not a known permission; /],
    [
      'a list in one string',
      ['orders:read,team:write'],
      /^permissions: orders:read,team:write is not a known permission; /,
    ],
    ['a name from a prototype', ['constructor'], /^permissions: constructor is not a known permission; /],
    [
      'after a permission that the caller has, and twice',
      ['orders:read', 'team:write', 'team:write'],
      'permissions: you do not have team:write yourself; permissions: you do not have team:write yourself',
    ],
  ])('rejects a permission that the caller does not have: %s', async (_, permissions, error) => {
    const person = await aMember(app, shop, 'support');
    const own = expectSuccess<{ id: string }>(await make(person, { permissions: ['orders:read'] }));
    expectError(await make(person, { permissions }), 400, error);
    expectError(await change(person, own.id, permissions), 400, error);
    expect(await detailsOf(person, own.id)).toMatchObject({ scopes: ['orders:read'] });
  });

  it('rejects the permissions of a demoted person in every way, until the key has no more than the person', async () => {
    const person = await aMember(app, shop, 'manager');
    const permissions = ['orders:read', 'discounts:write'];
    const own = expectSuccess<{ id: string; key: string }>(await make(person, { permissions }));
    await becomes(person, 'support');
    const before = await detailsOf(person, own.id);
    const error = lacks('discounts:write');
    expectError(await make(person, { permissions }), 400, error);
    // Also when nothing is added: a list that is sent again must be allowed again.
    expectError(await change(person, own.id, permissions), 400, error);
    expectError(await rotate(person, own.id), 400, error);
    expectError(await restrict(person, own.id), 400, error);
    const used = await app.api.post(`/discounts/${shop.shopId}`, {}, { key: own.key });
    expectError(used, 403, 'The credential lacks the permission discounts:write');
    // The use is recorded beside the request, at some time after it.
    expect({ ...((await detailsOf(person, own.id)) as object), lastUsedAt: null }).toEqual(before);
    expectSuccess(await app.api.patch(`/api-keys/${own.id}`, { name: 'Renamed' }, { token: person.token }));
    expectSuccess(await change(person, own.id, ['orders:read']));
    expectSuccess(await restrict(person, own.id));
    expectSuccess(await rotate(person, own.id));
  });

  it('restores no permission with a promotion that gives other permissions', async () => {
    const person = await aMember(app, shop, 'manager');
    const own = expectSuccess<{ id: string; key: string }>(await make(person, { permissions: ['payments:read'] }));
    await becomes(person, 'developer');
    const error = 'The credential lacks the permission payments:read';
    expectError(await app.api.get(`/payments/${shop.shopId}/providers`, { key: own.key }), 403, error);
    expectError(await change(person, own.id, ['webhooks:read', 'payments:read']), 400, lacks('payments:read'));
  });

  it('lets somebody who left the shop only rename, empty and revoke their key', async () => {
    const person = await aMember(app, shop, 'admin');
    const own = expectSuccess<{ id: string; key: string }>(await make(person, { permissions: ['orders:read'] }));
    await becomes(person, null);
    expectError(await make(person, { permissions: ['orders:read'] }), 404, NO_SHOP);
    expectError(await change(person, own.id, ['orders:read']), 400, lacks('orders:read'));
    expectError(await rotate(person, own.id), 404, NO_SHOP);
    expectError(await restrict(person, own.id), 404, NO_SHOP);
    const denied = 'The credential has no access to this shop';
    expectError(await app.api.get(`/products/${shop.shopId}`, { key: own.key }), 403, denied);
    expectSuccess(await change(person, own.id, []));
    // Not even with an empty key, because the person no longer belongs to its shop.
    expectError(await rotate(person, own.id), 404, NO_SHOP);
    expectSuccess(await app.api.delete(`/api-keys/${own.id}`, { token: person.token }));
  });

  it('returns 404 for the key of somebody else, to a stranger, a member and an admin alike', async () => {
    const { id, key } = await aKey(app.api, shop, 'secret', ['orders:read']);
    const before = await detailsOf(shop.owner, id);
    for (const person of [
      await aPerson(app.api),
      await aMember(app, shop, 'support'),
      await aMember(app, shop, 'admin'),
    ]) {
      expectError(await app.api.get(`/api-keys/${id}`, { token: person.token }), 404, NO_KEY);
      expectError(await change(person, id, ['orders:read', 'team:write']), 404, NO_KEY);
      expectError(await change(person, id, []), 404, NO_KEY);
      expectError(await rotate(person, id), 404, NO_KEY);
      expectError(await restrict(person, id), 404, NO_KEY);
      expectError(await app.api.delete(`/api-keys/${id}`, { token: person.token }), 404, NO_KEY);
      expect(expectSuccess<{ id: string }[]>(await app.api.get('/api-keys', { token: person.token }))).toEqual([]);
    }
    expect(await detailsOf(shop.owner, id)).toEqual(before);
    expectSuccess(await app.api.get(`/api-keys/${id}`, { token: shop.owner.token }));
    expectError(await app.api.get(`/shops/${shop.shopId}/team`, { key }), 403, /team:read$/);
  });

  it('rejects permissions in shops of others, in unknown shops and in shops whose invitation is still open', async () => {
    const stranger = await aPerson(app.api);
    expectError(await make(stranger, { permissions: [] }), 404, NO_SHOP);
    expectError(await make(shop.owner, { shopId: '0'.repeat(24) }), 404, NO_SHOP);
    expectError(await make(shop.owner, { shopId: (await aShop(app.api)).shopId }), 404, NO_SHOP);
    const invitation = { email: stranger.email, role: 'admin' };
    const path = `/shops/${shop.shopId}/team/invitations`;
    expectSuccess(await app.api.post(path, invitation, { token: shop.owner.token }));
    expectError(await make(stranger, { permissions: [] }), 404, NO_SHOP);
  });

  it.each(API_KEY_TYPES)('rejects a %s key at every endpoint for keys, also for the key itself', async (type) => {
    const { id, key } = await aKey(app.api, shop, type);
    const before = await detailsOf(shop.owner, id);
    const ways: [Method, string, unknown?][] = [
      ['post', '/api-keys', { shopId: shop.shopId, name: 'x', type, permissions: [] }],
      ['get', '/api-keys'],
      ['get', `/api-keys/${id}`],
      ['patch', `/api-keys/${id}`, { permissions: ALL_PERMISSIONS }],
      ['put', `/api-keys/${id}/restrictions`, FREE],
      ['post', `/api-keys/${id}/rotate`, {}],
      ['delete', `/api-keys/${id}`],
    ];
    for (const [method, path, body] of ways) {
      const call: Call = { key, ...(body === undefined ? {} : { body }) };
      expectError(await app.api.call(method, path, call), 401, NO_CREDENTIAL, `/api/v2${path}`);
      const asToken: Call = { token: key, ...(body === undefined ? {} : { body }) };
      expectError(await app.api.call(method, path, asToken), 401, NO_CREDENTIAL, `/api/v2${path}`);
    }
    expect(await detailsOf(shop.owner, id)).toEqual(before);
  });

  it.each([
    [{ userId: '0'.repeat(24) }, 'userId is not a known field'],
    [{ createdBy: '0'.repeat(24) }, 'createdBy is not a known field'],
    [{ scopes: ALL_PERMISSIONS }, 'scopes is not a known field'],
    [{ hashes: ['x'] }, 'hashes is not a known field'],
    [{ revokedAt: null }, 'revokedAt is not a known field'],
    [{ 'scopes.0': 'team:write' }, 'scopes.0 is not a known field'],
    [{ $set: { scopes: ALL_PERMISSIONS } }, '$set is not a known field'],
    [{ constructor: { scopes: ALL_PERMISSIONS } }, 'constructor is not a known field'],
  ])('rejects the unknown field %j', async (body, error) => {
    const person = await aMember(app, shop, 'support');
    const own = expectSuccess<{ id: string }>(await make(person, { permissions: ['orders:read'] }));
    const { token } = person;
    expectError(await make(person, body), 400, error);
    expectError(await app.api.patch(`/api-keys/${own.id}`, { name: 'x', ...body }, { token }), 400, error);
    expectError(await app.api.put(`/api-keys/${own.id}/restrictions`, { ...FREE, ...body }, { token }), 400, error);
    expectError(await app.api.post(`/api-keys/${own.id}/rotate`, body, { token }), 400, error);
    expect(await detailsOf(person, own.id)).toMatchObject({ name: 'More', scopes: ['orders:read'], rotatedAt: null });
  });
});
