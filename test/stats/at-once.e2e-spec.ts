import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { type DatabaseGate, databaseGate } from '../payments/database-gate.js';
import { aKey, aShop, type TestShop } from '../support/actors.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { COMPARED, comparisonPath } from './comparisons.js';

/** How many run at once, and how many more wait. */
const [RUNNING, WAITING] = [1, 50];

describe('Statistics of one shop that many requests read at once', () => {
  let app: TestApp;
  let slowApp: TestApp;
  /** Keeps the statistics of the shop from `slowApp`, so that none is complete before all requests have arrived. */
  let gate: DatabaseGate;
  let shop: TestShop;
  /** As many as it takes for so many requests: a caller can have 16 in progress. */
  let keys: string[];
  /** Requests that still wait when a test ends. They end with the process. */
  let waiting: Promise<unknown> = Promise.resolve();

  const paths = (): string[] => [
    comparisonPath(shop.shopId, { period: '7d' }),
    `/stats/${shop.shopId}/breakdown?period=7d&by=product`,
    `/stats/${shop.shopId.toUpperCase()}/export?period=7d`,
  ];
  const read = ({ api }: TestApp, index: number): Promise<Response> =>
    api.get(paths()[index % 3] ?? '', { key: keys[index % keys.length] ?? '' });

  beforeAll(async () => {
    app = await startTestApp();
    gate = await databaseGate(app.databaseUri);
    slowApp = await startTestApp({ databaseUri: gate.uri, env: { TRUST_PROXY: '1' } });
    shop = await aShop(app.api);
    gate.hold(Buffer.from('stats_'), Buffer.from(shop.shopId, 'hex'));
    keys = await Promise.all(Array.from({ length: 4 }, async () => (await aKey(app.api, shop)).key));
    const goal = { widgets: ['monthly_goal'], monthlyGoal: 100 };
    expectSuccess(await app.api.patch(`/shops/${shop.shopId}`, goal, { token: shop.owner.token }));
  });
  afterAll(async () => {
    await slowApp.kill();
    await waiting;
    await gate.close();
    await app.close();
  });

  it('wait for their turn, and are all served', async () => {
    const responses = await Promise.all(Array.from({ length: 40 }, (_, index) => read(app, index)));
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
  });

  it('are rejected when too many wait, comparisons together with breakdowns and exports, while another shop is served', async () => {
    const other = await aShop(app.api);
    const otherKey = (await aKey(app.api, other)).key;
    const rejected: Response[] = [];
    const requests = Array.from({ length: RUNNING + WAITING + 3 }, async (_, index) => {
      const response = await read(slowApp, index);
      if (response.status !== 200) rejected.push(response);
    });
    waiting = Promise.allSettled(requests);
    await eventually(() => Promise.resolve(rejected.length === 3));
    for (const response of rejected) {
      expectError(response, 429, 'Too many of these requests run at once; wait until one has finished');
      expect(response.headers['retry-after']).toBe('10');
    }
    // Visitors of the shop have a limit of their own, so that none uses up the other.
    const goals: Response[] = [];
    const visits = Array.from({ length: RUNNING + WAITING + 3 }, async (_, index) => {
      const headers = { 'X-Forwarded-For': `203.0.113.${index}` };
      const response = await slowApp.api.get(`/widgets/public/${shop.shopId}/goal`, { headers });
      if (response.status !== 200) goals.push(response);
    });
    waiting = Promise.allSettled([...requests, ...visits]);
    await eventually(() => Promise.resolve(goals.length === 3));
    for (const response of goals) expect(response.status).toBe(429);
    const elsewhere = await slowApp.api.get(comparisonPath(other.shopId), { key: otherKey });
    expectSuccess(elsewhere, COMPARED);
  });
});
