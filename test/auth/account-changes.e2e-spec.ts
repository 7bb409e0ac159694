import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { aKey, aMember, aPerson, aShop, type Person, unique } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { inDatabase } from '../support/in-database.js';
import { idOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { mailedToken, NEW_PASSWORD } from './password-actors.js';

const INVALID = 'The token for the new email address is unknown, expired or already used';

let app: TestApp;
let person: Person;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  person = await aPerson(app.api);
});
afterAll(() => app.close());

const anAddress = (): string => `new-${unique()}@example.com`.toLowerCase();
const login = (email: string, password = person.password): Promise<Response> =>
  app.api.post('/auth/login', { email, password });
const request = (newEmail: string, currentPassword = person.password): Promise<Response> =>
  app.api.post('/auth/email/change', { newEmail, currentPassword }, { token: person.token });
const confirm = (token: string): Promise<Response> => app.api.post('/auth/email/confirm', { token });

/** Requests another address, and returns the token of the email to it. */
async function requested(newEmail: string): Promise<string> {
  expectSuccess(await request(newEmail));
  const [token] = await app.mailbox.next(newEmail, /shm_[\w-]{43}/);
  return token;
}

describe('PATCH /auth/me', () => {
  it('changes the name, which the team sees at once', async () => {
    const { shopId, owner } = await aShop(app.api);
    const renamed = await app.api.patch('/auth/me', { name: ' Alex ' }, { token: owner.token });
    expect(expectSuccess(renamed, 'Account changed')).toMatchObject({ id: owner.userId, name: 'Alex' });
    const team = expectSuccess(await app.api.get(`/shops/${shopId}/team`, { token: owner.token }));
    expect(team).toMatchObject({ members: [{ name: 'Alex' }] });
  });
});

describe('POST /auth/email/change', () => {
  it('gives the account the new address once its reader confirms it, and tells the old one', async () => {
    const address = anAddress();
    const token = await requested(address);
    expectSuccess(await login(person.email));
    expect(expectSuccess(await confirm(token), 'Email address changed')).toEqual({ status: 'changed' });
    expectError(await login(person.email), 401, /password is wrong$/);
    expectSuccess(await login(address));
    expect(expectSuccess(await app.api.get('/auth/me', { token: person.token }))).toMatchObject({ email: address });
    await app.mailbox.next(person.email, new RegExp(`^${address}`, 'm'));
    expectError(await confirm(token), 400, INVALID);
    expect(app.output()).not.toContain(token);
  });

  it('returns the same for an address that has an account, and tells only its reader', async () => {
    const other = await aPerson(app.api);
    const token = await requested(other.email);
    expectError(await confirm(token), 409, 'An account with this email address already exists');
    expectSuccess(await login(person.email));
  });

  it('sends nothing for a wrong password', async () => {
    const address = anAddress();
    expectError(await request(address, 'wrong password'), 400, 'The current password is wrong');
    expect((await app.mailbox.all()).filter((mail) => mail.includes(address))).toEqual([]);
  });

  it('confirms the address that the account has, once, and tells nobody', async () => {
    const me = async (): Promise<object> => expectSuccess(await app.api.get('/auth/me', { token: person.token }));
    expect(await me()).toMatchObject({ emailConfirmed: false });
    expectSuccess(await confirm(await requested(person.email)));
    expect(await me()).toMatchObject({ email: person.email, emailConfirmed: true });
    const unchanged = 'The account has this email address already, and it is confirmed';
    expectError(await request(person.email.toUpperCase()), 400, unchanged);
    const changed = (mail: string): boolean => mail.includes(person.email) && /address was changed/.test(mail);
    expect((await app.mailbox.all()).filter(changed)).toEqual([]);
  });

  it('forgets the change when the password changes', async () => {
    const token = await requested(anAddress());
    const body = { currentPassword: person.password, newPassword: NEW_PASSWORD };
    expectSuccess(await app.api.post('/auth/password/change', body, { token: person.token }));
    expectError(await confirm(token), 400, INVALID);
    expectSuccess(await login(person.email, NEW_PASSWORD));
  });

  it('ends a reset of the password that was sent to the old address', async () => {
    const reset = await mailedToken(app, person.email);
    expectSuccess(await confirm(await requested(anAddress())));
    const body = { token: reset, newPassword: NEW_PASSWORD };
    expectError(await app.api.post('/auth/password/reset', body), 400, /^The reset token is unknown/);
  });

  it('keeps the newest of several changes, and none for longer than an hour', async () => {
    const first = await requested(anAddress());
    const second = await requested(anAddress());
    expectError(await confirm(first), 400, INVALID);
    await inDatabase(app, (database) =>
      database
        .collection('email_changes')
        .updateOne({ userId: idOf(person.userId) }, { $set: { expiresAt: new Date(Date.now() - 1) } }),
    );
    expectError(await confirm(second), 400, INVALID);
  });

  it('changes the address once when the token is used five times in parallel', async () => {
    const token = await requested(anAddress());
    const responses = await Promise.all(Array.from({ length: 5 }, () => confirm(token)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400]);
  });
});

describe('DELETE /auth/me', () => {
  const close = (token: string, currentPassword: string): Promise<Response> =>
    app.api.delete('/auth/me', { token, body: { currentPassword } });

  it('deletes the account, leaves the teams, and ends the keys and the sessions', async () => {
    const shop = await aShop(app.api);
    const member = await aMember(app, shop, 'admin');
    const { key } = await aKey(app.api, { ...shop, owner: member });
    const reset = await mailedToken(app, member.email);
    expectError(await close(member.token, 'wrong password'), 400, 'The current password is wrong');
    expect(expectSuccess(await close(member.token, member.password), 'Account closed')).toEqual({ status: 'closed' });
    expectError(await app.api.get('/auth/me', { token: member.token }), 401, /^Authentication is missing/);
    expectError(await app.api.get(`/shops/${shop.shopId}`, { key }), 401, /^Authentication is missing/);
    expectError(await login(member.email, member.password), 401, /password is wrong$/);
    const body = { token: reset, newPassword: NEW_PASSWORD };
    expectError(await app.api.post('/auth/password/reset', body), 400, /^The reset token is unknown/);
    const team = expectSuccess(await app.api.get(`/shops/${shop.shopId}/team`, { token: shop.owner.token }));
    expect(team).toMatchObject({ members: [{ userId: shop.owner.userId }], total: 1 });
    await app.mailbox.next(member.email, /^Subject: Your account was closed$/m);
    const again = { email: member.email, password: member.password, name: 'Robin' };
    expectSuccess(await app.api.post('/auth/register', again), 'Account created');
  });

  it('keeps the only owner of an open shop, and lets the owner of a closed one go', async () => {
    const { shopId, owner } = await aShop(app.api, { displayName: 'Sky Realm' });
    const response = await close(owner.token, owner.password);
    expectError(response, 409, /^You are the only owner of Sky Realm; make somebody else an owner, or close the shop/);
    expectSuccess(await app.api.get('/auth/me', { token: owner.token }));
    expectSuccess(await app.api.delete(`/shops/${shopId}`, { token: owner.token }));
    expectSuccess(await close(owner.token, owner.password));
  });
});
