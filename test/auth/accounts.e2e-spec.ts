import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aPerson, unique } from '../support/actors.js';
import { anId, anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { inDatabase } from '../support/in-database.js';
import { idOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { wholeOutput } from '../support/whole-output.js';
import { failAt } from './faults.js';

const PASSWORD = 'correct horse battery';
const TOKENS = {
  accessToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]{43}$/),
  refreshToken: expect.stringMatching(/^shr_[\w-]{43}$/),
  tokenType: 'Bearer',
  expiresIn: 900,
};

describe('accounts', () => {
  let app: TestApp;
  const email = (): string => `robin-${unique()}@example.com`;

  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.close());

  describe('POST /auth/register', () => {
    it('creates the account and its first session', async () => {
      const address = email();
      const response = await app.api.post('/auth/register', { email: address, password: PASSWORD, name: 'Robin' });
      expect(expectSuccess(response, 'Account created')).toEqual({
        user: { id: anId, email: address, emailConfirmed: false, name: 'Robin', createdAt: anInstant },
        ...TOKENS,
      });
      expect(response.headers['cache-control']).toBe('no-store');
    });

    it('converts the address to lower case, so that it is one account in upper and lower case', async () => {
      const address = email();
      const loud = { email: address.toUpperCase(), password: PASSWORD, name: 'Robin' };
      const { user } = expectSuccess(await app.api.post('/auth/register', loud));
      expect(user).toMatchObject({ email: address });
      const again = await app.api.post('/auth/register', { ...loud, email: address });
      expectError(again, 409, 'An account with this email address already exists', '/api/v2/auth/register');
      expectSuccess(await app.api.post('/auth/login', { email: loud.email, password: PASSWORD }), 'Logged in');
    });

    it('creates one account when the same address registers five times in parallel', async () => {
      const body = { email: email(), password: PASSWORD, name: 'Robin' };
      const responses = await Promise.all(Array.from({ length: 5 }, () => app.api.post('/auth/register', body)));
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
      for (const loser of responses.filter(({ status }) => status !== 200)) {
        expectError(loser, 409, 'An account with this email address already exists', '/api/v2/auth/register');
      }
    });

    it('creates the account and its session, or neither: after a failure the same registration can be repeated', async () => {
      const body = { email: email(), password: PASSWORD, name: 'Robin' };
      // The write of the session fails, after the account was written.
      const device = `fault-${unique()}`;
      const mend = await failAt(app, 'sessions', { device });
      const register = (): ReturnType<TestApp['api']['post']> =>
        app.api.post('/auth/register', body, { headers: { 'User-Agent': device } });
      expectError(await register(), 500, 'Something went wrong on our side', '/api/v2/auth/register');
      await mend();
      expectSuccess(await register(), 'Account created');
    });

    it.each([
      [
        {},
        'email is required, for example "owner@example.com"; password is required; name is required, for example "Alex"',
      ],
      [{ email: 'robin' }, 'email must be an email address'],
      [{ email: { $ne: 1 } }, 'email must be a string'],
      [{ email: ['robin@example.com'] }, 'email must be a string'],
      [{ email: `${'a'.repeat(250)}@example.com` }, 'email must have at most 254 characters'],
      [{ email: 'robin@example.com\r\nBcc: all@example.com' }, 'email must be an email address'],
      [{ password: '123456789' }, 'password must have 10 to 128 characters'],
      [{ password: 'x'.repeat(129) }, 'password must have 10 to 128 characters'],
      [{ password: 1234567890 }, 'password must be a string'],
      [{ name: '' }, 'name must have 1 to 80 characters'],
      [{ name: 'x'.repeat(81) }, 'name must have 1 to 80 characters'],
      [{ name: 'Robin\u0000' }, 'name must not contain control characters'],
      [{ name: 'Robin\ud800' }, 'name must not contain control characters'],
      [{ name: null }, 'name must be a string'],
      [{ role: 'owner' }, 'role is not a known field'],
    ])('returns 400 for %j and names the field', async (change, error) => {
      const complete = { email: email(), password: PASSWORD, name: 'Robin' };
      const body = Object.keys(change).length === 0 ? {} : { ...complete, ...change };
      expectError(await app.api.post('/auth/register', body), 400, error, '/api/v2/auth/register');
    });
  });

  describe('POST /auth/login', () => {
    it('creates another session of the same account', async () => {
      const person = await aPerson(app.api);
      const response = await app.api.post('/auth/login', { email: person.email, password: PASSWORD });
      const data = expectSuccess(response, 'Logged in');
      expect(data).toEqual({
        user: { id: person.userId, email: person.email, emailConfirmed: false, name: 'Robin', createdAt: anInstant },
        ...TOKENS,
      });
      expect(data['accessToken']).not.toBe(person.token);
      expect(response.headers['cache-control']).toBe('no-store');
      expectSuccess(await app.api.get('/shops', { token: person.token }));
    });

    it('returns the same 401 for a wrong password and for an unknown address', async () => {
      const person = await aPerson(app.api);
      const wrong = await app.api.post('/auth/login', { email: person.email, password: `${PASSWORD}!` });
      const unknown = await app.api.post('/auth/login', { email: email(), password: PASSWORD });
      for (const response of [wrong, unknown]) {
        expectError(response, 401, 'The email address or the password is wrong', '/api/v2/auth/login');
      }
    });

    it('sends an email when the device or its network is new, and none for a new version of the same program', async () => {
      const { email: address, password } = await aPerson(app.api);
      const login = async (agent: string): Promise<void> => {
        const headers = { 'User-Agent': agent };
        expectSuccess(await app.api.post('/auth/login', { email: address, password }, { headers }));
      };
      const emails = async (): Promise<number> =>
        (await app.mailbox.all()).filter((email) => email.includes(`To: ${address}`)).length;
      await login('Firefox/140.0');
      await app.mailbox.next(address, /^Device: Firefox\/140\.0$/m);
      await login('Firefox/141.0.2');
      await login('curl/8.5.0');
      await app.mailbox.next(address, /^Device: curl\/8\.5\.0$/m);
      expect(await emails()).toBe(2);
    });

    it('compares passwords with their case and the spaces around them, in every Unicode spelling of their letters', async () => {
      const address = email();
      const password = ' Pässword with spaces ';
      expectSuccess(await app.api.post('/auth/register', { email: address, password, name: 'Robin' }));
      for (const spelling of [password, password.normalize('NFD'), password.replace('P', '\uFF30')]) {
        expectSuccess(await app.api.post('/auth/login', { email: address, password: spelling }));
      }
      for (const other of [password.trim(), password.toLowerCase(), password.replace('ä', 'a')]) {
        expectError(await app.api.post('/auth/login', { email: address, password: other }), 401, /password is wrong$/);
      }
    });

    it.each([
      [{}, 'email is required, for example "owner@example.com"; password is required'],
      [{ email: 'robin@example.com', password: { $gt: '' } }, 'password must be a string'],
      [{ email: { $gt: '' }, password: PASSWORD }, 'email must be a string'],
      [{ email: 'robin@example.com', password: PASSWORD, otp: '1' }, 'otp is not a known field'],
    ])('returns 400 for %j and names the field', async (body, error) => {
      expectError(await app.api.post('/auth/login', body), 400, error, '/api/v2/auth/login');
    });
  });

  describe('GET /auth/me', () => {
    it('returns the account of the token', async () => {
      const person = await aPerson(app.api);
      const response = await app.api.get('/auth/me', { token: person.token });
      expect(expectSuccess(response, 'Account retrieved')).toEqual({
        id: person.userId,
        email: person.email,
        emailConfirmed: false,
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

  it('writes no password and no token to the log', async () => {
    const person = await aPerson(app.api, 'Canary');
    await app.api.post('/auth/login', { email: person.email, password: 'a-password-only-for-this-test' });
    const { body } = await app.api.post('/auth/refresh', { refreshToken: person.refreshToken });
    const next = body.data as { refreshToken: string; accessToken: string };
    for (const refreshToken of [person.refreshToken, next.refreshToken, person.refreshToken]) {
      await app.api.post('/auth/refresh', { refreshToken });
    }
    const output = await wholeOutput(app);
    expect(output).toContain('A refresh token was sent again and got the same tokens');
    expect(output).toContain('A refresh token was used twice');
    const tokens = [person.token, person.refreshToken, next.accessToken, next.refreshToken];
    for (const secret of [person.password, ...tokens, 'a-password-only-for-this-test']) {
      expect(output).not.toContain(secret);
    }
  });
});

describe('accounts under a small limit', () => {
  let roomy: TestApp;
  let tight: TestApp;

  beforeAll(async () => {
    roomy = await startTestApp();
    tight = await startTestApp({
      databaseUri: roomy.databaseUri,
      env: { RATE_LIMIT_FACTOR: '0.4' },
    });
  });
  afterAll(async () => {
    await tight.close();
    await roomy.close();
  });

  it('rejects guesses of one password after the quota of the account, right or wrong, and says until when', async () => {
    const { email } = await aPerson(roomy.api);
    for (const guess of ['first guess', 'second guess']) {
      expectError(await tight.api.post('/auth/login', { email, password: guess }), 401, /password is wrong$/);
    }
    const rejected = await tight.api.post('/auth/login', { email, password: PASSWORD });
    expectError(rejected, 429, 'Too many requests; wait before you send the next one', '/api/v2/auth/login');
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(rejected.headers['ratelimit-policy']).toBe('"login";q=12;w=900');
    const inAnotherCase = await tight.api.post('/auth/login', { email: email.toUpperCase(), password: PASSWORD });
    expectError(inAnotherCase, 429, /^Too many requests/);
    const other = await aPerson(roomy.api);
    expectSuccess(await tight.api.post('/auth/login', { email: other.email, password: PASSWORD }));
  });

  it('rejects an address that logs in to one account after the other', async () => {
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 13; attempt++) {
      const body = { email: `nobody-${unique()}@example.com`, password: PASSWORD };
      statuses.push((await tight.api.post('/auth/login', body)).status);
    }
    expect(statuses.at(-1)).toBe(429);
    const rejected = await tight.api.post('/auth/register', {
      email: 'new@example.com',
      password: PASSWORD,
      name: 'N',
    });
    expectError(rejected, 429, /^Too many requests/, '/api/v2/auth/register');
    // Nobody can guess 256 bits, so wrong passwords from the same address do not block refreshes.
    expectError(await tight.api.post('/auth/refresh', { refreshToken: 'shr_x' }), 401, /^The refresh token is invalid/);
  });
});
