import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ObjectId } from 'mongodb';
import { aKey, aMember, aPerson, aShop, type Person, type TestShop, unique } from '../support/actors.js';
import { anId, anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { inDatabase } from '../support/in-database.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const TOKEN = /shi_[A-Za-z0-9_-]{43}/;
const INVALID = 'The invitation is unknown, expired or already used';
const ACCEPT = '/api/v2/team/invitations/accept';

interface Team {
  readonly members: readonly { readonly userId: string; readonly role: string }[];
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
  const mailedTo = async (email: string): Promise<string> => (await app.mailbox.next(email, TOKEN))[0];
  const team = async (): Promise<Team> =>
    expectSuccess<Team>(await app.api.get(`/shops/${shop.shopId}/team`, { token: owner.token }));

  beforeAll(async () => {
    app = await startTestApp();
    shop = await aShop(app.api);
    owner = shop.owner;
  });
  afterAll(() => app.close());

  it('are mailed as a token that is in no answer, and bring the person into the team in that role', async () => {
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
    expectError(more, 400, 'The role holds more than you do', `/api/v2${path()}`);
  });

  it('make owners only when an owner in person sends them: neither an admin nor a key passes ownership on', async () => {
    const admin = await aMember(app, shop, 'admin');
    const { key } = await aKey(app.api, shop);
    const body = { email: `heir-${unique()}@example.com`, role: 'owner' };
    expectError(await invite(body, { token: admin.token }), 400, 'The role holds more than you do');
    expectError(await invite(body, { key }), 400, 'The role holds more than you do');
    expectSuccess(await invite({ ...body, role: 'admin' }, { token: admin.token }));
    expectSuccess(await invite(body));
  });

  it('are for the invited address alone, and stay open when somebody else tries', async () => {
    const [invited, thief] = [await aPerson(app.api), await aPerson(app.api)];
    expectSuccess(await invite({ email: invited.email, role: 'analyst' }));
    const token = await mailedTo(invited.email);
    expectError(await accept(token, thief), 400, INVALID, ACCEPT);
    expectSuccess(await accept(token, invited));
  });

  it('work once: of five tries at once one is let in', async () => {
    const person = await aPerson(app.api);
    expectSuccess(await invite({ email: person.email, role: 'analyst' }));
    const token = await mailedTo(person.email);
    const answers = await Promise.all(Array.from({ length: 5 }, () => accept(token, person)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400]);
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

  it('leave one open when ten for the same address are sent at once', async () => {
    const email = `popular-${unique()}@example.com`;
    const answers = await Promise.all(Array.from({ length: 10 }, () => invite({ email, role: 'analyst' })));
    for (const answer of answers) expectSuccess(answer);
    expect((await team()).invitations.filter((one) => one.email === email)).toHaveLength(1);
  });

  it('answer 409 to a member, who keeps the role that they have', async () => {
    const member = await aMember(app, shop, 'manager');
    expectSuccess(await invite({ email: member.email, role: 'analyst' }));
    const response = await accept(await latestToken(app, member.email), member);
    expectError(response, 409, 'The person is a member of this shop already', ACCEPT);
    const { members } = await team();
    expect(members).toContainEqual(expect.objectContaining({ userId: member.userId, role: 'manager' }));
  });

  it('are worth nothing after their seven days', async () => {
    const person = await aPerson(app.api);
    const { id } = expectSuccess<{ id: string }>(await invite({ email: person.email, role: 'analyst' }));
    const token = await mailedTo(person.email);
    await inDatabase(app, (database) =>
      database
        .collection('invitations')
        .updateOne({ _id: new ObjectId(id) }, { $set: { expiresAt: new Date(Date.now() - 1) } }),
    );
    expectError(await accept(token, person), 400, INVALID, ACCEPT);
    expect((await team()).invitations).not.toContainEqual(expect.objectContaining({ id }));
  });

  it.each([
    [{}, /^email must be a text; role must be one of owner, admin, manager, support, analyst, developer$/],
    [{ email: 'nobody', role: 'support' }, 'email must be an e-mail address'],
    [{ email: ['a@example.com', 'b@example.com'], role: 'support' }, 'email must be a text'],
    [{ email: 'a@example.com, b@example.com', role: 'support' }, 'email must be an e-mail address'],
    [{ email: 'a@example.com\nBcc: b@example.com', role: 'support' }, 'email must be an e-mail address'],
    [{ email: 'a@example.com', role: 'king' }, /^role must be one of owner/],
    [{ email: 'a@example.com', role: 'constructor' }, /^role must be one of owner/],
    [{ email: 'a@example.com', role: ['support'] }, /^role must be one of owner/],
    [{ email: 'a@example.com', role: 'support', permissions: ['team:write'] }, 'permissions is not a known field'],
  ])('answer 400 to %j and name the field', async (body, error) => {
    expectError(await invite(body), 400, error, `/api/v2${path()}`);
  });

  it.each([
    [undefined, 'token must be a text'],
    ['', 'token must have 1 to 128 characters'],
    [{ $ne: null }, 'token must be a text'],
    ['x'.repeat(129), 'token must have 1 to 128 characters'],
    [`shi_${'a'.repeat(43)}`, INVALID],
  ])('answer 400 to the token %j', async (token, error) => {
    const response = await app.api.post('/team/invitations/accept', { token }, { token: owner.token });
    expectError(response, 400, error, ACCEPT);
  });

  it('answer 401, 403 and 404 as every endpoint of a shop does', async () => {
    const body = { email: 'a@example.com', role: 'support' };
    expectError(await invite(body, {}), 401, 'Authentication is missing or invalid', `/api/v2${path()}`);
    const manager = await aMember(app, shop, 'manager');
    const missing = 'The credential lacks the permission team:write';
    expectError(await invite(body, { token: manager.token }), 403, missing, `/api/v2${path()}`);
    const unknown = await app.api.post(`/shops/${'0'.repeat(24)}/team/invitations`, body, { token: owner.token });
    expectError(unknown, 404, 'There is no such shop');
    expectError(await app.api.post('/team/invitations/accept', { token: 'x' }), 401, /^Authentication/, ACCEPT);
    const { key } = await aKey(app.api, shop);
    const byKey = await app.api.post('/team/invitations/accept', { token: 'x' }, { key });
    expectError(byKey, 401, 'Authentication is missing or invalid', ACCEPT);
  });
});

/** A member was invited before: the token of the second mail. */
async function latestToken({ mailbox }: TestApp, email: string): Promise<string> {
  const [first] = (await mailbox.all()).filter((mail) => mail.includes(`To: ${email}`));
  const used = TOKEN.exec(first ?? '')?.[0] ?? '';
  return (await mailbox.next(email, new RegExp(`(?!${used})${TOKEN.source}`)))[0];
}
