import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aKey, aMember, aPerson, aShop, type Person } from '../support/actors.js';
import { anId, anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { inDatabase } from '../support/in-database.js';
import { idOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import {
  ACCEPT,
  aTeam,
  DECLINE,
  entry,
  inPerson,
  INVALID,
  INVITATION_TOKEN,
  POWERLESS,
  type TestTeam,
} from './team-actors.js';

describe('sent invitations', () => {
  let app: TestApp;
  let team: TestTeam;
  let owner: Person;
  /** The latest entry of the audit log. */
  const audited = async (): Promise<unknown> =>
    expectSuccess<unknown[]>(await app.api.get(`/shops/${team.shopId}/audit?limit=1`, { token: owner.token }))[0];

  beforeAll(async () => {
    app = await startTestApp();
    team = await aTeam(app);
    owner = team.owner;
  });
  afterAll(() => app.close());

  it('accepts an invitation only for the invited address, and keeps it open when somebody else replies', async () => {
    const [invited, thief] = [await aPerson(app.api), await aPerson(app.api)];
    expectSuccess(await team.invite({ email: invited.email, role: 'analyst' }));
    const token = await team.mailedTo(invited.email);
    expectError(await team.accept(token, thief), 400, INVALID, ACCEPT);
    expectSuccess(await team.accept(token, invited));
  });

  it('accepts an invitation once: one of five parallel attempts succeeds', async () => {
    const person = await aPerson(app.api);
    expectSuccess(await team.invite({ email: person.email, role: 'analyst' }));
    const token = await team.mailedTo(person.email);
    const responses = await Promise.all(Array.from({ length: 5 }, () => team.accept(token, person)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400]);
    expectError(await team.accept(token, person), 400, INVALID, ACCEPT);
    expect((await team.list()).members.filter(({ userId }) => userId === person.userId)).toHaveLength(1);
  });

  it('returns 409 for a person who became a member in the meantime, and keeps the role and the open invitation', async () => {
    const person = await aPerson(app.api);
    expectSuccess(await team.invite({ email: person.email, role: 'analyst' }));
    const token = await team.mailedTo(person.email);
    await inDatabase(app, (database) =>
      database.collection('members').insertOne({
        shopId: idOf(team.shopId),
        userId: idOf(person.userId),
        role: 'manager',
        joinedAt: new Date(),
        addedBy: `user:${owner.userId}`,
      }),
    );
    expectError(await team.accept(token, person), 409, 'The person is already a member of this shop', ACCEPT);
    const { members, invitations } = await team.list();
    expect(members).toContainEqual(expect.objectContaining({ userId: person.userId, role: 'manager' }));
    expect(invitations).toContainEqual(expect.objectContaining({ email: person.email }));
  });

  it('leaves no invitation of a member open, also when it is sent again while the person accepts', async () => {
    for (let round = 0; round < 15; round++) {
      const { person, token } = await team.anInvitation('analyst');
      const again = Array.from({ length: 3 }, () => team.invite({ email: person.email, role: 'analyst' }));
      await Promise.all([team.accept(token, person), ...again]);
      const { members, invitations } = await team.list();
      const isMember = members.some(({ userId }) => userId === person.userId);
      expect(invitations.some(({ email }) => email === person.email)).toBe(!isMember);
    }
  });

  it('rejects an invitation after seven days', async () => {
    const person = await aPerson(app.api);
    const { id } = expectSuccess<{ id: string }>(await team.invite({ email: person.email, role: 'analyst' }));
    const token = await team.mailedTo(person.email);
    await inDatabase(app, (database) =>
      database
        .collection('invitations')
        .updateOne({ _id: idOf(id) }, { $set: { expiresAt: new Date(Date.now() - 1) } }),
    );
    expectError(await team.accept(token, person), 400, INVALID, ACCEPT);
    expectError(await team.decline(token, person), 400, INVALID, DECLINE);
    expectError(await team.revoke(id), 404, 'There is no such invitation', `/api/v2${team.path('/invitations')}/${id}`);
    expect((await team.list()).invitations).not.toContainEqual(expect.objectContaining({ id }));
  });

  it('withdraws an invitation for every member with team:write: the token stops working and the list no longer has it', async () => {
    const admin = await aMember(app, team, 'admin');
    const { key } = await aKey(app.api, team, 'secret', ['team:write']);
    for (const call of [{ token: owner.token }, { token: admin.token }, { key }]) {
      const { id, person, token } = await team.anInvitation('support');
      const revoked = await team.revoke(id, call);
      expect(expectSuccess(revoked, 'Invitation revoked')).toEqual({
        id,
        email: person.email,
        role: 'support',
        expiresAt: anInstant,
      });
      expectError(await team.accept(token, person), 400, INVALID, ACCEPT);
      expectError(
        await team.revoke(id, call),
        404,
        'There is no such invitation',
        `/api/v2${team.path('/invitations')}/${id}`,
      );
      expect((await team.list()).invitations).not.toContainEqual(expect.objectContaining({ id }));
    }
  });

  it('returns 404 for the withdrawal of an invitation that is unknown, accepted, declined, or of another shop', async () => {
    const [accepted, declined, open] = [
      await team.anInvitation(),
      await team.anInvitation(),
      await team.anInvitation(),
    ];
    expectSuccess(await team.accept(accepted.token, accepted.person));
    expectSuccess(await team.decline(declined.token, declined.person));
    for (const id of [accepted.id, declined.id, '0'.repeat(24)]) {
      expectError(
        await team.revoke(id),
        404,
        'There is no such invitation',
        `/api/v2${team.path('/invitations')}/${id}`,
      );
    }
    const other = await aShop(app.api);
    const foreign = await app.api.delete(`/shops/${other.shopId}/team/invitations/${open.id}`, {
      token: other.owner.token,
    });
    expectError(foreign, 404, 'There is no such invitation');
    expectSuccess(await team.accept(open.token, open.person));
  });

  it('returns 400, 401, 403 and 404 for a withdrawal, like every endpoint of a shop', async () => {
    const { id } = await team.anInvitation();
    expectError(
      await team.revoke('nothex'),
      400,
      /^An identifier in the path/,
      `/api/v2${team.path('/invitations')}/nothex`,
    );
    expectError(
      await team.revoke(id, {}),
      401,
      'Authentication is missing or invalid',
      `/api/v2${team.path('/invitations')}/${id}`,
    );
    const manager = await aMember(app, team, 'manager');
    const missing = 'The credential lacks the permission team:write';
    expectError(
      await team.revoke(id, { token: manager.token }),
      403,
      missing,
      `/api/v2${team.path('/invitations')}/${id}`,
    );
    const unknown = await app.api.delete(`/shops/${'0'.repeat(24)}/team/invitations/${id}`, { token: owner.token });
    expectError(unknown, 404, 'There is no such shop');
    expect((await team.list()).invitations).toContainEqual(expect.objectContaining({ id }));
  });

  it('declines an invitation only for the invited person, once, and removes it', async () => {
    const { id, person, token } = await team.anInvitation('support');
    expectError(await team.decline(token, await aPerson(app.api)), 400, INVALID, DECLINE);
    expect((await team.list()).invitations).toContainEqual(expect.objectContaining({ id }));
    expect(expectSuccess(await team.decline(token, person), 'Invitation declined')).toEqual({
      id,
      email: person.email,
      role: 'support',
      expiresAt: anInstant,
    });
    expect((await team.list()).invitations).not.toContainEqual(expect.objectContaining({ id }));
    expectError(await team.decline(token, person), 400, INVALID, DECLINE);
    expectError(await team.accept(token, person), 400, INVALID, ACCEPT);
  });

  it('records who sent, accepted, declined and withdrew an invitation in the audit log, without a token', async () => {
    const changes = (email: string, role: string): object[] => [
      { field: 'email', before: null, after: email },
      { field: 'role', before: null, after: role },
    ];
    const undone = (email: string, role: string): object[] => [
      { field: 'email', before: email, after: null },
      { field: 'role', before: role, after: null },
    ];
    const one = await team.anInvitation('support');
    const sent = entry(inPerson(owner), 'member.invited', 'Somebody was invited to the team', one.id, []);
    expect(await audited()).toEqual({ ...sent, changes: changes(one.person.email, 'support') });
    expectSuccess(await team.accept(one.token, one.person));
    expect(await audited()).toEqual(
      entry(inPerson(one.person), 'member.joined', 'Somebody joined the team', anId, [
        { field: 'role', before: null, after: 'support' },
      ]),
    );
    const two = await team.anInvitation();
    expectSuccess(await team.decline(two.token, two.person));
    const declined = entry(inPerson(two.person), 'member.declined', 'Somebody declined an invitation', two.id, []);
    expect(await audited()).toEqual({ ...declined, changes: undone(two.person.email, 'analyst') });
    const three = await team.anInvitation();
    expectSuccess(await team.revoke(three.id));
    const revoked = entry(inPerson(owner), 'invitation.revoked', 'An invitation was revoked', three.id, []);
    expect(await audited()).toEqual({ ...revoked, changes: undone(three.person.email, 'analyst') });
    const before = await audited();
    expectError(await team.accept(three.token, three.person), 400, INVALID, ACCEPT);
    expectError(await team.revoke(three.id), 404, 'There is no such invitation');
    expect(await audited()).toEqual(before);
    const log = await app.api.get(`/shops/${team.shopId}/audit`, { token: owner.token });
    expect(log.text).not.toMatch(INVITATION_TOKEN);
  });

  it('accepts only the invited one of two people who reply in parallel', async () => {
    const other = await aPerson(app.api);
    for (let round = 0; round < 10; round++) {
      const { person, token } = await team.anInvitation();
      const [right, wrong] = await Promise.all([team.accept(token, person), team.accept(token, other)]);
      expectSuccess(right, 'Invitation accepted');
      expectError(wrong, 400, INVALID, ACCEPT);
    }
    expect((await team.list()).members).not.toContainEqual(expect.objectContaining({ userId: other.userId }));
  });

  it('ends an invitation that is accepted, declined and withdrawn in parallel in one of these ways, and the team shows which', async () => {
    for (let round = 0; round < 10; round++) {
      const { id, person, token } = await team.anInvitation();
      const responses = await Promise.all([team.accept(token, person), team.decline(token, person), team.revoke(id)]);
      const statuses = responses.map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      expect([200, 400]).toContain(statuses[0]);
      expect([200, 400]).toContain(statuses[1]);
      expect([200, 404]).toContain(statuses[2]);
      const { members, invitations } = await team.list();
      expect(members.some(({ userId }) => userId === person.userId)).toBe(statuses[0] === 200);
      expect(invitations).not.toContainEqual(expect.objectContaining({ id }));
    }
  });

  it('gives at most the role that the sender may give when the invitation is accepted', async () => {
    const memberId = async ({ userId }: Person): Promise<string> =>
      (await team.list()).members.find((one) => one.userId === userId)?.id ?? '';
    const admin = await aMember(app, team, 'admin');
    const { person, token } = await team.anInvitation('manager', { token: admin.token });
    const ofAdmin = `/shops/${team.shopId}/team/${await memberId(admin)}`;

    expectSuccess(await app.api.patch(ofAdmin, { role: 'manager' }, { token: owner.token }));
    expectError(await team.accept(token, person), 400, POWERLESS, ACCEPT);
    expectSuccess(await app.api.delete(ofAdmin, { token: owner.token }));
    expectError(await team.accept(token, person), 400, POWERLESS, ACCEPT);
    expect((await team.list()).members).not.toContainEqual(expect.objectContaining({ userId: person.userId }));
    // Somebody who may give the role invites again. The person joins with the new email.
    expectSuccess(await team.invite({ email: person.email, role: 'manager' }));
    expectSuccess(await team.accept(await team.mailedTo(person.email, token), person));
  });

  it('rejects an invitation to ownership whose sender became an admin, and one of a key whose creator left', async () => {
    const second = await aMember(app, team, 'owner');
    const toOwner = await team.anInvitation('owner', { token: second.token });
    const id = (await team.list()).members.find(({ userId }) => userId === second.userId)?.id ?? '';
    const ofSecond = `/shops/${team.shopId}/team/${id}`;
    const { key } = await aKey(app.api, { ...team, owner: second });
    const byKey = await team.anInvitation('support', { key });
    expectSuccess(await app.api.patch(ofSecond, { role: 'admin' }, { token: owner.token }));
    expectError(await team.accept(toOwner.token, toOwner.person), 400, POWERLESS, ACCEPT);
    expectSuccess(await app.api.delete(`/shops/${team.shopId}/team/me`, { token: second.token }));
    expectError(await team.accept(byKey.token, byKey.person), 400, POWERLESS, ACCEPT);
  });

  it.each([
    [undefined, 'token is required, for example "shi_an-opaque-text-of-43-characters"'],
    ['', 'token must have 1 to 128 characters'],
    [{ $ne: null }, 'token must be a string'],
    ['x'.repeat(129), 'token must have 1 to 128 characters'],
    [`shi_${'a'.repeat(43)}`, INVALID],
  ])('returns 400 for the token %j', async (token, error) => {
    for (const reply of ['accept', 'decline']) {
      const response = await app.api.post(`/team/invitations/${reply}`, { token }, { token: owner.token });
      expectError(response, 400, error, `/api/v2/team/invitations/${reply}`);
    }
  });
});
