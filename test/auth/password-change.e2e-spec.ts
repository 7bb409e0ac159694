import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { aPerson, type Person, unique } from '../support/actors.js';
import { anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { failAt } from './faults.js';
import {
  CHANGE,
  expectOver,
  INVALID_RESET,
  login,
  mailedToken,
  NEW_PASSWORD,
  newTokens,
  RESET,
  type Tokens,
} from './password-actors.js';

describe('POST /auth/password/change', () => {
  let app: TestApp;
  const post = (path: string, body: unknown, token?: string): Promise<Response> =>
    app.api.post(`/auth${path}`, body, token === undefined ? {} : { token });
  const change = (person: Person, currentPassword: unknown, newPassword: unknown): Promise<Response> =>
    post('/password/change', { currentPassword, newPassword }, person.token);

  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.close());

  it("sets the password, ends all sessions at once, also the caller's, and returns a new one", async () => {
    const person = await aPerson(app.api);
    const others = [await newTokens(app.api, person), await newTokens(app.api, person)];
    const stranger = await aPerson(app.api);
    const response = await change(person, person.password, NEW_PASSWORD);
    const data = expectSuccess<Tokens>(response, 'Password changed; use these tokens from now on');
    expect(data).toEqual({
      user: { id: person.userId, email: person.email, emailConfirmed: false, name: 'Robin', createdAt: anInstant },
      accessToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]{43}$/),
      refreshToken: expect.stringMatching(/^shr_[\w-]{43}$/),
      tokenType: 'Bearer',
      expiresIn: 900,
      sessionsEnded: 3,
    });
    expect(response.headers['cache-control']).toBe('no-store');
    for (const tokens of [...others, { accessToken: person.token, refreshToken: person.refreshToken }]) {
      await expectOver(app.api, tokens);
    }
    const sessions = await app.api.get('/auth/sessions', { token: data.accessToken });
    expect(expectSuccess<object[]>(sessions)).toEqual([expect.objectContaining({ current: true })]);
    expectSuccess(await app.api.get('/auth/me', { token: stranger.token }));
    expectSuccess(await post('/refresh', { refreshToken: data.refreshToken }));
    expectError(await login(app.api, person.email, person.password), 401, /password is wrong$/);
    expectSuccess(await login(app.api, person.email, NEW_PASSWORD));
  });

  it('changes a password completely or not at all: after a failure the old password and the old sessions still work', async () => {
    const person = await aPerson(app.api);
    const device = `fault-${unique()}`;
    const body = { currentPassword: person.password, newPassword: NEW_PASSWORD };
    const call = { token: person.token, headers: { 'User-Agent': device } };
    // The write of the new session fails, after the password was written and the old sessions were ended.
    const mend = await failAt(app, 'sessions', { device });
    expectError(await app.api.post('/auth/password/change', body, call), 500, /^Something went wrong/, CHANGE);
    await mend();
    expectSuccess(await app.api.post('/auth/password/change', body, call));
  });

  it('sends an email, and ends an open reset token', async () => {
    const person = await aPerson(app.api);
    const token = await mailedToken(app, person.email);
    expectSuccess(await change(person, person.password, NEW_PASSWORD));
    await app.mailbox.next(person.email, /^Subject: Your password was changed$/m);
    expectError(await post('/password/reset', { token, newPassword: 'yet another one' }), 400, INVALID_RESET, RESET);
  });

  it('returns 400 for a wrong current password, and changes nothing', async () => {
    const person = await aPerson(app.api);
    const other = await newTokens(app.api, person);
    const response = await change(person, `${person.password}!`, NEW_PASSWORD);
    expectError(response, 400, 'The current password is wrong', CHANGE);
    expectSuccess(await app.api.get('/auth/me', { token: other.accessToken }));
    expectSuccess(await login(app.api, person.email, person.password));
  });

  it('succeeds once of ten parallel changes', async () => {
    const person = await aPerson(app.api);
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) => change(person, person.password, `${NEW_PASSWORD} ${index}`)),
    );
    const winner = responses.findIndex(({ status }) => status === 200);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const loser of responses.filter((_, index) => index !== winner)) {
      // The session of each later request has already ended.
      if (loser.status === 401) expectError(loser, 401, /^Authentication is missing/, CHANGE);
      else expectError(loser, 400, 'The current password is wrong', CHANGE);
    }
    expectSuccess(await login(app.api, person.email, `${NEW_PASSWORD} ${winner}`));
  });

  it.each([
    [undefined, NEW_PASSWORD, 'currentPassword is required'],
    ['x', undefined, 'newPassword is required'],
    ['x', '123456789', 'newPassword must have 10 to 128 characters'],
    ['x', 'x'.repeat(129), 'newPassword must have 10 to 128 characters'],
    [{ $ne: null }, NEW_PASSWORD, 'currentPassword must be a string'],
  ])('returns 400 for %j and %j', async (currentPassword, newPassword, error) => {
    expectError(await change(await aPerson(app.api), currentPassword, newPassword), 400, error, CHANGE);
  });
});
