import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aPerson, aShop } from '../support/actors.js';
import { anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { inDatabase } from '../support/in-database.js';
import { idOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { login, mailedToken, NEW_PASSWORD } from './password-actors.js';
import { aProtectedPerson, type Setup, switchOn } from './second-factors.js';

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

  it('keeps the second factor when the password is changed', async () => {
    const { email, password, token } = await aProtectedPerson(app);
    const change = { currentPassword: password, newPassword: NEW_PASSWORD };
    expectSuccess(await app.api.post('/auth/password/change', change, { token }));
    expect(expectSuccess(await login(app.api, email, NEW_PASSWORD))).toEqual(WAITING);
  });

  it('keeps the second factor at the first reset by email: its owner has proved the address', async () => {
    const { email } = await aProtectedPerson(app);
    await reset(email, NEW_PASSWORD);
    expect(expectSuccess(await login(app.api, email, NEW_PASSWORD))).toEqual(WAITING);
  });

  it('keeps a second factor from the time before addresses were proved at the first reset, too', async () => {
    const { email, userId } = await aProtectedPerson(app);
    await inDatabase(app, (database) =>
      database.collection('users').updateOne({ _id: idOf(userId) }, { $set: { emailProvenAt: null } }),
    );
    await reset(email, NEW_PASSWORD);
    expect(expectSuccess(await login(app.api, email, NEW_PASSWORD))).toEqual(WAITING);
  });

  it('removes at a reset a setup that waits for its first code', async () => {
    const { email, password, token } = await aPerson(app.api);
    expectSuccess(await app.api.post('/auth/second-factor/setup', { password }, { token }));
    await reset(email, NEW_PASSWORD);
    const { accessToken } = expectSuccess<{ accessToken: string }>(await login(app.api, email, NEW_PASSWORD));
    const confirm = await app.api.post('/auth/second-factor/confirm', { code: '123456' }, { token: accessToken });
    expectError(confirm, 409, 'Start the setup of a second factor before you confirm it');
  });

  it('needs no code by email for the second factor when the person has accepted or declined an emailed invitation before', async () => {
    const shop = await aShop(app.api);
    for (const reply of ['accept', 'decline']) {
      const person = await aPerson(app.api);
      const { email, password } = person;
      const invited = await app.api.post(
        `/shops/${shop.shopId}/team/invitations`,
        { email, role: 'support' },
        { token: shop.owner.token },
      );
      expectSuccess(invited);
      const [token] = await app.mailbox.next(email, /shi_[A-Za-z0-9_-]{43}/);
      expectSuccess(await app.api.post(`/team/invitations/${reply}`, { token }, { token: person.token }));
      const setup = await app.api.post('/auth/second-factor/setup', { password }, { token: person.token });
      expect(expectSuccess<Setup>(setup).emailCodeSent).toBe(false);
      await switchOn(app, person);
      await reset(email, NEW_PASSWORD);
      expect(expectSuccess(await login(app.api, email, NEW_PASSWORD))).toEqual(WAITING);
    }
  });

  it('keeps the second factor at every later reset: access to the mailbox does not replace it', async () => {
    const { email } = await aPerson(app.api);
    await reset(email, NEW_PASSWORD);
    const { accessToken: token } = expectSuccess<{ accessToken: string }>(await login(app.api, email, NEW_PASSWORD));
    await switchOn(app, { email, password: NEW_PASSWORD, token });
    for (const password of ['a third horse battery', 'a fourth horse battery']) {
      await reset(email, password);
      expect(expectSuccess(await login(app.api, email, password))).toEqual(WAITING);
    }
  });
});
