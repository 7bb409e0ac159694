import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { aKey, aPerson, aProduct, aShop, type Person, type TestShop, unique } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { inDatabase } from '../support/in-database.js';
import { idOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { aTeammate, type Teammate } from './team-actors.js';

const TOKEN = /shi_[A-Za-z0-9_-]{43}/;
const COLLECTIONS = ['members', 'invitations', 'rosters', 'api_keys', 'audit_log'] as const;
/** Times that requests store in passing. */
const ACTIVITY = { lastActiveAt: 0, lastUsedAt: 0 } as const;

/** The audit log of this shop rejects every new entry. */
describe('A write and its audit entry are stored together, or not at all', () => {
  let app: TestApp;
  let shop: TestShop;
  let owner: { token: string };
  let member: Teammate;
  let key: { id: string };
  let invitation: { id: string };
  let invited: Person;
  let token: string;

  beforeAll(async () => {
    app = await startTestApp();
    shop = await aShop(app.api);
    owner = { token: shop.owner.token };
    member = await aTeammate(app, shop, 'admin');
    key = await aKey(app.api, { ...shop, owner: member });
    invited = await aPerson(app.api);
    const offer = { email: invited.email, role: 'analyst' };
    invitation = expectSuccess<{ id: string }>(await app.api.post(`${team()}/invitations`, offer, owner));
    [token] = await app.mailbox.next(invited.email, TOKEN);
    const from = { shopId: idOf(shop.shopId), at: { $gte: new Date() } };
    await inDatabase(app, (database) =>
      database.collection('audit_log').createIndex({ shopId: 1 }, { unique: true, partialFilterExpression: from }, {}),
    );
    // The only entry that it accepts.
    await aProduct(app.api, shop);
  });
  afterAll(() => app.close());

  const team = (): string => `/shops/${shop.shopId}/team`;
  const ofMember = (): string => `${team()}/${member.id}`;
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
    [
      'inviting',
      () => app.api.post(`${team()}/invitations`, { email: `new-${unique()}@example.com`, role: 'analyst' }, owner),
    ],
    [
      'replacing an invitation',
      () => app.api.post(`${team()}/invitations`, { email: invited.email, role: 'support' }, owner),
    ],
    ['withdrawing an invitation', () => app.api.delete(`${team()}/invitations/${invitation.id}`, owner)],
    ['accepting', () => app.api.post('/team/invitations/accept', { token }, { token: invited.token })],
    ['declining', () => app.api.post('/team/invitations/decline', { token }, { token: invited.token })],
    ['changing a role', () => app.api.patch(ofMember(), { role: 'support' }, owner)],
    ['removing a member, with their keys', () => app.api.delete(ofMember(), owner)],
    ["leaving, with one's own keys", () => app.api.delete(`${team()}/me`, asMember())],
    ['transferring the ownership', () => app.api.post(`${ofMember()}/transfer-ownership`, {}, owner)],
    [
      'creating a key',
      () => {
        const body = { shopId: shop.shopId, name: 'new', type: 'plugin', permissions: [] };
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
