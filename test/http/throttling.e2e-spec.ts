import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { LIMITS, type LimitName } from '../../src/domain/limits/limits.js';
import { aKey, anOrder, aPerson, aProduct, aServer, aShop, type TestShop, unique } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const WAIT = 'Too many requests; wait before you send the next one';

let addresses = 0;
/** An address that no other test uses. */
const anAddress = (): string => `203.0.113.${++addresses}`;

/** A public route with no limit of its own. */
const ORDER = `/orders/public/${'0'.repeat(24)}`;

describe('Limits', () => {
  /** Two processes on one database: one to set up without limits, one behind a proxy whose limits are a tenth. */
  let roomy: TestApp;
  let tight: TestApp;
  let shop: TestShop;
  let serverId: string;
  let address: string;
  const from = (ip = address): Record<string, string> => ({ 'X-Forwarded-For': ip });
  const status = (headers = from()): Promise<Response> =>
    tight.api.get(`/servers/public/${serverId}/status`, { headers });
  const tenth = (name: LimitName): number => Math.max(1, Math.round(LIMITS[name].quota * 0.1));

  /** Sends requests until one is rejected, and asserts that exactly the quota was accepted before it. */
  async function expectLimit(name: LimitName, send: () => Promise<Response>, quota = tenth(name)): Promise<void> {
    for (let used = 1; used <= quota; used++) {
      const { status: code, headers } = await send();
      expect({ used, limited: code === 429 }).toEqual({ used, limited: false });
      expect(headers['ratelimit-policy']).toContain(`"${name}";q=${quota};w=${LIMITS[name].windowSeconds}`);
      expect(headers['ratelimit']).toMatch(new RegExp(`"${name}";r=${quota - used};t=\\d+`));
    }
    const rejected = await send();
    expectError(rejected, 429, WAIT);
    const seconds = Number(rejected.headers['retry-after']);
    expect(Number.isInteger(seconds) && seconds >= 1 && seconds <= 2 * LIMITS[name].windowSeconds).toBe(true);
    expect(rejected.headers['ratelimit']).toContain(`"${name}";r=0;t=${seconds}`);
  }

  beforeAll(async () => {
    roomy = await startTestApp();
    const { databaseUri } = roomy;
    const env = { RATE_LIMIT_FACTOR: '0.1', TRUST_PROXY: '1', QUOTAS: 'openOrdersPerAddress=1' };
    tight = await startTestApp({ env, databaseUri });
    shop = await aShop(roomy.api);
    serverId = await aServer(roomy.api, shop);
  });
  beforeEach(() => {
    address = anAddress();
  });
  afterAll(async () => {
    await tight.close();
    await roomy.close();
  });

  it('counts anonymous by address', async () => {
    await expectLimit('anonymous', () => tight.api.get(ORDER, { headers: from() }));
    expectError(await tight.api.get(ORDER, { headers: from(anAddress()) }), 404, 'There is no such order');
    expectSuccess(await tight.api.get('/health/live', { headers: from() }));
  });

  it('counts for anonymous also unknown paths, wrong methods, unreadable bodies and missing credentials', async () => {
    const headers = from();
    const json = { ...headers, 'Content-Type': 'application/json' };
    const sends = [
      () => tight.api.get('/nothing', { headers }),
      () => tight.api.call('put', '/health/live', { headers }),
      () => tight.api.call('post', '/auth/login', { body: '{', headers: json }),
      () => tight.api.call('post', '/auth/login', { body: 'a', headers: { ...headers, 'Content-Type': 'text/plain' } }),
      () => tight.api.get('/api-keys', { headers }),
      () => tight.api.get('/openapi.json', { headers }),
    ];
    let turn = 0;
    await expectLimit('anonymous', () => (sends[turn++ % sends.length] ?? status)());
  });

  it('counts publicStatus by address, also for servers that do not exist', async () => {
    let turn = 0;
    const missing = `/servers/public/${'0'.repeat(24)}/status`;
    await expectLimit('publicStatus', () => (turn++ % 2 ? status() : tight.api.get(missing, { headers: from() })));
    expectSuccess(await status(from(anAddress())));
    expectSuccess(await tight.api.get('/health/live', { headers: from() }));
  });

  it('counts allowedDomain by the address of the proxy, whatever domains clients connect to', async () => {
    const headers = from();
    let turn = 0;
    await expectLimit('allowedDomain', () =>
      tight.api.get(`/domains/allowed?domain=${++turn}.example.com`, { headers }),
    );
    expectError(
      await tight.api.get('/domains/allowed?domain=a.example.com', { headers: from(anAddress()) }),
      404,
      'There is no such shop',
    );
  });

  it('counts failedCredentials by address; wrong credentials do not block a valid key', async () => {
    const { key } = await aKey(roomy.api, shop);
    const team = `/shops/${shop.shopId}/team`;
    await expectLimit('failedCredentials', () => tight.api.get(team, { key: 'shp_wrong', headers: from() }));
    expectError(await tight.api.get(team, { token: 'x.y.z', headers: from() }), 429, WAIT);
    expectSuccess(await tight.api.get(team, { key, headers: from() }));
  });

  it('counts apiKey by key, from any address; another key is not limited (complaint 5)', async () => {
    const [{ key }, other] = [await aKey(roomy.api, shop), await aKey(roomy.api, shop)];
    const team = `/shops/${shop.shopId}/team`;
    await expectLimit('apiKey', () => tight.api.get(team, { key, headers: from(anAddress()) }));
    expectSuccess(await tight.api.get(team, { key: other.key, headers: from() }));
  });

  it('counts shopKeys by shop, over all of its keys; another shop and the team are not limited', async () => {
    const [own, other] = [await aShop(roomy.api), await aShop(roomy.api)];
    const keys = await Promise.all(Array.from({ length: 4 }, () => aKey(roomy.api, own)));
    const products = `/products/${own.shopId}`;
    const quota = tenth('shopKeys');
    // Together more than the limit of the shop, but each key less than the limit of a key.
    const sends = Array.from({ length: quota + 20 }, (_, turn) =>
      tight.api.get(products, { key: keys[turn % keys.length]?.key ?? '', headers: from(anAddress()) }),
    );
    const responses = await Promise.all(sends);
    expect(responses.filter(({ status: code }) => code === 200)).toHaveLength(quota);
    for (const rejected of responses.filter(({ status: code }) => code !== 200)) {
      expectError(rejected, 429, WAIT);
      expect(rejected.headers['ratelimit']).toContain('"shopKeys";r=0;');
    }
    expectSuccess(await tight.api.get(products, { token: own.owner.token, headers: from() }));
    const { key } = await aKey(roomy.api, other);
    expectSuccess(await tight.api.get(`/products/${other.shopId}`, { key, headers: from() }));
  });

  describe('with a storefront key, which is in every page', () => {
    let own: TestShop;
    let key: string;
    const read = (path: string, ip: string): Promise<Response> => tight.api.get(path, { key, headers: from(ip) });
    const statuses = (responses: readonly Response[], code: number): number =>
      responses.filter(({ status: one }) => one === code).length;
    const all = (count: number, send: (turn: number) => Promise<Response>): Promise<Response[]> =>
      Promise.all(Array.from({ length: count }, (_, turn) => send(turn)));

    beforeEach(async () => {
      own = await aShop(roomy.api);
      ({ key } = await aKey(roomy.api, own, 'storefront'));
    });

    it('counts publicShop by address, so that one visitor closes the shop for nobody else', async () => {
      const [products, shown] = [`/products/${own.shopId}`, `/products/public/${own.shopId}`];
      const flood = await all(tenth('apiKey'), (turn) => read(turn % 2 ? products : shown, address));
      const quota = tenth('publicShop');
      expect([statuses(flood, 200), statuses(flood, 429)]).toEqual([quota, flood.length - quota]);
      const other = anAddress();
      for (const path of [products, shown]) expectSuccess(await read(path, other));
      const { key: ofPlugin } = await aKey(roomy.api, own, 'plugin');
      expectSuccess(await tight.api.get(products, { key: ofPlugin, headers: from() }));
    });

    it('counts a request above storefrontKey for anonymous as well, and does not reject it for the key', async () => {
      const products = `/products/${own.shopId}`;
      const visitors = Array.from({ length: tenth('storefrontKey') / tenth('publicShop') }, anAddress);
      const within = await all(tenth('storefrontKey'), (turn) =>
        read(products, visitors[turn % visitors.length] ?? ''),
      );
      expect(statuses(within, 200)).toBe(within.length);
      await expectLimit('anonymous', () => read(products, address));
      expectSuccess(await read(products, anAddress()));
    });

    it('counts visitorValidation by address, and shopValidation over all of them', async () => {
      const validate = (ip: string): Promise<Response> =>
        tight.api.post(`/discounts/${own.shopId}/validate`, { code: 'A', orderValue: 1 }, { key, headers: from(ip) });
      await expectLimit('visitorValidation', () => validate(address));
      const left = tenth('shopValidation') - tenth('visitorValidation');
      const others = await all(left + 5, () => validate(anAddress()));
      expect([statuses(others, 200), statuses(others, 429)]).toEqual([left, 5]);
    });
  });

  describe('a checkout', () => {
    const MALFORMED = {};
    let own: TestShop;
    let key: string;
    let order: object;
    const send = (path: string, body: object, ip: string, sentKey?: string): Promise<Response> =>
      tight.api.post(`/checkout/${path}`, body, {
        headers: from(ip),
        ...(sentKey === undefined ? {} : { key: sentKey }),
      });
    const checkout = (body: object, ip = anAddress(), sentKey?: string): Promise<Response> =>
      send(`${own.shopId}/orders`, body, ip, sentKey);
    const times = (count: number, request: () => Promise<Response>): Promise<Response[]> =>
      Promise.all(Array.from({ length: count }, request));
    const accepted = (responses: readonly Response[]): Response[] =>
      responses.filter(({ status: code }) => code !== 429);

    beforeEach(async () => {
      own = await aShop(roomy.api);
      ({ key } = await aKey(roomy.api, own));
      const items = [{ productId: await aProduct(roomy.api, own), quantity: 1 }];
      const nickname = `N${unique()}`;
      order = { items, serverId: await aServer(roomy.api, own), nickname, email: `${nickname}@example.com` };
    });

    it('counts checkoutAddress by address, in addition to anonymous', async () => {
      await expectLimit('checkoutAddress', () => checkout(MALFORMED, address));
      expectError(await checkout(MALFORMED), 400, /^items/);
    });

    it.each([
      ['a malformed body', () => MALFORMED],
      ['an unknown product', () => ({ ...order, items: [{ productId: '0'.repeat(24), quantity: 1 }] })],
      ['an unknown server', () => ({ ...order, serverId: '0'.repeat(24) })],
    ])('counts a checkout with %s for its sender only, and not for its shop', async (_, body) => {
      const rejected = await times(2 * tenth('checkout'), () => checkout(body()));
      expect(accepted(rejected)).toHaveLength(rejected.length);
      expectSuccess(await checkout(order));
      expectSuccess(await checkout(order, address, key));
    });

    it('counts a checkout of a buyer with too many open orders for its sender only, and not for its shop', async () => {
      const senders = Array.from({ length: Math.ceil(tenth('publicCheckout') / 2) }, anAddress);
      const each = (): Promise<Response[]> => Promise.all(senders.map((ip) => checkout(order, ip)));
      for (const response of await each()) expectSuccess(response);
      for (const response of [...(await each()), ...(await each())]) {
        expectError(response, 409, /^The address has 1 unpaid orders/);
      }
      expectSuccess(await checkout(order));
    });

    it('counts publicCheckout by shop, from any address and in any spelling of its id, and keeps the rest for its keys', async () => {
      const ids = [own.shopId, own.shopId.toUpperCase()];
      let turn = 0;
      const buyers = await times(tenth('checkout'), () => send(`${ids[turn++ % 2] ?? ''}/orders`, order, anAddress()));
      expect(accepted(buyers)).toHaveLength(tenth('publicCheckout'));
      const servers = await times(tenth('checkout'), () => checkout(order, address, key));
      expect(accepted(servers)).toHaveLength(tenth('checkout') - tenth('publicCheckout'));
      for (const response of [...buyers, ...servers].filter(({ status: code }) => code === 429)) {
        expectError(response, 429, WAIT);
        expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
      }
    });

    it('counts publicQuote by shop, and keeps the rest of quote for its keys', async () => {
      const quote = (ip: string, sentKey?: string): Promise<Response> =>
        send(`${own.shopId}/quote`, order, ip, sentKey);
      const buyers = await times(tenth('publicQuote') + 5, () => quote(anAddress()));
      expect(accepted(buyers)).toHaveLength(tenth('publicQuote'));
      const servers = await times(tenth('quote') - tenth('publicQuote') + 5, () => quote(address, key));
      expect(accepted(servers)).toHaveLength(tenth('quote') - tenth('publicQuote'));
    });

    it('counts the checkouts of each shop separately', async () => {
      await times(tenth('checkout'), () => checkout(order));
      expectError(await checkout(order), 429, WAIT);
      own = await aShop(roomy.api);
      const items = [{ productId: await aProduct(roomy.api, own), quantity: 1 }];
      expectSuccess(await checkout({ ...order, items, serverId: await aServer(roomy.api, own) }));
    });

    it("counts a storefront's server with a key of the shop by key, not by address", async () => {
      const { headers } = await checkout(MALFORMED, address, key);
      expect(headers['ratelimit-policy']).not.toContain('anonymous');
      expect(headers['ratelimit-policy']).toContain('apiKey');
      const responses = await times(2 * tenth('anonymous'), () => checkout(MALFORMED, address, key));
      for (const response of responses) expectError(response, 400, /^items/);
    });

    it.each(['a storefront key, which buyers can read', 'a key of another shop'])(
      'counts a checkout by address also with %s',
      async (which) => {
        const ignored = which.includes('another')
          ? await aKey(roomy.api, await aShop(roomy.api))
          : await aKey(roomy.api, own, 'storefront');
        const responses = await times(2 * tenth('checkoutAddress'), () => checkout(MALFORMED, address, ignored.key));
        expect(accepted(responses)).toHaveLength(tenth('checkoutAddress'));
      },
    );
  });

  it('counts user by person, over all of their tokens', async () => {
    const { email, password, token } = await aPerson(roomy.api);
    const login = expectSuccess<{ accessToken: string }>(await roomy.api.post('/auth/login', { email, password }));
    let turn = 0;
    await expectLimit('user', () =>
      tight.api.get('/api-keys', { token: turn++ % 2 ? token : login.accessToken, headers: from() }),
    );
    expectSuccess(await tight.api.get('/api-keys', { token: shop.owner.token, headers: from() }));
  });

  it('counts discountValidation by key, in addition to the limit of the key itself', async () => {
    const { key } = await aKey(roomy.api, shop);
    const validate = (): Promise<Response> =>
      tight.api.post(`/discounts/${shop.shopId}/validate`, { code: 'A', orderValue: 1 }, { key, headers: from() });
    await expectLimit('discountValidation', validate);
    expectSuccess(await tight.api.get(`/shops/${shop.shopId}/team`, { key, headers: from() }));
  });

  it('counts health and refresh by address, separately from all other requests', async () => {
    await expectLimit('health', () => tight.api.get('/health/live', { headers: from() }));
    const refresh = (): Promise<Response> =>
      tight.api.post('/auth/refresh', { refreshToken: 'x' }, { headers: from() });
    await expectLimit('refresh', refresh);
    expectSuccess(await status());
  });

  it('counts login by address, over registrations and logins', async () => {
    const sends = [
      () => tight.api.post('/auth/login', { email: `${unique()}@example.com`, password: 'wrong' }, { headers: from() }),
      () => tight.api.post('/auth/register', {}, { headers: from() }),
    ];
    let turn = 0;
    await expectLimit('login', () => (sends[turn++ % 2] ?? status)());
  });

  describe('of logins to one account', () => {
    let owner: { email: string; password: string };
    let home: string;
    const login = (email: string, password: string, ip: string): Promise<Response> =>
      tight.api.post('/auth/login', { email, password }, { headers: from(ip) });
    const guess = async (email: string, ip: string): Promise<number> => (await login(email, 'wrong horse', ip)).status;

    beforeEach(async () => {
      home = anAddress();
      owner = { email: `owner-${unique()}@example.com`, password: 'correct horse battery' };
      expectSuccess(await tight.api.post('/auth/register', { ...owner, name: 'Olivia' }, { headers: from(home) }));
    });

    it('counts loginAccount by network, in any spelling of the account; the right password is rejected too', async () => {
      for (let attempts = 0; attempts < tenth('loginAccount'); attempts++)
        expect(await guess(owner.email, address)).toBe(401);
      expectError(await login(owner.email.toUpperCase(), owner.password, address), 429, WAIT);
    });

    it('lets a stranger who has used up a limit lock the owner out of no other network, known or new', async () => {
      let status = 0;
      while (status !== 429) status = await guess(owner.email, address);
      expectSuccess(await login(owner.email, owner.password, home));
      expectSuccess(await login(owner.email, owner.password, anAddress()));
    });

    it('counts loginAccountTotal over all networks, but not where the person has logged in before', async () => {
      const quota = tenth('loginAccountTotal');
      for (const email of [owner.email, `nobody-${unique()}@example.com`]) {
        for (let attempts = 0; attempts < quota; attempts++) expect(await guess(email, anAddress())).toBe(401);
        expectError(await login(email, owner.password, anAddress()), 429, WAIT);
      }
      expectSuccess(await login(owner.email, owner.password, home));
    });
  });

  it('counts verificationCode by address, over requests for codes and attempts of all orders', async () => {
    const productId = await aProduct(roomy.api, shop);
    const { id } = await anOrder(roomy.api, shop.shopId, { productId, serverId });
    await expectLimit('verificationCode', () =>
      tight.api.call('post', `/orders/public/${id}/nickname/request`, { headers: from() }),
    );
    const body = { verificationCode: '1', newNickname: 'Alex_42' };
    const other = `/orders/public/${'0'.repeat(24)}/nickname/change`;
    expectError(await tight.api.post(other, body, { headers: from() }), 429, WAIT);
  });

  it('accepts a valid key and a valid token although their address is over its limit', async () => {
    await expectLimit('anonymous', () => tight.api.get(ORDER, { headers: from() }));
    const { key } = await aKey(roomy.api, shop);
    expectSuccess(await tight.api.get(`/shops/${shop.shopId}/team`, { key, headers: from() }));
    expectSuccess(await tight.api.get('/api-keys', { token: shop.owner.token, headers: from() }));
  });

  it('ignores a rejected request, so that further requests do not make the wait longer', async () => {
    await expectLimit('publicStatus', status);
    const waits = await Promise.all(Array.from({ length: 20 }, () => status()));
    const seconds = waits.map(({ headers }) => Number(headers['retry-after']));
    expect(new Set(seconds).size).toBe(1);
  });

  it('addresses of one IPv6 network (/64) count as one', async () => {
    let host = 0;
    await expectLimit('publicStatus', () => status(from(`2001:db8:1:1::${++host}`)));
    expectSuccess(await status(from('2001:db8:1:2::1')));
  });

  it('uses the address that the trusted proxy added, not one that the client sent', async () => {
    let claimed = 0;
    await expectLimit('publicStatus', () => status(from(`198.51.100.${++claimed}, ${address}`)));
  });

  describe('without TRUST_PROXY', () => {
    it('ignores X-Forwarded-For without TRUST_PROXY, with the quotas of the table', async () => {
      const plain = await startTestApp({ env: { RATE_LIMIT_FACTOR: '1' } });
      try {
        const path = `/servers/public/${serverId}/status`;
        const send = (): Promise<Response> => plain.api.get(path, { headers: from(anAddress()) });
        await expectLimit('publicStatus', send, LIMITS.publicStatus.quota);
      } finally {
        await plain.close();
      }
    });
  });
});
