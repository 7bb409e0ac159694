import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { aKey, aShop, type Person } from '../support/actors.js';
import { anId, anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { aTeam, aTeammate, type Teammate, type TestTeam, UNAUTHENTICATED } from './team-actors.js';

describe('A person who has left a team', () => {
  let app: TestApp;
  let team: TestTeam;
  beforeAll(async () => {
    app = await startTestApp();
    team = await aTeam(app);
  });
  afterAll(() => app.close());

  const remove = ({ id }: Teammate): Promise<Response> => team.remove(id, { token: team.owner.token });
  const leave = ({ token }: Teammate): Promise<Response> => team.leave({ token });
  const rejoin = async (person: Person): Promise<void> => {
    const { email } = person;
    const earlier = await team.mailedTo(email);
    expectSuccess(await team.invite({ email, role: 'admin' }));
    expectSuccess(await team.accept(await team.mailedTo(email, earlier), person));
  };
  const activeKeys = async ({ token }: Person, { shopId } = team): Promise<object[]> =>
    expectSuccess<object[]>(await app.api.get(`/api-keys?isActive=true&shopId=${shopId}`, { token }));

  it.each([
    ['was removed', remove, 'member.removed'],
    ['left', leave, 'member.left'],
  ] as const)(
    'revokes the keys of a person who %s for ever: joining again does not bring them back, and the log has their number',
    async (_, end, action) => {
      const member = await aTeammate(app, team, 'admin');
      const elsewhere = await aShop(app.api);
      const keys = [await aKey(app.api, { ...team, owner: member }), await aKey(app.api, { ...team, owner: member })];
      const ofOwner = await aKey(app.api, team);
      const inBoth = await aTeammate(app, elsewhere, 'admin');
      const foreign = await aKey(app.api, { ...elsewhere, owner: inBoth });
      expectSuccess(await end(member));
      const [entry] = expectSuccess<object[]>(
        await app.api.get(`/shops/${team.shopId}/audit?limit=1`, { token: team.owner.token }),
      );
      expect(entry).toMatchObject({
        id: anId,
        at: anInstant,
        action,
        subjectId: member.id,
        changes: [
          { field: 'userId', before: member.userId, after: null },
          { field: 'role', before: 'admin', after: null },
          { field: 'apiKeys', before: '2', after: '0' },
        ],
      });
      await rejoin(member);
      for (const { id, key } of keys) {
        expectError(await app.api.get(`/products/${team.shopId}`, { key }), 401, UNAUTHENTICATED);
        const details = expectSuccess(await app.api.get(`/api-keys/${id}`, { token: member.token }));
        expect(details).toMatchObject({ isActive: false, revokedAt: anInstant });
      }
      expectSuccess(await app.api.get(`/products/${team.shopId}`, { key: ofOwner.key }));
      expectSuccess(await app.api.get(`/products/${elsewhere.shopId}`, { key: foreign.key }));
      // The person can create new ones, like any member.
      const { key } = await aKey(app.api, { ...team, owner: member });
      expectSuccess(await app.api.get(`/products/${team.shopId}`, { key }));
    },
  );

  it('keeps the keys of other shops', async () => {
    const member = await aTeammate(app, team, 'admin');
    const own = { currency: 'EUR', timezone: 'Europe/Berlin', nicknameRule: { preset: 'any' } };
    const { _id: shopId } = expectSuccess<{ _id: string }>(
      await app.api.post('/shops', { ...own, uniqueName: `own-${member.userId}`, displayName: 'Own' }, member),
    );
    const { key } = await aKey(app.api, { ...team, shopId, owner: member });
    expectSuccess(await remove(member));
    expectSuccess(await app.api.get(`/products/${shopId}`, { key }));
  });

  it('leaves no key that was created during the removal of a person', async () => {
    for (let round = 0; round < 8; round++) {
      const member = await aTeammate(app, team, 'admin');
      const body = { shopId: team.shopId, name: 'late', type: 'secret', permissions: ['products:read'] };
      const call = { token: member.token };
      const [removed, ...made] = await Promise.all([
        remove(member),
        ...Array.from({ length: 4 }, () => app.api.post('/api-keys', body, call)),
      ]);
      expectSuccess(removed);
      for (const response of made) if (response.status !== 200) expectError(response, 404, 'There is no such shop');
      expect(await activeKeys(member)).toEqual([]);
    }
  });
});
