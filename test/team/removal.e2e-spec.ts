import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { aKey, unique } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { aTeam, aTeammate, NO_ACCESS, type Teammate, type TestTeam, UNAUTHENTICATED } from './team-actors.js';

const NO_PERMISSION = 'The credential lacks the permission team:read';
/** For a key, which ends with the membership of its creator. */
const ENDED = UNAUTHENTICATED;

/** Two service processes on one database. Both have just served the member. */
describe('The credentials of a person who lost a role or the membership', () => {
  let here: TestApp;
  let there: TestApp;
  let team: TestTeam;

  beforeAll(async () => {
    here = await startTestApp();
    there = await startTestApp({ databaseUri: here.databaseUri });
    team = await aTeam(here);
  });
  afterAll(async () => {
    await there.close();
    await here.close();
  });

  const read = (app: TestApp, call: object): Promise<Response> => app.api.get(team.path(), call);
  const remove = ({ id }: Teammate): Promise<Response> => team.remove(id, { token: team.owner.token });
  const leave = ({ token }: Teammate): Promise<Response> => team.leave({ token });
  const demote = ({ id }: Teammate): Promise<Response> =>
    team.change(id, { role: 'analyst' }, { token: team.owner.token });

  it.each([
    ['was removed', remove, NO_ACCESS, ENDED],
    ['left', leave, NO_ACCESS, ENDED],
    ['was demoted', demote, NO_PERMISSION, NO_PERMISSION],
  ] as const)(
    'rejects the token and the keys of a person who %s on the very next request, on both processes',
    async (_, end, ofToken, ofKey) => {
      for (const [first, second] of [
        [here, there],
        [there, here],
      ] as const) {
        const member = await aTeammate(here, team, 'admin');
        const { key } = await aKey(here.api, { ...team, owner: member });
        const credentials = [{ token: member.token }, { key }];
        for (const app of [here, there]) for (const call of credentials) expectSuccess(await read(app, call));
        expectSuccess(await end(member));
        for (const app of [first, second]) {
          const path = `/api/v2${team.path()}`;
          expectError(await read(app, { token: member.token }), 403, ofToken, path);
          expectError(await read(app, { key }), ofKey === ENDED ? 401 : 403, ofKey, path);
        }
      }
    },
  );

  it('keeps the account of a removed person, and a shop of their own', async () => {
    const member = await aTeammate(here, team, 'admin');
    const own = { uniqueName: `own-${unique()}`, displayName: 'Own', currency: 'EUR', timezone: 'Europe/Berlin' };
    const made = expectSuccess<{ _id: string }>(
      await here.api.post('/shops', { ...own, nicknameRule: { preset: 'any' } }, { token: member.token }),
    );
    expectSuccess(await remove(member));
    const shops = expectSuccess<{ _id: string }[]>(await there.api.get('/shops', { token: member.token }));
    expect(shops.map(({ _id }) => _id)).toEqual([made._id]);
    expectSuccess(await there.api.get(`/shops/${made._id}/team`, { token: member.token }));
  });

  it('lets a removed person neither create a key of the shop nor give an old one its permissions back', async () => {
    const member = await aTeammate(here, team, 'admin');
    const { id } = await aKey(here.api, { ...team, owner: member });
    expectSuccess(await remove(member));
    const call = { token: member.token };
    const key = { shopId: team.shopId, name: 'again', type: 'secret', permissions: ['team:read'] };
    expectError(await there.api.post('/api-keys', key, call), 404, 'There is no such shop');
    const update = await there.api.patch(`/api-keys/${id}`, { permissions: ['team:read'] }, call);
    expect([400, 404]).toContain(update.status);
  });
});
