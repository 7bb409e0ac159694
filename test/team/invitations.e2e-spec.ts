import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ObjectId } from 'mongodb';
import { type Role } from '../../src/common/auth/permissions.js';
import { aKey, aMember, aPerson, aShop, type Person, type TestShop, unique } from '../support/actors.js';
import { anId, anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { inDatabase } from '../support/in-database.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const TOKEN = /shi_[A-Za-z0-9_-]{43}/;
const INVALID = 'The invitation is unknown, expired or already used';
const POWERLESS = 'The sender of the invitation may no longer give this role; ask for a new invitation';
const ACCEPT = '/api/v2/team/invitations/accept';
const DECLINE = '/api/v2/team/invitations/decline';

interface Team {
  readonly members: readonly { readonly id: string; readonly userId: string; readonly role: string }[];
  readonly invitations: readonly { readonly id: string; readonly email: string; readonly role: string }[];
}

describe('invitations', () => {
  let app: TestApp;
  let shop: TestShop;
  let owner: Person;
  const path = (): string => `/shops/${shop.shopId}/team/invitations`;
  const invite = (body: object, call: object = { token: owner.token }): ReturnType<TestApp['api']['post']> =>
    app.api.post(path(), body, call);
  const accept = (token: string, as: Person): ReturnType<TestApp['api']['post']> =>
    app.api.post('/team/invitations/accept', { token }, { token: as.token });
  const decline = (token: string, as: Person): ReturnType<TestApp['api']['post']> =>
    app.api.post('/team/invitations/decline', { token }, { token: as.token });
  const revoke = (id: string, call: object = { token: owner.token }): ReturnType<TestApp['api']['delete']> =>
    app.api.delete(`${path()}/${id}`, call);
  /** Invites a new person. The token comes from the email. */
  const anInvitation = async (
    role: Role = 'analyst',
    call?: object,
  ): Promise<{ id: string; person: Person; token: string }> => {
    const person = await aPerson(app.api);
    const { id } = expectSuccess<{ id: string }>(await invite({ email: person.email, role }, call));
    return { id, person, token: await mailedTo(person.email) };
  };
  /** The latest entry of the audit log. */
  const audited = async (): Promise<unknown> =>
    expectSuccess<unknown[]>(await app.api.get(`/shops/${shop.shopId}/audit?limit=1`, { token: owner.token }))[0];
  const entry = (actor: Person, action: string, summary: string, subjectId: string, changes: object[]): object => ({
    id: anId,
    at: anInstant,
    actor: { type: 'user', id: actor.userId },
    action,
    summary,
    subjectId,
    changes,
  });
  const mailedTo = async (email: string): Promise<string> => (await app.mailbox.next(email, TOKEN))[0];
  const team = async (): Promise<Team> =>
    expectSuccess<Team>(await app.api.get(`/shops/${shop.shopId}/team`, { token: owner.token }));

  beforeAll(async () => {
    app = await startTestApp();
    shop = await aShop(app.api);
    owner = shop.owner;
  });
  afterAll(() => app.close());

  it('send a token by email that is in no response, and add the person to the team with that role', async () => {
    const person = await aPerson(app.api);
    const response = await invite({ email: person.email.toUpperCase(), role: 'support' });
    const invitation = { id: anId, email: person.email, role: 'support', expiresAt: anInstant };
    const data = expectSuccess<{ expiresAt: string }>(response, 'Invitation sent');
    expect(data).toEqual(invitation);
    expect((Date.parse(data.expiresAt) - Date.now()) / 86_400_000).toBeCloseTo(7, 2);
    expect(response.text).not.toMatch(TOKEN);
    expect((await team()).invitations).toContainEqual(data);

    const joined = await accept(await mailedTo(person.email), person);
    expect(expectSuccess(joined, 'Invitation accepted')).toEqual(data);
    const { members, invitations } = await team();
    expect(members).toContainEqual(expect.objectContaining({ userId: person.userId, role: 'support' }));
    expect(invitations).not.toContainEqual(expect.objectContaining({ email: person.email }));
  });

  it('may be sent with a key that has team:write', async () => {
    const { key } = await aKey(app.api, shop, 'secret', ['team:write', 'orders:read', 'products:read', 'stats:read']);
    expectSuccess(await invite({ email: `by-key-${unique()}@example.com`, role: 'analyst' }, { key }));
    const more = await invite({ email: `by-key-${unique()}@example.com`, role: 'support' }, { key });
    expectError(more, 400, 'The role has permissions that you do not have', `/api/v2${path()}`);
  });

  it('to ownership can be sent only by an owner with a bearer token, not by an admin or a key', async () => {
    const admin = await aMember(app, shop, 'admin');
    const { key } = await aKey(app.api, shop);
    const body = { email: `heir-${unique()}@example.com`, role: 'owner' };
    expectError(await invite(body, { token: admin.token }), 400, 'The role has permissions that you do not have');
    expectError(await invite(body, { key }), 400, 'The role has permissions that you do not have');
    expectSuccess(await invite({ ...body, role: 'admin' }, { token: admin.token }));
    expectSuccess(await invite(body));
  });

  it('are only for the invited address, and stay open when somebody else tries', async () => {
    const [invited, thief] = [await aPerson(app.api), await aPerson(app.api)];
    expectSuccess(await invite({ email: invited.email, role: 'analyst' }));
    const token = await mailedTo(invited.email);
    expectError(await accept(token, thief), 400, INVALID, ACCEPT);
    expectSuccess(await accept(token, invited));
  });

  it('work once: one of five parallel tries succeeds', async () => {
    const person = await aPerson(app.api);
    expectSuccess(await invite({ email: person.email, role: 'analyst' }));
    const token = await mailedTo(person.email);
    const responses = await Promise.all(Array.from({ length: 5 }, () => accept(token, person)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400]);
    expectError(await accept(token, person), 400, INVALID, ACCEPT);
    expect((await team()).members.filter(({ userId }) => userId === person.userId)).toHaveLength(1);
  });

  it('replace an earlier one of the same address, whose token stops working', async () => {
    const person = await aPerson(app.api);
    const first = expectSuccess(await invite({ email: person.email, role: 'analyst' }));
    const old = await mailedTo(person.email);
    expectSuccess(await invite({ email: person.email, role: 'support' }));
    const mails = (): Promise<string[]> => app.mailbox.all();
    const current = await app.mailbox.next(person.email, new RegExp(`(?!${old})${TOKEN.source}`));
    expect(await mails()).toEqual(expect.arrayContaining([expect.stringContaining(old)]));
    const open = (await team()).invitations.filter(({ email }) => email === person.email);
    expect(open).toEqual([expect.objectContaining({ id: first['id'], role: 'support' })]);
    expectError(await accept(old, person), 400, INVALID, ACCEPT);
    expect(expectSuccess(await accept(current[0], person))).toMatchObject({ role: 'support' });
  });

  it('leave one open when ten for the same address are sent in parallel', async () => {
    const email = `popular-${unique()}@example.com`;
    const responses = await Promise.all(Array.from({ length: 10 }, () => invite({ email, role: 'analyst' })));
    for (const response of responses) expectSuccess(response);
    expect((await team()).invitations.filter((one) => one.email === email)).toHaveLength(1);
  });

  it('are rejected with 409 for a member, and no email is sent', async () => {
    const member = await aMember(app, shop, 'manager');
    const response = await invite({ email: member.email.toUpperCase(), role: 'analyst' });
    expectError(response, 409, 'The person is already a member of this shop', `/api/v2${path()}`);
    expect((await team()).invitations).not.toContainEqual(expect.objectContaining({ email: member.email }));
    await anInvitation();
    const mails = (await app.mailbox.all()).filter((mail) => mail.includes(`To: ${member.email}`));
    expect(mails).toEqual([expect.stringContaining('Your role will be: manager')]);
  });

  it('return 409 for a person who became a member in the meantime, do not change the role, and stay open', async () => {
    const person = await aPerson(app.api);
    expectSuccess(await invite({ email: person.email, role: 'analyst' }));
    const token = await mailedTo(person.email);
    await inDatabase(app, (database) =>
      database.collection('members').insertOne({
        shopId: new ObjectId(shop.shopId),
        userId: new ObjectId(person.userId),
        role: 'manager',
        joinedAt: new Date(),
        addedBy: `user:${owner.userId}`,
      }),
    );
    expectError(await accept(token, person), 409, 'The person is already a member of this shop', ACCEPT);
    const { members, invitations } = await team();
    expect(members).toContainEqual(expect.objectContaining({ userId: person.userId, role: 'manager' }));
    expect(invitations).toContainEqual(expect.objectContaining({ email: person.email }));
  });

  it('no longer work after seven days', async () => {
    const person = await aPerson(app.api);
    const { id } = expectSuccess<{ id: string }>(await invite({ email: person.email, role: 'analyst' }));
    const token = await mailedTo(person.email);
    await inDatabase(app, (database) =>
      database
        .collection('invitations')
        .updateOne({ _id: new ObjectId(id) }, { $set: { expiresAt: new Date(Date.now() - 1) } }),
    );
    expectError(await accept(token, person), 400, INVALID, ACCEPT);
    expectError(await decline(token, person), 400, INVALID, DECLINE);
    expectError(await revoke(id), 404, 'There is no such invitation', `/api/v2${path()}/${id}`);
    expect((await team()).invitations).not.toContainEqual(expect.objectContaining({ id }));
  });

  it('are created once, with one email, by a request that is repeated with its Idempotency-Key', async () => {
    const email = `once-${unique()}@example.com`;
    const call = { token: owner.token, headers: { 'Idempotency-Key': `invite-${unique()}-${unique()}` } };
    const first = await invite({ email, role: 'analyst' }, call);
    const token = await mailedTo(email);
    const again = await invite({ email, role: 'analyst' }, call);
    expect(expectSuccess(again)).toEqual(expectSuccess(first));
    expect(again.headers['idempotency-replayed']).toBe('true');
    const other = await invite({ email, role: 'support' }, call);
    expectError(other, 422, 'This Idempotency-Key was used with another request', `/api/v2${path()}`);
    const mails = (await app.mailbox.all()).filter((mail) => mail.includes(`To: ${email}`));
    expect(mails).toEqual([expect.stringContaining(token)]);
  });

  it('can be withdrawn by every member with team:write: the token stops working and the list no longer has it', async () => {
    const admin = await aMember(app, shop, 'admin');
    const { key } = await aKey(app.api, shop, 'secret', ['team:write']);
    for (const call of [{ token: owner.token }, { token: admin.token }, { key }]) {
      const { id, person, token } = await anInvitation('support');
      const revoked = await revoke(id, call);
      expect(expectSuccess(revoked, 'Invitation revoked')).toEqual({
        id,
        email: person.email,
        role: 'support',
        expiresAt: anInstant,
      });
      expectError(await accept(token, person), 400, INVALID, ACCEPT);
      expectError(await revoke(id, call), 404, 'There is no such invitation', `/api/v2${path()}/${id}`);
      expect((await team()).invitations).not.toContainEqual(expect.objectContaining({ id }));
    }
  });

  it('that are unknown, accepted, declined, or of another shop cannot be withdrawn: 404', async () => {
    const [accepted, declined, open] = [await anInvitation(), await anInvitation(), await anInvitation()];
    expectSuccess(await accept(accepted.token, accepted.person));
    expectSuccess(await decline(declined.token, declined.person));
    for (const id of [accepted.id, declined.id, '0'.repeat(24)]) {
      expectError(await revoke(id), 404, 'There is no such invitation', `/api/v2${path()}/${id}`);
    }
    const other = await aShop(app.api);
    const foreign = await app.api.delete(`/shops/${other.shopId}/team/invitations/${open.id}`, {
      token: other.owner.token,
    });
    expectError(foreign, 404, 'There is no such invitation');
    expectSuccess(await accept(open.token, open.person));
  });

  it('return 400, 401, 403 and 404 for a withdrawal, like every endpoint of a shop', async () => {
    const { id } = await anInvitation();
    expectError(await revoke('nothex'), 400, /^An identifier in the path/, `/api/v2${path()}/nothex`);
    expectError(await revoke(id, {}), 401, 'Authentication is missing or invalid', `/api/v2${path()}/${id}`);
    const manager = await aMember(app, shop, 'manager');
    const missing = 'The credential lacks the permission team:write';
    expectError(await revoke(id, { token: manager.token }), 403, missing, `/api/v2${path()}/${id}`);
    const unknown = await app.api.delete(`/shops/${'0'.repeat(24)}/team/invitations/${id}`, { token: owner.token });
    expectError(unknown, 404, 'There is no such shop');
    expect((await team()).invitations).toContainEqual(expect.objectContaining({ id }));
  });

  it('can be declined only by the invited person, once, and are then gone', async () => {
    const { id, person, token } = await anInvitation('support');
    expectError(await decline(token, await aPerson(app.api)), 400, INVALID, DECLINE);
    expect((await team()).invitations).toContainEqual(expect.objectContaining({ id }));
    expect(expectSuccess(await decline(token, person), 'Invitation declined')).toEqual({
      id,
      email: person.email,
      role: 'support',
      expiresAt: anInstant,
    });
    expect((await team()).invitations).not.toContainEqual(expect.objectContaining({ id }));
    expectError(await decline(token, person), 400, INVALID, DECLINE);
    expectError(await accept(token, person), 400, INVALID, ACCEPT);
  });

  it('have audit entries of who sent, accepted, declined and withdrew them, without a token', async () => {
    const changes = (email: string, role: string): object[] => [
      { field: 'email', before: null, after: email },
      { field: 'role', before: null, after: role },
    ];
    const undone = (email: string, role: string): object[] => [
      { field: 'email', before: email, after: null },
      { field: 'role', before: role, after: null },
    ];
    const one = await anInvitation('support');
    const sent = entry(owner, 'member.invited', 'Somebody was invited to the team', one.id, []);
    expect(await audited()).toEqual({ ...sent, changes: changes(one.person.email, 'support') });
    expectSuccess(await accept(one.token, one.person));
    expect(await audited()).toEqual(
      entry(one.person, 'member.joined', 'Somebody joined the team', anId, [
        { field: 'role', before: null, after: 'support' },
      ]),
    );
    const two = await anInvitation();
    expectSuccess(await decline(two.token, two.person));
    const declined = entry(two.person, 'member.declined', 'Somebody declined an invitation', two.id, []);
    expect(await audited()).toEqual({ ...declined, changes: undone(two.person.email, 'analyst') });
    const three = await anInvitation();
    expectSuccess(await revoke(three.id));
    const revoked = entry(owner, 'invitation.revoked', 'An invitation was taken back', three.id, []);
    expect(await audited()).toEqual({ ...revoked, changes: undone(three.person.email, 'analyst') });
    const before = await audited();
    expectError(await accept(three.token, three.person), 400, INVALID, ACCEPT);
    expectError(await revoke(three.id), 404, 'There is no such invitation');
    expect(await audited()).toEqual(before);
    const log = await app.api.get(`/shops/${shop.shopId}/audit`, { token: owner.token });
    expect(log.text).not.toMatch(TOKEN);
  });

  it('accept only the invited one of two people who try in parallel', async () => {
    const other = await aPerson(app.api);
    for (let round = 0; round < 10; round++) {
      const { person, token } = await anInvitation();
      const [right, wrong] = await Promise.all([accept(token, person), accept(token, other)]);
      expectSuccess(right, 'Invitation accepted');
      expectError(wrong, 400, INVALID, ACCEPT);
    }
    expect((await team()).members).not.toContainEqual(expect.objectContaining({ userId: other.userId }));
  });

  it('that are accepted, declined and withdrawn in parallel end in one of these ways, and the team shows which', async () => {
    for (let round = 0; round < 10; round++) {
      const { id, person, token } = await anInvitation();
      const responses = await Promise.all([accept(token, person), decline(token, person), revoke(id)]);
      const statuses = responses.map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      expect([200, 400]).toContain(statuses[0]);
      expect([200, 400]).toContain(statuses[1]);
      expect([200, 404]).toContain(statuses[2]);
      const { members, invitations } = await team();
      expect(members.some(({ userId }) => userId === person.userId)).toBe(statuses[0] === 200);
      expect(invitations).not.toContainEqual(expect.objectContaining({ id }));
    }
  });

  it('can give at most the role that their sender may give when they are accepted', async () => {
    const memberId = async ({ userId }: Person): Promise<string> =>
      (await team()).members.find((one) => one.userId === userId)?.id ?? '';
    const admin = await aMember(app, shop, 'admin');
    const { person, token } = await anInvitation('manager', { token: admin.token });
    const ofAdmin = `/shops/${shop.shopId}/team/${await memberId(admin)}`;

    expectSuccess(await app.api.patch(ofAdmin, { role: 'manager' }, { token: owner.token }));
    expectError(await accept(token, person), 400, POWERLESS, ACCEPT);
    expectSuccess(await app.api.delete(ofAdmin, { token: owner.token }));
    expectError(await accept(token, person), 400, POWERLESS, ACCEPT);
    expect((await team()).members).not.toContainEqual(expect.objectContaining({ userId: person.userId }));
    // Somebody who may give the role invites again. The person joins with the new email.
    expectSuccess(await invite({ email: person.email, role: 'manager' }));
    const [renewed] = await app.mailbox.next(person.email, new RegExp(`(?!${token})${TOKEN.source}`));
    expectSuccess(await accept(renewed, person));
  });

  it('to ownership no longer work when their sender became an admin, nor those of a key whose creator left', async () => {
    const second = await aMember(app, shop, 'owner');
    const toOwner = await anInvitation('owner', { token: second.token });
    const id = (await team()).members.find(({ userId }) => userId === second.userId)?.id ?? '';
    const ofSecond = `/shops/${shop.shopId}/team/${id}`;
    const { key } = await aKey(app.api, { ...shop, owner: second });
    const byKey = await anInvitation('support', { key });
    expectSuccess(await app.api.patch(ofSecond, { role: 'admin' }, { token: owner.token }));
    expectError(await accept(toOwner.token, toOwner.person), 400, POWERLESS, ACCEPT);
    expectSuccess(await app.api.delete(`/shops/${shop.shopId}/team/me`, { token: second.token }));
    expectError(await accept(byKey.token, byKey.person), 400, POWERLESS, ACCEPT);
  });

  it.each([
    [{}, /^email must be a string; role must be one of owner, admin, manager, support, analyst, developer$/],
    [{ email: 'nobody', role: 'support' }, 'email must be an email address'],
    [{ email: ['a@example.com', 'b@example.com'], role: 'support' }, 'email must be a string'],
    [{ email: 'a@example.com, b@example.com', role: 'support' }, 'email must be an email address'],
    [{ email: 'a@example.com\nBcc: b@example.com', role: 'support' }, 'email must be an email address'],
    [{ email: 'a@example.com', role: 'king' }, /^role must be one of owner/],
    [{ email: 'a@example.com', role: 'constructor' }, /^role must be one of owner/],
    [{ email: 'a@example.com', role: ['support'] }, /^role must be one of owner/],
    [{ email: 'a@example.com', role: 'support', permissions: ['team:write'] }, 'permissions is not a known field'],
  ])('return 400 for %j and name the field', async (body, error) => {
    expectError(await invite(body), 400, error, `/api/v2${path()}`);
  });

  it.each([
    [undefined, 'token must be a string'],
    ['', 'token must have 1 to 128 characters'],
    [{ $ne: null }, 'token must be a string'],
    ['x'.repeat(129), 'token must have 1 to 128 characters'],
    [`shi_${'a'.repeat(43)}`, INVALID],
  ])('return 400 for the token %j', async (token, error) => {
    for (const reply of ['accept', 'decline']) {
      const response = await app.api.post(`/team/invitations/${reply}`, { token }, { token: owner.token });
      expectError(response, 400, error, `/api/v2/team/invitations/${reply}`);
    }
  });

  it('return 401, 403 and 404 like every endpoint of a shop', async () => {
    const body = { email: 'a@example.com', role: 'support' };
    expectError(await invite(body, {}), 401, 'Authentication is missing or invalid', `/api/v2${path()}`);
    const manager = await aMember(app, shop, 'manager');
    const missing = 'The credential lacks the permission team:write';
    expectError(await invite(body, { token: manager.token }), 403, missing, `/api/v2${path()}`);
    const unknown = await app.api.post(`/shops/${'0'.repeat(24)}/team/invitations`, body, { token: owner.token });
    expectError(unknown, 404, 'There is no such shop');
    const { key } = await aKey(app.api, shop);
    for (const url of [ACCEPT, DECLINE]) {
      for (const call of [{}, { key }, { token: 'x.y.z' }]) {
        const response = await app.api.post(url.replace('/api/v2', ''), { token: 'x' }, call);
        expectError(response, 401, 'Authentication is missing or invalid', url);
      }
    }
  });
});
