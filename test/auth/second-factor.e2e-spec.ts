import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aPerson, type Person } from '../support/actors.js';
import { anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { inDatabase } from '../support/in-database.js';
import { idOf } from '../support/records.js';
import { operatorEnvironment, runShopCommand } from '../support/shop-command.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { aProtectedPerson, forgetUsedCodes, proofOf, type Setup, totp } from './second-factors.js';

const BASE = '/api/v2/auth/second-factor';
const INVALID = 'The second-factor code is wrong or already used';
const RECOVERY_CODE = /^[0-9a-hjkmnp-tv-z]{5}-[0-9a-hjkmnp-tv-z]{5}$/;

describe('a second factor', () => {
  let app: TestApp;
  const post = (path: string, body: unknown, { token }: Pick<Person, 'token'>): ReturnType<TestApp['api']['post']> =>
    app.api.post(`/auth/second-factor${path}`, body, { token });
  const statusOf = async ({ token }: Person): Promise<unknown> =>
    expectSuccess(await app.api.get('/auth/second-factor', { token }), 'Second factor retrieved');
  const setUp = async (person: Person): Promise<Setup> =>
    expectSuccess<Setup>(await post('/setup', { password: person.password }, person));

  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.close());

  describe('GET /auth/second-factor', () => {
    it('returns whether the second factor is on, and how many recovery codes are left', async () => {
      expect(await statusOf(await aPerson(app.api))).toEqual({ enabled: false, recoveryCodesLeft: 0 });
      expect(await statusOf(await aProtectedPerson(app))).toEqual({ enabled: true, recoveryCodesLeft: 10 });
    });
  });

  describe('POST /auth/second-factor/setup', () => {
    it('returns a secret and its URI, only this time, and stores it encrypted; the second factor is still off', async () => {
      const person = await aPerson(app.api);
      const response = await post('/setup', { password: person.password }, person);
      const data = expectSuccess<{ secret: string }>(response, 'Secret created; it is shown only once');
      const label = `Shop%20Platform:${encodeURIComponent(person.email)}`;
      expect(data).toEqual({
        secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
        uri: `otpauth://totp/${label}?issuer=Shop%20Platform&secret=${data.secret}&algorithm=SHA1&digits=6&period=30`,
        expiresAt: anInstant,
        emailCodeSent: true,
      });
      expect(response.headers['cache-control']).toBe('no-store');
      await inDatabase(app, async (database) => {
        const stored = await database.collection('second_factors').findOne({ userId: idOf(person.userId) });
        expect(JSON.stringify(stored)).not.toContain(data.secret);
      });
      expect(await statusOf(person)).toEqual({ enabled: false, recoveryCodesLeft: 0 });
      const { email, password } = person;
      expectSuccess(await app.api.post('/auth/login', { email, password }), 'Logged in');
    });

    it('returns 400 for a wrong password', async () => {
      const person = await aPerson(app.api);
      const response = await post('/setup', { password: 'a wrong password' }, person);
      expectError(response, 400, 'The current password is wrong', `${BASE}/setup`);
    });

    it('returns 409 while a second factor is on, and does not change it', async () => {
      const person = await aProtectedPerson(app);
      const response = await post('/setup', { password: person.password }, person);
      expectError(response, 409, 'The second factor is already switched on', `${BASE}/setup`);
      expect(await statusOf(person)).toEqual({ enabled: true, recoveryCodesLeft: 10 });
    });

    it.each([
      [{}, 'password is required'],
      [{ password: { $ne: 1 } }, 'password must be a string'],
      [{ password: 'x', secret: 'A' }, 'secret is not a known field'],
    ])('returns 400 for %j', async (body, error) => {
      expectError(await post('/setup', body, await aPerson(app.api)), 400, error, `${BASE}/setup`);
    });
  });

  describe('POST /auth/second-factor/confirm', () => {
    it('switches the second factor on with the first code and that of the email, returns ten recovery codes only this time, and sends an email', async () => {
      const person = await aPerson(app.api);
      const proof = await proofOf(app, await setUp(person), person.email);
      const response = await post('/confirm', proof, person);
      const message = 'Second factor switched on; the recovery codes are shown only once';
      const { recoveryCodes } = expectSuccess<{ recoveryCodes: string[] }>(response, message);
      expect(recoveryCodes).toEqual(Array.from({ length: 10 }, () => expect.stringMatching(RECOVERY_CODE)));
      expect(new Set(recoveryCodes).size).toBe(10);
      expect(response.headers['cache-control']).toBe('no-store');
      await inDatabase(app, async (database) => {
        const stored = JSON.stringify(await database.collection('second_factors').find().toArray());
        for (const one of recoveryCodes) expect(stored).not.toContain(one.replace('-', ''));
      });
      await app.mailbox.next(person.email, /^Subject: Two-factor login is on$/m);
      expectError(await post('/confirm', proof, person), 409, /already switched on$/, `${BASE}/confirm`);
    });

    it('accepts only the newest secret and the newest code from an email, and no wrong code', async () => {
      const person = await aPerson(app.api);
      const old = await proofOf(app, await setUp(person), person.email);
      const newest = await setUp(person);
      const proof = await eventually(async () => {
        const read = await proofOf(app, newest, person.email);
        return read.emailCode !== old.emailCode && read;
      });
      for (const code of [old.code, totp(newest.secret, 9), 'abcde-fghjk', 'x']) {
        expectError(await post('/confirm', { ...proof, code }, person), 400, INVALID, `${BASE}/confirm`);
      }
      const wrong = 'The verification code is wrong, expired or already used';
      for (const emailCode of [old.emailCode, '00000000', 'x']) {
        expectError(await post('/confirm', { ...proof, emailCode }, person), 400, wrong, `${BASE}/confirm`);
      }
      expect(await statusOf(person)).toEqual({ enabled: false, recoveryCodesLeft: 0 });
      expectSuccess(await post('/confirm', proof, person));
    });

    it('does not switch a second factor on for a person who cannot read the mailbox, and says which code is missing', async () => {
      const squatter = await aPerson(app.api);
      const { secret } = await setUp(squatter);
      const missing = 'emailCode is required: the code that was sent to the email address of the account';
      expectError(await post('/confirm', { code: totp(secret) }, squatter), 400, missing, `${BASE}/confirm`);
      expect(await statusOf(squatter)).toEqual({ enabled: false, recoveryCodesLeft: 0 });
    });

    it('returns recovery codes for one of ten parallel confirmations', async () => {
      const person = await aPerson(app.api);
      const proof = await proofOf(app, await setUp(person), person.email);
      const responses = await Promise.all(Array.from({ length: 10 }, () => post('/confirm', proof, person)));
      expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
    });

    it('returns 409 without a setup, and after the setup is complete', async () => {
      const waits = 'Start the setup of a second factor before you confirm it';
      const person = await aPerson(app.api);
      expectError(await post('/confirm', { code: '123456' }, person), 409, waits, `${BASE}/confirm`);
      const { secret } = await setUp(person);
      await inDatabase(app, (database) =>
        database
          .collection('second_factors')
          .updateOne({ userId: idOf(person.userId) }, { $set: { pendingUntil: new Date(Date.now() - 1) } }),
      );
      expectError(await post('/confirm', { code: totp(secret) }, person), 409, waits, `${BASE}/confirm`);
    });
  });

  describe('POST /auth/second-factor/recovery-codes', () => {
    it('replaces the recovery codes, with the password and a code, and sends an email', async () => {
      const person = await aProtectedPerson(app);
      const body = { password: person.password, code: totp(person.secret) };
      const message = 'Recovery codes renewed; they are shown only once';
      const response = await post('/recovery-codes', body, person);
      const { recoveryCodes } = expectSuccess<{ recoveryCodes: string[] }>(response, message);
      expect(recoveryCodes).toHaveLength(10);
      await app.mailbox.next(person.email, /^Subject: You have new recovery codes$/m);
      const withOld = { password: person.password, code: person.recoveryCodes[0] };
      expectError(await post('/disable', withOld, person), 400, INVALID, `${BASE}/disable`);
      expectSuccess(await post('/disable', { ...withOld, code: recoveryCodes[0] }, person));
    });
  });

  describe('POST /auth/second-factor/disable', () => {
    it('switches the second factor off with the password and a code, and sends an email; a login then needs only the password', async () => {
      const person = await aProtectedPerson(app);
      const { email, password } = person;
      const response = await post('/disable', { password, code: totp(person.secret) }, person);
      expect(expectSuccess(response, 'Second factor switched off')).toEqual({ enabled: false, recoveryCodesLeft: 0 });
      expect(await statusOf(person)).toEqual({ enabled: false, recoveryCodesLeft: 0 });
      await app.mailbox.next(email, /^Subject: Two-factor login is off$/m);
      expectSuccess(await app.api.post('/auth/login', { email, password }), 'Logged in');
    });

    it('accepts a recovery code instead of the code', async () => {
      const person = await aProtectedPerson(app);
      expectSuccess(await post('/disable', { password: person.password, code: person.recoveryCodes[9] }, person));
    });
  });

  describe.each(['/disable', '/recovery-codes'])('POST /auth/second-factor%s', (path) => {
    it('returns 400 for a wrong password, a wrong code and a used code, and changes nothing', async () => {
      const person = await aProtectedPerson(app);
      const { password } = person;
      const used = totp(person.secret);
      const wrong = { password: 'a wrong password', code: used };
      expectError(await post(path, wrong, person), 400, 'The current password is wrong', `${BASE}${path}`);
      expectSuccess(await post('/recovery-codes', { password, code: used }, person));
      for (const code of [used, totp(person.secret, 9), '00000-00000', 'x']) {
        expectError(await post(path, { password, code }, person), 400, INVALID, `${BASE}${path}`);
      }
      expect(await statusOf(person)).toEqual({ enabled: true, recoveryCodesLeft: 10 });
    });

    it('returns 409 when the second factor is off', async () => {
      const person = await aPerson(app.api);
      const response = await post(path, { password: person.password, code: '123456' }, person);
      expectError(response, 409, 'The second factor is not switched on', `${BASE}${path}`);
    });

    it('returns 400 for a body without its fields', async () => {
      const response = await post(path, {}, await aPerson(app.api));
      expectError(response, 400, 'password is required; code is required, for example "123456"', `${BASE}${path}`);
    });
  });
});

describe('a second factor under a small limit', () => {
  let app: TestApp;
  let roomy: TestApp;

  beforeAll(async () => {
    roomy = await startTestApp();
    app = await startTestApp({
      env: { RATE_LIMIT_FACTOR: '0.4' },
      databaseUri: roomy.databaseUri,
    });
  });
  afterAll(async () => {
    await app.close();
    await roomy.close();
  });

  it('counts the attempts of a person at all endpoints together, before it checks the code', async () => {
    const person = await aProtectedPerson(roomy);
    const { email, password, token, secret } = person;
    const login = await app.api.post('/auth/login', { email, password });
    const { secondFactor } = expectSuccess<{ secondFactor: { token: string } }>(login);
    const secondStep = (code: string): ReturnType<TestApp['api']['post']> =>
      app.api.post('/auth/login/second-factor', { token: secondFactor.token, code });
    expectError(await secondStep('000000'), 400, INVALID);
    expectError(
      await app.api.post('/auth/second-factor/disable', { password, code: '000000' }, { token }),
      400,
      INVALID,
    );
    const rejected = await secondStep(totp(secret));
    expectError(
      rejected,
      429,
      'Too many requests; wait before you send the next one',
      '/api/v2/auth/login/second-factor',
    );
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    const byRecovery = await secondStep(person.recoveryCodes[0] ?? '');
    expectError(byRecovery, 429, /^Too many requests/);
    // The rejected requests used up neither the code nor the recovery code.
    await forgetUsedCodes(roomy, person);
    expectSuccess(await roomy.api.post('/auth/login/second-factor', { token: secondFactor.token, code: totp(secret) }));
  });
});

it('sets no second factor up for an address that is not verified when emails are off, but for one that the operator vouches for', async () => {
  const app = await startTestApp({ env: { SMTP_URL: 'none' } });
  try {
    const { email, token, password } = await aPerson(app.api);
    const setUp = (current: string, by: string): ReturnType<TestApp['api']['post']> =>
      app.api.post('/auth/second-factor/setup', { password: current }, { token: by });
    const off =
      'This service sends no emails; request a link from its operator that sets your password, which verifies your address too';
    expectError(await setUp(password, token), 409, off, `${BASE}/setup`);

    const { stdout } = await runShopCommand(['create-owner', email], operatorEnvironment(app));
    const newPassword = 'a new horse battery';
    const reset = { token: /shw_[A-Za-z0-9_-]{43}/.exec(stdout)?.[0], newPassword };
    expectSuccess(await app.api.post('/auth/password/reset', reset));
    const login = await app.api.post('/auth/login', { email, password: newPassword });
    const { accessToken } = expectSuccess<{ accessToken: string }>(login);
    const { secret, emailCodeSent } = expectSuccess<Setup>(await setUp(newPassword, accessToken));
    expect(emailCodeSent).toBe(false);
    const confirmed = await app.api.post('/auth/second-factor/confirm', { code: totp(secret) }, { token: accessToken });
    expectSuccess(confirmed);
  } finally {
    await app.close();
  }
});
