import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { type Role } from '../../src/domain/principal/permissions.js';
import { aShop, type TestShop } from '../support/actors.js';
import { type Client } from '../support/client.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { repetitions } from '../support/repetitions.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { aTeammate, membershipOf, rolesOf, type Teammate } from './team-actors.js';

const ROUNDS = repetitions(3, 20);
/** The errors of the request that loses: its own role has changed in the meantime, or it has lost its permissions. */
const LOST = [
  '409 Your own role in the team has just changed; try again',
  '409 A shop must have at least one owner; make somebody else an owner first',
  '409 The member is already an owner',
  '403 The member has permissions that you do not have',
  '403 The credential has no access to this shop',
  '403 The credential lacks the permission team:write',
  '403 Only an owner with a bearer token can transfer the ownership',
  '404 There is no such member',
];

/** Two service processes on one database, so a lock in the memory of one process would not help. */
describe('Parallel changes of one team, by two processes', () => {
  let here: TestApp;
  let there: TestApp;
  let shop: TestShop;
  let a: Teammate;
  let b: Teammate;
  let heir: Teammate;

  beforeAll(async () => {
    here = await startTestApp();
    there = await startTestApp({ databaseUri: here.databaseUri });
  });
  const another = async (): Promise<void> => {
    shop = await aShop(here.api);
    a = { ...shop.owner, id: await membershipOf(here.api, shop, shop.owner) };
    b = await aTeammate(here, shop, 'owner');
    heir = await aTeammate(here, shop, 'manager');
  };
  beforeEach(another);
  afterAll(async () => {
    await there.close();
    await here.close();
  });

  const path = (rest: string): string => `/shops/${shop.shopId}/team/${rest}`;
  const demote = (api: Client, by: Teammate, whom: Teammate, role: Role = 'admin'): Promise<Response> =>
    api.patch(path(whom.id), { role }, { token: by.token });
  const remove = (api: Client, by: Teammate, whom: Teammate): Promise<Response> =>
    api.delete(path(whom.id), { token: by.token });
  const transfer = (api: Client, by: Teammate, whom: Teammate): Promise<Response> =>
    api.post(path(`${whom.id}/transfer-ownership`), {}, { token: by.token });

  /** The remaining owner makes the other one an owner again, so that each round starts the same. */
  const restore = async (): Promise<void> => {
    const roles = await rolesOf(here.api, shop, a.token);
    const [standing, fallen] = roles.get(a.userId) === 'owner' ? [a, b] : [b, a];
    expect([roles.get(standing.userId), roles.get(fallen.userId)]).toEqual(['owner', 'admin']);
    expectSuccess(await demote(here.api, standing, fallen, 'owner'));
  };
  /** Of two responses, one is a success and the other one a 4xx that explains itself. */
  const expectOneWinner = (responses: Response[]): void => {
    expect(responses.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
    for (const { status, body } of responses) if (status !== 200) expect(LOST).toContain(`${status} ${body.error}`);
  };
  const ownersAmong = async (witness: Teammate): Promise<number> =>
    [...(await rolesOf(here.api, shop, witness.token)).values()].filter((role) => role === 'owner').length;

  it(`lets one of two owners who demote each other succeed, in each of ${ROUNDS} rounds`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      expectOneWinner(await Promise.all([demote(here.api, a, b), demote(there.api, b, a)]));
      expect(await ownersAmong(heir)).toBe(1);
      await restore();
    }
  });

  it(`keeps one of two owners who both give up the role, with the reason, in each of ${ROUNDS} rounds`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const responses = await Promise.all([demote(here.api, a, a), demote(there.api, b, b)]);
      expectOneWinner(responses);
      const [rejected] = responses.filter(({ status }) => status !== 200);
      expect(rejected?.body.error).toBe('A shop must have at least one owner; make somebody else an owner first');
      expect(await ownersAmong(heir)).toBe(1);
      await restore();
    }
  });

  it('keeps one of two owners who both leave', async () => {
    const responses = await Promise.all([
      here.api.delete(path('me'), { token: a.token }),
      there.api.delete(path('me'), { token: b.token }),
    ]);
    expectOneWinner(responses);
    for (const response of responses.filter(({ status }) => status !== 200)) {
      expectError(response, 409, 'A shop must have at least one owner; make somebody else an owner first');
    }
    expect(await ownersAmong(heir)).toBe(1);
  });

  it('lets one of two succeed when an owner removes the one who demotes them', async () => {
    for (let round = 0; round < 10; round++) {
      const [removal, demotion] = await Promise.all([remove(here.api, a, b), demote(there.api, b, a)]);
      expectOneWinner([removal, demotion]);
      expect(await ownersAmong(heir)).toBe(1);
      const roles = await rolesOf(here.api, shop, heir.token);
      if (removal.status === 200) {
        expect([roles.get(a.userId), roles.has(b.userId)]).toEqual(['owner', false]);
        b = await aTeammate(here, shop, 'owner');
      } else {
        expect([roles.get(a.userId), roles.get(b.userId)]).toEqual(['admin', 'owner']);
        expectSuccess(await demote(here.api, b, a, 'owner'));
      }
    }
  });

  it.each(['owner', 'heir'] as const)(
    'transfers the ownership or lets the other owner remove the %s, and never half of either',
    async (target) => {
      for (let round = 0; round < 5; round++) {
        if (round > 0) await another();
        const victim = target === 'owner' ? a : heir;
        const [passed, removal] = await Promise.all([transfer(here.api, a, heir), remove(there.api, b, victim)]);
        const statuses = [passed.status, removal.status];
        // A removal after the transfer removes the member with the new role: an admin or an owner.
        expect([
          [200, 200],
          [403, 200],
          [404, 200],
          [409, 200],
        ]).toContainEqual(statuses);
        const roles = await rolesOf(here.api, shop, b.token);
        expect([roles.get(b.userId), roles.has(victim.userId)]).toEqual(['owner', false]);
        const left = passed.status === 200 ? ['admin', 'owner'] : ['owner', 'manager'];
        const [ofA, ofHeir] = [roles.get(a.userId), roles.get(heir.userId)];
        expect([ofA ?? left[0], ofHeir ?? left[1]]).toEqual(left);
      }
    },
  );

  it('applies ten parallel changes of ten members, one after the other, and rejects none', async () => {
    const members = [];
    for (let count = 0; count < 10; count++) members.push(await aTeammate(here, shop, 'analyst'));
    const responses = await Promise.all(
      members.map((member, index) => demote([here.api, there.api][index % 2] ?? here.api, a, member, 'support')),
    );
    for (const response of responses) expectSuccess(response, 'Role changed');
    const roles = await rolesOf(here.api, shop, a.token);
    expect(members.map(({ userId }) => roles.get(userId))).toEqual(Array(10).fill('support'));
  });
});
