import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { aPerson, aShop, type Person } from '../support/actors.js';
import { anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { NEW_PASSWORD } from './password-actors.js';
import { aProtectedPerson } from './second-factors.js';

const NOT_OURS = 'The session cookie counts only from our own pages, and with the header X-CSRF: 1';
const CSRF = { 'X-CSRF': '1' };

let app: TestApp;
let person: Person;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  person = await aPerson(app.api);
});
afterAll(() => app.close());

/** The cookie that a response sets, as a browser sends it. */
function cookieOf(response: Response): string {
  const [cookie = ''] = (response.headers['set-cookie'] as unknown as string[] | undefined) ?? [];
  return cookie.split(';')[0] ?? '';
}

const opened = ({ email, password }: Person = person): Promise<Response> =>
  app.api.post('/auth/session', { email, password });
const me = (cookie: string): Promise<Response> => app.api.get('/auth/me', { headers: { Cookie: cookie } });

describe('POST /auth/session', () => {
  it('opens a session in a cookie that no script can read, for 30 days, and returns no tokens', async () => {
    const response = await opened();
    expect(expectSuccess(response, 'Logged in')).toEqual({
      user: expect.objectContaining({ id: person.userId, email: person.email }),
      expiresAt: anInstant,
    });
    const [cookie = ''] = response.headers['set-cookie'] as unknown as string[];
    expect(cookie).toMatch(/^session=[\w.-]+; Path=\/api\/v2; Expires=[^;]+; HttpOnly; SameSite=Strict$/);
    const days = (Date.parse(/Expires=([^;]+)/.exec(cookie)?.[1] ?? '') - Date.now()) / 86_400_000;
    expect(days).toBeCloseTo(30, 1);
    expect(expectSuccess(await me(cookieOf(response)))).toMatchObject({ id: person.userId });
  });

  it('is a session like any other: listed, ended with the others, and not usable as a token', async () => {
    const cookie = cookieOf(await opened());
    const sessions = expectSuccess<object[]>(await app.api.get('/auth/sessions', { headers: { Cookie: cookie } }));
    expect(sessions).toMatchObject([{ current: true }, { current: false }]);
    const token = cookie.replace('session=', '');
    expectError(await app.api.get('/auth/me', { token }), 401, /^Authentication is missing/);
    expectError(await me(`session=${person.token}`), 401, /^Authentication is missing/);
    expectSuccess(await app.api.post('/auth/logout-all', undefined, { token: person.token }));
    expectError(await me(cookie), 401, /^Authentication is missing/);
  });

  it('needs the second factor of an account that has one', async () => {
    const protectedPerson = await aProtectedPerson(app);
    const first = await opened(protectedPerson);
    expect(cookieOf(first)).toBe('');
    const { secondFactor } = expectSuccess<{ secondFactor: { token: string } }>(first);
    const [code] = protectedPerson.recoveryCodes;
    const second = await app.api.post('/auth/session/second-factor', { token: secondFactor.token, code });
    expect(expectSuccess(second, 'Logged in')).toMatchObject({ user: { email: protectedPerson.email } });
    expectSuccess(await me(cookieOf(second)));
  });

  it('returns 401 for a wrong password, and sets nothing', async () => {
    const response = await opened({ ...person, password: 'wrong password' });
    expectError(response, 401, /password is wrong$/);
    expect(response.headers['set-cookie']).toBeUndefined();
  });
});

describe('A request with the cookie', () => {
  it('changes something only with the header, from our own origin', async () => {
    const shop = await aShop(app.api);
    const cookie = cookieOf(await opened(shop.owner));
    const rename = (headers: object): Promise<Response> =>
      app.api.patch(
        `/shops/${shop.shopId}`,
        { displayName: 'Cloud Realm' },
        { headers: { Cookie: cookie, ...headers } },
      );
    expectError(await rename({}), 401, NOT_OURS);
    expectError(await rename({ ...CSRF, Origin: 'https://evil.example' }), 401, NOT_OURS);
    expectError(await rename({ ...CSRF, 'Sec-Fetch-Site': 'cross-site' }), 401, NOT_OURS);
    expectSuccess(await rename({ ...CSRF, Origin: app.baseUrl }));
  });

  it('counts for an endpoint of the contract, and not beside a key', async () => {
    const shop = await aShop(app.api);
    const cookie = cookieOf(await opened(shop.owner));
    const team = `/shops/${shop.shopId}/team`;
    expect(expectSuccess(await app.api.get(team, { headers: { Cookie: cookie } }))).toMatchObject({ total: 1 });
    const beside = await app.api.get(team, { headers: { Cookie: cookie }, key: 'shp_wrong' });
    expectError(beside, 401, /^Authentication is missing/);
    expect(cookieOf(beside)).toBe('');
  });

  it('is never allowed from another origin, not even from the front end of a shop', async () => {
    const response = await app.api.get('/auth/me', { headers: { Origin: 'https://other.example' } });
    expect(response.headers['access-control-allow-credentials']).toBeUndefined();
  });

  it('gets a new cookie, and no tokens, when it changes the password', async () => {
    const cookie = cookieOf(await opened());
    const body = { currentPassword: person.password, newPassword: NEW_PASSWORD };
    const changed = await app.api.post('/auth/password/change', body, { headers: { Cookie: cookie, ...CSRF } });
    expect(expectSuccess(changed, 'Password changed; the cookie has the new session')).toEqual({
      user: expect.objectContaining({ id: person.userId }),
      expiresAt: anInstant,
      sessionsEnded: 2,
    });
    expectError(await me(cookie), 401, /^Authentication is missing/);
    expectSuccess(await me(cookieOf(changed)));
  });

  it('ends its session, and removes the cookie', async () => {
    const cookie = cookieOf(await opened());
    const ended = await app.api.delete('/auth/session', { headers: { Cookie: cookie, ...CSRF } });
    expect(expectSuccess(ended, 'Logged out')).toEqual({ status: 'logged_out' });
    expect(ended.headers['set-cookie']).toEqual([
      expect.stringMatching(/^session=; Path=\/api\/v2; Expires=Thu, 01 Jan 1970/),
    ]);
    expectError(await me(cookie), 401, /^Authentication is missing/);
  });

  it('identifies nobody when there are two, because another site may have set one of them', async () => {
    const cookie = cookieOf(await opened());
    expectError(await me(`${cookie}; ${cookieOf(await opened(await aPerson(app.api)))}`), 401, /^Authentication is/);
  });
});
