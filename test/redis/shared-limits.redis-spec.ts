import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LIMITS } from '../../src/platform/throttling/limits.js';
import { expectError } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { RedisServer } from '../support/redis-server.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** A public route with no limit of its own. */
const ORDER = `/orders/public/${'0'.repeat(24)}`;

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

  beforeAll(async () => {
    redis = await RedisServer.start();
    const env = { REDIS_URL: redis.url, RATE_LIMIT_FACTOR: '1' };
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
  });

  describe('without Redis', () => {
    beforeAll(() => redis.down());

    it('counts the limits in each process for itself without Redis, so that the shop still works', async () => {
      await eventually(async () => (await apps[0].api.get(ORDER)).status === 404);
      expect(await flood(40)).toEqual({ 404: 40 });
    });

    it('rejects every request without Redis where the limit protects against guessing', async () => {
      const response = await apps[0].api.post('/auth/login', { email: 'a@example.com', password: 'guess' });
      expectError(response, 503, 'The service is temporarily unavailable; try again shortly');
      expect(response.headers['retry-after']).toBe('5');
    });

    it('shares the limits again as soon as Redis is back', async () => {
      await redis.up();
      await eventually(async () => {
        const { status } = await apps[1].api.post('/auth/login', { email: 'a@example.com', password: 'guess' });
        return status === 401;
      });
      expect(apps[1].output()).toContain('Redis can be reached again');
    });
  });
});
