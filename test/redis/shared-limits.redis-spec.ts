import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LIMITS } from '../../src/domain/limits/limits.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { metricsOf } from '../support/metrics.js';
import { RedisServer } from '../support/redis-server.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** A public route with no limit of its own. */
const ORDER = `/orders/public/${'0'.repeat(24)}`;
const GUESS = { email: 'a@example.com', password: 'guess' };
const OUTAGE = 'Redis does not count';
const RECOVERY = 'Redis counts again';

/** Limits that several processes share. Needs a `redis-server` on the path: `npm run long -- redis`. */
describe('Limits in Redis', () => {
  const quota = LIMITS.anonymous.quota;
  let redis: RedisServer;
  let apps: [TestApp, TestApp];
  /** Sends many requests to both processes at once; returns how often each status came. */
  const flood = async (requests: number): Promise<Record<number, number>> => {
    const responses = await Promise.all(
      Array.from({ length: requests }, (_, index) => apps[index % 2 === 0 ? 0 : 1].api.get(ORDER)),
    );
    const counts: Record<number, number> = {};
    for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  };
  const linesWith = (text: string): number[] => apps.map((app) => app.output().split(text).length - 1);
  /** What each process says about its limits: `/health/ready`, which stays 200, and the metric. */
  const signals = (): Promise<[countedIn: string, metric: number | undefined][]> =>
    Promise.all(
      apps.map(async (app): Promise<[string, number | undefined]> => {
        const ready = expectSuccess<{ limitsCountedIn: string }>(await app.api.get('/health/ready'));
        const [metric] = await (await metricsOf(app)).valuesOf('shop_platform_shared_limits_available');
        return [ready.limitsCountedIn, metric?.value];
      }),
    );

  beforeAll(async () => {
    redis = await RedisServer.start();
    const env = { REDIS_URL: redis.url, RATE_LIMIT_FACTOR: '1', METRICS_PORT: '0' };
    apps = [await startTestApp({ env }), await startTestApp({ env })];
  });
  afterAll(async () => {
    await Promise.all(apps.map((app) => app.close()));
    await redis.down();
  });

  it('shares the limits between two processes, also for many parallel requests', async () => {
    expect(await flood(quota + 60)).toEqual({ 404: quota, 429: 60 });
    const response = await apps[0].api.get(ORDER);
    expectError(response, 429, 'Too many requests; wait before you send the next one');
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    expect(await signals()).toEqual([
      ['redis', 1],
      ['redis', 1],
    ]);
  });

  describe.each<[string, () => Promise<void>, () => Promise<void>]>([
    ['that is full', () => redis.fill(), () => redis.empty()],
    ['that is down', () => redis.down(), () => redis.up()],
  ])('With a Redis %s', (_, disturb, mend) => {
    let before: number[][];
    beforeAll(async () => {
      before = [linesWith(OUTAGE), linesWith(RECOVERY)];
      await disturb();
    });

    it('counts in each process for itself, so that the shop still works', async () => {
      // At once: also for an address that is over its limit in Redis, as after the first test.
      expect(await flood(40)).toEqual({ 404: 40 });
    });

    it('rejects every request where the limit protects against guessing', async () => {
      const response = await apps[0].api.post('/auth/login', GUESS);
      expectError(response, 503, 'The service is temporarily unavailable; try again shortly');
      expect(response.headers['retry-after']).toBe('5');
    });

    it('says so in /health/ready and in the metrics, and stays ready', async () => {
      expect(await signals()).toEqual([
        ['redis_unavailable', 0],
        ['redis_unavailable', 0],
      ]);
    });

    it('says so without a request since Redis counts again, and shares the limits then', async () => {
      await mend();
      for (const app of apps) {
        const { valuesOf } = await metricsOf(app);
        await eventually(async () => (await valuesOf('shop_platform_shared_limits_available'))[0]?.value === 1);
      }
      expect((await apps[1].api.post('/auth/login', GUESS)).status).toBe(401);
      expect([linesWith(OUTAGE), linesWith(RECOVERY)]).toEqual(before.map((lines) => lines.map((count) => count + 1)));
    });
  });
});
