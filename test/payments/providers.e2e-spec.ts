import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aKey, aMember, aPerson, aShop, type TestShop } from '../support/actors.js';
import { anInstant, expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const STRIPE = { signingSecret: 'whsec_test_secret_of_an_endpoint', secretKey: 'sk_test_4eC39HqLyjWDarjtT1zdp7dc' };

/** What is known of a provider that was never called, and that has sent nothing. */
const UNCHECKED = {
  ...{ mode: null, checkedAt: null, webhookRegistered: null, lastEventAt: null },
  ...{ lastRejectedAt: null, lastRejection: null, lastError: null, failingSince: null },
};

let app: TestApp;
let shop: TestShop;
let base: string;

beforeAll(async () => {
  app = await startTestApp();
  shop = await aShop(app.api);
  base = `/payments/${shop.shopId}/providers`;
});
afterAll(() => app.close());

const put = (provider: string, body: object, token = shop.owner.token) =>
  app.api.put(`${base}/${provider}`, body, { token });

describe('PUT /payments/{shopId}/providers/{provider}', () => {
  it('returns the webhook URL and the generated signing secret of custom once, and forbids caching', async () => {
    const response = await put('custom', { enabled: true });
    expect(expectSuccess(response, 'Payment provider configured')).toEqual({
      provider: 'custom',
      enabled: true,
      credentials: ['signingSecret'],
      configuredAt: anInstant,
      previousSecretUntil: null,
      ...UNCHECKED,
      missing: ['paymentUrl'],
      canStartPayments: false,
      webhookUrl: expect.stringMatching(
        new RegExp(`^http://[^/]+/api/v2/payments/webhooks/custom/${shop.shopId}/[A-Za-z0-9_-]{43}$`),
      ),
      signingSecret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    expect(response.headers['cache-control']).toBe('no-store');
    expect(expectSuccess(await put('custom', { enabled: false }))).toMatchObject({
      enabled: false,
      webhookUrl: null,
      signingSecret: null,
    });
  });

  it('stores the credentials of stripe and never returns them', async () => {
    const response = await put('stripe', { enabled: true, credentials: STRIPE });
    expect(expectSuccess(response)).toMatchObject({ credentials: ['secretKey', 'signingSecret'], signingSecret: null });
    expect(response.text).not.toContain(STRIPE.signingSecret);
    expect(response.text).not.toContain(STRIPE.secretKey);
  });

  it('sends the owners an email about new settings and about a new webhook address, without any secret', async () => {
    const own = await aShop(app.api);
    const { token, email } = own.owner;
    const path = `/payments/${own.shopId}/providers/stripe`;
    expectSuccess(await app.api.put(path, { enabled: true, credentials: STRIPE }, { token }));
    const [configured] = await app.mailbox.next(email, /The payment settings of [^]*/);
    expect(configured).toMatch(new RegExp(`^By: .* \\(${email}\\)$`, 'm'));
    const rotated = expectSuccess<{ webhookUrl: string }>(await app.api.post(`${path}/rotate-secret`, {}, { token }));
    const [changed] = await app.mailbox.next(email, /The webhook address of [^]*/);
    for (const secret of [...Object.values(STRIPE), rotated.webhookUrl]) {
      expect(configured + changed).not.toContain(secret);
    }
  });

  it('accepts an API key with the permission', async () => {
    const { key } = await aKey(app.api, shop, 'secret', ['payments:write']);
    expectSuccess(await app.api.put(`${base}/custom`, { enabled: true }, { key }));
  });

  it.each<[string, string, object, string]>([
    ['no enabled', 'custom', {}, 'enabled is required, for example true'],
    ['a text for enabled', 'custom', { enabled: 'true' }, 'enabled must be true or false'],
    ['an unknown field', 'custom', { enabled: true, secret: 'x' }, 'secret is not a known field'],
    ['credentials that are a list', 'custom', { enabled: true, credentials: [] }, 'credentials must be an object'],
    [
      'an unknown credential',
      'custom',
      { enabled: true, credentials: { secretKey: 'x' } },
      'credentials.secretKey is not a known field',
    ],
    [
      'an operator for a credential',
      'custom',
      { enabled: true, credentials: { signingSecret: { $ne: 1 } } },
      'credentials.signingSecret must be whsec_ followed by 24 to 64 bytes in base64',
    ],
  ])('returns 400 for %s', async (_, provider, body, message) => {
    expectError(await put(provider, body), 400, message);
  });

  it('returns 400 for a first configuration without a required credential', async () => {
    const fresh = await aShop(app.api);
    const path = `/payments/${fresh.shopId}/providers/mollie`;
    const call = { token: fresh.owner.token };
    expectError(await app.api.put(path, { enabled: true }, call), 400, /^credentials.apiKey is required: it must be /);
    expect(expectSuccess(await app.api.get(`/payments/${fresh.shopId}/providers`, call))).toEqual([]);
  });

  it('returns 401 without a credential', async () => {
    expectError(await app.api.put(`${base}/custom`, { enabled: true }), 401, 'Authentication is missing or invalid');
  });

  it('returns 403 without the permission and to a person who is not a member', async () => {
    const manager = await aMember(app, shop, 'manager');
    expectError(
      await put('custom', { enabled: true }, manager.token),
      403,
      'The credential lacks the permission payments:write',
    );
    const stranger = await aPerson(app.api);
    expectError(
      await put('custom', { enabled: true }, stranger.token),
      403,
      'The credential has no access to this shop',
    );
  });

  it('returns 404 for an unknown provider and for an unknown shop', async () => {
    expectError(await put('venmo', { enabled: true }), 404, 'There is no such payment provider');
    const path = '/payments/655f1c2ab1e4a9d3f0c80000/providers/custom';
    expectError(await app.api.put(path, { enabled: true }, { token: shop.owner.token }), 404, 'There is no such shop');
  });
});

describe('GET /payments/{shopId}/providers', () => {
  it('lists the configured providers, newest first, without a secret', async () => {
    const fresh = await aShop(app.api);
    const path = `/payments/${fresh.shopId}/providers`;
    const call = { token: fresh.owner.token };
    await app.api.put(`${path}/stripe`, { enabled: false, credentials: STRIPE }, call);
    await app.api.put(`${path}/custom`, { enabled: true }, call);
    const common = { configuredAt: anInstant, previousSecretUntil: null, ...UNCHECKED, canStartPayments: false };
    expect(expectSuccess(await app.api.get(path, call), 'Payment providers retrieved')).toEqual([
      { provider: 'custom', enabled: true, credentials: ['signingSecret'], ...common, missing: ['paymentUrl'] },
      {
        provider: 'stripe',
        enabled: false,
        credentials: ['secretKey', 'signingSecret'],
        ...common,
        mode: 'test',
        missing: [],
      },
    ]);
  });

  it('lets a manager read the providers', async () => {
    const manager = await aMember(app, shop, 'manager');
    expectSuccess(await app.api.get(base, { token: manager.token }));
  });
});

describe('POST /payments/{shopId}/providers/{provider}/rotate-secret', () => {
  const rotate = (body: object | undefined, provider = 'custom') =>
    app.api.post(`${base}/${provider}/rotate-secret`, body, { token: shop.owner.token });
  const open = async (url: string) =>
    (await app.api.post(new URL(url).pathname.slice('/api/v2'.length), undefined)).status;

  it('returns a new URL once; the previous URL works until the grace period ends, the one before it does not', async () => {
    await put('custom', { enabled: true });
    const urls: string[] = [];
    for (const body of [{ graceSeconds: 60 }, {}, { graceSeconds: 60 }]) {
      const response = await rotate(body);
      const data = expectSuccess<{ webhookUrl: string }>(response, 'Webhook secret rotated');
      expect(data).toMatchObject({ signingSecret: null, previousSecretUntil: anInstant });
      expect(response.headers['cache-control']).toBe('no-store');
      urls.push(data.webhookUrl);
    }
    expect(await Promise.all(urls.map(open))).toEqual([404, 200, 200]);
  });

  it('rejects the old URL at once without a grace period', async () => {
    const { webhookUrl } = expectSuccess<{ webhookUrl: string }>(await rotate({ graceSeconds: 0 }));
    await rotate({ graceSeconds: 0 });
    expect(await open(webhookUrl)).toBe(404);
  });

  it('returns 400 for a grace period out of bounds and 404 for a provider that is not configured', async () => {
    expectError(await rotate({ graceSeconds: 604_801 }), 400, 'graceSeconds must be between 0 and 604800');
    const fresh = await aShop(app.api);
    expectError(
      await app.api.post(`/payments/${fresh.shopId}/providers/custom/rotate-secret`, {}, { token: fresh.owner.token }),
      404,
      'The shop has not configured this provider',
    );
  });
});
