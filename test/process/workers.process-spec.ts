import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { hasEnded, ServiceProcess } from '../support/service-process.js';

const FACTOR = 10;
/** Logins of one address in 15 minutes: `login` in src/common/throttling/limits.ts. */
const LOGINS = 30 * FACTOR;
const CLIENTS = 4;
/** For how long a process that ends lets a kept connection wait for its next request: `IDLE_MS` in src/shutdown.ts. */
const IDLE_MS = 1_000;

let dataDir: string;
let service: ServiceProcess;
let url: string;

/** Starts two workers, and waits until they listen. */
async function start(env: Readonly<Record<string, string>> = {}): Promise<void> {
  dataDir = await mkdtemp(join(tmpdir(), 'shop-platform-workers-'));
  service = ServiceProcess.start(dataDir, { WORKERS: '2', DEMO: 'false', ...env });
  url = await service.url();
  await eventually(() => Promise.resolve(service.output.includes('all workers listen')));
}

/** A worker that does not hang ends when the first process has been killed. */
async function end(): Promise<void> {
  await service.stop('SIGKILL');
  await rm(dataDir, { recursive: true, force: true });
}

/** The processes that have listened so far, oldest first. */
const workers = (of = service): number[] =>
  [...of.output.matchAll(/"worker":(\d+),"msg":"a worker listens"/g)].map(([, pid]) => Number(pid));

/** When a request was last sent on the connection of an agent. */
const sentAt = new WeakMap<Agent, number>();

function send(method: string, path: string, agent?: Agent): Promise<number> {
  let pauseMs = 0;
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/api/v2${path}`, { method, agent: agent ?? false }, (response) => {
      response.resume().once('end', () => {
        resolve(response.statusCode ?? 0);
      });
    });
    sent.once('finish', () => {
      if (agent === undefined) return;
      pauseMs = performance.now() - (sentAt.get(agent) ?? Infinity);
      sentAt.set(agent, performance.now());
    });
    sent.once('error', (error) => {
      // On a busy machine this process can stand still for so long that the service closes the connection: no fault of the service.
      const cameTooLate = sent.reusedSocket && pauseMs >= IDLE_MS;
      if (cameTooLate) resolve(send(method, path, agent));
      else reject(error);
    });
    sent.end();
  });
}

/** Sends requests without a pause while something happens: on new connections, and on connections that are kept. */
async function statusesDuring(work: () => Promise<unknown>): Promise<number[]> {
  const statuses: number[] = [];
  const agents = Array.from({ length: CLIENTS }, (_, n) => (n % 2 === 0 ? new Agent({ keepAlive: true }) : undefined));
  let isOver = false;
  const clients = agents.map(async (agent) => {
    while (!isOver) statuses.push(await send('GET', '/health/live', agent));
  });
  try {
    await work();
  } finally {
    isOver = true;
    await Promise.all(clients);
    for (const agent of agents) agent?.destroy();
  }
  return statuses;
}

/** How many lines of the log have a message. */
const logged = (message: string): number => service.output.split(`"msg":"${message}"`).length - 1;

const LIVE = 'GET /api/v2/health/live HTTP/1.1\r\nHost: a\r\n\r\n';

/** A connection that has got its first response. */
async function ask(): Promise<Socket> {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1' });
  socket.on('error', () => undefined).write(LIVE);
  await once(socket, 'data');
  return socket.resume();
}

describe('Two workers', () => {
  beforeAll(() => start({ RATE_LIMIT_FACTOR: String(FACTOR) }));
  afterAll(end);

  it('count the requests of one client together', async () => {
    const statuses = await Promise.all(Array.from({ length: LOGINS + 50 }, () => send('POST', '/auth/login')));
    const accepted = statuses.filter((status) => status !== 429).length;
    // A little more when a window of the limit ends meanwhile. Two separate counters would accept all.
    expect(accepted).toBeGreaterThanOrEqual(LOGINS);
    expect(accepted).toBeLessThan(LOGINS + 20);
  });

  it('are replaced when they die', async () => {
    const [first = 0] = workers();
    process.kill(first, 'SIGKILL');
    await eventually(() => Promise.resolve(workers().length === 3));
    expect(await send('GET', '/health/ready')).toBe(200);
  });

  it('go on when one of them is killed while it waits for a count of the first process', async () => {
    const before = workers();
    const [killed = 0] = before.slice(-2);
    const requests = logged('request');
    // Two connections of each worker, because they are handed out in turn. The kept ones show when the worker has ended.
    const kept = [await ask(), await ask()];
    const asking = [await ask(), await ask()];
    service.signal('SIGSTOP');
    for (const socket of asking) socket.end(LIVE, () => socket.destroy());
    await eventually(() => Promise.resolve(logged('request') >= requests + 6));
    process.kill(killed, 'SIGKILL');
    await Promise.race(kept.map((socket) => once(socket, 'close')));
    service.signal('SIGCONT');
    await eventually(() => Promise.resolve(workers().length > before.length));
    expect(await send('GET', '/health/ready')).toBe(200);
    for (const socket of kept) socket.destroy();
  });

  it('are renewed on SIGHUP, one at a time, and no request fails', async () => {
    const before = workers();
    const statuses = await statusesDuring(async () => {
      service.signal('SIGHUP');
      await eventually(() => Promise.resolve(service.output.includes('the workers are renewed')));
    });
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(workers().slice(before.length)).toHaveLength(2);
    for (const pid of before) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  it('end on SIGTERM, before the process that started them, which exits with 0', async () => {
    const running = workers().slice(-2);
    expect(await service.stop()).toBe(0);
    for (const pid of running) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });
});

it('A SIGTERM while the workers start ends them, and the exit code is 0', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'shop-platform-workers-'));
  const starting = ServiceProcess.start(folder, { WORKERS: '2', DEMO: 'false' });
  try {
    await eventually(() => Promise.resolve(starting.output.includes('a worker listens')));
    expect(await starting.stop()).toBe(0);
    expect(starting.output).not.toContain('did not start');
    for (const pid of workers(starting)) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  } finally {
    await starting.stop('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
});

describe('A stop', () => {
  afterEach(end);

  it('lets a worker that was signalled already finish its work, as when systemd signals all processes', async () => {
    await start({ SHUTDOWN_DELAY_SECONDS: '5' });
    // The first process signals its last worker a second time, as soon as the other one has ended.
    process.kill(workers().at(-1) ?? 0, 'SIGTERM');
    expect(await service.stop()).toBe(0);
    expect(logged('stopped')).toBe(3);
  });

  it('kills workers that hang: none of them outlives the first process', async () => {
    await start();
    for (const pid of workers()) process.kill(pid, 'SIGSTOP');
    try {
      expect(await service.stop()).toBe(1);
      expect(logged('a worker hangs and is killed')).toBe(1);
      await eventually(() => Promise.resolve(workers().every(hasEnded)));
    } finally {
      for (const pid of workers().filter((worker) => !hasEnded(worker))) process.kill(pid, 'SIGKILL');
    }
  });
});
