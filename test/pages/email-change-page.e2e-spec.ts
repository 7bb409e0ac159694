import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type PageLinks } from '../../src/http/addresses/page-links.js';
import { aPerson, type Person, unique } from '../support/actors.js';
import { expectSuccess } from '../support/envelope.js';
import { textOf } from '../support/pages.js';
import { type TestApp } from '../support/test-app.js';
import { startPages, Visitor } from './visitor.js';

let app: TestApp;
let links: PageLinks;
let person: Person;
let visitor: Visitor;

beforeAll(async () => {
  ({ app, links } = await startPages());
});
beforeEach(async () => {
  person = await aPerson(app.api);
  visitor = new Visitor(app.baseUrl);
});
afterAll(() => app.close());

/** Requests another address, and opens the link in the email to it. @returns the token */
async function open(newEmail: string): Promise<string> {
  const body = { newEmail, currentPassword: person.password };
  expectSuccess(await app.api.post('/auth/email/change', body, { token: person.token }));
  const [token] = await app.mailbox.next(newEmail, /shm_[\w-]{43}/);
  expect((await visitor.go(links.emailChange(token))).status).toBe(200);
  return token;
}

/** The address of the account. */
const addressOf = async (): Promise<unknown> =>
  expectSuccess(await app.api.get('/auth/me', { token: person.token }))['email'];

describe('The page that confirms a new email address', () => {
  it('changes the address with its button, not when it is opened, and keeps the token out of everything', async () => {
    const address = `new-${unique()}@example.com`.toLowerCase();
    const token = await open(address);
    expect(visitor.responses.at(-1)?.html).toContain(address);
    expect(await addressOf()).toBe(person.email);
    const second = visitor.secondClick();
    const done = await visitor.submit('email-changes', {});
    expect((await second.submit('email-changes', {})).html).toBe(done.html);
    expect(done.html).toContain('Your email address is confirmed');
    expect(await addressOf()).toBe(address);
    const sent = visitor.responses.map((one) => one.html + JSON.stringify([...one.headers])).join();
    expect(sent).not.toContain(token);
    expect(app.output()).not.toContain(token);
    expect(visitor.cookies.size).toBe(0);
    expect((await visitor.go(links.emailChange(token))).status).toBe(404);
  });

  it('says when another account has the address', async () => {
    const other = await aPerson(app.api);
    await open(other.email);
    const { status, html } = await visitor.submit('email-changes', {});
    expect([status, textOf(html, 'alert')]).toEqual([409, 'Another account has this address already.']);
    expect(await addressOf()).toBe(person.email);
  });

  it('rejects a form without its token', async () => {
    await open(`new-${unique()}@example.com`);
    expect((await visitor.submit('email-changes', { formToken: 'x' })).status).toBe(403);
    expect(await addressOf()).toBe(person.email);
  });
});
