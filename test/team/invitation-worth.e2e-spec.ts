import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { ALL_PERMISSIONS, type Role } from '../../src/domain/principal/permissions.js';
import { aKey, aPerson, aServer, aShop, type Person, type TestShop, unique } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { inDatabase } from '../support/in-database.js';
import { idOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { aTeammate, rolesOf, type Teammate } from './team-actors.js';

const TOKEN = /shi_[A-Za-z0-9_-]{43}/;
const POWERLESS = 'The sender of the invitation can no longer assign this role; ask for a new invitation';
const ABOVE = 'The open invitation of this address is for a role with permissions that you do not have';

interface Invited {
  readonly id: string;
  readonly person: Person;
  readonly token: string;
}

describe('An invitation', () => {
  let app: TestApp;
  let shop: TestShop;
  let owner: { token: string };
  const invite = (email: string, role: Role, call: object): Promise<Response> =>
    app.api.post(`/shops/${shop.shopId}/team/invitations`, { email, role }, call);
  const anInvitation = async (role: Role, call: object): Promise<Invited> => {
    const person = await aPerson(app.api);
    const { id } = expectSuccess<{ id: string }>(await invite(person.email, role, call));
    const [token] = await app.mailbox.next(person.email, TOKEN);
    return { id, person, token };
  };
  const accept = ({ token, person }: Invited): Promise<Response> =>
    app.api.post('/team/invitations/accept', { token }, { token: person.token });

  beforeAll(async () => {
    app = await startTestApp();
    shop = await aShop(app.api);
    owner = { token: shop.owner.token };
  });
  afterAll(() => app.close());

  describe('from a key', () => {
    let maker: Teammate;
    let key: { id: string; key: string };
    let invited: Invited;
    beforeAll(async () => {
      maker = await aTeammate(app, shop, 'admin');
    });
    const ofKey = (id: string): string => `/api-keys/${id}`;
    const made = async (): Promise<void> => {
      key = await aKey(app.api, { ...shop, owner: maker }, 'secret', ALL_PERMISSIONS);
      invited = await anInvitation('manager', { key: key.key });
    };

    it('accepts an invitation while its key may give the role, also after a rotation', async () => {
      await made();
      expectSuccess(await app.api.post(`${ofKey(key.id)}/rotate`, { graceSeconds: 0 }, { token: maker.token }));
      expectSuccess(await accept(invited));
      expect((await rolesOf(app.api, shop, owner.token)).get(invited.person.userId)).toBe('manager');
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
          const serverIds = [await aServer(app.api, shop)];
          const body = { serverIds, ipAllowlist: null };
          return app.api.put(`${ofKey(key.id)}/restrictions`, body, { token: maker.token });
        },
      ],
    ])('rejects an invitation from a key when the key %s', async (_, lessen) => {
      await made();
      expectSuccess(await lessen());
      expectError(await accept(invited), 400, POWERLESS, '/api/v2/team/invitations/accept');
      expect((await rolesOf(app.api, shop, owner.token)).has(invited.person.userId)).toBe(false);
    });

    it('rejects an invitation from a key that has expired', async () => {
      await made();
      await inDatabase(app, (database) =>
        database.collection('api_keys').updateOne({ _id: idOf(key.id) }, { $set: { expiresAt: new Date(0) } }),
      );
      expectError(await accept(invited), 400, POWERLESS);
    });

    it('accepts an invitation again when its key gets back the permissions that it lost', async () => {
      await made();
      const call = { token: maker.token };
      expectSuccess(await app.api.patch(ofKey(key.id), { permissions: ['team:write'] }, call));
      expectError(await accept(invited), 400, POWERLESS);
      expectSuccess(await app.api.patch(ofKey(key.id), { permissions: ALL_PERMISSIONS }, call));
      expectSuccess(await accept(invited));
    });

    it('rejects an invitation from a key whose creator was demoted', async () => {
      await made();
      const path = `/shops/${shop.shopId}/team/${maker.id}`;
      expectSuccess(await app.api.patch(path, { role: 'manager' }, owner));
      expectError(await accept(invited), 400, POWERLESS);
    });
  });

  describe('to ownership', () => {
    it('keeps an invitation to ownership unchanged for somebody who may not send it', async () => {
      const admin = await aTeammate(app, shop, 'admin');
      const { key } = await aKey(app.api, shop);
      const invited = await anInvitation('owner', owner);
      const log = `/shops/${shop.shopId}/audit?limit=1`;
      const before = expectSuccess(await app.api.get(log, owner));
      for (const call of [{ token: admin.token }, { key }]) {
        expectError(await invite(invited.person.email, 'analyst', call), 403, ABOVE);
      }
      expect(expectSuccess(await app.api.get(log, owner))).toEqual(before);
      expectSuccess(await accept(invited));
      expect((await rolesOf(app.api, shop, owner.token)).get(invited.person.userId)).toBe('owner');
    });

    it('accepts a new invitation to ownership after one that has expired', async () => {
      const admin = await aTeammate(app, shop, 'admin');
      const { id, person } = await anInvitation('owner', owner);
      await inDatabase(app, (database) =>
        database.collection('invitations').updateOne({ _id: idOf(id) }, { $set: { expiresAt: new Date(0) } }),
      );
      expectSuccess(await invite(person.email, 'analyst', { token: admin.token }));
    });
  });

  it('records the earlier role in the audit entry of an invitation that replaces another one', async () => {
    const email = `twice-${unique()}@example.com`;
    const { id } = expectSuccess<{ id: string }>(await invite(email, 'owner', owner));
    expectSuccess(await invite(email, 'support', owner));
    const [entry] = expectSuccess<object[]>(await app.api.get(`/shops/${shop.shopId}/audit?limit=1`, owner));
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
