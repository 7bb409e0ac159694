import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { aKey, aProduct, aShop, type TestShop, unique } from '../support/actors.js';
import { type DnsServer, startDnsServer } from '../support/dns-server.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { requestText, sendBytes } from './raw.js';

const PLATFORM = 'shops.example.net';
const CONFIGURED = 'https://admin.example.com';
const STRANGER = 'https://evil.example.com';

describe('Requests of browsers from other origins', () => {
  let app: TestApp;
  let dns: DnsServer;
  let shop: TestShop;
  let hostname: string;

  beforeAll(async () => {
    dns = await startDnsServer();
    const env = { PLATFORM_DOMAIN: PLATFORM, CORS_ORIGINS: `${CONFIGURED}, https://other.example.com` };
    app = await startTestApp({
      watchCommands: true,
      env,
      config: { dnsServers: [dns.address], sweepIntervalMs: 3_600_000 },
    });
    shop = await aShop(app.api);
    hostname = `${unique()}.example.com`;
    const { token } = shop.owner;
    const claimed = await app.api.put(`/shops/${shop.shopId}/domain`, { hostname }, { token });
    const { txtRecord } = expectSuccess<{ domain: { txtRecord: { name: string; value: string } } }>(claimed).domain;
    dns.publish(txtRecord.name, [txtRecord.value]);
    expectSuccess(await app.api.call('post', `/shops/${shop.shopId}/domain/verify`, { token }));
  });
  afterAll(async () => {
    await app.close();
    await dns.close();
  });

  const preflight = (path: string, origin: string, method: string, headers = ''): ReturnType<typeof sendBytes> =>
    sendBytes(
      app.baseUrl,
      requestText('OPTIONS', `/api/v2${path}`, [
        `Origin: ${origin}`,
        `Access-Control-Request-Method: ${method}`,
        ...(headers === '' ? [] : [`Access-Control-Request-Headers: ${headers}`]),
      ]),
    );
  const from = (origin: string, path = '/health/live', call = {}): Promise<Response> =>
    app.api.get(path, { ...call, headers: { Origin: origin } });
  const allowed = ({ headers }: { headers: Record<string, unknown> }): unknown =>
    headers['access-control-allow-origin'];

  it('allows every request from the front ends of shops and the configured origins', async () => {
    const { key } = await aKey(app.api, shop, 'storefront');
    const products = `/products/${shop.shopId}`;
    const listed = `https://preview.${hostname}:8443`;
    const change = { origins: [listed] };
    expectSuccess(await app.api.patch(`/shops/${shop.shopId}`, change, { token: shop.owner.token }));
    for (const origin of [`https://${shop.uniqueName}.${PLATFORM}`, `https://${hostname}`, listed, CONFIGURED]) {
      const { status, headers } = await preflight(products, origin, 'PATCH', 'authorization, X-API-Key,content-type');
      expect({ status, headers }).toMatchObject({
        status: 204,
        headers: {
          'access-control-allow-origin': origin,
          'access-control-allow-methods': 'GET,HEAD,PUT,PATCH,POST,DELETE',
          'access-control-allow-headers': 'authorization, x-api-key, content-type',
          'access-control-max-age': '7200',
          vary: expect.stringContaining('Origin'),
        },
      });
      const response = await from(origin, products, { key });
      expectSuccess(response);
      expect(allowed(response)).toBe(origin);
      expect(response.headers['vary']).toContain('Origin');
      expect(response.headers['access-control-allow-credentials']).toBeUndefined();
    }
  });

  it('allows no request from another origin', async () => {
    const own = `${shop.uniqueName}.${PLATFORM}`;
    for (const origin of [
      ...[STRANGER, 'null', `http://${own}`, `https://${own}:8443`, `https://x.${own}`, `https://${own}.evil.com`],
      ...[`https://${PLATFORM}`, `${CONFIGURED}.evil.com`, `https://${hostname}/`, `http://${hostname}`],
    ]) {
      const response = await from(origin);
      expectSuccess(response);
      expect([origin, allowed(response), response.headers['vary']]).toEqual([origin, undefined, 'Origin']);
      const refused = await preflight('/api-keys', origin, 'GET', 'authorization');
      expect([refused.status, allowed(refused)]).toEqual([403, undefined]);
      expect(refused.body).toMatchObject({
        error: expect.stringContaining(`Scripts of ${origin} cannot send this request; front ends of shops`),
      });
    }
  });

  it('rejects a domain that is claimed but not verified', async () => {
    const claimed = await aShop(app.api);
    const pending = `${unique()}.example.com`;
    const { token } = claimed.owner;
    expectSuccess(await app.api.put(`/shops/${claimed.shopId}/domain`, { hostname: pending }, { token }));
    expect(allowed(await from(`https://${pending}`))).toBeUndefined();
  });

  it('allows every origin to read what is public, without a credential', async () => {
    await aProduct(app.api, shop);
    const products = `/products/public/${shop.shopId}`;
    for (const path of [products, `/categories/public/${shop.shopId}`, `/shops/public/${shop.uniqueName}`]) {
      const response = await from(STRANGER, path);
      expectSuccess(response);
      expect(allowed(response)).toBe('*');
      // Caches give it to every origin.
      expect(allowed(await app.api.get(path))).toBe('*');
      expect(response.headers['vary']).toBeUndefined();
      expect(await preflight(path, STRANGER, 'GET', 'if-none-match')).toMatchObject({
        status: 204,
        headers: { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'if-none-match' },
      });
      for (const header of ['authorization', 'x-api-key', 'X-Order-Token']) {
        expect(allowed(await preflight(path, STRANGER, 'GET', header))).toBeUndefined();
      }
      expect(allowed(await preflight(path, STRANGER, 'POST'))).toBeUndefined();
    }
  });

  it('exposes the headers that a client needs, also of an error', async () => {
    const response = await from(CONFIGURED, '/nothing');
    expectError(response, 404, 'There is no such endpoint');
    expect(allowed(response)).toBe(CONFIGURED);
    expect(response.headers['x-error-code']).toBe('route_not_found');
    expect(String(response.headers['access-control-expose-headers']).split(', ')).toEqual([
      ...[
        'Content-Disposition',
        'ETag',
        'Idempotency-Replayed',
        'Link',
        'RateLimit',
        'RateLimit-Policy',
        'Retry-After',
      ],
      ...['WWW-Authenticate', 'X-Error-Code', 'X-Error-Fields', 'X-Request-Id', 'X-Total-Count'],
    ]);
  });

  it('reads the database only for a custom domain, and then once for the requests of a page', async () => {
    const cost = (origin: string, path: string, method: string): Promise<string[]> =>
      app.commandsOf(() => preflight(path, origin, method, 'authorization'));
    const orders = `/orders/${shop.shopId}`;
    for (const origin of [`https://${shop.uniqueName}.${PLATFORM}`, CONFIGURED, 'null', 'http://a.example.com']) {
      expect(await cost(origin, orders, 'GET')).toEqual([]);
    }
    expect(await app.commandsOf(() => from(`https://${unique()}.example.com`, '/health/live'))).toHaveLength(1);
    const custom = `https://${unique()}.example.com`;
    expect(await cost(custom, orders, 'GET')).toHaveLength(1);
    expect(await cost(custom, orders, 'POST')).toEqual([]);
  });

  it('allows requests from everywhere with *', async () => {
    const open = await startTestApp({ env: { CORS_ORIGINS: '*' } });
    try {
      expect(allowed(await open.api.get('/health/live', { headers: { Origin: STRANGER } }))).toBe('*');
    } finally {
      await open.close();
    }
  });
});
