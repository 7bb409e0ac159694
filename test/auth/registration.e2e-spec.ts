import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { aShop, type TestShop, unique } from '../support/actors.js';
import { type Client } from '../support/client.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { testDatabaseUri } from '../support/test-database.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { startPages, Visitor } from '../pages/visitor.js';
import { type PageLinks } from '../../src/http/addresses/page-links.js';
import { textOf } from '../support/pages.js';

const PASSWORD = 'correct horse battery';
const INVITED_ONLY = 'Only invited people can register; send invitationToken and the email address of the invitation';

const databaseUri = testDatabaseUri();
let open: TestApp;
let invited: TestApp;
let closed: TestApp;
let links: PageLinks;
let shop: TestShop;

/** A new address that the shop has invited, and the token of its email. */
async function anInvitation(): Promise<{ email: string; invitationToken: string }> {
  const email = `new-${unique()}@example.com`;
  const body = { email, role: 'support' };
  expectSuccess(await open.api.post(`/shops/${shop.shopId}/team/invitations`, body, { token: shop.owner.token }));
  const [invitationToken = ''] = await open.mailbox.next(email, /shi_[A-Za-z0-9_-]{43}/);
  return { email, invitationToken };
}

const register = (api: Client, body: object): ReturnType<Client['post']> =>
  api.post('/auth/register', { password: PASSWORD, name: 'Nina', ...body });

beforeAll(async () => {
  ({ app: open, links } = await startPages({ databaseUri }));
  invited = await startTestApp({ databaseUri, env: { REGISTRATION: 'invited' } });
  closed = await startTestApp({ databaseUri, env: { REGISTRATION: 'closed' } });
  shop = await aShop(open.api);
});
afterAll(async () => {
  await Promise.all([open.close(), invited.close(), closed.close()]);
});

it('creates an account for the token and the address of an open invitation, which stays open', async () => {
  const { email, invitationToken } = await anInvitation();
  const { accessToken } = expectSuccess<{ accessToken: string }>(
    await register(invited.api, { email: email.toUpperCase(), invitationToken }),
  );
  expectSuccess(await invited.api.post('/team/invitations/accept', { token: invitationToken }, { token: accessToken }));
  const again = await register(invited.api, { email, invitationToken });
  expectError(again, 403, INVITED_ONLY);
});

it('rejects with 403 everybody else where only invited people can register, and creates no account', async () => {
  const { email, invitationToken } = await anInvitation();
  const attempts = [
    { email },
    { email, invitationToken: `shi_${'x'.repeat(43)}` },
    { email: 'x@example.com', invitationToken },
  ];
  for (const body of [...attempts, { email: shop.owner.email }]) {
    expectError(await register(invited.api, body), 403, INVITED_ONLY);
  }
  expect((await open.api.post('/auth/login', { email, password: PASSWORD })).status).toBe(401);
});

it('rejects with 403 everybody where registration is closed, also on the page of an invitation', async () => {
  const { email, invitationToken } = await anInvitation();
  const response = await register(closed.api, { email, invitationToken });
  expectError(response, 403, 'The operator of this service does not accept new accounts');
  const visitor = new Visitor(closed.baseUrl);
  await visitor.go(links.invitation(invitationToken));
  const { status, html } = await visitor.submit('register', { name: 'Nina', password: PASSWORD });
  expect({ status, problem: textOf(html, 'alert') }).toEqual({
    status: 403,
    problem: 'This service does not accept new accounts now.',
  });
});

it('creates the account of an invited person on the page of the invitation', async () => {
  const { email, invitationToken } = await anInvitation();
  const visitor = new Visitor(invited.baseUrl);
  await visitor.go(links.invitation(invitationToken));
  expect((await visitor.submit('register', { name: 'Nina', password: PASSWORD })).status).toBe(200);
  expectSuccess(await invited.api.post('/auth/login', { email, password: PASSWORD }));
});
