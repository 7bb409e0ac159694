import { Agent, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { aKey, anOrder, aProduct, aServer, aShop, type TestShop } from '../support/actors.js';
import { type Method } from '../support/client.js';
import { expectError } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { aWebhook } from '../payments/senders.js';
import { requestText, sendBytes } from './raw.js';

const NOWHERE = '0'.repeat(24);

/** Sends a request and reads its response to the end. Returns the status and the connection. */
function get(url: string, agent: Agent): Promise<[status: number, socket: unknown]> {
  return new Promise((resolve, reject) => {
    request(url, { agent }, (response) => {
      const { socket } = response;
      response.resume().once('end', () => {
        resolve([response.statusCode ?? 0, socket]);
      });
    })
      .once('error', reject)
      .end();
  });
}

describe('The request pipeline', () => {
  let app: TestApp;
  let shop: TestShop;
  let key: string;
  let serverId: string;

  beforeAll(async () => {
    app = await startTestApp();
    shop = await aShop(app.api);
    key = (await aKey(app.api, shop)).key;
    serverId = await aServer(app.api, shop);
  });
  afterAll(() => app.close());

  describe('An unknown path or method', () => {
    it.each(['/nothing', '/servers', '/shops/x/y/z', '/orders', '/payments/webhooks/stripe', '/'])(
      'returns 404 for %s, in the envelope',
      async (path) => {
        expectError(await app.api.get(path), 404, 'There is no such endpoint', `/api/v2${path}`);
      },
    );

    it.each(['/nothing', '/api', '/api/v1/shops', '/metrics', '/favicon.ico', '/api/v2'])(
      'returns 404 outside of the API too: %s',
      async (path) => {
        const response = await sendBytes(app.baseUrl, requestText('GET', path));
        const body = { success: false, statusCode: 404, error: 'There is no such endpoint', path };
        expect(response).toMatchObject({ status: 404, headers: { ratelimit: expect.any(String) }, body });
      },
    );

    it('returns 400 for a body that cannot be read, outside of the API too', async () => {
      const text = requestText('POST', '/nothing', ['Content-Type: application/json', 'Content-Length: 1']);
      const response = await sendBytes(app.baseUrl, `${text}{`);
      expect(response).toMatchObject({ status: 400, body: { statusCode: 400, error: 'The body is not valid JSON' } });
    });

    const wrongMethods: [Method, string, string][] = [
      ['post', `/shops/${NOWHERE}/team`, 'GET, HEAD'],
      ['put', `/api-keys/${NOWHERE}`, 'DELETE, GET, HEAD, PATCH'],
      ['delete', '/api-keys', 'GET, HEAD, POST'],
      ['put', `/discounts/${NOWHERE}/validate`, 'POST'],
      // Another route (`:discountId`, with GET) matches this path too.
      ['get', `/discounts/${NOWHERE}/validate`, 'POST'],
      ['put', `/orders/public/${NOWHERE}/nickname/change`, 'POST'],
      ['post', `/shops/${NOWHERE}/domain`, 'DELETE, GET, HEAD, PUT'],
      ['post', `/stats/${NOWHERE}/comparison`, 'GET, HEAD'],
      ['post', `/servers/public/${NOWHERE}/status`, 'GET, HEAD'],
      ['get', `/payments/webhooks/custom/${NOWHERE}/secret`, 'POST'],
      ['put', `/orders/public/${NOWHERE}`, 'GET, HEAD'],
      // Another route (`team/:memberId`, with PATCH) matches this path too; its methods are not those of this route.
      ['put', `/shops/${NOWHERE}/team/me`, 'DELETE, GET, HEAD'],
      ['post', '/openapi.json', 'GET, HEAD'],
      ['delete', '/docs', 'GET, HEAD'],
    ];
    it.each(wrongMethods)('returns 405 for %s %s, with the methods of the path', async (method, path, allow) => {
      const response = await app.api.call(method, path, { key });
      expectError(response, 405, 'The endpoint does not support this method', `/api/v2${path}`);
      expect(response.headers['allow']).toBe(allow);
    });

    it('returns 405 for methods that no route has', async () => {
      for (const method of ['TRACE', 'PROPFIND', 'LOCK']) {
        const response = await sendBytes(app.baseUrl, requestText(method, `/api/v2/servers/public/${serverId}/status`));
        expect(response).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' }, body: { statusCode: 405 } });
      }
    });
  });

  describe('Bodies', () => {
    const login = (body: string, type = 'application/json'): Promise<Response> =>
      app.api.call('post', '/auth/login', { body, headers: { 'Content-Type': type } });

    it('returns 400, 413 and 415 for a body, each with its own message', async () => {
      expectError(await login('{'), 400, 'The body is not valid JSON');
      expectError(await login('['.repeat(17) + ']'.repeat(17)), 400, /nests deeper than 16 levels/);
      expectError(await login(JSON.stringify('x'.repeat(32 * 1024))), 413, 'The body is too large');
      expectError(await login('{}', 'text/plain'), 415, /^Send the body as application\/json/);
    });

    it('reads a body of 32 KB, 16 levels and 1,000 keys', async () => {
      const padded = JSON.stringify({ email: 'nobody@example.com', password: 'x', padding: '' });
      const largest = padded.replace('""', `"${'x'.repeat(32 * 1024 - padded.length)}"`);
      expect(Buffer.byteLength(largest)).toBe(32 * 1024);
      expectError(await login(largest), 400, 'padding is not a known field');
      expectError(await login(`${largest} `), 413, 'The body is too large');
      const deepest = '{"a":'.repeat(15) + '{}' + '}'.repeat(15);
      expectError(await login(deepest), 400, /^a is not a known field/);
      const keys = Array.from({ length: 1_000 }, (_, index) => `"k${index}":1`).join();
      expectError(await login(`{${keys}}`), 400, /^k0 is not a known field/);
    });

    it('accepts the charset of a body in any common spelling', async () => {
      for (const type of ['application/json;charset=UTF-8', 'Application/JSON; charset="utf-8"', 'application/json ']) {
        expectError(await login('{}', type), 400, /^email is required/);
      }
    });

    it('rejects a body that is too large before the rest of it comes', async () => {
      const head = requestText('POST', '/api/v2/auth/login', ['Content-Type: application/json']).trimEnd();
      const begun = 'x'.repeat(32 * 1024 + 1);
      for (const request of [
        `${head}\r\nContent-Length: 1000000000\r\n\r\n{`,
        `${head}\r\nTransfer-Encoding: chunked\r\n\r\n${begun.length.toString(16)}\r\n${begun}\r\n`,
      ]) {
        const response = await sendBytes(app.baseUrl, request);
        expect(response).toMatchObject({ status: 413, headers: { connection: 'close' }, body: { statusCode: 413 } });
      }
    });

    it('rejects a body that is not UTF-8', async () => {
      const body = Buffer.concat([Buffer.from('{"email":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]);
      const head = ['Content-Type: application/json', `Content-Length: ${body.length}`];
      const request = Buffer.concat([Buffer.from(requestText('POST', '/api/v2/auth/login', head)), body]);
      expect(await sendBytes(app.baseUrl, request)).toMatchObject({
        status: 400,
        body: { error: 'The body is not valid JSON' },
      });
    });

    it('ends a request whose body ends too early', async () => {
      const text = requestText('POST', '/api/v2/auth/login', ['Content-Type: application/json', 'Content-Length: 5']);
      expect(await sendBytes(app.baseUrl, `${text}{"a":1}`)).toMatchObject({ status: 400 });
    });
  });

  it('serves 1,500 requests over one connection', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const statuses = new Map<number, number>();
    const sockets = new Set<unknown>();
    try {
      for (let count = 0; count < 1_500; count++) {
        const [code, socket] = await get(`${app.baseUrl}/api/v2/health/live`, agent);
        statuses.set(code, (statuses.get(code) ?? 0) + 1);
        sockets.add(socket);
      }
    } finally {
      agent.destroy();
    }
    expect(statuses).toEqual(new Map([[200, 1_500]]));
    expect(sockets.size).toBe(1);
  });

  it('responds to HEAD as to GET, without a body', async () => {
    const path = `/api/v2/servers/public/${serverId}/status`;
    const found = await sendBytes(app.baseUrl, requestText('HEAD', path));
    expect(found).toMatchObject({ status: 200, text: '', headers: { 'cache-control': 'public, max-age=10' } });
    expect(found.headers['etag']).toBe((await app.api.get(`/servers/public/${serverId}/status`)).headers['etag']);
    const missing = await sendBytes(app.baseUrl, requestText('HEAD', path.replace(serverId, NOWHERE)));
    expect(missing).toMatchObject({ status: 404, text: '' });
  });

  it('returns the error envelope for what is not HTTP too', async () => {
    const json = { 'content-type': 'application/json; charset=utf-8' };
    for (const bytes of [
      'nonsense\r\n\r\n',
      'GET /a b HTTP/1.1\r\n\r\n',
      'GET / HTTP/1.1\r\nBad Header: x\r\n\r\n',
      '\u0000\r\n\r\n',
    ]) {
      const response = await sendBytes(app.baseUrl, bytes);
      expect(response).toMatchObject({
        status: 400,
        headers: { ...json, connection: 'close', 'x-error-code': 'request_not_http' },
        body: { success: false, statusCode: 400, error: 'The request is not valid HTTP', path: '/api/v2' },
      });
    }
    const smuggled = ['POST / HTTP/1.1', 'Host: a', 'Content-Length: 3', 'Transfer-Encoding: chunked', '', '0', '', ''];
    expect(await sendBytes(app.baseUrl, smuggled.join('\r\n'))).toMatchObject({ status: 400 });
  });

  describe('A request', () => {
    const path = '/api/v2/health/live';
    const send = (lines: readonly string[], body = ''): ReturnType<typeof sendBytes> =>
      sendBytes(app.baseUrl, [...lines, 'Connection: close', '', body].join('\r\n'));

    it('rejects a request without exactly one Host', async () => {
      const error = 'The request must have exactly one Host header';
      for (const hosts of [[], ['Host: a', 'Host: a'], ['Host: a', 'host: b']]) {
        const response = await send([`GET ${path} HTTP/1.1`, ...hosts]);
        expect(response).toMatchObject({ status: 400, body: { statusCode: 400, error, path } });
        expect(response.headers).toMatchObject({ ratelimit: expect.any(String), 'x-request-id': expect.any(String) });
      }
      expect(await send([`GET ${path} HTTP/1.0`])).toMatchObject({ status: 200 });
    });

    it('accepts the expectation 100-continue, and no other', async () => {
      const json = ['Content-Type: application/json', 'Content-Length: 2', 'Expect: 100-continue'];
      const continued = await send([`POST /api/v2/auth/login HTTP/1.1`, 'Host: a', ...json], '{}');
      expect(continued.status).toBe(100);
      const response = await send([`GET ${path} HTTP/1.1`, 'Host: a', 'Expect: tea']);
      const error = 'The Expect header must be 100-continue';
      expect(response).toMatchObject({ status: 417, body: { statusCode: 417, error, path } });
    });
  });

  describe('Paths in error bodies', () => {
    it('shows neither the query nor anything that could be a secret in the path of an error body', async () => {
      const { path, secret } = await aWebhook(app.api, await aShop(app.api), 'custom');
      const response = await app.api.get(`${path}?token=${secret}`);
      expectError(response, 405, /./, `/api/v2${path.replace(secret, '[redacted]')}`);
      const encoded = await app.api.post(path.replace(secret, encodeURIComponent(`${secret}/`)), {});
      expect(encoded.text).not.toContain(secret);
    });
  });

  it('accepts the token of an order only in the header', async () => {
    const productId = await aProduct(app.api, shop);
    const { id, accessToken } = await anOrder(app.api, shop.shopId, { productId, serverId });
    expectError(await app.api.get(`/orders/public/${id}?token=${accessToken}`), 404, 'There is no such order');
  });
});
