import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type PageLinks } from '../../src/http/addresses/page-links.js';
import { aProtectedPerson } from '../auth/second-factors.js';
import { aKey, aPerson, aShop, type TestShop, unique } from '../support/actors.js';
import { expectSuccess } from '../support/envelope.js';
import { textOf } from '../support/pages.js';
import { type TestApp } from '../support/test-app.js';
import { startPages, Visitor } from './visitor.js';

const PASSWORD = 'correct horse battery';

let app: TestApp;
let links: PageLinks;
let shop: TestShop;
let visitor: Visitor;

/** The members of the shop, and the invitations that are open. */
const team = async (): Promise<{ members: { email: string; role: string }[]; invitations: object[] }> =>
  expectSuccess(await app.api.get(`/shops/${shop.shopId}/team`, { token: shop.owner.token }));
const sessionsOf = async (token: string): Promise<object[]> =>
  expectSuccess(await app.api.get('/auth/sessions', { token }));

/** Invites an address, and opens the link. @returns the token */
async function invite(email: string, role = 'support'): Promise<string> {
  expectSuccess(
    await app.api.post(`/shops/${shop.shopId}/team/invitations`, { email, role }, { token: shop.owner.token }),
  );
  const [token = ''] = await app.mailbox.next(email, /shi_[A-Za-z0-9_-]{43}/);
  expect((await visitor.go(links.invitation(token))).status).toBe(200);
  return token;
}

beforeAll(async () => {
  ({ app, links } = await startPages());
});
beforeEach(async () => {
  shop = await aShop(app.api, { displayName: 'Sky <b>Realm</b>' });
  visitor = new Visitor(app.baseUrl);
});
afterAll(() => app.close());

describe('The page of an invitation', () => {
  it('shows the shop, the role and the address, and keeps the token out of everything', async () => {
    const email = `sam-${unique()}@example.com`;
    const token = await invite(email);
    const { html, path } = visitor.responses.at(-1) ?? { html: '', path: '' };
    expect(path).toBe('/api/v2/pages/invitations');
    expect(textOf(html, 'role')).toBe('Support');
    expect(html).toContain(email);
    expect(html).toContain('Sky &lt;b&gt;Realm&lt;/b&gt;');
    const sent = visitor.responses.map((one) => one.html + JSON.stringify([...one.headers])).join();
    expect(sent).not.toContain(token);
    expect(app.output()).not.toContain(token);
  });

  it('accepts an invitation for a person with an account, opens no session, and then has nothing more to show', async () => {
    const person = await aPerson(app.api, 'Sam');
    const before = await sessionsOf(person.token);
    await invite(person.email);
    const wrong = await visitor.submit('accept', { password: 'wrong password' });
    expect(wrong.status).toBe(401);
    expect(textOf(wrong.html, 'alert')).toMatch(/^The password is wrong/);
    expect((await team()).members).toHaveLength(1);
    const done = await visitor.submit('accept', { password: PASSWORD });
    expect(done.html).toContain('You are now in the team of Sky');
    expect((await team()).members).toContainEqual(expect.objectContaining({ email: person.email, role: 'support' }));
    expect(await sessionsOf(person.token)).toHaveLength(before.length);
    expect(visitor.cookies.size).toBe(0);
    expect((await visitor.go('/api/v2/pages/invitations')).status).toBe(404);
  });

  it('declines an invitation', async () => {
    const person = await aPerson(app.api, 'Sam');
    const token = await invite(person.email);
    const page = await visitor.go('/api/v2/pages/invitations');
    expect(page.html).toContain('formaction="/api/v2/pages/invitations/decline"');
    // A button of the form that accepts.
    const done = await visitor.submit('accept', { password: PASSWORD }, {}, 'decline');
    expect(done.html).toContain('You have declined');
    expect(await team()).toMatchObject({ invitations: [], members: [{}] });
    expect((await new Visitor(app.baseUrl).go(links.invitation(token))).status).toBe(404);
  });

  it('creates an account with the invited address, and joins', async () => {
    const email = `new-${unique()}@example.com`;
    await invite(email, 'analyst');
    const short = await visitor.submit('register', { name: 'Nina "N"', password: 'short' });
    expect(short.status).toBe(400);
    expect(textOf(short.html, 'alert')).toMatch(/^Check what you entered/);
    expect(short.html).toContain('value="Nina &quot;N&quot;"');
    expect(short.html).not.toContain('value="short"');
    const done = await visitor.submit('register', { name: 'Nina', password: PASSWORD, email: 'else@example.com' });
    expect(done.html).toContain('You are now in the team of Sky');
    expect((await team()).members).toContainEqual(expect.objectContaining({ email, name: 'Nina', role: 'analyst' }));
    expectSuccess(await app.api.post('/auth/login', { email, password: PASSWORD }));
  });

  it('says that an address has an account already', async () => {
    const person = await aPerson(app.api, 'Sam');
    await invite(person.email);
    const { status, html } = await visitor.submit('register', { name: 'Sam', password: PASSWORD });
    expect(status).toBe(409);
    expect(textOf(html, 'alert')).toBe('There is already an account with this address. Log in with it.');
  });

  it('requires the second factor', async () => {
    const person = await aProtectedPerson(app);
    await invite(person.email);
    const step = await visitor.submit('accept', { password: PASSWORD });
    expect(step.html).toContain('One more step');
    const wrong = await visitor.submit('accept', { code: '000000' });
    expect(textOf(wrong.html, 'alert')).toMatch(/^The code is wrong or already used/);
    const done = await visitor.submit('accept', { code: person.recoveryCodes[0] ?? '' });
    expect(done.html).toContain('You are now in the team of Sky');
  });

  it('shows no page of an invitation for an unknown token', async () => {
    const { status, html } = await visitor.go(links.invitation(`shi_${'x'.repeat(43)}`));
    expect(status).toBe(404);
    expect(html).toContain('Open the newest link from your email again.');
    expect(visitor.cookies.size).toBe(0);
  });

  it('rejects a form of the invitation without its token', async () => {
    await invite(`sam-${unique()}@example.com`);
    const { status } = await visitor.submit('register', { name: 'Sam', password: PASSWORD, formToken: '' });
    expect(status).toBe(403);
    expect((await team()).members).toHaveLength(1);
  });
});

describe('The page that sets a new password', () => {
  /** Requests a new password, and opens the link. @returns the token */
  async function forget(email: string): Promise<string> {
    expectSuccess(await app.api.post('/auth/password/forgot', { email }));
    const [token = ''] = await app.mailbox.next(email, /shw_[A-Za-z0-9_-]{43}/);
    expect((await visitor.go(links.passwordReset(token))).status).toBe(200);
    return token;
  }

  it('sets a new password once, ends API keys only if the person requests it, and keeps the token out of everything', async () => {
    const { owner } = shop;
    const { key } = await aKey(app.api, shop);
    const token = await forget(owner.email);
    const short = await visitor.submit('password-resets', { newPassword: 'short' });
    expect(short.status).toBe(400);
    expect(textOf(short.html, 'alert')).toBe('The password must have 10 to 128 characters.');
    const done = await visitor.submit('password-resets', { newPassword: 'a better horse battery' });
    expect(done.html).toContain('Your password is changed');
    expectSuccess(await app.api.post('/auth/login', { email: owner.email, password: 'a better horse battery' }));
    expectSuccess(await app.api.get(`/shops/${shop.shopId}`, { key }));
    const sent = visitor.responses.map((one) => one.html + JSON.stringify([...one.headers])).join();
    expect(sent).not.toContain(token);
    expect(app.output()).not.toContain(token);
    expect(visitor.cookies.size).toBe(0);
    expect((await visitor.go(links.passwordReset(token))).status).toBe(404);
  });

  it('ends all API keys when the person requests it', async () => {
    const { key } = await aKey(app.api, shop);
    await forget(shop.owner.email);
    await visitor.submit('password-resets', { newPassword: 'a better horse battery', revokeApiKeys: 'yes' });
    expect((await app.api.get(`/shops/${shop.shopId}`, { key })).status).toBe(401);
  });

  it('rejects a form of the password page without its token, and shows nothing without a cookie', async () => {
    await forget(shop.owner.email);
    const { status } = await visitor.submit('password-resets', { newPassword: 'stolen password', formToken: 'x' });
    expect(status).toBe(403);
    expectSuccess(await app.api.post('/auth/login', { email: shop.owner.email, password: PASSWORD }));
    expect((await new Visitor(app.baseUrl).go('/api/v2/pages/password-resets')).status).toBe(404);
  });
});
