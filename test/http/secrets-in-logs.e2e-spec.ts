import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aKey, aMember, anOrder, aPerson, aProduct, aServer, aShop, unique } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { inDatabase } from '../support/in-database.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { aProtectedPerson } from '../auth/second-factors.js';
import { aWebhook, sendCustom, sendRaw } from '../payments/senders.js';
import { acknowledge, aDeliveringShop, aPaidOrder, deliveryStatusOf, lease } from '../deliveries/delivery-actors.js';
import { wholeOutput } from '../support/whole-output.js';
import { requestText, sendBytes } from './raw.js';

const PASSWORD = 'canary-password-9f27c1';
const WRONG_PASSWORD = 'canary-password-a-wrong-one';
const JWT_SECRET = 'canary-jwt-secret-that-is-more-than-32-bytes';
const ENCRYPTION_KEY = 'ca9a71'.repeat(11).slice(0, 64);
const STRIPE_SECRET = 'whsec_canaryStripeSigningSecret1234567890';
const STRIPE_KEY = 'sk_live_canaryStripeSecretKey1234567890';

describe('The log', () => {
  let app: TestApp;
  /** The secrets that must not be in it, by name. */
  const canaries: Record<string, string> = {
    PASSWORD,
    WRONG_PASSWORD,
    JWT_SECRET,
    ENCRYPTION_KEY,
    STRIPE_SECRET,
    STRIPE_KEY,
  };

  /** Everything that people with secrets do, and everything that can go wrong. */
  async function use(): Promise<void> {
    const { api } = app;
    const email = `canary-${unique()}@example.com`;
    const registered = expectSuccess<{ accessToken: string; refreshToken: string }>(
      await api.post('/auth/register', { email, password: PASSWORD, name: 'Canary' }),
    );
    canaries['access token'] = registered.accessToken;
    canaries['refresh token'] = registered.refreshToken;
    await api.post('/auth/register', { email, password: PASSWORD, name: 'Again' });
    await api.post('/auth/login', { email, password: WRONG_PASSWORD });
    await api.post('/auth/login', { email, password: PASSWORD, [PASSWORD]: PASSWORD });
    await api.post('/auth/login', { email, password: { $ne: PASSWORD } });
    const json = { 'Content-Type': 'application/json' };
    await api.call('post', '/auth/login', { body: `{"password":"${PASSWORD}"`, headers: json });
    await api.post('/auth/refresh', { refreshToken: registered.refreshToken });
    await api.post('/auth/refresh', { refreshToken: registered.refreshToken });
    canaries['unknown refresh token'] = `shr_${'canary'.repeat(7)}x`;
    await api.post('/auth/refresh', { refreshToken: canaries['unknown refresh token'] });
    await useAccount();
    await useShop();
  }

  /** A forgotten password, and a second factor from its setup to its end. */
  async function useAccount(): Promise<void> {
    const { api, mailbox } = app;
    const { email, token, password, secret, recoveryCodes } = await aProtectedPerson(app);
    canaries['TOTP secret'] = secret;
    for (const [index, code] of recoveryCodes.entries()) {
      canaries[`recovery code ${index}`] = code;
      canaries[`recovery code ${index}, without hyphen`] = code.replace('-', '');
    }
    canaries['User-Agent'] = 'canary-user-agent';
    const headers = { 'User-Agent': 'canary-user-agent' };
    const login = await api.post('/auth/login', { email, password }, { headers });
    const step = expectSuccess<{ secondFactor: { token: string } }>(login).secondFactor.token;
    canaries['token of a second step'] = step;
    await api.post('/auth/login/second-factor', { token: step, code: 'wrong', [step]: step });
    await api.post('/auth/login/second-factor', { token: step, code: secret.slice(0, 20) });
    await api.get('/auth/me', { token: step });
    const code = recoveryCodes[0];
    const signedIn = await api.post('/auth/login/second-factor', { token: step, code }, { headers });
    canaries['access token of a second step'] = expectSuccess<{ accessToken: string }>(signedIn).accessToken;
    await api.post('/auth/login/second-factor', { token: step, code });
    await api.post('/auth/second-factor/setup', { password }, { token });
    await api.post('/auth/second-factor/disable', { password: WRONG_PASSWORD, code }, { token });
    const renewed = await api.post(
      '/auth/second-factor/recovery-codes',
      { password, code: recoveryCodes[1] },
      { token },
    );
    canaries['renewed recovery code'] = expectSuccess<{ recoveryCodes: string[] }>(renewed).recoveryCodes[0] ?? '';
    await api.post('/auth/password/forgot', { email });
    const [resetToken] = await mailbox.next(email, /shw_[A-Za-z0-9_-]{43}/);
    canaries['reset token'] = resetToken;
    await api.post('/auth/password/reset', { token: resetToken, newPassword: 'short' });
    await api.get(`/auth/password/reset?token=${resetToken}`);
    await api.get(`/auth/password/reset/${resetToken}`);
    await api.post('/auth/password/change', { currentPassword: WRONG_PASSWORD, newPassword: PASSWORD }, { token });
    expectSuccess(await api.post('/auth/password/reset', { token: resetToken, newPassword: PASSWORD }));
    await api.post('/auth/password/reset', { token: resetToken, newPassword: PASSWORD });
    await api.post('/auth/logout', { refreshToken: `shr_${'canary'.repeat(7)}x` });
  }

  async function useShop(): Promise<void> {
    const { api, mailbox } = app;
    const shop = await aShop(api);
    const { key } = await aKey(api, shop);
    canaries['API key'] = key;
    canaries['owner token'] = shop.owner.token;
    canaries['owner refresh token'] = shop.owner.refreshToken;
    canaries['owner password'] = shop.owner.password;
    const team = `/shops/${shop.shopId}/team`;
    expectSuccess(await api.get(team, { key }));
    await useKeys(shop);
    await api.get(team, { key: `${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}` });
    await api.get(team, { key, token: shop.owner.token });
    await api.get(`${team}?key=${key}&access_token=${shop.owner.token}`);
    await api.get(`/nothing/${key}`);
    await api.get('/api-keys', { token: `${shop.owner.token}x` });
    await api.get('/api-keys', { headers: { Authorization: `Basic ${PASSWORD}`, Cookie: `session=${PASSWORD}` } });
    await sendBytes(
      app.baseUrl,
      requestText('GET', '/api/v2/api-keys', [`Authorization : Bearer ${shop.owner.token}`]),
    );
    await sendBytes(app.baseUrl, requestText('GET', `/api/v2${team}`, [`X-API-Key: ${key}${'x'.repeat(20_000)}`]));
    await aMember(app, shop, 'support');
    const invited = await aPerson(api, 'Invited');
    await api.post(`${team}/invitations`, { email: invited.email, role: 'support' }, { token: shop.owner.token });
    const [invitation] = await mailbox.next(invited.email, /shi_[A-Za-z0-9_-]{43}/);
    canaries['invitation token'] = invitation;
    await api.post('/team/invitations/accept', { token: invitation }, { token: shop.owner.token });
    await useOrder(shop.shopId, await aProduct(api, shop), await aServer(api, shop));
    await useWebhooks(shop);
  }

  /** A key from its creation to its end, with mistakes of its owner and attempts of a thief. */
  async function useKeys(shop: Awaited<ReturnType<typeof aShop>>): Promise<void> {
    const { api } = app;
    const { token } = shop.owner;
    const { id, key } = await aKey(api, shop);
    canaries['rotated API key'] = key;
    const path = `/api-keys/${id}`;
    const headers = { 'Idempotency-Key': `canary-idempotency-${unique()}` };
    const rotated = expectSuccess<{ key: string }>(await api.post(`${path}/rotate`, {}, { token, headers }));
    canaries['next API key'] = rotated.key;
    const shown = 'The request already succeeded; its secret is shown only once';
    expectError(await api.post(`${path}/rotate`, {}, { token, headers }), 409, shown);
    await api.post(`${path}/rotate`, { graceSeconds: rotated.key, [key]: key }, { token });
    await api.post(`${path}/rotate`, {}, { key: rotated.key });
    await api.patch(`/api-keys/${rotated.key}`, { name: key, permissions: [key] }, { token });
    await api.patch(path, { permissions: [key] }, { token });
    const restrictions = `${path}/restrictions`;
    await api.put(restrictions, { serverIds: null, ipAllowlist: [rotated.key] }, { token });
    expectSuccess(await api.put(restrictions, { serverIds: null, ipAllowlist: ['192.0.2.7'] }, { token }));
    for (const one of [key, rotated.key]) await api.get(`/products/${shop.shopId}`, { key: one });
    expectSuccess(await api.delete(path, { token }));
    for (const one of [key, rotated.key]) await api.get(`/products/${shop.shopId}`, { key: one });
  }

  async function useOrder(shopId: string, productId: string, serverId: string): Promise<void> {
    const { api, mailbox } = app;
    const order = await anOrder(api, shopId, { productId, serverId });
    canaries['order token'] = order.accessToken;
    await api.get(`/orders/public/${order.id}`, { headers: { 'X-Order-Token': order.accessToken } });
    await api.get(`/orders/public/${'0'.repeat(24)}`, { headers: { 'X-Order-Token': order.accessToken } });
    await api.get(`/orders/public/${order.id}?token=${order.accessToken}`);
    await api.call('post', `/orders/public/${order.id}/nickname/request`);
    const [, code = ''] = await mailbox.next(order.email, /^(\d{8})$/m);
    canaries['verification code'] = code;
    const change = `/orders/public/${order.id}/nickname/change`;
    await api.post(change, { verificationCode: code, newNickname: 'x' });
    await api.post(change, { verificationCode: code, newNickname: 'Alex_42', extra: code });
    expectSuccess(await api.post(change, { verificationCode: code, newNickname: 'Alex_42' }));
    await api.post(change, { verificationCode: code, newNickname: 'Alex_43' });
  }

  async function useWebhooks(shop: Awaited<ReturnType<typeof aShop>>): Promise<void> {
    const { api } = app;
    const { token } = shop.owner;
    const stripe = { signingSecret: STRIPE_SECRET, secretKey: STRIPE_KEY };
    await aWebhook(api, shop, 'stripe', stripe);
    const provider = `/payments/${shop.shopId}/providers/stripe`;
    await api.put(provider, { enabled: true, credentials: { ...stripe, [STRIPE_KEY]: 'x' } }, { token });
    await api.put(provider, { enabled: true, credentials: { signingSecret: [STRIPE_SECRET] } }, { token });
    const webhook = await aWebhook(api, shop, 'custom');
    canaries['webhook path secret'] = webhook.secret;
    canaries['signing secret'] = webhook.signingSecret;
    canaries['signing secret without prefix'] = webhook.signingSecret.replace('whsec_', '');
    const { path, secret } = webhook;
    expectSuccess(await sendCustom(api, webhook, { type: 'anything' }));
    await sendCustom(api, webhook, { type: 'payment.succeeded', [PASSWORD]: PASSWORD });
    await sendRaw(api, path, '{', { 'webhook-signature': `v1,${PASSWORD}` });
    await sendRaw(api, path, 'x'.repeat(300_000));
    await sendRaw(api, path, 'x', { 'Content-Encoding': 'gzip' });
    for (const method of ['get', 'put', 'patch', 'delete'] as const) await api.call(method, path);
    const upper = secret.toUpperCase();
    canaries['webhook path secret in upper case'] = upper;
    const encoded = [...secret].map((character) => `%${character.charCodeAt(0).toString(16)}`).join('');
    canaries['webhook path secret, encoded'] = encoded;
    for (const mistyped of [
      `${path}/`,
      `${path}/extra`,
      `${path}?x=1`,
      `${path}%`,
      `${path}%00`,
      path.replace(secret, upper),
      path.replace(secret, encoded),
      path.replace('webhooks', 'webhook'),
      path.replace('webhooks', 'WEBHOOKS'),
      path.replace('payments', 'payment'),
      path.replace('custom', 'stripe'),
      path.replace('custom', 'nobody'),
      path.replace(shop.shopId, '0'.repeat(24)),
      path.replace(shop.shopId, 'nothex'),
      path.replace(`/${shop.shopId}`, ''),
      `/..${path}`,
      `//${path}`,
    ]) {
      await sendRaw(api, mistyped, '{}');
    }
    await sendBytes(app.baseUrl, requestText('POST', path));
    await sendBytes(app.baseUrl, requestText('POST', `/api/v2${path} x`));
    await sendBytes(app.baseUrl, requestText('POST', `/api/v2${path}`, [`X-Long: ${'x'.repeat(20_000)}`]));
    const rotated = expectSuccess<{ webhookUrl: string }>(
      await api.post(`/payments/${shop.shopId}/providers/custom/rotate-secret`, {}, { token }),
    );
    canaries['rotated webhook path secret'] = rotated.webhookUrl.split('/').at(-1) ?? '';
  }

  beforeAll(async () => {
    app = await startTestApp({ env: { LOG_LEVEL: 'trace', JWT_SECRET, ENCRYPTION_KEY } });
    await use();
    const last = 'the-last-request-of-the-run';
    await app.api.get('/health/live', { headers: { 'X-Request-Id': last } });
    await eventually(() => Promise.resolve(app.output().includes(last)));
  });
  afterAll(() => app.close());

  it('writes a log line for every request, with its route and without its path', () => {
    const lines = app
      .output()
      .split('\n')
      .filter((line) => line.includes('"msg":"request"'));
    expect(lines.length).toBeGreaterThan(60);
    const routes = lines.map((line) => (JSON.parse(line) as { route: string }).route);
    expect(new Set(routes)).toEqual(
      new Set(
        routes.filter((route) => ['unmatched', '*path'].includes(route) || /^\/api\/v2(\/:?[A-Za-z-]+)+$/.test(route)),
      ),
    );
    expect(routes).toContain('/api/v2/payments/webhooks/:provider/:shopId/:webhookSecret');
  });

  it('contains no secret, for every way in which its request failed', () => {
    const output = app.output().toLowerCase();
    const found = Object.entries(canaries)
      .filter(([, canary]) => canary.length < 8 || output.includes(canary.toLowerCase()))
      .map(([name]) => name);
    expect(found).toEqual([]);
  });

  it('writes no key into the log and the database: neither a record nor the audit log has one', async () => {
    const dump = await inDatabase(app, async (database) => {
      const collections = await database.listCollections({}, { nameOnly: true }).toArray();
      const all = await Promise.all(collections.map(({ name }) => database.collection(name).find().toArray()));
      return JSON.stringify(all);
    });
    expect(dump).toContain('api_key.rotated');
    expect(dump).not.toMatch(/shp_[0-9A-Za-z]{36}/);
  });

  it('contains no header, no body and no email address', () => {
    expect(app.output()).not.toMatch(/authorization|x-api-key|x-order-token|cookie|user-agent/i);
    expect(app.output()).not.toMatch(/@example\.com/);
  });
});

describe('The lines about an order', () => {
  it('names the order in the lines of its requests and emails, and neither its buyer nor anything of a path that is no id', async () => {
    const app = await startTestApp();
    const shop = await aDeliveringShop(app.api);
    const order = await aPaidOrder(app.api, shop, { nickname: 'Nick_the_buyer' });
    await aPaidOrder(app.api, shop);
    const [delivery] = await lease(app.api, shop, { limit: 1 });
    if (delivery === undefined) throw new Error('Nothing was leased');
    await acknowledge(app.api, shop, delivery);
    expect(await deliveryStatusOf(app.api, order)).toBe('delivered');
    await app.api.get('/orders/public/a-secret-in-the-path', { headers: { 'X-Order-Token': 'x' } });
    const { length: emailCount } = await eventually(async () => {
      const emails = (await app.mailbox.all()).filter((mail) => mail.includes(`To: ${order.email}`));
      return emails.length === 3 && emails;
    });
    const output = await wholeOutput(app);
    const lines = output
      .split('\n')
      .filter((line) => line.includes(order.id))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const about = (route: string): object[] => lines.filter((line) => line['route'] === `/api/v2/${route}`);
    const one = { shopId: shop.shopId, orderId: order.id };
    const several = { shopId: shop.shopId, orderIds: [order.id], deliveryIds: [delivery.deliveryId] };
    expect(about('checkout/:shopId/orders')).toEqual([expect.objectContaining(one)]);
    expect(about('payments/webhooks/:provider/:shopId/:webhookSecret')).toEqual([
      expect.objectContaining({ ...one, eventId: expect.any(String) }),
    ]);
    expect(about('deliveries/:shopId/lease')).toEqual([expect.objectContaining(several)]);
    expect(about('deliveries/:shopId/ack')).toEqual([expect.objectContaining(several)]);
    expect(about('orders/public/:orderId')).toEqual([expect.objectContaining(one)]);
    // Each has its own id, and not that of the request that caused it. The owner gets one more.
    const emails = lines.filter(({ msg }) => msg === 'An email was sent');
    expect(emails.length).toBeGreaterThanOrEqual(emailCount);
    for (const email of emails) {
      expect(email).toEqual({
        ...{ level: 'info', time: expect.any(String), context: 'Mail', msg: 'An email was sent' },
        ...{ ...one, messageId: expect.any(String) },
      });
    }
    expect(output).not.toMatch(/Nick_the_buyer|a-secret-in-the-path|buyer-[^"]*@/);
    await app.close();
  });
});
