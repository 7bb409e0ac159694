import { request } from 'node:https';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { NginxServer } from '../support/nginx-server.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Needs nginx and openssl on the path: `npm run long -- nginx`. */
describe('ops/nginx/shop-platform.conf', () => {
  let apps: [TestApp, TestApp];
  let nginx: NginxServer;
  const portOf = ({ baseUrl }: TestApp): number => Number(new URL(baseUrl).port);
  const send = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', port: nginx.httpsPort, rejectUnauthorized: false, path, headers, method };
      request(options, (response) => {
        response.resume().once('end', () => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers });
        });
      })
        .once('error', reject)
        .end();
    });

  beforeAll(async () => {
    const env = { TRUST_PROXY: '1', RATE_LIMIT_FACTOR: '0.1' };
    const first = await startTestApp({ env });
    apps = [first, await startTestApp({ env, databaseUri: first.databaseUri })];
    nginx = await NginxServer.start([portOf(apps[0]), portOf(apps[1])]);
  });
  afterAll(async () => {
    await nginx.close();
    await apps[1].close();
    await apps[0].close();
  });

  it('redirects to TLS, with the method', async () => {
    const response = await fetch(`http://127.0.0.1:${nginx.httpPort}/api/v2/health/live?a=b`, {
      method: 'POST',
      redirect: 'manual',
    });
    expect(response.status).toBe(308);
    expect(response.headers.get('location')).toBe('https://127.0.0.1/api/v2/health/live?a=b');
  });

  it('passes requests over TLS to the service', async () => {
    expect(await send('/api/v2/health/ready')).toMatchObject({ status: 200 });
  });

  it('lets no client choose its address: a limit counts, whatever X-Forwarded-For says', async () => {
    const quotas = [];
    for (let turn = 1; turn <= 30; turn++) {
      const { status } = await send(`/api/v2/orders/public/${'0'.repeat(24)}`, {
        'X-Forwarded-For': `203.0.113.${turn}`,
      });
      quotas.push(status);
    }
    expect(quotas).toContain(429);
  });

  it('writes no secret of a path into its log', async () => {
    await send('/api/v2/payments/webhooks/custom/whs_secret-in-the-path', {}, 'POST');
    await send('/api/v2/pages/orders/page_secret-in-the-path?token=page_secret-in-the-query');
    await send('/api/v2/health/live');
    const log = await nginx.log();
    expect(log).toContain('POST /api/v2/payments/webhooks/...');
    expect(log).toContain('GET /api/v2/pages/...');
    expect(log).not.toContain('secret-in');
  });

  it('asks the other process while one is gone', async () => {
    await apps[1].kill();
    const statuses = [];
    for (let turn = 0; turn < 20; turn++) statuses.push((await send('/api/v2/health/live')).status);
    expect(statuses).toEqual(Array.from({ length: 20 }, () => 200));
  });
});
