import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aKey, aMember, aPerson, type Person, unique } from '../support/actors.js';
import { anId, anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { ACCEPT, aTeam, DECLINE, INVALID, INVITATION_TOKEN, type TestTeam } from './team-actors.js';

describe('invitations', () => {
  let app: TestApp;
  let team: TestTeam;
  let owner: Person;

  beforeAll(async () => {
    app = await startTestApp();
    team = await aTeam(app);
    owner = team.owner;
  });
  afterAll(() => app.close());

  it('sends a token by email that is in no response, and adds the person to the team with that role', async () => {
    const person = await aPerson(app.api);
    const response = await team.invite({ email: person.email.toUpperCase(), role: 'support' });
    const invitation = { id: anId, email: person.email, role: 'support', expiresAt: anInstant };
    const data = expectSuccess<{ expiresAt: string }>(response, 'Invitation sent');
    expect(data).toEqual(invitation);
    expect((Date.parse(data.expiresAt) - Date.now()) / 86_400_000).toBeCloseTo(7, 2);
    expect(response.text).not.toMatch(INVITATION_TOKEN);
    expect((await team.list()).invitations).toContainEqual(data);

    const joined = await team.accept(await team.mailedTo(person.email), person);
    expect(expectSuccess(joined, 'Invitation accepted')).toEqual(data);
    const { members, invitations } = await team.list();
    expect(members).toContainEqual(expect.objectContaining({ userId: person.userId, role: 'support' }));
    expect(invitations).not.toContainEqual(expect.objectContaining({ email: person.email }));
  });

  it('sends an invitation with a key that has team:write', async () => {
    const { key } = await aKey(app.api, team, 'secret', [
      'team:write',
      'shops:read',
      'orders:read',
      'products:read',
      'stats:read',
    ]);
    expectSuccess(await team.invite({ email: `by-key-${unique()}@example.com`, role: 'analyst' }, { key }));
    const more = await team.invite({ email: `by-key-${unique()}@example.com`, role: 'support' }, { key });
    expectError(more, 400, 'The role has permissions that you do not have', `/api/v2${team.path('/invitations')}`);
  });

  it('sends an invitation to ownership only for an owner with a bearer token, not for an admin or a key', async () => {
    const admin = await aMember(app, team, 'admin');
    const { key } = await aKey(app.api, team);
    const body = { email: `heir-${unique()}@example.com`, role: 'owner' };
    expectError(await team.invite(body, { token: admin.token }), 400, 'The role has permissions that you do not have');
    expectError(await team.invite(body, { key }), 400, 'The role has permissions that you do not have');
    expectSuccess(await team.invite({ ...body, role: 'admin' }, { token: admin.token }));
    expectSuccess(await team.invite(body));
  });

  it('replaces an earlier invitation of the same address, whose token stops working', async () => {
    const person = await aPerson(app.api);
    const first = expectSuccess(await team.invite({ email: person.email, role: 'analyst' }));
    const old = await team.mailedTo(person.email);
    expectSuccess(await team.invite({ email: person.email, role: 'support' }));
    const mails = (): Promise<string[]> => app.mailbox.all();
    const current = await team.mailedTo(person.email, old);
    expect(await mails()).toEqual(expect.arrayContaining([expect.stringContaining(old)]));
    const open = (await team.list()).invitations.filter(({ email }) => email === person.email);
    expect(open).toEqual([expect.objectContaining({ id: first['id'], role: 'support' })]);
    expectError(await team.accept(old, person), 400, INVALID, ACCEPT);
    expect(expectSuccess(await team.accept(current, person))).toMatchObject({ role: 'support' });
  });

  it('leaves one invitation open when ten for the same address are sent in parallel', async () => {
    const email = `popular-${unique()}@example.com`;
    const responses = await Promise.all(Array.from({ length: 10 }, () => team.invite({ email, role: 'analyst' })));
    for (const response of responses) expectSuccess(response);
    expect((await team.list()).invitations.filter((one) => one.email === email)).toHaveLength(1);
  });

  it('returns 409 for the invitation of a member, and sends no email', async () => {
    const member = await aMember(app, team, 'manager');
    const response = await team.invite({ email: member.email.toUpperCase(), role: 'analyst' });
    expectError(response, 409, 'The person is already a member of this shop', `/api/v2${team.path('/invitations')}`);
    expect((await team.list()).invitations).not.toContainEqual(expect.objectContaining({ email: member.email }));
    await team.anInvitation();
    const mails = (await app.mailbox.all()).filter((mail) => mail.includes(`To: ${member.email}`));
    expect(mails).toEqual([expect.stringContaining('Your role will be: manager')]);
  });

  it('creates an invitation once, with one email, by a request that is repeated with its Idempotency-Key', async () => {
    const email = `once-${unique()}@example.com`;
    const call = { token: owner.token, headers: { 'Idempotency-Key': `invite-${unique()}-${unique()}` } };
    const first = await team.invite({ email, role: 'analyst' }, call);
    const token = await team.mailedTo(email);
    const again = await team.invite({ email, role: 'analyst' }, call);
    expect(expectSuccess(again)).toEqual(expectSuccess(first));
    expect(again.headers['idempotency-replayed']).toBe('true');
    const other = await team.invite({ email, role: 'support' }, call);
    expectError(
      other,
      422,
      'This Idempotency-Key was used with another request',
      `/api/v2${team.path('/invitations')}`,
    );
    const mails = (await app.mailbox.all()).filter((mail) => mail.includes(`To: ${email}`));
    expect(mails).toEqual([expect.stringContaining(token)]);
  });

  it.each([
    [{}, /^email is required, for example "helper@example\.com"; role is required, for example "support"$/],
    [{ email: 'nobody', role: 'support' }, 'email must be an email address'],
    [{ email: ['a@example.com', 'b@example.com'], role: 'support' }, 'email must be a string'],
    [{ email: 'a@example.com, b@example.com', role: 'support' }, 'email must be an email address'],
    [{ email: 'a@example.com\nBcc: b@example.com', role: 'support' }, 'email must be an email address'],
    [{ email: 'a@example.com', role: 'king' }, /^role must be one of owner/],
    [{ email: 'a@example.com', role: 'constructor' }, /^role must be one of owner/],
    [{ email: 'a@example.com', role: ['support'] }, /^role must be one of owner/],
    [{ email: 'a@example.com', role: 'support', permissions: ['team:write'] }, 'permissions is not a known field'],
  ])('returns 400 for the invitation %j and names the field', async (body, error) => {
    expectError(await team.invite(body), 400, error, `/api/v2${team.path('/invitations')}`);
  });

  it('returns 401, 403 and 404 for an invitation like every endpoint of a shop', async () => {
    const body = { email: 'a@example.com', role: 'support' };
    expectError(
      await team.invite(body, {}),
      401,
      'Authentication is missing or invalid',
      `/api/v2${team.path('/invitations')}`,
    );
    const manager = await aMember(app, team, 'manager');
    const missing = 'The credential lacks the permission team:write';
    expectError(await team.invite(body, { token: manager.token }), 403, missing, `/api/v2${team.path('/invitations')}`);
    const unknown = await app.api.post(`/shops/${'0'.repeat(24)}/team/invitations`, body, { token: owner.token });
    expectError(unknown, 404, 'There is no such shop');
    const { key } = await aKey(app.api, team);
    for (const url of [ACCEPT, DECLINE]) {
      for (const [call, says] of [
        [{}, 'Authentication is missing or invalid'],
        [{ key }, /^This endpoint takes no API key/],
        [{ token: 'x.y.z' }, 'Authentication is missing or invalid'],
      ] as const) {
        const response = await app.api.post(url.replace('/api/v2', ''), { token: 'x' }, call);
        expectError(response, 401, says, url);
      }
    }
  });
});
