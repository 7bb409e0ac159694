import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aPerson, type Person } from '../support/actors.js';
import { anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { claimsOf } from './forged-tokens.js';

interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

const REJECTED = 'Authentication is missing or invalid';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

describe('sessions', () => {
  let app: TestApp;
  /** A second process on the same database: a session that ends at one process must end at the other at once. */
  let other: TestApp;

  const login = async ({ email, password }: Person, device = FIREFOX): Promise<Tokens> => {
    const headers = { 'User-Agent': device };
    return expectSuccess<Tokens>(await app.api.post('/auth/login', { email, password }, { headers }));
  };
  const expectAlive = async (...tokens: string[]): Promise<void> => {
    for (const token of tokens) expectSuccess(await other.api.get('/shops', { token }));
  };
  const expectOver = async (...tokens: Tokens[]): Promise<void> => {
    for (const { accessToken, refreshToken } of tokens) {
      for (const { api } of [app, other]) {
        expectError(await api.get('/shops', { token: accessToken }), 401, REJECTED, '/api/v2/shops');
        expectError(await api.post('/auth/refresh', { refreshToken }), 401, /^The refresh token is invalid/);
      }
    }
  };
  const tokensOf = ({ token, refreshToken }: Person): Tokens => ({ accessToken: token, refreshToken });

  beforeAll(async () => {
    app = await startTestApp();
    other = await startTestApp({ databaseUri: app.databaseUri });
  });
  afterAll(async () => {
    await other.close();
    await app.close();
  });

  describe('GET /auth/sessions', () => {
    it('lists the sessions of the caller that have not ended, newest first, and marks the current one', async () => {
      const person = await aPerson(app.api);
      await aPerson(app.api, 'Eve');
      const { accessToken } = await login(person);
      const nameless = await login(person, '');
      const data = expectSuccess(await app.api.get('/auth/sessions', { token: accessToken }), 'Sessions retrieved');
      const times = { createdAt: anInstant, lastUsedAt: anInstant, expiresAt: anInstant };
      expect(data).toEqual([
        { id: claimsOf(nameless.accessToken).sid, device: null, current: false, ...times },
        { id: claimsOf(accessToken).sid, device: FIREFOX, current: true, ...times },
        { id: claimsOf(person.token).sid, device: null, current: false, ...times },
      ]);
    });

    it('shows when a session was last refreshed, and no address', async () => {
      const person = await aPerson(app.api);
      const { accessToken } = expectSuccess<Tokens>(
        await app.api.post('/auth/refresh', { refreshToken: person.refreshToken }),
      );
      const response = await app.api.get('/auth/sessions', { token: accessToken });
      const [session] = expectSuccess<{ createdAt: string; lastUsedAt: string }[]>(response);
      expect(Date.parse(session?.lastUsedAt ?? '')).toBeGreaterThan(Date.parse(session?.createdAt ?? ''));
      expect(response.text).not.toContain('127.0.0.1');
    });

    it('returns the sessions in pages', async () => {
      const person = await aPerson(app.api);
      const { token } = person;
      await login(person);
      const first = await app.api.get('/auth/sessions?limit=1', { token });
      expect(expectSuccess<unknown[]>(first)).toHaveLength(1);
      const next = /<\/api\/v2([^>]+)>; rel="next"/.exec(first.headers['link'] ?? '')?.[1] ?? '';
      const second = expectSuccess<{ current: boolean }[]>(await app.api.get(next, { token }));
      expect(second).toEqual([expect.objectContaining({ id: claimsOf(token).sid, current: true })]);
    });

    it.each([
      ['limit=0', 'limit must be between 1 and 100'],
      ['cursor=%24ne', 'cursor must come from the Link header of a list'],
      ['userId=1', 'userId is not a known field'],
    ])('returns 400 for ?%s', async (query, error) => {
      const { token } = await aPerson(app.api);
      expectError(await app.api.get(`/auth/sessions?${query}`, { token }), 400, error, '/api/v2/auth/sessions');
    });
  });

  describe('DELETE /auth/sessions/{sessionId}', () => {
    const path = (token: string): string => `/auth/sessions/${claimsOf(token).sid}`;

    it('ends a session: its tokens fail at the very next request, in every process, and no other session ends', async () => {
      const person = await aPerson(app.api);
      const [lost, kept] = [await login(person), await login(person)];
      await expectAlive(lost.accessToken);
      const response = await app.api.delete(path(lost.accessToken), { token: person.token });
      expect(expectSuccess(response, 'Session ended')).toEqual({ sessionsEnded: 1 });
      await expectOver(lost);
      await expectAlive(person.token, kept.accessToken);
    });

    it('ends the current session too', async () => {
      const person = await aPerson(app.api);
      expectSuccess(await app.api.delete(path(person.token), { token: person.token }));
      await expectOver(tokensOf(person));
    });

    it('returns 404 for the session of somebody else, for one that has ended and for an unknown one', async () => {
      const [person, stranger] = [await aPerson(app.api), await aPerson(app.api)];
      const { accessToken } = await login(person);
      expectSuccess(await app.api.delete(path(accessToken), { token: person.token }));
      for (const target of [path(stranger.token), path(accessToken), `/auth/sessions/${'0'.repeat(24)}`]) {
        const response = await app.api.delete(target, { token: person.token });
        expectError(response, 404, 'There is no such session', `/api/v2${target}`);
      }
      await expectAlive(stranger.token);
    });

    it('returns 400 for a malformed id', async () => {
      const { token } = await aPerson(app.api);
      const response = await app.api.delete('/auth/sessions/current', { token });
      expectError(response, 400, /^An identifier in the path/, '/api/v2/auth/sessions/current');
    });

    it('ends a session once when ten requests end it in parallel', async () => {
      const person = await aPerson(app.api);
      const target = path((await login(person)).accessToken);
      const responses = await Promise.all(
        Array.from({ length: 10 }, () => app.api.delete(target, { token: person.token })),
      );
      expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 404)]);
    });
  });

  describe('POST /auth/logout', () => {
    const logout = (refreshToken: unknown): ReturnType<TestApp['api']['post']> =>
      app.api.post('/auth/logout', { refreshToken });

    it('ends the session of the refresh token, and no other', async () => {
      const person = await aPerson(app.api);
      const kept = await login(person);
      const response = await logout(person.refreshToken);
      expect(expectSuccess(response, 'Logged out')).toEqual({ status: 'logged_out' });
      await expectOver(tokensOf(person));
      await expectAlive(kept.accessToken);
    });

    it('accepts a token that was already replaced, because it still identifies the session', async () => {
      const person = await aPerson(app.api);
      const next = expectSuccess<Tokens>(await app.api.post('/auth/refresh', { refreshToken: person.refreshToken }));
      expectSuccess(await logout(person.refreshToken));
      await expectOver(next);
    });

    it('returns the same the second time, for an unknown token and for other kinds of tokens', async () => {
      const person = await aPerson(app.api);
      const tokens = [person.refreshToken, person.refreshToken, `shr_${'a'.repeat(43)}`, person.token.slice(0, 128)];
      for (const token of tokens) {
        expect((await logout(token)).body).toEqual({
          success: true,
          data: { status: 'logged_out' },
          message: 'Logged out',
        });
      }
    });

    it.each([
      [undefined, 'refreshToken is required, for example "shr_an-opaque-text-of-43-characters"'],
      [{ $ne: null }, 'refreshToken must be a string'],
      ['', 'refreshToken must have 1 to 128 characters'],
      ['x'.repeat(129), 'refreshToken must have 1 to 128 characters'],
    ])('returns 400 for %j', async (token, error) => {
      expectError(await logout(token), 400, error, '/api/v2/auth/logout');
    });
  });

  describe('POST /auth/logout-all', () => {
    it('ends all sessions of the person in every process, and no session of other people', async () => {
      const [person, stranger] = [await aPerson(app.api), await aPerson(app.api)];
      const second = await login(person);
      const response = await app.api.post('/auth/logout-all', undefined, { token: person.token });
      expect(expectSuccess(response, 'Logged out everywhere')).toEqual({ sessionsEnded: 2 });
      await expectOver(tokensOf(person), second);
      await expectAlive(stranger.token);
      const again = await app.api.post('/auth/logout-all', undefined, { token: person.token });
      expectError(again, 401, REJECTED, '/api/v2/auth/logout-all');
      await expectAlive((await login(person)).accessToken);
    });
  });
});
