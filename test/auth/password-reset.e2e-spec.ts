import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { aKey, aMember, aPerson, aShop, unique } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { inDatabase } from '../support/in-database.js';
import { idOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { wholeOutput } from '../support/whole-output.js';
import {
  expectOver,
  FORGOT,
  INVALID_RESET,
  login,
  mailedToken,
  NEW_PASSWORD,
  newTokens,
  RESET,
  RESET_TOKEN,
  type Tokens,
} from './password-actors.js';

describe('a forgotten password', () => {
  let app: TestApp;
  const post = (path: string, body: unknown): Promise<Response> => app.api.post(`/auth${path}`, body);

  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.close());

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
            message: 'If the address has an account, an email is on its way to it',
          },
        });
      }
      await app.mailbox.next(email, RESET_TOKEN);
      expect((await app.mailbox.all()).filter((mail) => mail.includes(unknown))).toEqual([]);
    });

    it('sends the email in the language of the browser with which the person registered', async () => {
      const email = `robin-${unique()}@example.com`;
      const body = { email, password: 'correct horse battery', name: 'Robin' };
      expectSuccess(await app.api.post('/auth/register', body, { headers: { 'Accept-Language': 'de-AT, en;q=0.5' } }));
      await post('/password/forgot', { email });
      await app.mailbox.next(email, /^Subject: Neues Passwort$/m);
      await app.mailbox.next(email, /60 Minuten/);
    });

    it('stores only a hash of the token, for 60 minutes', async () => {
      const { email, userId } = await aPerson(app.api);
      const token = await mailedToken(app, email);
      await inDatabase(app, async (database) => {
        const stored = await database.collection('password_resets').findOne({ userId: idOf(userId) });
        expect(JSON.stringify(stored)).not.toContain(token);
        const minutes = (Number(stored?.['expiresAt']) - Date.now()) / 60_000;
        expect(minutes).toBeGreaterThan(59);
        expect(minutes).toBeLessThanOrEqual(60);
      });
    });

    it.each([
      [{}, 'email is required, for example "owner@example.com"'],
      [{ email: 'robin' }, 'email must be an email address'],
      [{ email: { $gt: '' } }, 'email must be a string'],
      [{ email: ['robin@example.com'] }, 'email must be a string'],
      [{ email: 'robin@example.com', url: 'https://evil.example' }, 'url is not a known field'],
    ])('returns 400 for %j', async (body, error) => {
      expectError(await post('/password/forgot', body), 400, error, FORGOT);
    });
  });

  describe('POST /auth/password/reset', () => {
    const reset = (token: unknown, newPassword: unknown = NEW_PASSWORD): Promise<Response> =>
      post('/password/reset', { token, newPassword });

    it('sets the password, ends all sessions, creates none, and sends an email', async () => {
      const person = await aPerson(app.api);
      const second = await newTokens(app.api, person);
      const response = await reset(await mailedToken(app, person.email));
      expect(expectSuccess(response, 'Password reset; log in with the new password')).toEqual({
        sessionsEnded: 2,
        apiKeysRevoked: 0,
      });
      await expectOver(app.api, second);
      await expectOver(app.api, { accessToken: person.token, refreshToken: person.refreshToken });
      expectError(await login(app.api, person.email, person.password), 401, /password is wrong$/);
      expectSuccess(await login(app.api, person.email, NEW_PASSWORD));
      await app.mailbox.next(person.email, /^Subject: Your password was changed$/m);
    });

    it("revokes the person's API keys in all shops on request, with audit entries, and nobody else's", async () => {
      const { owner, ...own } = await aShop(app.api);
      const shop = { ...own, owner };
      const admin = await aMember(app, shop, 'admin');
      const [first, second] = [await aKey(app.api, shop), await aKey(app.api, shop)];
      const kept = await aKey(app.api, { ...shop, owner: admin }, 'storefront');
      const body = { token: await mailedToken(app, owner.email), newPassword: NEW_PASSWORD, revokeApiKeys: true };
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
        expect(entry).toMatchObject({
          action: 'api_key.revoked',
          actor: { type: 'user', id: owner.userId, name: 'Olivia' },
        });
      }
    });

    it('revokes no API key without a request for it', async () => {
      const shop = await aShop(app.api);
      const { key } = await aKey(app.api, shop);
      expectSuccess(await reset(await mailedToken(app, shop.owner.email)));
      expectSuccess(await app.api.get(`/products/${shop.shopId}`, { key }));
    });

    it('accepts a reset token once', async () => {
      const { email } = await aPerson(app.api);
      const token = await mailedToken(app, email);
      expectSuccess(await reset(token));
      expectError(await reset(token, 'yet another one'), 400, INVALID_RESET, RESET);
      expectSuccess(await login(app.api, email, NEW_PASSWORD));
    });

    it('accepts a reset token once of 20 parallel attempts, and sets the password of the successful one', async () => {
      const { email } = await aPerson(app.api);
      const token = await mailedToken(app, email);
      const responses = await Promise.all(
        Array.from({ length: 20 }, (_, index) => reset(token, `${NEW_PASSWORD} ${index}`)),
      );
      const winner = responses.findIndex(({ status }) => status === 200);
      for (const [index, response] of responses.entries()) {
        if (index === winner) expect(expectSuccess(response)).toEqual({ sessionsEnded: 1, apiKeysRevoked: 0 });
        else expectError(response, 400, INVALID_RESET, RESET);
      }
      expectSuccess(await login(app.api, email, `${NEW_PASSWORD} ${winner}`));
    });

    it('leaves no session of the old password, also when logins run in parallel with the reset', async () => {
      const person = await aPerson(app.api);
      const token = await mailedToken(app, person.email);
      const [response, ...logins] = await Promise.all([
        reset(token),
        ...Array.from({ length: 12 }, () => login(app.api, person.email, person.password)),
      ]);
      expectSuccess(response);
      for (const one of logins) {
        if (one.status === 200) await expectOver(app.api, one.body.data as Tokens);
        else expectError(one, 401, /password is wrong$/, '/api/v2/auth/login');
      }
    });

    it('accepts only the newest token', async () => {
      const { email } = await aPerson(app.api);
      const old = await mailedToken(app, email);
      const newest = await mailedToken(app, email);
      expect(newest).not.toBe(old);
      expectError(await reset(old), 400, INVALID_RESET, RESET);
      expectSuccess(await reset(newest));
    });

    it('rejects an expired token before it is deleted', async () => {
      const { email, userId } = await aPerson(app.api);
      const token = await mailedToken(app, email);
      await inDatabase(app, (database) =>
        database
          .collection('password_resets')
          .updateOne({ userId: idOf(userId) }, { $set: { expiresAt: new Date(Date.now() - 1) } }),
      );
      expectError(await reset(token), 400, INVALID_RESET, RESET);
    });

    it('hashes no password for an unknown token', async () => {
      expect(await app.hashesOf(() => reset(`shw_${'a'.repeat(43)}`))).toBe(0);
    });

    it('rejects other kinds of tokens', async () => {
      const person = await aPerson(app.api);
      for (const token of [person.refreshToken, person.token.slice(0, 128), 'x']) {
        expectError(await reset(token), 400, INVALID_RESET, RESET);
      }
    });

    it.each([
      [undefined, NEW_PASSWORD, 'token is required, for example "shw_an-opaque-text-of-43-characters"'],
      [{ $ne: null }, NEW_PASSWORD, 'token must be a string'],
      ['', NEW_PASSWORD, 'token must have 1 to 128 characters'],
      ['shw_x', '123456789', 'newPassword must have 10 to 128 characters'],
      ['shw_x', undefined, 'newPassword is required'],
    ])('returns 400 for %j and %j', async (token, newPassword, error) => {
      expectError(await post('/password/reset', { token, newPassword }), 400, error, RESET);
    });
  });

  it('writes no token and no password to the log', async () => {
    const person = await aPerson(app.api);
    const token = await mailedToken(app, person.email);
    expectSuccess(await post('/password/reset', { token, newPassword: 'canary horse battery' }));
    const output = await wholeOutput(app);
    for (const secret of [token, person.password, 'canary horse battery', person.email]) {
      expect(output).not.toContain(secret);
    }
  });
});
