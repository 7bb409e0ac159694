import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { type Role } from '../../src/common/auth/permissions.js';
import { aShop, type TestShop } from '../support/actors.js';
import { type Client } from '../support/client.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { aTeammate, membershipOf, rolesOf, type Teammate } from './team-actors.js';

const JWT_SECRET = 'one secret for both of the processes';
const ROUNDS = 20;
/** What a loser hears: that its own role changed while it asked, or, when it came later, that it has lost its rights. */
const LOST = [
  '409 Your own role in the team has just changed; try again',
  '409 A shop must have at least one owner; make somebody else an owner first',
  '409 The member is already an owner',
  '403 The member has permissions that you do not have',
  '403 The credential has no access to this shop',
  '403 The credential lacks the permission team:write',
  '403 Only an owner in person can transfer the ownership',
  '404 There is no such member',
];

/** Two service processes on one database: no lock in the memory of one would hold the other back. */
describe('Changes of one team at once, by two processes', () => {
  let here: TestApp;
  let there: TestApp;
  let shop: TestShop;
  let a: Teammate;
  let b: Teammate;
  let heir: Teammate;

  beforeAll(async () => {
    here = await startTestApp({ env: { JWT_SECRET } });
    there = await startTestApp({ env: { JWT_SECRET }, databaseUri: here.databaseUri });
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

  /** Whoever is left of two owners makes the other one an owner again: the next round starts as the first did. */
  const restore = async (): Promise<void> => {
    const roles = await rolesOf(here.api, shop, a.token);
    const [standing, fallen] = roles.get(a.userId) === 'owner' ? [a, b] : [b, a];
    expect([roles.get(standing.userId), roles.get(fallen.userId)]).toEqual(['owner', 'admin']);
    expectSuccess(await demote(here.api, standing, fallen, 'owner'));
  };
  /** Of two answers one is a success, the other one a clear refusal. */
  const expectOneWinner = (answers: Response[]): void => {
    expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
    for (const { status, body } of answers) if (status !== 200) expect(LOST).toContain(`${status} ${body.error}`);
  };
  const ownersAmong = async (witness: Teammate): Promise<number> =>
    [...(await rolesOf(here.api, shop, witness.token)).values()].filter((role) => role === 'owner').length;

  it(`two owners who demote each other: one wins, in each of ${ROUNDS} rounds`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      expectOneWinner(await Promise.all([demote(here.api, a, b), demote(there.api, b, a)]));
      expect(await ownersAmong(heir)).toBe(1);
      await restore();
    }
  });

  it(`two owners who both step down: one is kept, and hears why, in each of ${ROUNDS} rounds`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const answers = await Promise.all([demote(here.api, a, a), demote(there.api, b, b)]);
      expectOneWinner(answers);
      const [refused] = answers.filter(({ status }) => status !== 200);
      expect(refused?.body.error).toBe('A shop must have at least one owner; make somebody else an owner first');
      expect(await ownersAmong(heir)).toBe(1);
      await restore();
    }
  });

  it('two owners who both leave: one is kept', async () => {
    const answers = await Promise.all([
      here.api.delete(path('me'), { token: a.token }),
      there.api.delete(path('me'), { token: b.token }),
    ]);
    expectOneWinner(answers);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expectError(answer, 409, 'A shop must have at least one owner; make somebody else an owner first');
    }
    expect(await ownersAmong(heir)).toBe(1);
  });

  it('an owner who removes the one who demotes them: one wins', async () => {
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
    'an owner who passes the ownership on while the other one removes the %s: no half of either',
    async (target) => {
      for (let round = 0; round < 5; round++) {
        if (round > 0) await another();
        const victim = target === 'owner' ? a : heir;
        const [passed, removal] = await Promise.all([transfer(here.api, a, heir), remove(there.api, b, victim)]);
        const statuses = [passed.status, removal.status];
        // A removal that comes after the transfer removes whom it became: an admin, or an owner.
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

  it('ten changes of ten members at once all happen: a team waits for itself, and refuses nobody for it', async () => {
    const members = [];
    for (let count = 0; count < 10; count++) members.push(await aTeammate(here, shop, 'analyst'));
    const answers = await Promise.all(
      members.map((member, index) => demote([here.api, there.api][index % 2] ?? here.api, a, member, 'support')),
    );
    for (const answer of answers) expectSuccess(answer, 'Role changed');
    const roles = await rolesOf(here.api, shop, a.token);
    expect(members.map(({ userId }) => roles.get(userId))).toEqual(Array(10).fill('support'));
  });
});
