import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { aSeller, type Seller, startSales } from '../payments/sales.js';
import { Client } from '../support/client.js';
import { expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { metricsOf } from '../support/metrics.js';
import { freePort } from '../support/free-port.js';
import { repetitions } from '../support/repetitions.js';
import { ServiceProcess } from '../support/service-process.js';

const PATIENCE_MS = 120_000;
const ROOT = join(import.meta.dirname, '..', '..');
const ROUNDS = repetitions(3, 100);
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
        // A response can be a second old.
        const turns = (state: string): Promise<unknown> => eventually(async () => (await signals())[0] === state);
        const ballast = fillUp(dataDir);
        await turns('full');
        expect(await signals()).toEqual(['full', 0]);
        expect((await api.post('/auth/register', person)).status).toBe(503);
        rmSync(ballast);
        await turns('low');
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
  let seller: Seller;

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
    seller = await aSeller(api);
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
      const { token } = seller.owner;
      const sales = startSales(api, seller);
      for (let round = 0; round < ROUNDS; round++) {
        await sales.untilPaid(AT_LEAST);
        const ballast = fillUp(dataDir);
        await sales.untilRejected(AT_LEAST);
        expectSuccess(await api.get(`/products/${seller.shopId}`, { token }));
        expectSuccess(await api.get(`/orders/${seller.shopId}`, { token }));
        rmSync(ballast);
      }
      await sales.untilPaid(AT_LEAST);
      await sales.end();
      for (const { id } of sales.paid) {
        const order = expectSuccess<{ paymentStatus: string }>(
          await api.get(`/orders/${seller.shopId}/${id}`, { token }),
        );
        expect({ id, paymentStatus: order.paymentStatus }).toEqual({ id, paymentStatus: 'paid' });
      }
      expect(await service.stop()).toBe(0);
    },
  );
});

/** Logs more than is kept while the disk is full, a fatal line among it. Of the lines after that, the first is dropped, and the second written. */
const logOnFullDisk = (ballast: string): string => `
  import { rmSync } from 'node:fs';
  import { createLogger } from ${JSON.stringify(join(ROOT, 'dist/infrastructure/logging/logger.js'))};
  const logger = createLogger('info');
  for (let line = 0; line < 20_000; line++) logger.info('A line that finds no space');
  logger.fatal('A fatal line that finds no space');
  rmSync(${JSON.stringify(ballast)});
  logger.info('There is space');
  logger.info('There is space');
`;

describe(`A log on a full disk${SKIPPED}`, () => {
  let folder: string;
  let log: number;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'shop-platform-log-'));
    if (canMount) mountMemory(folder, 4);
    log = openSync(join(folder, 'log'), 'a');
  });
  afterEach(() => {
    closeSync(log);
    if (canMount) execFileSync('umount', [folder]);
    rmSync(folder, { recursive: true });
  });

  (canMount ? it : it.skip)('ends no process, and has lines again when there is space', () => {
    const options = ['--input-type=module', '--eval', logOnFullDisk(fillUp(folder))];
    const { status, stderr } = spawnSync(process.execPath, options, {
      stdio: ['ignore', log, 'pipe'],
      encoding: 'utf8',
      // Ends a process that waits for ever.
      timeout: PATIENCE_MS,
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(readFileSync(join(folder, 'log'), 'utf8')).toMatch(/There is space"\}\n$/);
  });

  (canMount ? it : it.skip)('does not keep the service from starting, responding and stopping', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'shop-platform-log-'));
    fillUp(folder);
    const port = await freePort();
    const service = ServiceProcess.start(dataDir, { NODE_ENV: 'test', DEMO: 'false', PORT: String(port) }, log);
    try {
      const api = new Client(`http://127.0.0.1:${port}`);
      await eventually(async () => service.hasEnded || (await api.get('/health/ready').catch(() => false)));
      for (let request = 0; request < 10; request++) expectSuccess(await api.get('/health/ready'));
      expect(await service.stop()).toBe(0);
    } finally {
      await service.stop('SIGKILL');
      rmSync(dataDir, { recursive: true });
    }
  });
});
