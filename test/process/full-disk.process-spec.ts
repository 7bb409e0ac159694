import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Response } from 'supertest';
import { aSellingShop, payment, type SellingShop, sendCustom } from '../payments/senders.js';
import { type TestOrder } from '../support/actors.js';
import { Client } from '../support/client.js';
import { expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { metricsOf } from '../support/metrics.js';
import { repetitions } from '../support/repetitions.js';
import { ServiceProcess } from '../support/service-process.js';

const ROUNDS = repetitions(3, 100);
const BUYERS = 8;
const AT_LEAST = 20;
/** Enough for the orders of all rounds: only the ballast fills the disk. */
const DISK_MIB = 32 + 4 * ROUNDS;

function mountMemory(at: string, mib = DISK_MIB): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mib}m`, 'tmpfs', at], { stdio: 'ignore' });
}

const canMount = ((): boolean => {
  const at = mkdtempSync(join(tmpdir(), 'shop-platform-mount-'));
  try {
    mountMemory(at);
    execFileSync('umount', [at]);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(at, { recursive: true });
  }
})();

/** Fills the disk of a folder with a file, whose path is the result. */
function fillUp(folder: string): string {
  const ballast = join(folder, 'ballast');
  for (const size of [1_048_576, 4_096]) {
    const bytes = Buffer.alloc(size);
    try {
      for (;;) appendFileSync(ballast, bytes);
    } catch (error) {
      expect(error).toMatchObject({ code: 'ENOSPC' });
    }
  }
  return ballast;
}

const SKIPPED = canMount ? '' : ' (skipped: this user cannot mount one)';

describe(`A service that nobody uses, on a full disk${SKIPPED}`, () => {
  (canMount ? it : it.skip)(
    'shows it in /health/ready and in the metrics, and shows when there is space again',
    async () => {
      const dataDir = mkdtempSync(join(tmpdir(), 'shop-platform-idle-'));
      mountMemory(dataDir, 200);
      const service = ServiceProcess.start(dataDir, { NODE_ENV: 'test', DEMO: 'false', METRICS_PORT: '0' });
      try {
        const api = new Client(await service.url());
        const metrics = await metricsOf({ output: () => service.output });
        /** The state of the disk, and how much of it is free. */
        const signals = async (): Promise<[state: string, freeMib: number]> => {
          const { dataDisk } = expectSuccess<{ dataDisk: string }>(await api.get('/health/ready'));
          const [free] = await metrics.valuesOf('shop_platform_data_dir_free_bytes');
          return [dataDisk, Math.floor((free?.value ?? Number.NaN) / 2 ** 20)];
        };
        const person = { email: 'robin@example.com', password: 'correct horse battery', name: 'Robin' };
        const roomy: Awaited<ReturnType<typeof signals>> = ['low', expect.any(Number) as unknown as number];
        expect(await signals()).toEqual(roomy);
        const ballast = fillUp(dataDir);
        expect(await signals()).toEqual(['full', 0]);
        expect((await api.post('/auth/register', person)).status).toBe(503);
        rmSync(ballast);
        expect(await signals()).toEqual(roomy);
        expectSuccess(await api.post('/auth/register', person));
      } finally {
        await service.stop('SIGKILL');
        execFileSync('umount', [dataDir]);
        rmSync(dataDir, { recursive: true });
      }
    },
  );
});

describe(`A service with the embedded store on a full disk${SKIPPED}`, () => {
  let dataDir: string;
  let service: ServiceProcess;
  let api: Client;
  let shop: SellingShop;

  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'shop-platform-full-'));
    if (!canMount) return;
    mountMemory(dataDir);
    service = ServiceProcess.start(dataDir, {
      NODE_ENV: 'test',
      DEMO: 'false',
      RATE_LIMIT_FACTOR: '1000',
      QUOTAS: 'openOrdersPerAddress=1000000,openOrdersPerMailbox=1000000,openOrdersPerNickname=1000000',
    });
    api = new Client(await service.url());
    shop = await aSellingShop(api);
  });
  afterEach(async () => {
    if (canMount) {
      await service.stop('SIGKILL');
      execFileSync('umount', [dataDir]);
    }
    rmSync(dataDir, { recursive: true });
  });

  (canMount ? it : it.skip)(
    'rejects checkouts and webhooks with 503, serves reads, and continues without a restart once there is space',
    async () => {
      const [orders, paid]: [TestOrder[], TestOrder[]] = [[], []];
      const unexpected: unknown[] = [];
      let isOver = false;
      let rejected = 0;
      /** Whether the request succeeded. A 503 says when to come again. */
      const succeeded = ({ status, headers, body }: Response): boolean => {
        if (status === 503 && headers['retry-after'] === '5') rejected++;
        else if (status !== 200) unexpected.push({ status, headers, body: body as unknown });
        return status === 200;
      };
      const buy = async (buyer: number): Promise<void> => {
        const nickname = `buyer_${buyer}`;
        const { productId, serverId } = shop.orderRequest;
        const body = { items: [{ productId, quantity: 1 }], serverId, nickname, email: `${nickname}@example.com` };
        const response = await api.post(`/checkout/${shop.shopId}/orders`, body);
        if (!succeeded(response)) return;
        const order = expectSuccess<TestOrder>(response);
        orders.push(order);
        // As providers do: until it is accepted.
        while (unexpected.length === 0 && !isOver) {
          if (succeeded(await sendCustom(api, shop.custom, payment(order), { eventId: order.id }))) {
            paid.push(order);
            return;
          }
          await sleep(20);
        }
      };
      const buyers = Promise.all(
        Array.from({ length: BUYERS }, async (_, buyer) => {
          while (!isOver && unexpected.length === 0) await buy(buyer);
        }),
      );
      const until = async (done: () => boolean): Promise<void> => {
        await eventually(() => Promise.resolve(done() || unexpected.length > 0));
        expect(unexpected).toEqual([]);
      };
      for (let round = 0; round < ROUNDS; round++) {
        await until(
          (
            ({ length }) =>
            () =>
              paid.length >= length + AT_LEAST
          )(paid),
        );
        const before = rejected;
        const ballast = fillUp(dataDir);
        await until(() => rejected >= before + AT_LEAST);
        const { token } = shop.owner;
        expectSuccess(await api.get(`/products/${shop.shopId}`, { token }));
        expectSuccess(await api.get(`/orders/${shop.shopId}`, { token }));
        rmSync(ballast);
      }
      await until(
        (
          ({ length }) =>
          () =>
            paid.length >= length + AT_LEAST
        )(paid),
      );
      isOver = true;
      await buyers;
      expect(unexpected).toEqual([]);
      for (const { id } of paid) {
        const order = expectSuccess<{ paymentStatus: string }>(
          await api.get(`/orders/${shop.shopId}/${id}`, { token: shop.owner.token }),
        );
        expect({ id, paymentStatus: order.paymentStatus }).toEqual({ id, paymentStatus: 'paid' });
      }
      expect(await service.stop()).toBe(0);
    },
  );
});
