import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { TYPE_CEILINGS } from '../../src/access/api-keys/api-key.types.js';
import { ALL_PERMISSIONS, permissionsOfRole, ROLE_NAMES } from '../../src/domain/principal/permissions.js';
import { aKey, aPerson, aShop } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import {
  aTeam,
  aTeammate,
  entry,
  inPerson,
  LAST_OWNER,
  MALFORMED,
  NO_ACCESS,
  type Teammate,
  type TestTeam,
  UNAUTHENTICATED,
} from './team-actors.js';

const READING_ORDERS = ['orders:read', 'deliveries:read', 'entitlements:read'];
const BELOW_OWNER = ROLE_NAMES.filter((role) => role !== 'owner');

let app: TestApp;
let team: TestTeam;
let owner: Teammate;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  team = await aTeam(app);
  owner = team.owner;
});
afterAll(() => app.close());

describe('GET /shops/{shopId}/team/me', () => {
  it.each(ROLE_NAMES)('returns the role and the permissions of a member with role %s', async (role) => {
    const member = await aTeammate(app, team, role);
    expect(expectSuccess(await team.me({ token: member.token }), 'Permissions retrieved')).toEqual({
      type: 'user',
      id: member.userId,
      memberId: member.id,
      role,
      permissions: ALL_PERMISSIONS.filter((permission) => permissionsOfRole(role).has(permission)),
    });
  });

  it.each(['secret', 'plugin', 'storefront'] as const)('returns what a %s key may do', async (type) => {
    const { id, key } = await aKey(app.api, team, type);
    expect(expectSuccess(await team.me({ key }))).toEqual({
      type: 'api_key',
      id,
      memberId: null,
      role: null,
      permissions: ALL_PERMISSIONS.filter((permission) => TYPE_CEILINGS[type].includes(permission)),
    });
  });

  it('returns fewer permissions for a key whose creator was demoted', async () => {
    const admin = await aTeammate(app, team, 'admin');
    const { key } = await aKey(app.api, { ...team, owner: admin }, 'secret', ['team:write', 'orders:read']);
    expectSuccess(await team.change(admin.id, { role: 'analyst' }, { token: owner.token }));
    expect(expectSuccess(await team.me({ key }))['permissions']).toEqual(READING_ORDERS);
    expectSuccess(await team.change(admin.id, { role: 'admin' }, { token: owner.token }));
    expect(expectSuccess(await team.me({ key }))['permissions']).toEqual(['team:write', ...READING_ORDERS]);
  });

  it('returns 400, 401, 403 and 404 like every endpoint of a shop', async () => {
    const { token } = owner;
    expectError(await app.api.get('/shops/nothex/team/me', { token }), 400, MALFORMED, '/api/v2/shops/nothex/team/me');
    expectError(await team.me({}), 401, UNAUTHENTICATED, `/api/v2${team.path('/me')}`);
    const stranger = await aPerson(app.api);
    const { key } = await aKey(app.api, await aShop(app.api));
    expectError(await team.me({ token: stranger.token }), 403, NO_ACCESS, `/api/v2${team.path('/me')}`);
    expectError(await team.me({ key }), 403, NO_ACCESS, `/api/v2${team.path('/me')}`);
    expectError(await app.api.get(`/shops/${'0'.repeat(24)}/team/me`, { token }), 404, 'There is no such shop');
  });
});

describe('DELETE /shops/{shopId}/team/me', () => {
  it.each(BELOW_OWNER)('lets a member of role %s leave, without any permission', async (role) => {
    const member = await aTeammate(app, team, role);
    const left = { id: member.id, userId: member.userId, role };
    expect(expectSuccess(await team.leave({ token: member.token }), 'You left the team')).toEqual(left);
    expect((await team.roles()).has(member.userId)).toBe(false);
    expect((await team.log())[0]).toEqual(
      entry(inPerson(member), 'member.left', 'A member left the team', member.id, [
        { field: 'userId', before: member.userId, after: null },
        { field: 'role', before: role, after: null },
      ]),
    );
    expectError(await team.leave({ token: member.token }), 404, 'There is no such shop', `/api/v2${team.path('/me')}`);
  });

  it('keeps the last owner, and lets one of two leave', async () => {
    expectError(await team.leave({ token: owner.token }), 409, LAST_OWNER, `/api/v2${team.path('/me')}`);
    const second = await aTeammate(app, team, 'owner');
    expectSuccess(await team.leave({ token: second.token }));
    expectError(await team.leave({ token: owner.token }), 409, LAST_OWNER);
    expect([...(await team.roles()).values()]).toEqual(['owner']);
  });

  it('returns 400, 401 and 404; the shop of others is a 404, and a key cannot leave', async () => {
    const { token } = owner;
    const malformed = await app.api.delete('/shops/nothex/team/me', { token });
    expectError(malformed, 400, MALFORMED, '/api/v2/shops/nothex/team/me');
    expectError(await team.leave({}), 401, UNAUTHENTICATED, `/api/v2${team.path('/me')}`);
    const { key } = await aKey(app.api, team);
    expectError(await team.leave({ key }), 401, /^This endpoint takes no API key/, `/api/v2${team.path('/me')}`);
    const stranger = await aPerson(app.api);
    expectError(
      await team.leave({ token: stranger.token }),
      404,
      'There is no such shop',
      `/api/v2${team.path('/me')}`,
    );
    expectError(await app.api.delete(`/shops/${'0'.repeat(24)}/team/me`, { token }), 404, 'There is no such shop');
  });
});
