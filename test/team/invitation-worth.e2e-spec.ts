import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ALL_PERMISSIONS } from '../../src/domain/principal/permissions.js';
import { aKey, aServer, unique } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { inDatabase } from '../support/in-database.js';
import { idOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import {
  ACCEPT,
  aTeam,
  aTeammate,
  POWERLESS,
  type Teammate,
  type TestInvitation,
  type TestTeam,
} from './team-actors.js';

const ABOVE = 'The open invitation of this address is for a role with permissions that you do not have';

describe('An invitation', () => {
  let app: TestApp;
  let team: TestTeam;
  let owner: { token: string };

  beforeAll(async () => {
    app = await startTestApp();
    team = await aTeam(app);
    owner = { token: team.owner.token };
  });
  afterAll(() => app.close());

  describe('from a key', () => {
    let maker: Teammate;
    let key: { id: string; key: string };
    let invited: TestInvitation;
    beforeAll(async () => {
      maker = await aTeammate(app, team, 'admin');
    });
    const ofKey = (id: string): string => `/api-keys/${id}`;
    const made = async (): Promise<void> => {
      key = await aKey(app.api, { ...team, owner: maker }, 'secret', ALL_PERMISSIONS);
      invited = await team.anInvitation('manager', { key: key.key });
    };

    it('accepts an invitation while its key may give the role, also after a rotation', async () => {
      await made();
      expectSuccess(await app.api.post(`${ofKey(key.id)}/rotate`, { graceSeconds: 0 }, { token: maker.token }));
      expectSuccess(await team.accept(invited.token, invited.person));
      expect((await team.roles()).get(invited.person.userId)).toBe('manager');
    });

    it.each([
      ['is revoked', () => app.api.delete(ofKey(key.id), { token: maker.token })],
      [
        'lost a permission of the role',
        () => {
          const permissions = ALL_PERMISSIONS.filter((permission) => permission !== 'discounts:write');
          return app.api.patch(ofKey(key.id), { permissions }, { token: maker.token });
        },
      ],
      [
        'may not invite any more',
        () => {
          const permissions = ALL_PERMISSIONS.filter((permission) => permission !== 'team:write');
          return app.api.patch(ofKey(key.id), { permissions }, { token: maker.token });
        },
      ],
      [
        'is bound to a game server, so that it cannot use the team',
        async () => {
          const serverIds = [await aServer(app.api, team)];
          const body = { serverIds, ipAllowlist: null };
          return app.api.put(`${ofKey(key.id)}/restrictions`, body, { token: maker.token });
        },
      ],
    ])('rejects an invitation from a key when the key %s', async (_, lessen) => {
      await made();
      expectSuccess(await lessen());
      expectError(await team.accept(invited.token, invited.person), 400, POWERLESS, ACCEPT);
      expect((await team.roles()).has(invited.person.userId)).toBe(false);
    });

    it('rejects an invitation from a key that has expired', async () => {
      await made();
      await inDatabase(app, (database) =>
        database.collection('api_keys').updateOne({ _id: idOf(key.id) }, { $set: { expiresAt: new Date(0) } }),
      );
      expectError(await team.accept(invited.token, invited.person), 400, POWERLESS);
    });

    it('accepts an invitation again when its key gets back the permissions that it lost', async () => {
      await made();
      const call = { token: maker.token };
      expectSuccess(await app.api.patch(ofKey(key.id), { permissions: ['team:write'] }, call));
      expectError(await team.accept(invited.token, invited.person), 400, POWERLESS);
      expectSuccess(await app.api.patch(ofKey(key.id), { permissions: ALL_PERMISSIONS }, call));
      expectSuccess(await team.accept(invited.token, invited.person));
    });

    it('rejects an invitation from a key whose creator was demoted', async () => {
      await made();
      expectSuccess(await team.change(maker.id, { role: 'manager' }, owner));
      expectError(await team.accept(invited.token, invited.person), 400, POWERLESS);
    });
  });

  describe('to ownership', () => {
    it('keeps an invitation to ownership unchanged for somebody who may not send it', async () => {
      const admin = await aTeammate(app, team, 'admin');
      const { key } = await aKey(app.api, team);
      const invited = await team.anInvitation('owner');
      const log = `/shops/${team.shopId}/audit?limit=1`;
      const before = expectSuccess(await app.api.get(log, owner));
      for (const call of [{ token: admin.token }, { key }]) {
        expectError(await team.invite({ email: invited.person.email, role: 'analyst' }, call), 403, ABOVE);
      }
      expect(expectSuccess(await app.api.get(log, owner))).toEqual(before);
      expectSuccess(await team.accept(invited.token, invited.person));
      expect((await team.roles()).get(invited.person.userId)).toBe('owner');
    });

    it('accepts a new invitation to ownership after one that has expired', async () => {
      const admin = await aTeammate(app, team, 'admin');
      const { id, person } = await team.anInvitation('owner');
      await inDatabase(app, (database) =>
        database.collection('invitations').updateOne({ _id: idOf(id) }, { $set: { expiresAt: new Date(0) } }),
      );
      expectSuccess(await team.invite({ email: person.email, role: 'analyst' }, { token: admin.token }));
    });
  });

  it('records the earlier role in the audit entry of an invitation that replaces another one', async () => {
    const email = `twice-${unique()}@example.com`;
    const { id } = expectSuccess<{ id: string }>(await team.invite({ email, role: 'owner' }));
    expectSuccess(await team.invite({ email, role: 'support' }));
    const [entry] = expectSuccess<object[]>(await app.api.get(`/shops/${team.shopId}/audit?limit=1`, owner));
    expect(entry).toMatchObject({
      action: 'member.invited',
      subjectId: id,
      changes: [
        { field: 'email', before: null, after: email },
        { field: 'role', before: 'owner', after: 'support' },
      ],
    });
  });
});
