import cluster, { type Worker } from 'node:cluster';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { eventually } from '../../test/support/eventually.js';
import { WorkerPool } from './worker-pool.js';

/** Stands for the service: real processes that start in a moment. One that waits does not know DRAIN, as a service that loads. */
const SCRIPT = `
  let isListening = false;
  const listen = () => require('node:net').createServer().listen(0, () => { isListening = true; });
  process.on('message', (message) => {
    if (message === 'listen') listen();
    if (message === 'drain' && isListening) process.exit(0);
  });
  process.on('SIGTERM', () => process.exit(0));
  if (process.env.WAITS !== 'true') listen();
`;
/** So long that no worker of a busy machine is killed by mistake. */
const LONG_MS = 120_000;

let folder: string;
let pool: WorkerPool;
/** The environment of the workers that start from now on. */
let variables: Record<string, string>;
const logger = { info: jest.fn(), warn: jest.fn(), error: jest.fn() };

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'shop-platform-pool-'));
  writeFileSync(join(folder, 'worker.cjs'), SCRIPT);
});
afterEach(async () => {
  pool.kill();
  await pool.stop();
  jest.clearAllMocks();
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function poolOf(size: number, endMs = LONG_MS): WorkerPool {
  cluster.setupPrimary({ exec: join(folder, 'worker.cjs'), execArgv: [], cwd: folder });
  variables = {};
  pool = new WorkerPool({ size, variables, endMs, logger });
  return pool;
}

const running = (): Worker[] => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
const pids = (): (number | undefined)[] => running().map(({ process }) => process.pid);
const listening = (): number => logger.info.mock.calls.filter(([, text]) => text === 'a worker listens').length;
const hasStarted = (workers: number): Promise<unknown> => eventually(() => Promise.resolve(listening() === workers));

function nth(index: number): Worker {
  const worker = running()[index];
  if (worker === undefined) throw new Error(`there is no worker ${index}`);
  return worker;
}

async function kill(worker: Worker): Promise<void> {
  const exited = new Promise((resolve) => worker.once('exit', resolve));
  worker.process.kill('SIGKILL');
  await exited;
}

describe('A worker that dies', () => {
  it('is replaced', async () => {
    await poolOf(2).start();
    await kill(nth(0));
    await hasStarted(3);
    expect(running()).toHaveLength(2);
  });

  it('is replaced later when another one has died shortly before, so that a fault of each start does not take the machine', async () => {
    await poolOf(2).start();
    await kill(nth(0));
    await hasStarted(3);
    const before = performance.now();
    await kill(nth(1));
    await hasStarted(4);
    expect(performance.now() - before).toBeGreaterThanOrEqual(1_990);
  });

  it('ends neither the first process nor the count of the pool when a message does not reach it any more', async () => {
    await poolOf(2).start();
    nth(0).emit('error', new Error('write EPIPE'));
    await kill(nth(0));
    await hasStarted(3);
    expect(running()).toHaveLength(2);
    expect(logger.warn).toHaveBeenCalledTimes(1);
  });
});

describe('The start', () => {
  it('fails when a worker ends before it listens', async () => {
    const started = poolOf(2).start({ WAITS: 'true' });
    nth(0).process.kill('SIGKILL');
    await expect(started).rejects.toThrow(/^The worker \d+ ended before it listened$/);
  });

  it('fails when no process can be made, instead of waiting for its end', async () => {
    poolOf(2);
    cluster.setupPrimary({ cwd: join(folder, 'missing') });
    await expect(pool.start()).rejects.toThrow('The process of a worker could not be made');
    await eventually(() => Promise.resolve(logger.warn.mock.calls.length === 1));
  });
});

describe('A renewal', () => {
  it('replaces each worker', async () => {
    await poolOf(2).start();
    const before = pids();
    await pool.renew();
    expect(pids()).toHaveLength(2);
    for (const pid of pids()) expect(before).not.toContain(pid);
  });

  it('waits for the end of the start, so that the first worker completes what only it does', async () => {
    const started = poolOf(2).start({ WAITS: 'true' });
    const first = nth(0);
    const renewed = pool.renew();
    expect(running()).toEqual([first]);
    first.send('listen');
    await started;
    await renewed;
    expect(listening()).toBe(4);
    expect(running()).toHaveLength(2);
  });

  it('leaves as many workers as before when one dies while its replacement starts', async () => {
    await poolOf(2).start();
    variables['WAITS'] = 'true';
    const renewed = pool.renew();
    await eventually(() => Promise.resolve(running().length === 3));
    await kill(nth(0));
    variables['WAITS'] = 'false';
    for (const worker of running()) worker.send('listen');
    await renewed;
    expect(running()).toHaveLength(2);
  });

  it('leaves as many workers as before when another one dies meanwhile', async () => {
    await poolOf(2).start();
    const before = pids();
    variables['WAITS'] = 'true';
    const renewed = pool.renew();
    await eventually(() => Promise.resolve(running().length === 3));
    await kill(nth(1));
    variables['WAITS'] = 'false';
    nth(1).send('listen');
    await renewed;
    await hasStarted(4);
    expect(pids()).toHaveLength(2);
    for (const pid of pids()) expect(before).not.toContain(pid);
  });

  it('leaves as many workers as before when one dies and its replacement does not start', async () => {
    await poolOf(2).start();
    variables['WAITS'] = 'true';
    const renewed = pool.renew();
    await eventually(() => Promise.resolve(running().length === 3));
    variables['WAITS'] = 'false';
    const replacement = nth(2);
    await kill(nth(0));
    await kill(replacement);
    await expect(renewed).rejects.toThrow('ended before it listened');
    await hasStarted(3);
    expect(running()).toHaveLength(2);
  });

  it('kills a worker that hangs, and goes on', async () => {
    await poolOf(2, 200).start();
    const hanging = nth(0);
    hanging.process.kill('SIGSTOP');
    await pool.renew();
    expect(hanging.process.signalCode).toBe('SIGKILL');
    expect(running()).toHaveLength(2);
  });
});

describe('A stop', () => {
  it('kills a worker that hangs, and ends the others', async () => {
    await poolOf(3, 200).start();
    const workers = running();
    const hanging = nth(0);
    hanging.process.kill('SIGSTOP');
    await pool.stop();
    expect(hanging.process.signalCode).toBe('SIGKILL');
    expect(workers.every((worker) => worker.isDead())).toBe(true);
  });

  it('ends workers that do not listen yet', async () => {
    const started = poolOf(3).start();
    variables['WAITS'] = 'true';
    await eventually(() => Promise.resolve(running().length === 3));
    await pool.stop();
    await started;
    expect(running()).toHaveLength(0);
    expect(logger.error).not.toHaveBeenCalled();
  });

  it('replaces no worker that dies', async () => {
    await poolOf(2).start();
    const workers = running();
    nth(1).process.kill('SIGKILL');
    await pool.stop();
    expect(workers.every((worker) => worker.isDead())).toBe(true);
    expect(listening()).toBe(2);
  });
});
