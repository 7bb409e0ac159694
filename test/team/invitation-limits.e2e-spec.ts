import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { LIMITS } from '../../src/domain/limits/limits.js';
import { aKey, aShop, type TestShop, unique } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const TOO_MANY = 'Too many requests; wait before you send the next one';

describe('Invitations cannot flood a mailbox', () => {
  let app: TestApp;
  let shop: TestShop;
  const invite = (email: string, call: object, { shopId } = shop): Promise<Response> =>
    app.api.post(`/shops/${shopId}/team/invitations`, { email, role: 'analyst' }, call);
  const mailsTo = async (email: string): Promise<number> =>
    (await app.mailbox.all()).filter((mail) => mail.includes(`To: ${email}`)).length;

  beforeAll(async () => {
    app = await startTestApp({ env: { RATE_LIMIT_FACTOR: '1' } });
    shop = await aShop(app.api);
  });
  afterAll(() => app.close());

  it('limits invitations to an address to five an hour, from all people and shops together, and in upper or lower case', async () => {
    const name = `flooded-${unique()}`;
    const other = await aShop(app.api);
    const { key } = await aKey(app.api, shop);
    const quota = LIMITS.invitationAddress.quota;
    expect(quota).toBe(5);
    const spelled = ['', '+a', '+b', '+a+c', ''].map((tag) => `${name}${tag}@Example.com`);
    for (const [n, email] of spelled.entries()) {
      const call = n === 0 ? { key } : { token: n === 1 ? other.owner.token : shop.owner.token };
      expectSuccess(await invite(email, call, n === 1 ? other : shop));
    }
    for (const [call, at] of [
      [{ key }, shop],
      [{ token: shop.owner.token }, shop],
      [{ token: other.owner.token }, other],
    ] as const) {
      const response = await invite(`${name}+d@example.com`, call, at);
      expectError(response, 429, TOO_MANY);
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    }
    expectSuccess(await invite(`other-${unique()}@example.com`, { key }));
    await app.mailbox.next(`${name}+a+c@example.com`, /shi_/);
    expect(await mailsTo(`${name}+d@example.com`)).toBe(0);
  });

  it('limits invitations by a person to sixty an hour, together with all of their keys', async () => {
    const sender = await aShop(app.api);
    const keys = await Promise.all([1, 2, 3].map(() => aKey(app.api, sender)));
    const calls = [{ token: sender.owner.token }, ...keys.map(({ key }) => ({ key }))];
    const responses: number[] = [];
    for (let n = 0; n < LIMITS.invitation.quota + 4; n++) {
      const call = calls[n % calls.length] ?? {};
      responses.push((await invite(`many-${unique()}@example.com`, call, sender)).status);
    }
    expect(responses.filter((status) => status === 200)).toHaveLength(LIMITS.invitation.quota);
    expect(responses.slice(LIMITS.invitation.quota)).toEqual([429, 429, 429, 429]);
  });
});
