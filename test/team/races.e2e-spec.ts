import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { type Role } from '../../src/domain/principal/permissions.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { repetitions } from '../support/repetitions.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { aTeam, aTeammate, LAST_OWNER, rolesOf, type Teammate, type TestTeam } from './team-actors.js';

const ROUNDS = repetitions(3, 20);
/** The errors of the request that loses: its own role has changed in the meantime, or it has lost its permissions. */
const LOST = [
  '409 Your own role in the team has just changed; try again',
  `409 ${LAST_OWNER}`,
  '409 The member is already an owner',
  '403 The member has permissions that you do not have',
  '403 The credential has no access to this shop',
  '403 The credential lacks the permission team:write',
  '403 Only an owner with a bearer token can transfer the ownership',
  '404 There is no such member',
];

/** Two service processes on one database, so a lock in the memory of one process would not help. */
describe('Parallel changes of one team, by two processes', () => {
  let app: TestApp;
  let other: TestApp;
  /** The team through each of the processes. */
  let here: TestTeam;
  let there: TestTeam;
  let a: Teammate;
  let b: Teammate;
  let heir: Teammate;

  beforeAll(async () => {
    app = await startTestApp();
    other = await startTestApp({ databaseUri: app.databaseUri });
  });
  const another = async (): Promise<void> => {
    here = await aTeam(app);
    there = await aTeam(other, here);
    a = here.owner;
    b = await aTeammate(app, here, 'owner');
    heir = await aTeammate(app, here, 'manager');
  };
  beforeEach(another);
  afterAll(async () => {
    await other.close();
    await app.close();
  });

  const demote = (team: TestTeam, by: Teammate, whom: Teammate, role: Role = 'admin'): Promise<Response> =>
    team.change(whom.id, { role }, { token: by.token });
  const rolesFor = ({ token }: Teammate): Promise<ReadonlyMap<string, Role>> => rolesOf(app.api, here, token);

  /** The remaining owner makes the other one an owner again, so that each round starts the same. */
  const restore = async (): Promise<void> => {
    const roles = await rolesFor(a);
    const [standing, fallen] = roles.get(a.userId) === 'owner' ? [a, b] : [b, a];
    expect([roles.get(standing.userId), roles.get(fallen.userId)]).toEqual(['owner', 'admin']);
    expectSuccess(await demote(here, standing, fallen, 'owner'));
  };
  /** Of two responses, one is a success and the other one a 4xx that explains itself. */
  const expectOneWinner = (responses: Response[]): void => {
    expect(responses.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
    for (const { status, body } of responses) if (status !== 200) expect(LOST).toContain(`${status} ${body.error}`);
  };
  const ownersAmong = async (witness: Teammate): Promise<number> =>
    [...(await rolesFor(witness)).values()].filter((role) => role === 'owner').length;

  it(`lets one of two owners who demote each other succeed, in each of ${ROUNDS} rounds`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      expectOneWinner(await Promise.all([demote(here, a, b), demote(there, b, a)]));
      expect(await ownersAmong(heir)).toBe(1);
      await restore();
    }
  });

  it(`keeps one of two owners who both give up the role, with the reason, in each of ${ROUNDS} rounds`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const responses = await Promise.all([demote(here, a, a), demote(there, b, b)]);
      expectOneWinner(responses);
      const [rejected] = responses.filter(({ status }) => status !== 200);
      expect(rejected?.body.error).toBe(LAST_OWNER);
      expect(await ownersAmong(heir)).toBe(1);
      await restore();
    }
  });

  it('keeps one of two owners who both leave', async () => {
    const responses = await Promise.all([here.leave({ token: a.token }), there.leave({ token: b.token })]);
    expectOneWinner(responses);
    for (const response of responses.filter(({ status }) => status !== 200)) {
      expectError(response, 409, LAST_OWNER);
    }
    expect(await ownersAmong(heir)).toBe(1);
  });

  it('lets one of two succeed when an owner removes the one who demotes them', async () => {
    for (let round = 0; round < 10; round++) {
      const [removal, demotion] = await Promise.all([here.remove(b.id, { token: a.token }), demote(there, b, a)]);
      expectOneWinner([removal, demotion]);
      expect(await ownersAmong(heir)).toBe(1);
      const roles = await rolesFor(heir);
      if (removal.status === 200) {
        expect([roles.get(a.userId), roles.has(b.userId)]).toEqual(['owner', false]);
        b = await aTeammate(app, here, 'owner');
      } else {
        expect([roles.get(a.userId), roles.get(b.userId)]).toEqual(['admin', 'owner']);
        expectSuccess(await demote(here, b, a, 'owner'));
      }
    }
  });

  it.each(['owner', 'heir'] as const)(
    'transfers the ownership or lets the other owner remove the %s, and never half of either',
    async (target) => {
      for (let round = 0; round < 5; round++) {
        if (round > 0) await another();
        const victim = target === 'owner' ? a : heir;
        const [passed, removal] = await Promise.all([
          here.transfer(heir.id, { token: a.token }),
          there.remove(victim.id, { token: b.token }),
        ]);
        const statuses = [passed.status, removal.status];
        // A removal after the transfer removes the member with the new role: an admin or an owner.
        expect([
          [200, 200],
          [403, 200],
          [404, 200],
          [409, 200],
        ]).toContainEqual(statuses);
        const roles = await rolesFor(b);
        expect([roles.get(b.userId), roles.has(victim.userId)]).toEqual(['owner', false]);
        const left = passed.status === 200 ? ['admin', 'owner'] : ['owner', 'manager'];
        const [ofA, ofHeir] = [roles.get(a.userId), roles.get(heir.userId)];
        expect([ofA ?? left[0], ofHeir ?? left[1]]).toEqual(left);
      }
    },
  );

  it('applies ten parallel changes of ten members, one after the other, and rejects none', async () => {
    const members = [];
    for (let count = 0; count < 10; count++) members.push(await aTeammate(app, here, 'analyst'));
    const responses = await Promise.all(
      members.map((member, index) => demote([here, there][index % 2] ?? here, a, member, 'support')),
    );
    for (const response of responses) expectSuccess(response, 'Role changed');
    const roles = await rolesFor(a);
    expect(members.map(({ userId }) => roles.get(userId))).toEqual(Array(10).fill('support'));
  });
});
