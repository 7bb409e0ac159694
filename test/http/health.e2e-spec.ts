import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aProduct, anOrder, aServer, aShop } from '../support/actors.js';
import { anInstant, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { inDatabase } from '../support/in-database.js';
import { idOf, OVERDUE } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const JOBS = [
  'abandoned-deliveries',
  'deleted-servers',
  'domain-checks',
  'order-expiry',
  'outbox',
  'payments',
  'refunds',
  'server-presence',
  'statistics',
];

interface Readiness {
  readonly status: string;
  readonly jobs: {
    readonly name: string;
    readonly lastFinishedAt: string | null;
    readonly failuresInRow: number;
    readonly lastFailedAt: string | null;
    readonly lastError: string | null;
  }[];
  readonly outbox: unknown;
}

describe('GET /health', () => {
  let app: TestApp;
  let quiet: TestApp;
  const ready = async (of: TestApp): Promise<Readiness> =>
    expectSuccess<Readiness>(await of.api.get('/health/ready'), 'The service is ready');

  beforeAll(async () => {
    [app, quiet] = await Promise.all([
      startTestApp({ config: { sweepIntervalMs: 50 } }),
      startTestApp({ watchCommands: true }),
    ]);
  });
  afterAll(() => Promise.all([app.close(), quiet.close()]));

  it('reports that the process is alive, without asking the database', async () => {
    expect(expectSuccess(await quiet.api.get('/health/live'), 'The process is alive')).toEqual({ status: 'ok' });
    expect(await quiet.commandsOf(() => quiet.api.get('/health/live'))).toEqual([]);
  });

  it('reports that the service is ready, with its jobs before their first round', async () => {
    const { status, jobs, outbox } = await ready(quiet);
    const fresh = { lastFinishedAt: null, failuresInRow: 0, lastFailedAt: null, lastError: null };
    expect(status).toBe('ok');
    expect(outbox).toEqual({ failedInLastDay: 0, lastFailedAt: null });
    expect(jobs.sort((left, right) => JOBS.indexOf(left.name) - JOBS.indexOf(right.name))).toEqual(
      JOBS.map((name) => ({ name, ...fresh })),
    );
  });

  it('sends the database no query besides a ping', async () => {
    expect(await quiet.commandsOf(() => quiet.api.get('/health/ready'))).toEqual([]);
  });

  it('shows when the latest round of each job ended', async () => {
    const seen = await eventually(async () => {
      const { jobs } = await ready(app);
      return jobs.every(({ lastFinishedAt }) => lastFinishedAt !== null) && jobs;
    });
    expect(seen.map(({ lastFinishedAt }) => lastFinishedAt)).toEqual(JOBS.map(() => anInstant));
  });

  it('shows a job that fails, how often in a row and with which kind of error, and stays ready', async () => {
    const shop = await aShop(app.api);
    const orderRequest = { productId: await aProduct(app.api, shop), serverId: await aServer(app.api, shop) };
    const { id } = await anOrder(app.api, shop.shopId, orderRequest);
    const set = (fields: object): Promise<unknown> =>
      inDatabase(app, (db) => db.collection('orders').updateOne({ _id: idOf(id) }, { $set: fields }));
    // Nothing can be added to such a history, so the order cannot be ended.
    await set({ ...OVERDUE, history: 'secret-text' });
    const failing = await eventually(async () => {
      await set(OVERDUE);
      const { status, jobs } = await ready(app);
      expect(status).toBe('ok');
      return jobs.find(({ name, failuresInRow }) => name === 'order-expiry' && failuresInRow > 0);
    });
    expect(failing).toMatchObject({ lastFailedAt: anInstant, lastError: 'MongoServerError 2' });
    expect(JSON.stringify(await ready(app))).not.toMatch(/secret-text|mongodb/);
    await set({ history: [] });
    const mended = await eventually(async () => {
      await set(OVERDUE);
      const { jobs } = await ready(app);
      return jobs.find(({ name, failuresInRow }) => name === 'order-expiry' && failuresInRow === 0);
    });
    expect(mended).toMatchObject({ lastError: 'MongoServerError 2' });
  });
});
