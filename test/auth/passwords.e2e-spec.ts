import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { aKey, aMember, aPerson, aShop, type Person, unique } from '../support/actors.js';
import { anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { inDatabase } from '../support/in-database.js';
import { idOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { wholeOutput } from '../support/whole-output.js';
import { failAt } from './faults.js';

interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

const NEW_PASSWORD = 'a better horse battery';
const TOKEN = /shw_[\w-]{43}/;
const FORGOT = '/api/v2/auth/password/forgot';
const RESET = '/api/v2/auth/password/reset';
const CHANGE = '/api/v2/auth/password/change';
const INVALID = 'The reset token is unknown, expired or already used';

describe('passwords', () => {
  let app: TestApp;
  const post = (path: string, body: unknown, token?: string): ReturnType<TestApp['api']['post']> =>
    app.api.post(`/auth${path}`, body, token === undefined ? {} : { token });
  const login = (email: string, password: string): ReturnType<TestApp['api']['post']> =>
    post('/login', { email, password });
  const newTokens = async ({ email, password }: Person): Promise<Tokens> =>
    expectSuccess<Tokens>(await login(email, password));
  const expectOver = async (tokens: Tokens): Promise<void> => {
    expectError(await app.api.get('/auth/me', { token: tokens.accessToken }), 401, /^Authentication is missing/);
    expectError(await post('/refresh', { refreshToken: tokens.refreshToken }), 401, /^The refresh token is invalid/);
  };
  const tokensMailedTo = async (email: string): Promise<string[]> =>
    (await app.mailbox.all())
      .filter((mail) => mail.includes(`To: ${email}`))
      .flatMap((mail) => TOKEN.exec(mail)?.[0] ?? []);
  /** Asks for a reset and returns the token of the new email. */
  const mailedToken = async (email: string): Promise<string> => {
    const before = await tokensMailedTo(email);
    expectSuccess(await post('/password/forgot', { email }));
    return eventually(async () => (await tokensMailedTo(email)).find((token) => !before.includes(token)));
  };

  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.close());

  describe('GET /auth/me', () => {
    it('returns the account of the token', async () => {
      const person = await aPerson(app.api);
      const response = await app.api.get('/auth/me', { token: person.token });
      expect(expectSuccess(response, 'Account retrieved')).toEqual({
        id: person.userId,
        email: person.email,
        name: 'Robin',
        createdAt: anInstant,
      });
    });

    it('returns 401 after the account was deleted', async () => {
      const person = await aPerson(app.api);
      await inDatabase(app, (database) => database.collection('users').deleteOne({ _id: idOf(person.userId) }));
      expectError(await app.api.get('/auth/me', { token: person.token }), 401, /^Authentication is missing/);
    });
  });

  describe('POST /auth/password/change', () => {
    const change = (
      person: Person,
      currentPassword: unknown,
      newPassword: unknown,
    ): ReturnType<TestApp['api']['post']> => post('/password/change', { currentPassword, newPassword }, person.token);

    it("sets the password, ends all sessions at once, also the caller's, and returns a new one", async () => {
      const person = await aPerson(app.api);
      const others = [await newTokens(person), await newTokens(person)];
      const stranger = await aPerson(app.api);
      const response = await change(person, person.password, NEW_PASSWORD);
      const data = expectSuccess<Tokens>(response, 'Password changed; use these tokens from now on');
      expect(data).toEqual({
        user: { id: person.userId, email: person.email, name: 'Robin', createdAt: anInstant },
        accessToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]{43}$/),
        refreshToken: expect.stringMatching(/^shr_[\w-]{43}$/),
        tokenType: 'Bearer',
        expiresIn: 900,
        sessionsEnded: 3,
      });
      expect(response.headers['cache-control']).toBe('no-store');
      for (const tokens of [...others, { accessToken: person.token, refreshToken: person.refreshToken }]) {
        await expectOver(tokens);
      }
      const sessions = await app.api.get('/auth/sessions', { token: data.accessToken });
      expect(expectSuccess<object[]>(sessions)).toEqual([expect.objectContaining({ current: true })]);
      expectSuccess(await app.api.get('/auth/me', { token: stranger.token }));
      expectSuccess(await post('/refresh', { refreshToken: data.refreshToken }));
      expectError(await login(person.email, person.password), 401, /password is wrong$/);
      expectSuccess(await login(person.email, NEW_PASSWORD));
    });

    it('happens completely or not at all: after a failure the old password and the old sessions still work', async () => {
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
      const token = await mailedToken(person.email);
      expectSuccess(await change(person, person.password, NEW_PASSWORD));
      await app.mailbox.next(person.email, /^Subject: Your password was changed$/m);
      expectError(await post('/password/reset', { token, newPassword: 'yet another one' }), 400, INVALID, RESET);
    });

    it('returns 400 for a wrong current password, and changes nothing', async () => {
      const person = await aPerson(app.api);
      const other = await newTokens(person);
      const response = await change(person, `${person.password}!`, NEW_PASSWORD);
      expectError(response, 400, 'The current password is wrong', CHANGE);
      expectSuccess(await app.api.get('/auth/me', { token: other.accessToken }));
      expectSuccess(await login(person.email, person.password));
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
      expectSuccess(await login(person.email, `${NEW_PASSWORD} ${winner}`));
    });

    it.each([
      [undefined, NEW_PASSWORD, 'currentPassword must be a string'],
      ['x', undefined, 'newPassword must be a string'],
      ['x', '123456789', 'newPassword must have 10 to 128 characters'],
      ['x', 'x'.repeat(129), 'newPassword must have 10 to 128 characters'],
      [{ $ne: null }, NEW_PASSWORD, 'currentPassword must be a string'],
    ])('returns 400 for %j and %j', async (currentPassword, newPassword, error) => {
      expectError(await change(await aPerson(app.api), currentPassword, newPassword), 400, error, CHANGE);
    });
  });

  describe('POST /auth/password/forgot', () => {
    it('returns the same for known and unknown addresses, and sends an email only to known ones', async () => {
      const { email } = await aPerson(app.api);
      const unknown = `nobody-${unique()}@example.com`;
      for (const address of [unknown, email, email.toUpperCase()]) {
        const response = await post('/password/forgot', { email: address });
        expect({ status: response.status, body: response.body }).toEqual({
          status: 200,
          body: {
            success: true,
            data: { status: 'accepted' },
            message: 'If the address has an account, we have sent an email to it',
          },
        });
      }
      await app.mailbox.next(email, TOKEN);
      expect((await app.mailbox.all()).filter((mail) => mail.includes(unknown))).toEqual([]);
    });

    it('stores only a hash of the token, for 60 minutes', async () => {
      const { email, userId } = await aPerson(app.api);
      const token = await mailedToken(email);
      await inDatabase(app, async (database) => {
        const stored = await database.collection('password_resets').findOne({ userId: idOf(userId) });
        expect(JSON.stringify(stored)).not.toContain(token);
        const minutes = (Number(stored?.['expiresAt']) - Date.now()) / 60_000;
        expect(minutes).toBeGreaterThan(59);
        expect(minutes).toBeLessThanOrEqual(60);
      });
    });

    it.each([
      [{}, 'email must be a string'],
      [{ email: 'robin' }, 'email must be an email address'],
      [{ email: { $gt: '' } }, 'email must be a string'],
      [{ email: ['robin@example.com'] }, 'email must be a string'],
      [{ email: 'robin@example.com', url: 'https://evil.example' }, 'url is not a known field'],
    ])('returns 400 for %j', async (body, error) => {
      expectError(await post('/password/forgot', body), 400, error, FORGOT);
    });
  });

  describe('POST /auth/password/reset', () => {
    const reset = (token: unknown, newPassword: unknown = NEW_PASSWORD): ReturnType<TestApp['api']['post']> =>
      post('/password/reset', { token, newPassword });

    it('sets the password, ends all sessions, creates none, and sends an email', async () => {
      const person = await aPerson(app.api);
      const second = await newTokens(person);
      const response = await reset(await mailedToken(person.email));
      expect(expectSuccess(response, 'Password reset; log in with the new password')).toEqual({
        sessionsEnded: 2,
        apiKeysRevoked: 0,
      });
      await expectOver(second);
      await expectOver({ accessToken: person.token, refreshToken: person.refreshToken });
      expectError(await login(person.email, person.password), 401, /password is wrong$/);
      expectSuccess(await login(person.email, NEW_PASSWORD));
      await app.mailbox.next(person.email, /^Subject: Your password was changed$/m);
    });

    it("revokes the person's API keys in all shops when asked to, with audit entries, and nobody else's", async () => {
      const { owner, ...own } = await aShop(app.api);
      const shop = { ...own, owner };
      const admin = await aMember(app, shop, 'admin');
      const [first, second] = [await aKey(app.api, shop), await aKey(app.api, shop)];
      const kept = await aKey(app.api, { ...shop, owner: admin }, 'storefront');
      const body = { token: await mailedToken(owner.email), newPassword: NEW_PASSWORD, revokeApiKeys: true };
      expect(expectSuccess(await post('/password/reset', body))).toEqual({ sessionsEnded: 1, apiKeysRevoked: 2 });
      for (const { key } of [first, second]) {
        expectError(await app.api.get(`/products/${shop.shopId}`, { key }), 401, /^Authentication is missing/);
      }
      expectSuccess(await app.api.get(`/products/${shop.shopId}`, { key: kept.key }));
      const entries = expectSuccess<{ action: string; subjectId: string; actor: object }[]>(
        await app.api.get(`/shops/${shop.shopId}/audit?limit=2`, { token: admin.token }),
      );
      expect(entries.map(({ subjectId }) => subjectId).sort()).toEqual([first.id, second.id].sort());
      for (const entry of entries) {
        expect(entry).toMatchObject({ action: 'api_key.revoked', actor: { type: 'user', id: owner.userId } });
      }
    });

    it('revokes no API key unless asked to', async () => {
      const shop = await aShop(app.api);
      const { key } = await aKey(app.api, shop);
      expectSuccess(await reset(await mailedToken(shop.owner.email)));
      expectSuccess(await app.api.get(`/products/${shop.shopId}`, { key }));
    });

    it('works once', async () => {
      const { email } = await aPerson(app.api);
      const token = await mailedToken(email);
      expectSuccess(await reset(token));
      expectError(await reset(token, 'yet another one'), 400, INVALID, RESET);
      expectSuccess(await login(email, NEW_PASSWORD));
    });

    it('works once of 20 parallel tries, and sets the password of the successful one', async () => {
      const { email } = await aPerson(app.api);
      const token = await mailedToken(email);
      const responses = await Promise.all(
        Array.from({ length: 20 }, (_, index) => reset(token, `${NEW_PASSWORD} ${index}`)),
      );
      const winner = responses.findIndex(({ status }) => status === 200);
      for (const [index, response] of responses.entries()) {
        if (index === winner) expect(expectSuccess(response)).toEqual({ sessionsEnded: 1, apiKeysRevoked: 0 });
        else expectError(response, 400, INVALID, RESET);
      }
      expectSuccess(await login(email, `${NEW_PASSWORD} ${winner}`));
    });

    it('leaves no session of the old password, also when logins run in parallel with the reset', async () => {
      const person = await aPerson(app.api);
      const token = await mailedToken(person.email);
      const [response, ...logins] = await Promise.all([
        reset(token),
        ...Array.from({ length: 12 }, () => login(person.email, person.password)),
      ]);
      expectSuccess(response);
      for (const one of logins) {
        if (one.status === 200) await expectOver(one.body.data as Tokens);
        else expectError(one, 401, /password is wrong$/, '/api/v2/auth/login');
      }
    });

    it('accepts only the newest token', async () => {
      const { email } = await aPerson(app.api);
      const old = await mailedToken(email);
      const newest = await mailedToken(email);
      expect(newest).not.toBe(old);
      expectError(await reset(old), 400, INVALID, RESET);
      expectSuccess(await reset(newest));
    });

    it('rejects an expired token before it is deleted', async () => {
      const { email, userId } = await aPerson(app.api);
      const token = await mailedToken(email);
      await inDatabase(app, (database) =>
        database
          .collection('password_resets')
          .updateOne({ userId: idOf(userId) }, { $set: { expiresAt: new Date(Date.now() - 1) } }),
      );
      expectError(await reset(token), 400, INVALID, RESET);
    });

    it('needs one read for an unknown token', async () => {
      expect(await app.commandsOf(() => reset(`shw_${'a'.repeat(43)}`))).toEqual(['find']);
    });

    it('rejects other kinds of tokens', async () => {
      const person = await aPerson(app.api);
      for (const token of [person.refreshToken, person.token.slice(0, 128), 'x']) {
        expectError(await reset(token), 400, INVALID, RESET);
      }
    });

    it.each([
      [undefined, NEW_PASSWORD, 'token must be a string'],
      [{ $ne: null }, NEW_PASSWORD, 'token must be a string'],
      ['', NEW_PASSWORD, 'token must have 1 to 128 characters'],
      ['shw_x', '123456789', 'newPassword must have 10 to 128 characters'],
      ['shw_x', undefined, 'newPassword must be a string'],
    ])('returns 400 for %j and %j', async (token, newPassword, error) => {
      expectError(await post('/password/reset', { token, newPassword }), 400, error, RESET);
    });
  });

  it('write no token and no password to the log', async () => {
    const person = await aPerson(app.api);
    const token = await mailedToken(person.email);
    expectSuccess(await post('/password/reset', { token, newPassword: 'canary horse battery' }));
    const output = await wholeOutput(app);
    for (const secret of [token, person.password, 'canary horse battery', person.email]) {
      expect(output).not.toContain(secret);
    }
  });
});

describe('passwords under small limits', () => {
  let addresses = 0;
  let app: TestApp;
  let roomy: TestApp;

  beforeAll(async () => {
    const env = { JWT_SECRET: 'a secret that both processes share, long enough for HS256' };
    roomy = await startTestApp({ env });
    const { databaseUri } = roomy;
    // Behind a proxy, so that each test has its own addresses, whose limits do not affect it.
    app = await startTestApp({ env: { ...env, RATE_LIMIT_FACTOR: '0.5', TRUST_PROXY: '1' }, databaseUri });
  });
  afterAll(async () => {
    await app.close();
    await roomy.close();
  });
  beforeEach(() => {
    addresses++;
  });
  const TOO_MANY = 'Too many requests; wait before the next try';

  it('each address gets its quota of emails; an unknown address is limited in the same way', async () => {
    const { email } = await aPerson(roomy.api);
    for (const address of [email, `nobody-${unique()}@example.com`]) {
      expectSuccess(await app.api.post('/auth/password/forgot', { email: address }));
      expectSuccess(await app.api.post('/auth/password/forgot', { email: address }));
    }
    const again = await app.api.post('/auth/password/forgot', { email: email.toUpperCase() });
    expectError(again, 429, TOO_MANY, FORGOT);
    expect(Number(again.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  });

  const login = (email: string, password: string): ReturnType<TestApp['api']['post']> =>
    app.api.post('/auth/login', { email, password }, { headers: { 'X-Forwarded-For': `203.0.113.${addresses}` } });
  /** Guesses until the limit is reached. Returns the responses. */
  const guess = async (email: string): Promise<Response[]> => {
    const responses = [];
    for (let tries = 0; tries < 4; tries++) responses.push(await login(email, `a wrong guess ${tries}`));
    expect(responses.map(({ status }) => status)).toEqual([401, 401, 401, 429]);
    return responses;
  };
  /** The parts of a response to compare: all except times and the request id. */
  const told = ({ status, body, headers }: Response): object => {
    const { date: _date, 'x-request-id': _id, 'retry-after': wait, ratelimit, etag: _etag, ...others } = headers;
    const { timestamp: _timestamp, ...said } = body as Record<string, unknown>;
    return { status, said, others, waits: wait !== undefined, limits: String(ratelimit).replace(/[rt]=\d+/g, '') };
  };

  it('after too many wrong passwords, a reset allows the new password, and as few wrong ones again', async () => {
    const { email, password } = await aPerson(roomy.api);
    await guess(email);
    expectError(await login(email, password), 429, TOO_MANY);
    expectSuccess(await roomy.api.post('/auth/password/forgot', { email }));
    const [token] = await roomy.mailbox.next(email, TOKEN);
    expectSuccess(await roomy.api.post('/auth/password/reset', { token, newPassword: NEW_PASSWORD }));
    expectSuccess(await login(email, NEW_PASSWORD));
    for (const wrong of [password, 'another']) expectError(await login(email, wrong), 401, /password is wrong$/);
    expectError(await login(email, NEW_PASSWORD), 429, TOO_MANY);
  });

  it('wrong passwords do not show who has an account: the responses, headers and database commands are the same', async () => {
    const known = await aPerson(roomy.api);
    const reset = await aPerson(roomy.api);
    expectSuccess(await roomy.api.post('/auth/password/forgot', { email: reset.email }));
    const [token] = await roomy.mailbox.next(reset.email, TOKEN);
    expectSuccess(await roomy.api.post('/auth/password/reset', { token, newPassword: NEW_PASSWORD }));
    const seen: { responses: object[]; commands: string[] }[] = [];
    for (const email of [known.email, reset.email, `nobody-${unique()}@example.com`]) {
      let responses: Response[] = [];
      const commands = await app.commandsOf(async () => (responses = await guess(email)));
      seen.push({ responses: responses.map(told), commands });
    }
    expect(seen[0]?.commands).toEqual(['find', 'find', 'find', 'find']);
    for (const other of seen.slice(1)) expect(other).toEqual(seen[0]);
  });

  it('wrong current passwords are rejected after the quota of the person, and then right ones too', async () => {
    const { token, password } = await aPerson(roomy.api);
    const change = (currentPassword: string): ReturnType<TestApp['api']['post']> =>
      app.api.post('/auth/password/change', { currentPassword, newPassword: NEW_PASSWORD }, { token });
    for (let guess = 0; guess < 5; guess++) expectError(await change(`guess ${guess}`), 400, /^The current password/);
    expectError(await change(password), 429, TOO_MANY, CHANGE);
  });
});
