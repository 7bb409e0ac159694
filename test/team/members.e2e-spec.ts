import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ObjectId } from 'mongodb';
import { TYPE_CEILINGS } from '../../src/api-keys/api-key.types.js';
import {
  ALL_PERMISSIONS,
  type Permission,
  permissionsOfRole,
  type Role,
  ROLE_NAMES,
} from '../../src/common/auth/permissions.js';
import { aKey, aMember, aPerson, aShop, type Person, type TestShop } from '../support/actors.js';
import { anId, anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { inDatabase } from '../support/in-database.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { aTeammate, membershipOf, rolesOf, type Teammate } from './team-actors.js';

type Sent = ReturnType<TestApp['api']['get']>;

const BELOW_OWNER = ROLE_NAMES.filter((role) => role !== 'owner');
const ABOVE = 'The member has permissions that you do not have';
const TOO_MUCH = 'The role has permissions that you do not have';
const MISSING = 'The credential lacks the permission team:write';
const LAST_OWNER = 'A shop must have at least one owner; make somebody else an owner first';
const MALFORMED = 'An identifier in the path is not an ObjectId of 24 hexadecimal digits';
const UNAUTHENTICATED = 'Authentication is missing or invalid';
const NO_ACCESS = 'The credential has no access to this shop';

let app: TestApp;
let shop: TestShop;
let owner: Teammate;

const path = (rest = ''): string => `/shops/${shop.shopId}/team${rest}`;
const change = (id: string, body: unknown, call: object): Sent => app.api.patch(path(`/${id}`), body, call);
const remove = (id: string, call: object): Sent => app.api.delete(path(`/${id}`), call);
const leave = (call: object): Sent => app.api.delete(path('/me'), call);
const transfer = (id: string, call: object): Sent => app.api.post(path(`/${id}/transfer-ownership`), {}, call);
const me = (call: object): Sent => app.api.get(path('/me'), call);
const roles = (): ReturnType<typeof rolesOf> => rolesOf(app.api, shop, owner.token);
const log = async (): Promise<unknown[]> =>
  expectSuccess<unknown[]>(await app.api.get(`/shops/${shop.shopId}/audit`, { token: owner.token }));
const entry = (actor: object, action: string, summary: string, subjectId: string, changes: object[]): object => ({
  id: anId,
  at: anInstant,
  actor,
  action,
  summary,
  subjectId,
  changes,
});
const inPerson = ({ userId }: Person): object => ({ type: 'user', id: userId });
const memberDto = (member: Teammate, name: string, role: Role): object => ({
  id: member.id,
  userId: member.userId,
  name,
  email: member.email,
  role,
  permissions: [...permissionsOfRole(role)],
  status: 'active',
  joinedAt: anInstant,
  lastActiveAt: null,
});
/** Without the times that are stored after a response. */
const blind = (member: object): object => ({ ...member, lastActiveAt: null });

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  shop = await aShop(app.api);
  owner = { ...shop.owner, id: await membershipOf(app.api, shop, shop.owner) };
});
afterAll(() => app.close());

describe('GET /shops/{shopId}/team/me', () => {
  it.each(ROLE_NAMES)('returns the role and the permissions of a member with role %s', async (role) => {
    const member = await aTeammate(app, shop, role);
    expect(expectSuccess(await me({ token: member.token }), 'Permissions retrieved')).toEqual({
      type: 'user',
      id: member.userId,
      memberId: member.id,
      role,
      permissions: ALL_PERMISSIONS.filter((permission) => permissionsOfRole(role).has(permission)),
    });
  });

  it.each(['secret', 'plugin', 'storefront'] as const)('returns what a %s key may do', async (type) => {
    const { id, key } = await aKey(app.api, shop, type);
    expect(expectSuccess(await me({ key }))).toEqual({
      type: 'api_key',
      id,
      memberId: null,
      role: null,
      permissions: ALL_PERMISSIONS.filter((permission) => TYPE_CEILINGS[type].includes(permission)),
    });
  });

  it('returns fewer permissions for a key whose creator was demoted', async () => {
    const admin = await aTeammate(app, shop, 'admin');
    const { key } = await aKey(app.api, { ...shop, owner: admin }, 'secret', ['team:write', 'orders:read']);
    expectSuccess(await change(admin.id, { role: 'analyst' }, { token: owner.token }));
    expect(expectSuccess(await me({ key }))['permissions']).toEqual(['orders:read', 'deliveries:read']);
    expectSuccess(await change(admin.id, { role: 'admin' }, { token: owner.token }));
    expect(expectSuccess(await me({ key }))['permissions']).toEqual(['team:write', 'orders:read', 'deliveries:read']);
  });

  it('returns 400, 401, 403 and 404 like every endpoint of a shop', async () => {
    const { token } = owner;
    expectError(await app.api.get('/shops/nothex/team/me', { token }), 400, MALFORMED, '/api/v2/shops/nothex/team/me');
    expectError(await me({}), 401, UNAUTHENTICATED, `/api/v2${path('/me')}`);
    const stranger = await aPerson(app.api);
    const { key } = await aKey(app.api, await aShop(app.api));
    expectError(await me({ token: stranger.token }), 403, NO_ACCESS, `/api/v2${path('/me')}`);
    expectError(await me({ key }), 403, NO_ACCESS, `/api/v2${path('/me')}`);
    expectError(await app.api.get(`/shops/${'0'.repeat(24)}/team/me`, { token }), 404, 'There is no such shop');
  });
});

describe('PATCH /shops/{shopId}/team/{memberId}', () => {
  it('gives a member another role, which applies from the next request on and is in the audit log', async () => {
    const member = await aTeammate(app, shop, 'support');
    expectError(await app.api.get(path(), { token: member.token }), 403, /team:read$/);
    const response = await change(member.id, { role: 'manager' }, { token: owner.token });
    expect(blind(expectSuccess(response, 'Role changed'))).toEqual(memberDto(member, 'support', 'manager'));
    expectSuccess(await app.api.get(path(), { token: member.token }));
    expect((await log())[0]).toEqual(
      entry(inPerson(owner), 'member.role_changed', 'A member has another role', member.id, [
        { field: 'role', before: 'support', after: 'manager' },
      ]),
    );
    const stored = await inDatabase(app, (database) =>
      database.collection('members').findOne({ _id: new ObjectId(member.id) }),
    );
    expect(stored).toMatchObject({
      addedBy: `user:${owner.userId}`,
      updatedBy: `user:${owner.userId}`,
      updatedAt: expect.any(Date),
    });
  });

  it('changes nothing and writes no audit entry when the member has the role already', async () => {
    const member = await aTeammate(app, shop, 'support');
    const before = await log();
    const response = await change(member.id, { role: 'support' }, { token: owner.token });
    expect(blind(expectSuccess(response, 'Role changed'))).toEqual(memberDto(member, 'support', 'support'));
    expectSuccess(await change(owner.id, { role: 'owner' }, { token: owner.token }));
    expect(await log()).toEqual(before);
  });

  it('accepts a key with team:write, for members and roles with no more permissions than the key', async () => {
    const scopes: Permission[] = ['team:write', 'stats:read', 'orders:read', 'products:read'];
    const { id, key } = await aKey(app.api, shop, 'secret', [
      ...scopes,
      'orders:write',
      'servers:read',
      'discounts:read',
    ]);
    const member = await aTeammate(app, shop, 'analyst');
    expectSuccess(await change(member.id, { role: 'support' }, { key }));
    expect((await log())[0]).toMatchObject({ actor: { type: 'api_key', id }, action: 'member.role_changed' });
    const small = await aKey(app.api, shop, 'secret', scopes);
    expectError(await change(member.id, { role: 'analyst' }, { key: small.key }), 403, ABOVE);
    expectError(await change(member.id, { role: 'manager' }, { key }), 400, TOO_MUCH);
    expect((await roles()).get(member.userId)).toBe('support');
  });

  it('lets an owner give up the role when there is another owner, but not the last one', async () => {
    const { token } = owner;
    expectError(
      await change(owner.id, { role: 'admin' }, { token }),
      409,
      LAST_OWNER,
      `/api/v2${path(`/${owner.id}`)}`,
    );
    const second = await aTeammate(app, shop, 'owner');
    expectSuccess(await change(owner.id, { role: 'analyst' }, { token }));
    expectError(await change(second.id, { role: 'admin' }, { token }), 403, MISSING);
    expectError(await change(second.id, { role: 'admin' }, { token: second.token }), 409, LAST_OWNER);
    expect(await rolesOf(app.api, shop, second.token)).toEqual(
      new Map([
        [owner.userId, 'analyst'],
        [second.userId, 'owner'],
      ]),
    );
  });

  it.each([
    [{}, /^role must be one of owner, admin, manager, support, analyst, developer$/],
    [{ role: 'king' }, /^role must be one of owner/],
    [{ role: '__proto__' }, /^role must be one of owner/],
    [{ role: ['owner'] }, /^role must be one of owner/],
    [{ role: 'support', permissions: ['team:write'] }, 'permissions is not a known field'],
    [{ role: 'support', shopId: '0'.repeat(24) }, 'shopId is not a known field'],
  ])('returns 400 for %j', async (body, error) => {
    expectError(await change(owner.id, body, { token: owner.token }), 400, error, `/api/v2${path(`/${owner.id}`)}`);
  });
});

describe('DELETE /shops/{shopId}/team/{memberId}', () => {
  it('removes a member, sends them an email, and is in the audit log', async () => {
    const member = await aTeammate(app, shop, 'developer');
    const removed = { id: member.id, userId: member.userId, role: 'developer' };
    expect(expectSuccess(await remove(member.id, { token: owner.token }), 'Member removed')).toEqual(removed);
    expect((await roles()).has(member.userId)).toBe(false);
    expectError(await remove(member.id, { token: owner.token }), 404, 'There is no such member');
    await app.mailbox.next(member.email, /^Subject: You are no longer in the team of Sky Realm$/m);
    expect((await log())[0]).toEqual(
      entry(inPerson(owner), 'member.removed', 'A member was removed from the team', member.id, [
        { field: 'userId', before: member.userId, after: null },
        { field: 'role', before: 'developer', after: null },
      ]),
    );
  });

  it('removes oneself as leaving: with that audit entry, and without an email', async () => {
    const admin = await aTeammate(app, shop, 'admin');
    const other = await aTeammate(app, shop, 'support');
    expectSuccess(await remove(admin.id, { token: admin.token }), 'Member removed');
    expect((await log())[0]).toMatchObject({ actor: inPerson(admin), action: 'member.left', subjectId: admin.id });
    expectError(await me({ token: admin.token }), 403, NO_ACCESS);
    expectSuccess(await remove(other.id, { token: owner.token }));
    await app.mailbox.next(other.email, /^Subject: You are no longer/m);
    const mails = (await app.mailbox.all()).filter((mail) => mail.includes(`To: ${admin.email}`));
    expect(mails).toEqual([expect.stringContaining('Subject: Join the team of Sky Realm')]);
  });

  it('is rejected for the last owner, from anybody', async () => {
    const admin = await aTeammate(app, shop, 'admin');
    const { key } = await aKey(app.api, shop);
    expectError(await remove(owner.id, { token: owner.token }), 409, LAST_OWNER, `/api/v2${path(`/${owner.id}`)}`);
    expectError(await remove(owner.id, { token: admin.token }), 403, ABOVE);
    expectError(await remove(owner.id, { key }), 403, ABOVE);
    expect((await roles()).get(owner.userId)).toBe('owner');
  });

  it('lets the person join again by a new invitation, with a new membership', async () => {
    const member = await aTeammate(app, shop, 'support');
    expectSuccess(await remove(member.id, { token: owner.token }));
    const first = await app.mailbox.next(member.email, /shi_[\w-]{43}/);
    const again = { email: member.email, role: 'analyst' };
    expectSuccess(await app.api.post(path('/invitations'), again, { token: owner.token }));
    const [token] = await app.mailbox.next(member.email, new RegExp(`(?!${first[0]})shi_[\\w-]{43}`));
    expectSuccess(await app.api.post('/team/invitations/accept', { token }, { token: member.token }));
    expect(await membershipOf(app.api, shop, member)).not.toBe(member.id);
    expect((await roles()).get(member.userId)).toBe('analyst');
  });
});

describe('DELETE /shops/{shopId}/team/me', () => {
  it.each(BELOW_OWNER)('lets a member of role %s leave, without any permission', async (role) => {
    const member = await aTeammate(app, shop, role);
    const left = { id: member.id, userId: member.userId, role };
    expect(expectSuccess(await leave({ token: member.token }), 'You left the team')).toEqual(left);
    expect((await roles()).has(member.userId)).toBe(false);
    expect((await log())[0]).toEqual(
      entry(inPerson(member), 'member.left', 'A member left the team', member.id, [
        { field: 'userId', before: member.userId, after: null },
        { field: 'role', before: role, after: null },
      ]),
    );
    expectError(await leave({ token: member.token }), 404, 'There is no such shop', `/api/v2${path('/me')}`);
  });

  it('keeps the last owner, and lets one of two leave', async () => {
    expectError(await leave({ token: owner.token }), 409, LAST_OWNER, `/api/v2${path('/me')}`);
    const second = await aTeammate(app, shop, 'owner');
    expectSuccess(await leave({ token: second.token }));
    expectError(await leave({ token: owner.token }), 409, LAST_OWNER);
    expect([...(await roles()).values()]).toEqual(['owner']);
  });

  it('returns 400, 401 and 404; the shop of others is a 404, and a key cannot leave', async () => {
    const { token } = owner;
    const malformed = await app.api.delete('/shops/nothex/team/me', { token });
    expectError(malformed, 400, MALFORMED, '/api/v2/shops/nothex/team/me');
    expectError(await leave({}), 401, UNAUTHENTICATED, `/api/v2${path('/me')}`);
    const { key } = await aKey(app.api, shop);
    expectError(await leave({ key }), 401, UNAUTHENTICATED, `/api/v2${path('/me')}`);
    const stranger = await aPerson(app.api);
    expectError(await leave({ token: stranger.token }), 404, 'There is no such shop', `/api/v2${path('/me')}`);
    expectError(await app.api.delete(`/shops/${'0'.repeat(24)}/team/me`, { token }), 404, 'There is no such shop');
  });
});

describe('POST /shops/{shopId}/team/{memberId}/transfer-ownership', () => {
  it('makes the member an owner and the owner an admin, sends both an email, and is in the audit log', async () => {
    const heir = await aTeammate(app, shop, 'support');
    const response = await transfer(heir.id, { token: owner.token });
    expect(blind(expectSuccess(response, 'Ownership transferred'))).toEqual(memberDto(heir, 'support', 'owner'));
    expect(await roles()).toEqual(
      new Map([
        [owner.userId, 'admin'],
        [heir.userId, 'owner'],
      ]),
    );
    await app.mailbox.next(heir.email, /^Subject: You are now an owner of Sky Realm$/m);
    await app.mailbox.next(owner.email, /^Subject: You transferred the ownership of Sky Realm$/m);
    const [latest, before] = await log();
    expect(latest).toEqual(
      entry(inPerson(owner), 'ownership.transferred', 'The ownership passed to another member', heir.id, [
        { field: 'owner', before: owner.userId, after: heir.userId },
      ]),
    );
    expect(before).toMatchObject({ action: 'member.joined' });
    expectError(await transfer(heir.id, { token: owner.token }), 403, /^Only an owner in person/);
  });

  it('needs an owner with a bearer token: it rejects an admin and any key of an owner', async () => {
    const admin = await aTeammate(app, shop, 'admin');
    const { key } = await aKey(app.api, shop);
    const error = 'Only an owner in person can transfer the ownership';
    for (const call of [{ token: admin.token }, { key }]) {
      expectError(await transfer(admin.id, call), 403, error, `/api/v2${path(`/${admin.id}/transfer-ownership`)}`);
    }
    const manager = await aMember(app, shop, 'manager');
    expectError(await transfer(admin.id, { token: manager.token }), 403, MISSING);
    expect((await roles()).get(admin.userId)).toBe('admin');
  });

  it('returns 409 and changes nothing for a member who is an owner already, also for oneself', async () => {
    const second = await aTeammate(app, shop, 'owner');
    for (const { id } of [owner, second]) {
      expectError(await transfer(id, { token: owner.token }), 409, 'The member is already an owner');
    }
    expect([...(await roles()).values()]).toEqual(['owner', 'owner']);
  });
});

describe('Every endpoint of one member', () => {
  const calls: [string, (id: string, call: object) => Sent][] = [
    ['PATCH', (id, call) => change(id, { role: 'analyst' }, call)],
    ['DELETE', remove],
    ['POST transfer-ownership', transfer],
  ];

  it.each(calls)('%s returns 400, 401, 403 and 404, and changes nothing', async (_, call) => {
    const member = await aTeammate(app, shop, 'support');
    const keys = [await aKey(app.api, shop, 'plugin'), await aKey(app.api, shop, 'storefront')];
    const before = await log();
    expectError(await call('nothex', { token: owner.token }), 400, MALFORMED);
    expectError(await call(member.id, {}), 401, UNAUTHENTICATED);
    expectError(await call(member.id, { token: 'x.y.z' }), 401, UNAUTHENTICATED);
    for (const { key } of keys) {
      expectError(await call(member.id, { key }), 403, MISSING);
    }
    expectError(await call(member.id, { token: member.token }), 403, MISSING);
    const other = await aShop(app.api);
    expectError(await call(member.id, { token: other.owner.token }), 403, NO_ACCESS);
    expectError(await call('0'.repeat(24), { token: owner.token }), 404, 'There is no such member');
    const foreign = await membershipOf(app.api, other, other.owner);
    expectError(await call(foreign, { token: owner.token }), 404, 'There is no such member');
    expect(await log()).toEqual(before);
    expect((await roles()).get(member.userId)).toBe('support');
  });
});

describe('Nobody can get more permissions than they have', () => {
  it.each(BELOW_OWNER)('as %s, in any way', async (role) => {
    const member = await aTeammate(app, shop, role);
    const peer = await aTeammate(app, shop, 'support');
    const before = await roles();
    const above = ROLE_NAMES.filter(
      (one) => one === 'owner' || [...permissionsOfRole(one)].some((held) => !permissionsOfRole(role).has(held)),
    );
    const { token } = member;
    const rejected = async (response: Sent): Promise<void> => {
      const { status, body } = await response;
      expect([400, 403]).toContain(status);
      expect([TOO_MUCH, ABOVE, MISSING, 'Only an owner in person can transfer the ownership']).toContain(body.error);
    };
    for (const more of above) {
      await rejected(change(member.id, { role: more }, { token }));
      await rejected(change(peer.id, { role: more }, { token }));
      await rejected(app.api.post(path('/invitations'), { email: 'me@example.com', role: more }, { token }));
    }
    await rejected(change(owner.id, { role }, { token }));
    await rejected(remove(owner.id, { token }));
    await rejected(transfer(member.id, { token }));
    expect(await roles()).toEqual(before);
  });

  it('with the key of an owner, which cannot create, demote or remove an owner, not even its own creator', async () => {
    const { key } = await aKey(app.api, shop);
    const [second, admin] = [await aTeammate(app, shop, 'owner'), await aTeammate(app, shop, 'admin')];
    for (const { id } of [owner, second]) {
      expectError(await change(id, { role: 'admin' }, { key }), 403, ABOVE);
      expectError(await remove(id, { key }), 403, ABOVE);
    }
    expectError(await change(admin.id, { role: 'owner' }, { key }), 400, TOO_MUCH);
    expectError(await transfer(admin.id, { key }), 403, /^Only an owner in person/);
    expect([...(await roles()).values()]).toEqual(['owner', 'owner', 'admin']);
  });

  it('with the invitation of another person to ownership, or in another shop', async () => {
    const thief = await aTeammate(app, shop, 'support');
    const invited = await aPerson(app.api);
    const invitation = { email: invited.email, role: 'owner' };
    expectSuccess(await app.api.post(path('/invitations'), invitation, { token: owner.token }));
    const [token] = await app.mailbox.next(invited.email, /shi_[\w-]{43}/);
    const stolen = await app.api.post('/team/invitations/accept', { token }, { token: thief.token });
    expectError(stolen, 400, 'The invitation is unknown, expired or already used');
    // An owner of one shop names a member of another shop in the path of their own shop.
    const own = await aShop(app.api);
    const call = { token: own.owner.token };
    for (const response of [
      app.api.patch(`/shops/${own.shopId}/team/${owner.id}`, { role: 'analyst' }, call),
      app.api.delete(`/shops/${own.shopId}/team/${owner.id}`, call),
      app.api.post(`/shops/${own.shopId}/team/${thief.id}/transfer-ownership`, {}, call),
    ]) {
      expectError(await response, 404, 'There is no such member');
    }
    expect((await roles()).get(thief.userId)).toBe('support');
  });
});
