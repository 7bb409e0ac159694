import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type PageLinks } from '../../src/http/addresses/page-links.js';
import { aProtectedPerson } from '../auth/second-factors.js';
import { aKey, aPerson, aShop, type TestShop, unique } from '../support/actors.js';
import { expectSuccess } from '../support/envelope.js';
import { inDatabase } from '../support/in-database.js';
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

/** Lets the minute pass in which a second click gets the page of the first. */
const aMinuteLater = (): Promise<unknown> =>
  inDatabase(app, (database) =>
    database.collection('used_tokens').updateMany({}, { $set: { expiresAt: new Date(Date.now() - 1) } }),
  );

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
    expect((await visitor.go('/api/v2/pages/invitations')).status).toBe(403);
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

  describe('with two clicks', () => {
    const JOINED = 'You are now in the team of Sky';
    /** Sends a form twice at once, and then again. @returns the third click */
    async function clickTwice(end: string, fields: Readonly<Record<string, string>>, text: string): Promise<Visitor> {
      const [second, third] = [visitor.secondClick(), visitor.secondClick()];
      const shown = await Promise.all([visitor, second].map((one) => one.submit(end, fields)));
      expect(shown.map(({ status }) => status)).toEqual([200, 200]);
      const last = await third.secondClick().submit(end, fields);
      for (const { html } of [...shown, last]) expect(html).toContain(text);
      return third;
    }

    it('on Accept shows success for each, adds one member, and opens no session', async () => {
      const person = await aPerson(app.api, 'Sam');
      const before = await sessionsOf(person.token);
      await invite(person.email);
      const later = await clickTwice('accept', { password: PASSWORD }, JOINED);
      expect((await team()).members).toHaveLength(2);
      expect(await sessionsOf(person.token)).toHaveLength(before.length);
      const others = [
        later.secondClick().submit('accept', { password: 'another password' }),
        later.secondClick().submit('accept', { password: PASSWORD }, {}, 'decline'),
        later.secondClick().submit('register', { name: 'Sam', password: PASSWORD }),
      ];
      expect((await Promise.all(others)).map(({ status }) => status)).toEqual([404, 404, 404]);
      await aMinuteLater();
      expect((await later.submit('accept', { password: PASSWORD })).status).toBe(404);
    });

    it('on Create account shows success for each, and creates one account without a session', async () => {
      const email = `new-${unique()}@example.com`;
      await invite(email);
      const later = await clickTwice('register', { name: 'Nina', password: PASSWORD }, JOINED);
      expect((await team()).members).toHaveLength(2);
      const { accessToken: token } = expectSuccess<{ accessToken: string }>(
        await app.api.post('/auth/login', { email, password: PASSWORD }),
      );
      expect(await sessionsOf(token)).toHaveLength(1);
      const others = [
        later.secondClick().submit('register', { name: 'Nora', password: PASSWORD }),
        later.secondClick().submit('register', { name: 'Nina', password: 'another password' }),
      ];
      expect((await Promise.all(others)).map(({ status }) => status)).toEqual([404, 404]);
      await aMinuteLater();
      expect((await later.submit('register', { name: 'Nina', password: PASSWORD })).status).toBe(404);
    });

    it('on Decline and with a second factor shows the page of the first', async () => {
      const person = await aProtectedPerson(app);
      await invite(person.email);
      await visitor.submit('accept', { password: PASSWORD });
      const code = person.recoveryCodes[0] ?? '';
      await clickTwice('accept', { code }, JOINED);
      expect((await team()).members).toHaveLength(2);
      const other = await aPerson(app.api, 'Kim');
      await invite(other.email);
      const again = visitor.secondClick();
      const decline = (by: Visitor) => by.submit('accept', { password: PASSWORD }, {}, 'decline');
      for (const by of [visitor, again]) expect((await decline(by)).html).toContain('You have declined');
    });
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
    expect(done.html).toContain('Your password is set');
    expectSuccess(await app.api.post('/auth/login', { email: owner.email, password: 'a better horse battery' }));
    expectSuccess(await app.api.get(`/shops/${shop.shopId}`, { key }));
    const sent = visitor.responses.map((one) => one.html + JSON.stringify([...one.headers])).join();
    expect(sent).not.toContain(token);
    expect(app.output()).not.toContain(token);
    expect(visitor.cookies.size).toBe(0);
    expect((await visitor.go(links.passwordReset(token))).status).toBe(404);
  });

  it('shows success for two clicks at once and for a third one, and only with the same password, for a minute', async () => {
    const { email } = shop.owner;
    await forget(email);
    const [second, later] = [visitor.secondClick(), visitor.secondClick()];
    const form = { newPassword: 'a better horse battery' };
    const set = (by: Visitor, fields: Readonly<Record<string, string>> = form) => by.submit('password-resets', fields);
    const shown = [...(await Promise.all([set(visitor), set(second)])), await set(later.secondClick())];
    for (const { status, html } of shown)
      expect([status, html]).toEqual([200, expect.stringContaining('password is set')]);
    const others = [{ newPassword: 'another horse battery' }, { ...form, revokeApiKeys: 'yes' }];
    for (const other of others) expect((await set(later.secondClick(), other)).status).toBe(400);
    expectSuccess(await app.api.post('/auth/login', { email, password: form.newPassword }));
    expect(await app.mailbox.next(email, /was changed/)).toBeDefined();
    await aMinuteLater();
    expect((await set(later)).status).toBe(400);
  });

  it('ends all API keys when the person requests it', async () => {
    const { key } = await aKey(app.api, shop);
    await forget(shop.owner.email);
    await visitor.submit('password-resets', { newPassword: 'a better horse battery', revokeApiKeys: 'yes' });
    expect((await app.api.get(`/shops/${shop.shopId}`, { key })).status).toBe(401);
  });

  it('rejects a form of the password page without its token', async () => {
    await forget(shop.owner.email);
    const { status } = await visitor.submit('password-resets', { newPassword: 'stolen password', formToken: 'x' });
    expect(status).toBe(403);
    expectSuccess(await app.api.post('/auth/login', { email: shop.owner.email, password: PASSWORD }));
  });
});
