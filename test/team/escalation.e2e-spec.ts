import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { permissionsOfRole, ROLE_NAMES } from '../../src/domain/principal/permissions.js';
import { aKey, aPerson, aShop } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { ABOVE, aTeam, aTeammate, MISSING, type Teammate, type TestTeam, TOO_MUCH } from './team-actors.js';

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

describe('Nobody can get more permissions than they have', () => {
  it.each(BELOW_OWNER)('gives a caller with the role %s no more permissions in any way', async (role) => {
    const member = await aTeammate(app, team, role);
    const peer = await aTeammate(app, team, 'support');
    const before = await team.roles();
    const above = ROLE_NAMES.filter(
      (one) => one === 'owner' || [...permissionsOfRole(one)].some((held) => !permissionsOfRole(role).has(held)),
    );
    const { token } = member;
    const rejected = async (response: Promise<Response>): Promise<void> => {
      const { status, body } = await response;
      expect([400, 403]).toContain(status);
      expect([TOO_MUCH, ABOVE, MISSING, 'Only an owner with a bearer token can transfer the ownership']).toContain(
        body.error,
      );
    };
    for (const more of above) {
      await rejected(team.change(member.id, { role: more }, { token }));
      await rejected(team.change(peer.id, { role: more }, { token }));
      await rejected(app.api.post(team.path('/invitations'), { email: 'me@example.com', role: more }, { token }));
    }
    await rejected(team.change(owner.id, { role }, { token }));
    await rejected(team.remove(owner.id, { token }));
    await rejected(team.transfer(member.id, { token }));
    expect(await team.roles()).toEqual(before);
  });

  it('gives the key of an owner no right to create, demote or remove an owner, not even its own creator', async () => {
    const { key } = await aKey(app.api, team);
    const [second, admin] = [await aTeammate(app, team, 'owner'), await aTeammate(app, team, 'admin')];
    for (const { id } of [owner, second]) {
      expectError(await team.change(id, { role: 'admin' }, { key }), 403, ABOVE);
      expectError(await team.remove(id, { key }), 403, ABOVE);
    }
    expectError(await team.change(admin.id, { role: 'owner' }, { key }), 400, TOO_MUCH);
    expectError(await team.transfer(admin.id, { key }), 403, /^Only an owner with a bearer token/);
    expect([...(await team.roles()).values()]).toEqual(['owner', 'owner', 'admin']);
  });

  it('rejects the invitation of another person to ownership, or one in another shop', async () => {
    const thief = await aTeammate(app, team, 'support');
    const invited = await aPerson(app.api);
    const invitation = { email: invited.email, role: 'owner' };
    expectSuccess(await app.api.post(team.path('/invitations'), invitation, { token: owner.token }));
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
    expect((await team.roles()).get(thief.userId)).toBe('support');
  });
});
