import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { NginxServer } from '../support/nginx-server.js';
import { eventually } from '../support/eventually.js';
import { printFigures } from '../support/figures.js';
import { freePort } from '../support/redis-server.js';
import { ServiceProcess } from '../support/service-process.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { testDatabaseUri } from '../support/test-database.js';

interface ProxyResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** How many connections send requests during the rolling restart, and how many requests they send in all. */
const CALLERS = 16;
const REQUESTS = 20_000;

/** Sends a request over TLS and reads the response to its end. */
function sendTo(
  port: number,
  path: string,
  { headers = {}, method = 'GET', agent }: { headers?: Record<string, string>; method?: string; agent?: Agent } = {},
): Promise<ProxyResponse> {
  return new Promise((resolve, reject) => {
    const target = { host: '127.0.0.1', port, rejectUnauthorized: false, path, headers, method };
    request({ ...target, ...(agent === undefined ? {} : { agent }) }, (response) => {
      response.resume().once('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers });
      });
    })
      .once('error', reject)
      .end();
  });
}

/** Needs nginx and openssl on the path: `npm run long -- nginx`. */
describe('ops/nginx/shop-platform.conf', () => {
  let apps: [TestApp, TestApp];
  let nginx: NginxServer;
  const portOf = ({ baseUrl }: TestApp): number => Number(new URL(baseUrl).port);
  const send = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<ProxyResponse> =>
    sendTo(nginx.httpsPort, path, { headers, method });

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

  it('sends requests to the other process while one is gone', async () => {
    await apps[1].kill();
    const statuses = [];
    for (let turn = 0; turn < 20; turn++) statuses.push((await send('/api/v2/health/live')).status);
    expect(statuses).toEqual(Array.from({ length: 20 }, () => 200));
  });
});

/** Needs nginx and openssl on the path: `npm run long -- nginx`. */
describe('A rolling restart behind ops/nginx/shop-platform.conf', () => {
  it('loses no GET and no POST while both processes are restarted under load, one after the other', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'shop-platform-rolling-'));
    const ports = [await freePort(), await freePort()] as const;
    const env = {
      MONGODB_URI: testDatabaseUri(),
      JWT_SECRET: 'k3yk3y-0123456789-0123456789-0123456789',
      ENCRYPTION_KEY: 'a1'.repeat(32),
      TRUST_PROXY: '1',
      DEMO: 'false',
      LOG_LEVEL: 'info',
      RATE_LIMIT_FACTOR: '100000',
      SHUTDOWN_DELAY_SECONDS: '1',
    };
    const start = (port: number): ServiceProcess => ServiceProcess.start(folder, { ...env, PORT: String(port) });
    const processes = ports.map(start);
    for (const process of processes) await process.url();
    const nginx = await NginxServer.start(ports);

    const results = new Map<string, number>();
    let sent = 0;
    let isOver = false;
    // There is no such shop, and the login has no body.
    const paths = { GET: `/api/v2/products/public/${'0'.repeat(24)}`, POST: '/api/v2/auth/login' };
    const call = async (agent: Agent): Promise<void> => {
      while (!isOver) {
        const method = sent % 2 === 0 ? 'GET' : 'POST';
        sent++;
        const result = await sendTo(nginx.httpsPort, paths[method], { method, agent }).then(
          ({ status }) => `${method} ${status}`,
          (error: unknown) => `${method} ${String(error)}`,
        );
        results.set(result, (results.get(result) ?? 0) + 1);
      }
    };
    const agents = Array.from({ length: CALLERS }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    const calls = agents.map(call);
    const untilSent = (share: number): Promise<boolean> => eventually(() => Promise.resolve(sent >= share * REQUESTS));
    for (const [index, process] of [...processes].entries()) {
      await untilSent(0.1 + 0.4 * index);
      expect(await process.stop()).toBe(0);
      const next = start(ports[index] ?? 0);
      processes[index] = next;
      await next.url();
    }
    await untilSent(1);
    isOver = true;
    await Promise.all(calls);
    for (const agent of agents) agent.destroy();

    printFigures({ requests: sent, ...Object.fromEntries(results) });
    expect([...results.keys()].sort()).toEqual(['GET 404', 'POST 400']);
    await nginx.close();
    for (const process of processes) await process.stop();
    await rm(folder, { recursive: true, force: true });
  });
});
