import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { aPerson, unique } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { CHANGE, FORGOT, NEW_PASSWORD, RESET_TOKEN } from './password-actors.js';

describe('passwords under small limits', () => {
  let addresses = 0;
  let app: TestApp;
  let roomy: TestApp;

  beforeAll(async () => {
    roomy = await startTestApp();
    const { databaseUri } = roomy;
    // Behind a proxy, so that each test has its own addresses, whose limits do not affect it.
    app = await startTestApp({
      watchCommands: true,
      env: { RATE_LIMIT_FACTOR: '0.5', TRUST_PROXY: '1' },
      databaseUri,
    });
  });
  afterAll(async () => {
    await app.close();
    await roomy.close();
  });
  beforeEach(() => {
    addresses++;
  });
  const TOO_MANY = 'Too many requests; wait before you send the next one';

  it('limits the emails to each address; an unknown address is limited in the same way', async () => {
    const { email } = await aPerson(roomy.api);
    for (const address of [email, `nobody-${unique()}@example.com`]) {
      expectSuccess(await app.api.post('/auth/password/forgot', { email: address }));
      expectSuccess(await app.api.post('/auth/password/forgot', { email: address }));
    }
    const again = await app.api.post('/auth/password/forgot', { email: email.toUpperCase() });
    expectError(again, 429, TOO_MANY, FORGOT);
    expect(Number(again.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  });

  const login = (email: string, password: string): Promise<Response> =>
    app.api.post('/auth/login', { email, password }, { headers: { 'X-Forwarded-For': `203.0.113.${addresses}` } });
  /** Guesses until the limit is reached. Returns the responses. */
  const guess = async (email: string): Promise<Response[]> => {
    const responses = [];
    for (let attempts = 0; attempts < 4; attempts++) responses.push(await login(email, `a wrong guess ${attempts}`));
    expect(responses.map(({ status }) => status)).toEqual([401, 401, 401, 429]);
    return responses;
  };
  /** The parts of a response to compare: all except times and the request id. */
  const visiblePartOf = ({ status, body, headers }: Response): object => {
    const { date: _date, 'x-request-id': _id, 'retry-after': wait, ratelimit, etag: _etag, ...others } = headers;
    const { timestamp: _timestamp, ...said } = body as Record<string, unknown>;
    return { status, said, others, waits: wait !== undefined, limits: String(ratelimit).replace(/[rt]=\d+/g, '') };
  };

  it('accepts the new password of a reset after too many wrong ones, and then as few wrong ones again', async () => {
    const { email, password } = await aPerson(roomy.api);
    await guess(email);
    expectError(await login(email, password), 429, TOO_MANY);
    expectSuccess(await roomy.api.post('/auth/password/forgot', { email }));
    const [token] = await roomy.mailbox.next(email, RESET_TOKEN);
    expectSuccess(await roomy.api.post('/auth/password/reset', { token, newPassword: NEW_PASSWORD }));
    expectSuccess(await login(email, NEW_PASSWORD));
    await guess(email);
    expectError(await login(email, NEW_PASSWORD), 429, TOO_MANY);
  });

  it('lets a person log in as often as they like, and limits wrong guesses after that', async () => {
    const { email, password } = await aPerson(roomy.api);
    for (let logins = 0; logins < 8; logins++) expectSuccess(await login(email, password));
    await guess(email);
    expectError(await login(email, password), 429, TOO_MANY);
  });

  it('hides who has an account: the responses, headers and database commands for wrong passwords are the same', async () => {
    const known = await aPerson(roomy.api);
    const reset = await aPerson(roomy.api);
    expectSuccess(await roomy.api.post('/auth/password/forgot', { email: reset.email }));
    const [token] = await roomy.mailbox.next(reset.email, RESET_TOKEN);
    expectSuccess(await roomy.api.post('/auth/password/reset', { token, newPassword: NEW_PASSWORD }));
    const seen: { responses: object[]; commands: string[] }[] = [];
    for (const email of [known.email, reset.email, `nobody-${unique()}@example.com`]) {
      let responses: Response[] = [];
      const commands = await app.commandsOf(async () => (responses = await guess(email)));
      seen.push({ responses: responses.map(visiblePartOf), commands });
    }
    for (const other of seen.slice(1)) expect(other).toEqual(seen[0]);
  });

  it('rejects wrong current passwords after the quota of the person, and then right ones too', async () => {
    const { token, password } = await aPerson(roomy.api);
    const change = (currentPassword: string): Promise<Response> =>
      app.api.post('/auth/password/change', { currentPassword, newPassword: NEW_PASSWORD }, { token });
    for (let guess = 0; guess < 5; guess++) expectError(await change(`guess ${guess}`), 400, /^The current password/);
    expectError(await change(password), 429, TOO_MANY, CHANGE);
  });
});
