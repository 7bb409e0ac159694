import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aPerson, aShop } from '../support/actors.js';
import { anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { login, mailedToken, NEW_PASSWORD } from './password-actors.js';
import { aProtectedPerson, switchOn, totp } from './second-factors.js';

const INVALID = 'The second-factor code is wrong or already used';
const WAITING = { secondFactor: { token: expect.any(String) as unknown as string, expiresAt: anInstant } };

describe('a second factor and a new password', () => {
  let app: TestApp;
  const reset = async (email: string, newPassword: string): Promise<void> => {
    const token = await mailedToken(app, email);
    expectSuccess(await app.api.post('/auth/password/reset', { token, newPassword }));
  };

  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.close());

  it('keeps the second factor when the password is changed, also in an account with an unverified address', async () => {
    const { email, password, token } = await aProtectedPerson(app);
    const change = { currentPassword: password, newPassword: NEW_PASSWORD };
    expectSuccess(await app.api.post('/auth/password/change', change, { token }));
    expect(expectSuccess(await login(app.api, email, NEW_PASSWORD))).toEqual(WAITING);
  });

  it('removes the second factor at the first reset by email, because the person who switched it on may not own the address', async () => {
    const squatter = await aProtectedPerson(app);
    const { email, password } = squatter;
    const waiting = expectSuccess<typeof WAITING>(await login(app.api, email, password)).secondFactor.token;
    await reset(email, NEW_PASSWORD);
    await app.mailbox.next(email, /^Subject: Two-factor login was removed from your account$/m);
    const { accessToken } = expectSuccess<{ accessToken: string }>(
      await login(app.api, email, NEW_PASSWORD),
      'Logged in',
    );
    const status = await app.api.get('/auth/second-factor', { token: accessToken });
    expect(expectSuccess(status)).toEqual({ enabled: false, recoveryCodesLeft: 0 });
    for (const code of [totp(squatter.secret), squatter.recoveryCodes[0]]) {
      const second = await app.api.post('/auth/login/second-factor', { token: waiting, code });
      expectError(second, 400, INVALID, '/api/v2/auth/login/second-factor');
    }
  });

  it('removes at the first reset also a setup that waits for its first code', async () => {
    const { email, password, token } = await aPerson(app.api);
    expectSuccess(await app.api.post('/auth/second-factor/setup', { password }, { token }));
    await reset(email, NEW_PASSWORD);
    const { accessToken } = expectSuccess<{ accessToken: string }>(await login(app.api, email, NEW_PASSWORD));
    const confirm = await app.api.post('/auth/second-factor/confirm', { code: '123456' }, { token: accessToken });
    expectError(confirm, 409, 'Start the setup of a second factor before you confirm it');
  });

  it('keeps the second factor at the first reset when the person has accepted an emailed invitation before', async () => {
    const shop = await aShop(app.api);
    for (const reply of ['accept', 'decline']) {
      const person = await aPerson(app.api);
      const { email } = person;
      const invited = await app.api.post(
        `/shops/${shop.shopId}/team/invitations`,
        { email, role: 'support' },
        { token: shop.owner.token },
      );
      expectSuccess(invited);
      const [token] = await app.mailbox.next(email, /shi_[A-Za-z0-9_-]{43}/);
      expectSuccess(await app.api.post(`/team/invitations/${reply}`, { token }, { token: person.token }));
      await switchOn(app, person);
      await reset(email, NEW_PASSWORD);
      expect(expectSuccess(await login(app.api, email, NEW_PASSWORD))).toEqual(WAITING);
    }
  });

  it('keeps the second factor at every later reset: access to the mailbox does not replace it', async () => {
    const { email } = await aPerson(app.api);
    await reset(email, NEW_PASSWORD);
    const { accessToken: token } = expectSuccess<{ accessToken: string }>(await login(app.api, email, NEW_PASSWORD));
    await switchOn(app, { password: NEW_PASSWORD, token });
    for (const password of ['a third horse battery', 'a fourth horse battery']) {
      await reset(email, password);
      expect(expectSuccess(await login(app.api, email, password))).toEqual(WAITING);
    }
  });
});
