import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import {
  acknowledge,
  aDeliveringShop,
  aPaidOrder,
  deliveryStatusOf,
  type DeliveringShop,
  lease,
  reportPayment,
  requestLease,
} from '../deliveries/delivery-actors.js';
import { payment, sendCustom } from '../payments/senders.js';
import { anOrder, type TestOrder } from '../support/actors.js';
import { Client } from '../support/client.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { FakeClock, hasFakeClock } from '../support/fake-clock.js';
import { Mailbox } from '../support/mailbox.js';
import { ServiceProcess } from '../support/service-process.js';

const HOUR_SECONDS = 3_600;
/** More than the time to pay an order. */
const AHEAD_SECONDS = HOUR_SECONDS + 100;

interface Job {
  readonly name: string;
  readonly lastFinishedAt: string | null;
  readonly failuresInRow: number;
}

const skipped = hasFakeClock ? '' : " (skipped: it needs libfaketime, Debian's package faketime)";

// The embedded store is in the same process, so its clock jumps too.
describe(`A service whose clock jumps${skipped}`, () => {
  const test = hasFakeClock ? it : it.skip;
  let dataDir: string;
  let clock: FakeClock;
  let service: ServiceProcess;
  let api: Client;
  let mailbox: Mailbox;
  let shop: DeliveringShop;

  async function start(): Promise<void> {
    service = ServiceProcess.start(dataDir, {
      ...clock.env,
      NODE_ENV: 'test',
      DEMO: 'false',
      RATE_LIMIT_FACTOR: '1000',
    });
    api = new Client(await service.url());
  }

  beforeEach(async () => {
    if (!hasFakeClock) return;
    dataDir = await mkdtemp(join(tmpdir(), 'shop-platform-clock-'));
    clock = await FakeClock.start(dataDir);
    mailbox = new Mailbox(join(dataDir, 'mail'));
    await start();
    shop = await aDeliveringShop(api);
  });
  afterEach(async () => {
    if (!hasFakeClock) return;
    expect(await service.stop()).toBe(0);
    await rm(dataDir, { recursive: true, force: true });
  });

  /** How many seconds the clock of the service is ahead of the real time. */
  async function aheadSeconds(): Promise<number> {
    const { body } = await api.get(`/shops/public/unknown`);
    return (Date.parse((body as { timestamp: string }).timestamp) - Date.now()) / 1_000;
  }

  async function setClock(seconds: number): Promise<void> {
    await clock.set(seconds);
    await eventually(async () => Math.abs((await aheadSeconds()) - seconds) < 60, aheadSeconds);
  }

  const jobs = async (): Promise<readonly Job[]> => expectSuccess<{ jobs: Job[] }>(await api.get('/health/ready')).jobs;

  /** Waits until a round of each job has ended that began after this call. */
  async function untilAllJobsRan(): Promise<void> {
    const rounds = new Map<string, Set<string | null>>();
    await eventually(
      async () => {
        for (const { name, lastFinishedAt } of await jobs()) {
          rounds.set(name, (rounds.get(name) ?? new Set()).add(lastFinishedAt));
        }
        return [...rounds.values()].every(({ size }) => size >= 3);
      },
      () => rounds,
    );
    expect((await jobs()).filter(({ failuresInRow }) => failuresInRow > 0)).toEqual([]);
  }

  const order = (email?: string): Promise<TestOrder> =>
    anOrder(api, shop.shopId, {
      productId: shop.productId,
      serverId: shop.serverId,
      ...(email === undefined ? {} : { email }),
    });

  /** The buyer's email about a new order. */
  const receivedEmail = (email: string): Promise<unknown> => mailbox.next(email, /Your order at/);

  /** The plugin fetches everything that waits, and reports it. Returns the orders. */
  async function deliver(): Promise<string[]> {
    const leased = await lease(api, shop);
    for (const one of leased) expect(await acknowledge(api, shop, one)).toMatchObject({ accepted: true });
    return leased.map(({ orderId }) => orderId);
  }

  const refresh = (): Promise<Response> => api.post('/auth/refresh', { refreshToken: shop.owner.refreshToken });

  const statusOf = async ({ id, accessToken }: TestOrder): Promise<string> =>
    expectSuccess<{ status: string }>(
      await api.get(`/orders/public/${id}`, { headers: { 'X-Order-Token': accessToken } }),
    ).status;

  test('recovers from an hour ahead without a restart, and no buyer loses what was paid', async () => {
    const before = await order();
    const leasedBefore = await aPaidOrder(api, shop);
    const [delivery] = await lease(api, shop);
    await setClock(AHEAD_SECONDS);

    // Tokens have expired, and a session has not.
    const mine = `/shops/${shop.shopId}`;
    expectError(await api.get(mine, { token: shop.owner.token }), 401, 'Authentication is missing or invalid');
    const { accessToken } = expectSuccess<{ accessToken: string }>(await refresh());
    expectSuccess(await api.get(mine, { token: accessToken }));
    // The provider, whose clock is right, has to send it again.
    expect((await sendCustom(api, shop.webhook, payment(before))).status).toBe(400);
    const during = await order();
    await receivedEmail(during.email);
    await untilAllJobsRan();
    expect(await statusOf(before)).toBe('expired');
    // The lease has ended, so the plugin gets the delivery again, and both attempts count as one delivery.
    const again = await lease(api, shop);
    expect(again).toMatchObject([{ orderId: leasedBefore.id, attempt: 2, possiblyExecuted: true }]);

    await setClock(0);
    expect(delivery).toBeDefined();
    for (const one of again) expect(await acknowledge(api, shop, one)).toMatchObject({ status: 'delivered' });
    const after = await order();
    await receivedEmail(after.email);
    for (const one of [before, during, after]) await reportPayment(api, shop, one, 'payment.succeeded');
    expect((await deliver()).sort()).toEqual([before.id, during.id, after.id].sort());
    for (const one of [before, leasedBefore, during, after]) {
      expect(await deliveryStatusOf(api, one)).toBe('delivered');
    }
    await untilAllJobsRan();
    expect(await Promise.all([before, during, after].map(statusOf))).toEqual(['completed', 'completed', 'completed']);
    expectSuccess(await api.get(mine, { token: accessToken }));
  });

  test('goes on when the clock is turned back by an hour, also in a process that starts after that', async () => {
    const before = await aPaidOrder(api, shop);
    await receivedEmail(before.email);
    await setClock(-HOUR_SECONDS);
    const during = await order();
    await receivedEmail(during.email);
    await untilAllJobsRan();
    expect(await service.stop('SIGKILL')).toBeNull();
    await start();
    const restarted = await order();
    await receivedEmail(restarted.email);
    await untilAllJobsRan();
    expect(await Promise.all([during, restarted].map(statusOf))).toEqual(['open', 'open']);
    // What was due just before the jump is due again when the clock is there.
    expectSuccess(await requestLease(api, shop));

    await setClock(0);
    for (const one of [during, restarted]) await reportPayment(api, shop, one, 'payment.succeeded');
    expect((await deliver()).sort()).toEqual([before.id, during.id, restarted.id].sort());
  });
});
