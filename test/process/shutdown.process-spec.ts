import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { requestText, sendBytes } from '../http/raw.js';
import { eventually } from '../support/eventually.js';
import { ServiceProcess } from '../support/service-process.js';

const HALF_SENT = [
  'POST /api/v2/auth/login HTTP/1.1',
  'Host: a',
  'Content-Type: application/json',
  'Content-Length: 9',
];

/** Opens a connection that its client never closes, and sends bytes. */
async function open(url: string, bytes: string): Promise<Socket> {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined).resume();
  await once(socket, 'connect');
  socket.write(bytes);
  return socket;
}

describe('A process that stops', () => {
  let dataDir: string;
  let service: ServiceProcess;
  const start = async (env: Record<string, string> = {}): Promise<string> => {
    service = ServiceProcess.start(dataDir, { DEMO: 'false', ...env });
    return service.url();
  };

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'shop-platform-shutdown-'));
  });
  afterEach(async () => {
    await service.stop('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
  });

  it('stops without waiting for clients: it destroys half-sent requests, rejected connections and silent clients, and exits with 0', async () => {
    const url = await start();
    const sockets = await Promise.all(
      [`${HALF_SENT.join('\r\n')}\r\n\r\n{`, 'GET / HT', 'nonsense\r\n\r\n', ''].map((bytes) => open(url, bytes)),
    );
    // All of them are connected, and this one has been read.
    await sendBytes(url, requestText('GET', '/api/v2/health/live'));
    try {
      expect(await service.stop()).toBe(0);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('continues to stop when another %s comes', async (signal) => {
    const url = await start({ SHUTDOWN_DELAY_SECONDS: '300' });
    const ready = async (): Promise<number> =>
      (await sendBytes(url, requestText('GET', '/api/v2/health/ready'))).status;
    service.signal(signal);
    await eventually(async () => (await ready()) === 503);
    service.signal(signal);
    expect(await ready()).toBe(503);
  });

  it('reports that the process is not ready, serves requests until the delay is over, and closes each connection after its response', async () => {
    const url = await start({ SHUTDOWN_DELAY_SECONDS: '300' });
    const keepAlive = await open(url, '');
    try {
      service.signal('SIGTERM');
      const unready = await eventually(async () => {
        const response = await sendBytes(url, requestText('GET', '/api/v2/health/ready'));
        return response.status === 503 && response;
      });
      expect(unready.body).toMatchObject({ error: 'The service is temporarily unavailable; try again shortly' });
      keepAlive.write('GET /api/v2/health/live HTTP/1.1\r\nHost: a\r\n\r\n');
      const [chunk] = (await once(keepAlive, 'data')) as [Buffer];
      expect(chunk.toString()).toMatch(/^HTTP\/1\.1 200 OK\r\n(.+\r\n)*Connection: close\r\n/);
      await once(keepAlive, 'end');
    } finally {
      keepAlive.destroy();
    }
  });
});

/** Preloaded into each thread of the service: the one of the embedded store fails when a file appears. */
const failingStore = (file: string): string => {
  const code = [
    "import { existsSync } from 'node:fs'",
    "import { isMainThread } from 'node:worker_threads'",
    `const look = () => { if (existsSync(${JSON.stringify(file)})) throw new Error('planted') }`,
    'if (!isMainThread) setInterval(look, 20).unref()',
  ];
  return `--import=data:text/javascript,${encodeURIComponent(code.join(';'))}`;
};

it('ends with 1 and says why when its embedded store has ended, so that a supervisor starts it again', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'shop-platform-store-'));
  const file = join(dataDir, 'fail');
  const service = ServiceProcess.start(dataDir, { DEMO: 'false', NODE_OPTIONS: failingStore(file) });
  try {
    await service.url();
    await writeFile(file, '');
    expect(await service.exitCode()).toBe(1);
    expect(service.output).toContain('"level":"fatal"');
    expect(service.output).toContain('planted');
  } finally {
    await service.stop('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
  }
});
