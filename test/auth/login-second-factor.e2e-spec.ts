import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ObjectId } from 'mongodb';
import { type Person } from '../support/actors.js';
import { anId, anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { inDatabase } from '../support/in-database.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { aProtectedPerson, forgetUsedCodes, type ProtectedPerson, totp } from './second-factors.js';

const PATH = '/api/v2/auth/login/second-factor';
const INVALID = 'The second-factor code is wrong or already used';
const OVER = 'The second-factor token is invalid, expired or already used; log in again';

describe('POST /auth/login/second-factor', () => {
  let app: TestApp;
  const firstStep = async ({ email, password }: Person): Promise<string> => {
    const response = await app.api.post('/auth/login', { email, password });
    return expectSuccess<{ secondFactor: { token: string } }>(response).secondFactor.token;
  };
  const send = (token: unknown, code: unknown): ReturnType<TestApp['api']['post']> =>
    app.api.post('/auth/login/second-factor', { token, code });
  const sessionsOf = async ({ userId }: Person): Promise<number> =>
    inDatabase(app, (database) => database.collection('sessions').countDocuments({ userId: new ObjectId(userId) }));

  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.close());

  it('completes a login whose first step returned a token and no session', async () => {
    const person = await aProtectedPerson(app);
    const { email, password } = person;
    const first = await app.api.post('/auth/login', { email, password });
    const { secondFactor } = expectSuccess<{ secondFactor: { token: string; expiresAt: string } }>(
      first,
      'The password is right; send the code of the second factor',
    );
    expect(first.body.data).toEqual({
      secondFactor: { token: expect.stringMatching(/^shs_[\w-]{43}$/), expiresAt: anInstant },
    });
    expect((Date.parse(secondFactor.expiresAt) - Date.now()) / 60_000).toBeCloseTo(5, 1);
    expect(first.headers['cache-control']).toBe('no-store');
    expect(await sessionsOf(person)).toBe(1);

    const second = await send(secondFactor.token, totp(person.secret));
    const data = expectSuccess<{ accessToken: string }>(second, 'Logged in');
    expect(data).toEqual({
      user: { id: person.userId, email, emailConfirmed: true, name: 'Robin', createdAt: anInstant },
      accessToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]{43}$/),
      refreshToken: expect.stringMatching(/^shr_[\w-]{43}$/),
      tokenType: 'Bearer',
      expiresIn: 900,
    });
    expect(second.headers['cache-control']).toBe('no-store');
    expect(expectSuccess(await app.api.get('/auth/me', { token: data.accessToken }))).toMatchObject({ id: anId });
  });

  it('returns the same for a wrong password, with and without a second factor', async () => {
    const { email } = await aProtectedPerson(app);
    const response = await app.api.post('/auth/login', { email, password: 'a wrong password' });
    expectError(response, 401, 'The email address or the password is wrong', '/api/v2/auth/login');
  });

  it('accepts a recovery code instead of the code, once, and sends an email', async () => {
    const person = await aProtectedPerson(app);
    const [code = ''] = person.recoveryCodes;
    expectSuccess(await send(await firstStep(person), code.toUpperCase().replace('-', ' ')), 'Logged in');
    await app.mailbox.next(person.email, /You have 9 recovery codes left/);
    expectError(await send(await firstStep(person), code), 400, INVALID, PATH);
    expectSuccess(await send(await firstStep(person), person.recoveryCodes[1]), 'Logged in');
  });

  it('accepts a code once, also from another login, and no code of an earlier step after it', async () => {
    const person = await aProtectedPerson(app);
    const [earlier, used] = [totp(person.secret), totp(person.secret, 1)];
    expectSuccess(await send(await firstStep(person), used));
    for (const code of [used, earlier]) expectError(await send(await firstStep(person), code), 400, INVALID, PATH);
  });

  it('rejects the code that switched the second factor on', async () => {
    const person = await aProtectedPerson(app);
    const step = Math.floor(Date.now() / 30_000) + 1;
    await inDatabase(app, (database) =>
      database
        .collection('second_factors')
        .updateOne({ userId: new ObjectId(person.userId) }, { $set: { lastStep: step } }),
    );
    expectError(await send(await firstStep(person), totp(person.secret)), 400, INVALID, PATH);
  });

  it('rejects the codes of other people', async () => {
    const [person, other] = [await aProtectedPerson(app), await aProtectedPerson(app)];
    const token = await firstStep(person);
    for (const code of [totp(other.secret), other.recoveryCodes[0]]) {
      expectError(await send(token, code), 400, INVALID, PATH);
    }
  });

  it('allows another attempt after a wrong code, and accepts the token only once after a right one', async () => {
    const person = await aProtectedPerson(app);
    const token = await firstStep(person);
    for (const code of ['000000', '00000-00000', 'x']) expectError(await send(token, code), 400, INVALID, PATH);
    expectSuccess(await send(token, totp(person.secret)));
    await forgetUsedCodes(app, person);
    expectError(await send(token, totp(person.secret)), 401, OVER, PATH);
  });

  it('rejects an expired token before it is deleted', async () => {
    const person = await aProtectedPerson(app);
    const token = await firstStep(person);
    await inDatabase(app, (database) =>
      database
        .collection('login_challenges')
        .updateMany({ userId: new ObjectId(person.userId) }, { $set: { expiresAt: new Date(Date.now() - 1) } }),
    );
    expectError(await send(token, totp(person.secret)), 401, OVER, PATH);
  });

  it('rejects a token after the password was changed or reset, or the second factor switched off', async () => {
    const changed = await aProtectedPerson(app);
    const token = await firstStep(changed);
    const change = { currentPassword: changed.password, newPassword: 'a better horse battery' };
    expectSuccess(await app.api.post('/auth/password/change', change, { token: changed.token }));
    expectError(await send(token, totp(changed.secret)), 401, OVER, PATH);
    // The rejected code still works: the transaction was rolled back.
    const again = await firstStep({ ...changed, password: change.newPassword });
    expectSuccess(await send(again, totp(changed.secret)));

    const disabled = await aProtectedPerson(app);
    const waiting = await firstStep(disabled);
    const proof = { password: disabled.password, code: disabled.recoveryCodes[0] };
    expectSuccess(await app.api.post('/auth/second-factor/disable', proof, { token: disabled.token }));
    expectError(await send(waiting, totp(disabled.secret)), 400, INVALID, PATH);
  });

  it('rejects other kinds of tokens, and its own token is rejected elsewhere', async () => {
    const person = await aProtectedPerson(app);
    const code = totp(person.secret);
    for (const token of [person.refreshToken, person.token.slice(0, 128), 'x']) {
      expectError(await send(token, code), 401, OVER, PATH);
    }
    const token = await firstStep(person);
    expectError(
      await app.api.get('/auth/me', { token }),
      401,
      /^This token is for the second step of a login; send it to /,
    );
    expectError(await app.api.post('/auth/refresh', { refreshToken: token }), 401, /^The refresh token is invalid/);
    const reset = { token, newPassword: 'a better horse battery' };
    expectError(await app.api.post('/auth/password/reset', reset), 400, /^The reset token is unknown/);
    expectSuccess(await app.api.post('/auth/logout', { refreshToken: token }));
    expectSuccess(await send(token, code));
  });

  it('stores only a hash of the token', async () => {
    const token = await firstStep(await aProtectedPerson(app));
    await inDatabase(app, async (database) => {
      const stored = JSON.stringify(await database.collection('login_challenges').find().toArray());
      expect(stored).not.toContain(token);
    });
  });

  it.each([
    [undefined, '123456', 'token is required, for example "shs_an-opaque-text-of-43-characters"'],
    [{ $ne: null }, '123456', 'token must be a string'],
    ['shs_x', undefined, 'code is required, for example "123456"'],
    ['shs_x', { $ne: null }, 'code must be a string'],
    ['shs_x', 123456, 'code must be a string'],
    ['shs_x', '1'.repeat(21), 'code must have 1 to 20 characters'],
    ['', '', 'token must have 1 to 128 characters; code must have 1 to 20 characters'],
  ])('returns 400 for %j and %j', async (token, code, error) => {
    expectError(await send(token, code), 400, error, PATH);
  });

  describe('parallel logins', () => {
    const race = async (person: ProtectedPerson, tokens: readonly string[], code: string): Promise<void> => {
      const responses = await Promise.all(tokens.map((token) => send(token, code)));
      const winners = responses.filter(({ status }) => status === 200);
      expect(winners).toHaveLength(1);
      for (const loser of responses.filter(({ status }) => status !== 200)) {
        expectError(loser, loser.status === 401 ? 401 : 400, loser.status === 401 ? OVER : INVALID, PATH);
      }
      // The session of the registration, and one of the successful login.
      expect(await sessionsOf(person)).toBe(2);
    };

    it('accepts one of 20 parallel logins with one code', async () => {
      const person = await aProtectedPerson(app);
      const tokens = await Promise.all(Array.from({ length: 20 }, () => firstStep(person)));
      expect(new Set(tokens).size).toBe(20);
      await race(person, tokens, totp(person.secret));
    });

    it('accepts one of 20 parallel logins with one recovery code, and leaves nine codes', async () => {
      const person = await aProtectedPerson(app);
      const tokens = await Promise.all(Array.from({ length: 20 }, () => firstStep(person)));
      await race(person, tokens, person.recoveryCodes[0] ?? '');
      const { token } = person;
      expect(expectSuccess(await app.api.get('/auth/second-factor', { token }))).toMatchObject({
        recoveryCodesLeft: 9,
      });
    });

    it('accepts one of 20 parallel uses of one token, even with ten different right codes', async () => {
      const person = await aProtectedPerson(app);
      const token = await firstStep(person);
      const responses = await Promise.all(
        [...person.recoveryCodes, ...person.recoveryCodes].map((code) => send(token, code)),
      );
      expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
      for (const loser of responses.filter(({ status }) => status !== 200)) expect([400, 401]).toContain(loser.status);
      expect(await sessionsOf(person)).toBe(2);
      const status = await app.api.get('/auth/second-factor', { token: person.token });
      expect(expectSuccess(status)).toEqual({ enabled: true, recoveryCodesLeft: 9 });
    });
  });
});
