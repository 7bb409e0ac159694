import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aKey, aServer, aShop } from '../support/actors.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { type RawResponse, requestText, sendBytes } from './raw.js';

const LIVE = '/api/v2/health/live';
const REFUSED = {
  status: 400,
  headers: {
    connection: 'close',
    'content-type': 'application/json; charset=utf-8',
    'x-error-code': 'request_not_http',
  },
  body: { success: false, statusCode: 400, error: 'The request is not valid HTTP', path: '/api/v2' },
};

/** Targets that begin with an address, as proxies get them, or that no client sends. */
describe('The target of a request', () => {
  let app: TestApp;
  let list: string;
  let withKey: string[];

  const get = (target: string, headers: readonly string[] = []): Promise<RawResponse> =>
    sendBytes(app.baseUrl, requestText('GET', target, headers));

  beforeAll(async () => {
    app = await startTestApp();
    const shop = await aShop(app.api);
    for (let count = 0; count < 2; count++) await aServer(app.api, shop);
    list = `/api/v2/servers/${shop.shopId}?limit=1`;
    withKey = [`X-API-Key: ${(await aKey(app.api, shop)).key}`];
  });
  afterAll(() => app.close());

  it.each([
    `http://[${LIVE}`,
    `http://evil:99999999${LIVE}`,
    `x://%zz${LIVE}`,
    `ftp://shop.example${LIVE}`,
    // Express' parser takes what is before the @ for the name of a user, and throws.
    `//a@[#${LIVE}`,
    `${LIVE}#part`,
  ])(
    'returns 400 in the envelope for a target that cannot be read, %s, as for everything that is not HTTP',
    async (target) => {
      expect(await get(target)).toMatchObject(REFUSED);
    },
  );

  it.each(['http://shop.example', 'HTTPS://shop.example:8443', 'http://a%2ab', 'http://user:secret@[::1]:80'])(
    'ignores an address before the path, %s',
    async (address) => {
      expect(await get(address + LIVE)).toMatchObject({ status: 200, headers: { 'x-request-id': expect.any(String) } });
      const page = await get(address + list, withKey);
      expect(page.status).toBe(200);
      expect(page.headers['link']).toMatch(/^<\/api\/v2\/servers\/[0-9a-f]{24}\?limit=1&cursor=[^>]+>; rel="next"$/);
      const path = '/api/v2/nothing';
      expect(await get(address + path)).toMatchObject({ status: 404, body: { statusCode: 404, path } });
    },
  );

  it('reads a target without a path as the root', async () => {
    const root = await get('/');
    expect(root).toMatchObject({ status: 200 });
    for (const target of ['http://shop.example', 'http://shop.example?a=b']) {
      expect(await get(target)).toMatchObject({ status: 200, text: root.text });
    }
    expect(await get('*')).toMatchObject({ status: 404, body: { statusCode: 404, path: '*' } });
  });

  it('lists with a next page also for an address that is not valid', async () => {
    expect(await get(`http://evil:99999999${list}`, withKey)).toMatchObject(REFUSED);
    expect(await get(`//evil:99999999${list}`, withKey)).toMatchObject({ status: 404, body: { statusCode: 404 } });
  });
});
