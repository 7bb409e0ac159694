import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { aKey, aProduct, unique } from '../support/actors.js';
import { expectError } from '../support/envelope.js';
import { inDatabase } from '../support/in-database.js';
import { idOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { aTeam, aTeammate, type Teammate, type TestInvitation, type TestTeam } from './team-actors.js';

const COLLECTIONS = ['members', 'invitations', 'rosters', 'api_keys', 'audit_log'] as const;
/** Times that requests store in passing. */
const ACTIVITY = { lastActiveAt: 0, lastUsedAt: 0 } as const;

/** The audit log of this shop rejects every new entry. */
describe('A write and its audit entry are stored together, or not at all', () => {
  let app: TestApp;
  let team: TestTeam;
  let owner: { token: string };
  let member: Teammate;
  let key: { id: string };
  let invitation: TestInvitation;

  beforeAll(async () => {
    app = await startTestApp();
    team = await aTeam(app);
    owner = { token: team.owner.token };
    member = await aTeammate(app, team, 'admin');
    key = await aKey(app.api, { ...team, owner: member });
    invitation = await team.anInvitation();
    const from = { shopId: idOf(team.shopId), at: { $gte: new Date() } };
    await inDatabase(app, (database) =>
      database.collection('audit_log').createIndex({ shopId: 1 }, { unique: true, partialFilterExpression: from }, {}),
    );
    // The only entry that it accepts.
    await aProduct(app.api, team);
  });
  afterAll(() => app.close());

  const ofKey = (): string => `/api-keys/${key.id}`;
  const asMember = (): { token: string } => ({ token: member.token });
  const stored = (): Promise<unknown> =>
    inDatabase(app, async (database) => {
      const all: unknown[] = [];
      for (const name of COLLECTIONS) {
        all.push(await database.collection(name).find({}, { projection: ACTIVITY }).sort({ _id: 1 }).toArray());
      }
      return all;
    });

  it.each<[string, () => Promise<Response>]>([
    ['inviting', () => team.invite({ email: `new-${unique()}@example.com`, role: 'analyst' })],
    ['replacing an invitation', () => team.invite({ email: invitation.person.email, role: 'support' })],
    ['withdrawing an invitation', () => team.revoke(invitation.id)],
    ['accepting', () => team.accept(invitation.token, invitation.person)],
    ['declining', () => team.decline(invitation.token, invitation.person)],
    ['changing a role', () => team.change(member.id, { role: 'support' }, owner)],
    ['removing a member, with their keys', () => team.remove(member.id, owner)],
    ["leaving, with one's own keys", () => team.leave(asMember())],
    ['transferring the ownership', () => team.transfer(member.id, owner)],
    [
      'creating a key',
      () => {
        const body = { shopId: team.shopId, name: 'new', type: 'plugin', permissions: [] };
        return app.api.post('/api-keys', body, asMember());
      },
    ],
    ['changing a key', () => app.api.patch(ofKey(), { name: 'changed', permissions: [] }, asMember())],
    [
      'restricting a key',
      () => app.api.put(`${ofKey()}/restrictions`, { serverIds: null, ipAllowlist: ['192.0.2.7'] }, asMember()),
    ],
    ['rotating a key', () => app.api.post(`${ofKey()}/rotate`, { graceSeconds: 0 }, asMember())],
    ['revoking a key', () => app.api.delete(ofKey(), asMember())],
  ])('stores the write and its audit entry together, or neither: %s', async (_, write) => {
    const before = await stored();
    expectError(await write(), 500, 'Something went wrong on our side');
    expect(await stored()).toEqual(before);
  });
});
