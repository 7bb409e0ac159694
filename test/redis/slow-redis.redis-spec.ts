import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { type RawEnvironment } from '../../src/infrastructure/config/environment.js';
import { SECOND_MS } from '../../src/lib/time/durations.js';
import { expectError } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { type Gate, gateTo } from '../support/gate.js';
import { RedisServer } from '../support/redis-server.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** A public route with no limit of its own. */
const ORDER = `/orders/public/${'0'.repeat(24)}`;
const GUESS = { email: 'a@example.com', password: 'guess' };
const OUTAGE = 'Redis does not count';
const RECOVERY = 'Redis counts again';

/** What a network does to a Redis behind it. Needs a `redis-server` on the path: `npm run long -- redis`. */
describe('A Redis that is far away or gone', () => {
  let redis: RedisServer;
  let gate: Gate;
  let app: TestApp;

  beforeAll(async () => {
    redis = await RedisServer.start();
    gate = await gateTo(() => connect(redis.port, '127.0.0.1'));
    app = await startTestApp({ env: env() });
    await untilShared();
  });
  afterAll(async () => {
    await app.close();
    await gate.close();
    await redis.down();
  });

  const env = (): RawEnvironment => ({ REDIS_URL: `redis://127.0.0.1:${gate.port}`, TIME_LIMIT_FACTOR: '1' });
  const read = (): Promise<Response> => app.api.get(ORDER);
  const logIn = (): Promise<Response> => app.api.post('/auth/login', GUESS);
  const linesWith = (text: string): number => app.output().split(text).length - 1;

  /** Waits until the limits are counted in Redis: then logins get a response about the password. */
  async function untilShared(): Promise<void> {
    await eventually(
      async () => (await logIn()).status === 401,
      () => app.output(),
    );
  }

  /** Waits until the process has noticed: then it rejects logins. */
  async function untilLocal(): Promise<Response> {
    return eventually(
      async () => {
        const response = await logIn();
        return response.status === 503 && response;
      },
      () => app.output(),
    );
  }

  /** The longest time in milliseconds that one of these requests took, one after the other. */
  async function slowest(requests: readonly (() => Promise<Response>)[]): Promise<number> {
    let longest = 0;
    for (const send of requests) {
      const began = performance.now();
      await send();
      longest = Math.max(longest, performance.now() - began);
    }
    return longest;
  }

  it.each<[string, () => void]>([
    ['responds 600 ms later', () => gate.delay(300)],
    ['responds 10 s later', () => gate.delay(5 * SECOND_MS)],
    ['gives no response', () => gate.stall()],
    ['closes its connections', () => gate.shut()],
  ])(
    'keeps the shop open and closes logins while Redis %s, and shares the limits again afterwards',
    async (_, disturb) => {
      const [outages, recoveries] = [linesWith(OUTAGE), linesWith(RECOVERY)];
      disturb();
      const response = await untilLocal();
      expectError(response, 503, 'The service is temporarily unavailable; try again shortly');
      expect(response.headers['retry-after']).toBe('5');
      // For three seconds, so that the process attempts to reach Redis again in the meantime.
      const until = performance.now() + 3 * SECOND_MS;
      while (performance.now() < until) {
        expect((await read()).status).toBe(404);
        expect((await logIn()).status).toBe(503);
        // Each would take 5 s or more if it waited for Redis.
        expect(await slowest([read, logIn])).toBeLessThan(3 * SECOND_MS);
      }
      gate.delay(0);
      gate.open();
      await untilShared();
      expect([linesWith(OUTAGE), linesWith(RECOVERY)]).toEqual([outages + 1, recoveries + 1]);
    },
  );

  it('limits requests in a process that starts while Redis gives no response', async () => {
    gate.stall();
    const other = await startTestApp({ env: { ...env(), RATE_LIMIT_FACTOR: '0.1' } });
    const statuses = [];
    for (let turn = 0; turn < 30; turn++) statuses.push((await other.api.get(ORDER)).status);
    expect(new Set(statuses)).toEqual(new Set([404, 429]));
    await other.close();
    gate.open();
    await untilShared();
  });

  it('opens a new connection when the old one is silent, as after the move of Redis to another machine', async () => {
    gate.stall();
    await untilLocal();
    gate.replace();
    await untilShared();
  });
});
