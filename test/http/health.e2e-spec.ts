import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readProductVersion } from '../../src/infrastructure/version/product-version.js';
import { read, table } from '../contract/pages.js';
import { aPerson, aProduct, anOrder, aServer, aShop } from '../support/actors.js';
import { anInstant, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { inDatabase } from '../support/in-database.js';
import { idOf, OVERDUE } from '../support/records.js';
import { type SmtpServer, startSmtpServer } from '../support/smtp-server.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const JOBS = [
  'abandoned-deliveries',
  'buyer-profiles',
  'deleted-servers',
  'delivery-times',
  'domain-checks',
  'ended-entitlements',
  'erased-names',
  'order-expiry',
  'outbox',
  'owner-summaries',
  'payments',
  'refunds',
  'rejected-requests',
  'sale-announcements',
  'server-presence',
  'statistics',
  'unused-images',
];

const NO_EMAILS = {
  problem: null,
  waiting: 0,
  oldestAt: null,
  lastError: null,
  failedInLastDay: 0,
  lastFailedAt: null,
};

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
  readonly mail: unknown;
  readonly limitsCountedIn: string;
  readonly dataDisk: string;
  readonly version: string | null;
  readonly commit: string | null;
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

  it('reports that the process is alive, without a query to the database', async () => {
    expect(expectSuccess(await quiet.api.get('/health/live'), 'The process is alive')).toEqual({ status: 'ok' });
    expect(await quiet.commandsOf(() => quiet.api.get('/health/live'))).toEqual([]);
  });

  it('reports that the service is ready, with its jobs before their first round', async () => {
    const { status, jobs, outbox, mail, limitsCountedIn, dataDisk } = await ready(quiet);
    const fresh = { lastFinishedAt: null, failuresInRow: 0, lastFailedAt: null, lastError: null };
    expect(status).toBe('ok');
    expect(limitsCountedIn).toBe('process');
    expect(dataDisk).toMatch(/^(ok|low|full)$/);
    expect(outbox).toEqual({ failedInLastDay: 0, lastFailedAt: null });
    expect(mail).toEqual({ ...NO_EMAILS, destination: 'files' });
    expect(jobs.sort((left, right) => JOBS.indexOf(left.name) - JOBS.indexOf(right.name))).toEqual(
      JOBS.map((name) => ({ name, ...fresh })),
    );
  });

  it('shows the version and the commit to its own computer, and to others only when the operator says so', async () => {
    const { version, commit } = readProductVersion();
    const of = async (app: TestApp, headers: Record<string, string>): Promise<unknown[]> => {
      const body = expectSuccess<Readiness>(await app.api.get('/health/ready', { headers }), 'The service is ready');
      return [body.version, body.commit];
    };
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(await of(quiet, {})).toEqual([version, commit]);
    expect(await of(quiet, { 'X-Forwarded-For': '127.0.0.1' })).toEqual([null, null]);
    const open = await startTestApp({ env: { SHOW_VERSION: 'true', TRUST_PROXY: '1' } });
    expect(await of(open, { 'X-Forwarded-For': '192.0.2.7' })).toEqual([version, commit]);
    await open.close();
  });

  it('lists the same jobs in docs/handbook/watching.md as in the response', async () => {
    const rows = table(await read('docs/handbook/watching.md'), 'jobs').map(([name]) => name);
    const { jobs } = await ready(quiet);
    expect(rows.toSorted()).toEqual(jobs.map(({ name }) => `\`${name}\``).toSorted());
  });

  it('reads only what waits in the outbox and what was given up, besides a ping, once a second for all who check', async () => {
    const checks = (): Promise<unknown> => Promise.all(Array.from({ length: 20 }, () => ready(quiet)));
    await pause(1_000);
    const commands = await quiet.commandsOf(checks);
    expect([...new Set(commands)]).toEqual(['find outbox']);
    // Three for each computation, of which a slow machine can see a second one.
    expect([3, 6]).toContain(commands.length);
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
    const mended = await inDatabase(app, async (db) => {
      const set = (fields: object): Promise<unknown> =>
        db.collection('orders').updateOne({ _id: idOf(id) }, { $set: fields });
      type Job = Readiness['jobs'][number];
      const until = (isSeen: (job: Job) => boolean): Promise<Job> =>
        eventually(async () => {
          const { status, jobs } = await ready(app);
          expect(status).toBe('ok');
          return jobs.find((job) => job.name === 'order-expiry' && isSeen(job));
        });
      // Nothing can be added to such a history, so the order cannot be ended.
      await set({ ...OVERDUE, history: 'secret-text' });
      // Every round finds it. A check shows the state of up to a second ago, so one failure might never be seen.
      let isOver = false;
      const again = async (): Promise<void> => {
        while (!isOver) {
          await set(OVERDUE);
          await pause(10);
        }
      };
      const repeating = again();
      try {
        // A round that meets one of these writes fails with another number.
        const failing = await until(
          ({ lastError, failuresInRow }) => lastError === 'MongoServerError 2' && failuresInRow > 0,
        );
        expect(failing).toMatchObject({ lastFailedAt: anInstant });
        expect(JSON.stringify(await ready(app))).not.toMatch(/secret-text|mongodb/);
        await set({ history: [] });
        return await until(({ failuresInRow }) => failuresInRow === 0);
      } finally {
        isOver = true;
        await repeating;
      }
    });
    expect(mended).toMatchObject({ lastError: expect.stringMatching(/^MongoServerError \d+$/) });
  });
});

describe('GET /health/ready, about emails', () => {
  let smtp: SmtpServer;
  beforeAll(async () => {
    smtp = await startSmtpServer();
  });
  afterAll(() => smtp.close());

  /** An application whose `SMTP_URL` is the given one, after a person has asked it for an email. */
  async function afterOneEmail<Result>(url: string, use: (app: TestApp) => Promise<Result>): Promise<Result> {
    const app = await startTestApp({ env: { SMTP_URL: url } });
    try {
      const { email } = await aPerson(app.api);
      expectSuccess(await app.api.post('/auth/password/forgot', { email }));
      return await use(app);
    } finally {
      await app.close();
    }
  }
  const mailOf = async (app: TestApp): Promise<Record<string, unknown>> =>
    expectSuccess<{ mail: Record<string, unknown> }>(await app.api.get('/health/ready'), 'The service is ready').mail;

  it('shows at once that the mail server is down, with what waits since when and why, and stays ready', async () => {
    const gone = await startSmtpServer();
    await gone.close();
    await afterOneEmail(gone.url, async (app) => {
      const mail = await eventually(async () => {
        const seen = await mailOf(app);
        return seen['lastError'] !== null && seen;
      });
      const waiting = { destination: 'smtp', waiting: 1, oldestAt: anInstant, lastError: 'Error ESOCKET' };
      expect(mail).toEqual({ ...NO_EMAILS, ...waiting });
    });
  });

  it('shows that emails were given up, because the mail server rejected their address', async () => {
    smtp.unknown.push('550 5.1.1 no such user');
    await afterOneEmail(smtp.url, async (app) => {
      const mail = await eventually(async () => {
        const seen = await mailOf(app);
        // The two figures are not of the same moment.
        return seen['failedInLastDay'] !== 0 && seen['waiting'] === 0 && seen;
      });
      expect(mail).toEqual({ ...NO_EMAILS, destination: 'smtp', failedInLastDay: 1, lastFailedAt: anInstant });
    });
  });
});
