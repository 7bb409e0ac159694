import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aShop } from '../support/actors.js';
import { CaddyServer } from '../support/caddy-server.js';
import { type HttpsRequest, type HttpsResponse, sendOverTls } from '../support/https.js';
import { NginxServer } from '../support/nginx-server.js';
import { type ProxyServer } from '../support/proxy-server.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { restartUnderLoad } from './rolling-restart.js';

type Ports = readonly [number, number];

let apps: [TestApp, TestApp];
let proxy: ProxyServer;

/** Starts two processes on one database, and a proxy in front of them. */
async function startAll(start: (ports: Ports) => Promise<ProxyServer>): Promise<void> {
  const env = { TRUST_PROXY: '1', RATE_LIMIT_FACTOR: '0.1', PLATFORM_DOMAIN: 'shops.example.com' };
  const first = await startTestApp({ env });
  apps = [first, await startTestApp({ env, databaseUri: first.databaseUri })];
  const portOf = ({ baseUrl }: TestApp): number => Number(new URL(baseUrl).port);
  proxy = await start([portOf(apps[0]), portOf(apps[1])]);
}

async function stopAll(): Promise<void> {
  await proxy.close();
  for (const app of [...apps].reverse()) await app.close();
}

async function send(path: string, options: HttpsRequest = {}): Promise<HttpsResponse> {
  return sendOverTls({ httpsPort: proxy.httpsPort, ca: await proxy.ca() }, path, options);
}

/** Need nginx, openssl and caddy on the path: `npm run long -- proxies`. */
describe.each([
  [
    'ops/nginx/shop-platform.conf',
    (ports: Ports): Promise<ProxyServer> => NginxServer.start(ports),
    'POST /api/v2/payments/webhooks/...',
  ],
  [
    'ops/caddy/Caddyfile',
    (ports: Ports): Promise<ProxyServer> => CaddyServer.start(ports),
    'serving initial configuration',
  ],
])('%s', (_, start, loggedLine) => {
  beforeAll(() => startAll(start));
  afterAll(stopAll);

  it('redirects to TLS, with the method', async () => {
    const location = await new Promise((resolve, reject) => {
      const target = { host: '127.0.0.1', port: proxy.httpPort, path: '/api/v2/health/live?a=b', method: 'POST' };
      request({ ...target, headers: { host: 'api.example.com' }, agent: false }, (response) => {
        resolve([response.statusCode, response.resume().headers.location]);
      })
        .once('error', reject)
        .end();
    });
    expect(location).toEqual([308, 'https://api.example.com/api/v2/health/live?a=b']);
  });

  it('passes requests over TLS to the service', async () => {
    expect(await send('/api/v2/health/ready')).toMatchObject({ status: 200 });
  });

  it('lets no client choose its address: a limit counts, whatever X-Forwarded-For says', async () => {
    const statuses = [];
    for (let turn = 1; turn <= 30; turn++) {
      const headers = { 'X-Forwarded-For': `203.0.113.${turn}` };
      statuses.push((await send(`/api/v2/orders/public/${'0'.repeat(24)}`, { headers })).status);
    }
    expect(statuses).toContain(429);
  });

  it('sends requests to the other process while one is gone', async () => {
    await apps[1].kill();
    const statuses = [];
    for (let turn = 0; turn < 20; turn++) statuses.push((await send('/api/v2/health/live')).status);
    expect(statuses).toEqual(Array.from({ length: 20 }, () => 200));
  });

  it('writes no secret of a path into its log, also when no process is left', async () => {
    const sendSecrets = async (): Promise<number[]> => {
      const hook = await send('/api/v2/payments/webhooks/custom/whs_secret-in-the-path', { method: 'POST' });
      const page = await send('/api/v2/pages/orders/page_secret-in-the-path?token=page_secret-in-the-query');
      const order = await send('/shops/sky-realm/orders/0/page_secret-in-the-path');
      return [hook.status, page.status, order.status];
    };
    expect(Math.max(...(await sendSecrets()))).toBeLessThan(500);
    await apps[0].kill();
    expect(Math.min(...(await sendSecrets()))).toBeGreaterThanOrEqual(502);
    const log = await proxy.log();
    expect(log).toContain(loggedLine);
    expect(log).not.toContain('secret-in');
  });
});

/** Needs caddy on the path: `npm run long -- proxies`. */
describe('The storefronts of ops/caddy/Caddyfile', () => {
  beforeAll(() => startAll((ports) => CaddyServer.start(ports)));
  afterAll(stopAll);

  it('have a certificate for the domain of an open shop, and for no other one', async () => {
    const { uniqueName } = await aShop(apps[0].api);
    const host = `${uniqueName}.shops.example.com`;
    expect(await send('/', { host })).toMatchObject({ status: 200, text: 'A storefront' });
    await expect(send('/', { host: 'nobody.shops.example.com' })).rejects.toThrow(/alert internal error/);
  });
});

/** Needs nginx, openssl and caddy on the path: `npm run long -- proxies`. */
describe('A rolling restart under load', () => {
  it('fails no request behind nginx when each process is marked as down before it stops', async () => {
    const results = await restartUnderLoad(
      (ports) => NginxServer.start(ports),
      (nginx, port, restart) => nginx.without(port, restart),
    );
    expect(Object.keys(results).sort()).toEqual(['GET 200', 'POST 200']);
  });

  it('fails no GET behind nginx without that, and no checkout that is sent again after a 502', async () => {
    const results = await restartUnderLoad(
      (ports) => NginxServer.start(ports),
      (_nginx, _port, restart) => restart(),
    );
    expect(Object.keys({ ...results, 'POST 502': 0 }).sort()).toEqual(['GET 200', 'POST 200', 'POST 502']);
  });

  it('fails no request behind Caddy', async () => {
    const results = await restartUnderLoad(
      (ports) => CaddyServer.start(ports),
      (_caddy, _port, restart) => restart(),
    );
    expect(Object.keys(results).sort()).toEqual(['GET 200', 'POST 200']);
  });
});
