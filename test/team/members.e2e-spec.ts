import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { type Permission } from '../../src/domain/principal/permissions.js';
import { aKey, aShop } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { inDatabase } from '../support/in-database.js';
import { idOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import {
  ABOVE,
  aTeam,
  aTeammate,
  blind,
  entry,
  inPerson,
  LAST_OWNER,
  MALFORMED,
  memberDto,
  membershipOf,
  MISSING,
  NO_ACCESS,
  rolesOf,
  type Teammate,
  type TestTeam,
  TOO_MUCH,
  UNAUTHENTICATED,
} from './team-actors.js';

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

describe('PATCH /shops/{shopId}/team/{memberId}', () => {
  it('gives a member another role, which applies from the next request on, and records it in the audit log', async () => {
    const member = await aTeammate(app, team, 'support');
    expectError(await app.api.get(team.path(), { token: member.token }), 403, /team:read$/);
    const response = await team.change(member.id, { role: 'manager' }, { token: owner.token });
    expect(blind(expectSuccess(response, 'Role changed'))).toEqual(memberDto(member, 'support', 'manager'));
    expectSuccess(await app.api.get(team.path(), { token: member.token }));
    expect((await team.log())[0]).toEqual(
      entry(inPerson(owner), 'member.role_changed', 'The role of a member was changed', member.id, [
        { field: 'role', before: 'support', after: 'manager' },
      ]),
    );
    const stored = await inDatabase(app, (database) =>
      database.collection('members').findOne({ _id: idOf(member.id) }),
    );
    expect(stored).toMatchObject({
      addedBy: `user:${owner.userId}`,
      updatedBy: `user:${owner.userId}`,
      updatedAt: expect.any(Date),
    });
  });

  it('changes nothing and writes no audit entry when the member has the role already', async () => {
    const member = await aTeammate(app, team, 'support');
    const before = await team.log();
    const response = await team.change(member.id, { role: 'support' }, { token: owner.token });
    expect(blind(expectSuccess(response, 'Role changed'))).toEqual(memberDto(member, 'support', 'support'));
    expectSuccess(await team.change(owner.id, { role: 'owner' }, { token: owner.token }));
    expect(await team.log()).toEqual(before);
  });

  it('accepts a key with team:write, for members and roles with no more permissions than the key', async () => {
    const scopes: Permission[] = ['team:write', 'shops:read', 'stats:read', 'orders:read', 'products:read'];
    const { id, key } = await aKey(app.api, team, 'secret', [
      ...scopes,
      'orders:write',
      'servers:read',
      'sales:read',
      'discounts:read',
    ]);
    const member = await aTeammate(app, team, 'analyst');
    expectSuccess(await team.change(member.id, { role: 'support' }, { key }));
    expect((await team.log())[0]).toMatchObject({ actor: { type: 'api_key', id }, action: 'member.role_changed' });
    const small = await aKey(app.api, team, 'secret', scopes);
    expectError(await team.change(member.id, { role: 'analyst' }, { key: small.key }), 403, ABOVE);
    expectError(await team.change(member.id, { role: 'manager' }, { key }), 400, TOO_MUCH);
    expect((await team.roles()).get(member.userId)).toBe('support');
  });

  it('lets an owner resign when there is another owner, but not the last one', async () => {
    const { token } = owner;
    expectError(
      await team.change(owner.id, { role: 'admin' }, { token }),
      409,
      LAST_OWNER,
      `/api/v2${team.path(`/${owner.id}`)}`,
    );
    const second = await aTeammate(app, team, 'owner');
    expectSuccess(await team.change(owner.id, { role: 'analyst' }, { token }));
    expectError(await team.change(second.id, { role: 'admin' }, { token }), 403, MISSING);
    expectError(await team.change(second.id, { role: 'admin' }, { token: second.token }), 409, LAST_OWNER);
    expect(await rolesOf(app.api, team, second.token)).toEqual(
      new Map([
        [owner.userId, 'analyst'],
        [second.userId, 'owner'],
      ]),
    );
  });

  it.each([
    [{}, /^role is required, for example "manager"$/],
    [{ role: 'king' }, /^role must be one of owner/],
    [{ role: '__proto__' }, /^role must be one of owner/],
    [{ role: ['owner'] }, /^role must be one of owner/],
    [{ role: 'support', permissions: ['team:write'] }, 'permissions is not a known field'],
    [{ role: 'support', shopId: '0'.repeat(24) }, 'shopId is not a known field'],
  ])('returns 400 for %j', async (body, error) => {
    expectError(
      await team.change(owner.id, body, { token: owner.token }),
      400,
      error,
      `/api/v2${team.path(`/${owner.id}`)}`,
    );
  });
});

describe('DELETE /shops/{shopId}/team/{memberId}', () => {
  it('removes a member, sends them an email, and records the removal in the audit log', async () => {
    const member = await aTeammate(app, team, 'developer');
    const removed = { id: member.id, userId: member.userId, role: 'developer' };
    expect(expectSuccess(await team.remove(member.id, { token: owner.token }), 'Member removed')).toEqual(removed);
    expect((await team.roles()).has(member.userId)).toBe(false);
    expectError(await team.remove(member.id, { token: owner.token }), 404, 'There is no such member');
    await app.mailbox.next(member.email, /^Subject: You are no longer in the team of Sky Realm$/m);
    expect((await team.log())[0]).toEqual(
      entry(inPerson(owner), 'member.removed', 'A member was removed from the team', member.id, [
        { field: 'userId', before: member.userId, after: null },
        { field: 'role', before: 'developer', after: null },
      ]),
    );
  });

  it('removes oneself as leaving: with that audit entry, and without an email', async () => {
    const admin = await aTeammate(app, team, 'admin');
    const other = await aTeammate(app, team, 'support');
    expectSuccess(await team.remove(admin.id, { token: admin.token }), 'Member removed');
    expect((await team.log())[0]).toMatchObject({ actor: inPerson(admin), action: 'member.left', subjectId: admin.id });
    expectError(await team.me({ token: admin.token }), 403, NO_ACCESS);
    expectSuccess(await team.remove(other.id, { token: owner.token }));
    await app.mailbox.next(other.email, /^Subject: You are no longer/m);
    const mails = (await app.mailbox.all()).filter((mail) => mail.includes(`To: ${admin.email}`));
    expect(mails).toEqual([expect.stringContaining('Subject: Join the team of Sky Realm')]);
  });

  it('rejects the removal of the last owner, by anybody', async () => {
    const admin = await aTeammate(app, team, 'admin');
    const { key } = await aKey(app.api, team);
    expectError(
      await team.remove(owner.id, { token: owner.token }),
      409,
      LAST_OWNER,
      `/api/v2${team.path(`/${owner.id}`)}`,
    );
    expectError(await team.remove(owner.id, { token: admin.token }), 403, ABOVE);
    expectError(await team.remove(owner.id, { key }), 403, ABOVE);
    expect((await team.roles()).get(owner.userId)).toBe('owner');
  });

  it('lets the person join again by a new invitation, with a new membership', async () => {
    const member = await aTeammate(app, team, 'support');
    expectSuccess(await team.remove(member.id, { token: owner.token }));
    const first = await app.mailbox.next(member.email, /shi_[\w-]{43}/);
    const again = { email: member.email, role: 'analyst' };
    expectSuccess(await app.api.post(team.path('/invitations'), again, { token: owner.token }));
    const [token] = await app.mailbox.next(member.email, new RegExp(`(?!${first[0]})shi_[\\w-]{43}`));
    expectSuccess(await app.api.post('/team/invitations/accept', { token }, { token: member.token }));
    expect(await membershipOf(app.api, team, member)).not.toBe(member.id);
    expect((await team.roles()).get(member.userId)).toBe('analyst');
  });
});

describe('Every endpoint of one member', () => {
  const calls: [string, (id: string, call: object) => Promise<Response>][] = [
    ['PATCH', (id, call) => team.change(id, { role: 'analyst' }, call)],
    ['DELETE', (id, call) => team.remove(id, call)],
    ['POST transfer-ownership', (id, call) => team.transfer(id, call)],
  ];

  it.each(calls)('returns for %s 400, 401, 403 and 404, and changes nothing', async (_, call) => {
    const member = await aTeammate(app, team, 'support');
    const keys = [await aKey(app.api, team, 'plugin'), await aKey(app.api, team, 'storefront')];
    const before = await team.log();
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
    expect(await team.log()).toEqual(before);
    expect((await team.roles()).get(member.userId)).toBe('support');
  });
});
