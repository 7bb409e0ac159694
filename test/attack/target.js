// The service that is attacked: a real process on loopback, with a data folder and a demo shop of its own.
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startService } from '../support/start-service.js';

const PATIENCE_MS = 10_000;
const running = new Set();

/**
 * Starts the service and waits until it listens. With a demo shop, it waits until that is complete.
 * @param env variables to add
 * @param descriptors how many files and sockets the process may have open; null: as many as this process
 * @param logs whether its output goes to a file in its data folder: for runs whose log is too long for the memory of this process
 */
export async function startTarget({ env = {}, descriptors = null, logs = false } = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'shop-platform-attack-'));
  const logFile = logs ? join(dataDir, 'service.log') : null;
  const service = startService({ dataDir, env, descriptors, logFile });
  const target = {
    pid: service.pid,
    dataDir,
    output: service.output,
    /** Sends a signal. Returns the exit code (null: a signal ended it) and the milliseconds until then. */
    async stop(signal = 'SIGTERM') {
      const began = performance.now();
      return { code: await service.stop(signal), ms: performance.now() - began };
    },
    async dispose() {
      await service.stop('SIGKILL');
      running.delete(target);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
  running.add(target);
  try {
    const hasDemo = env.DEMO === 'true';
    const address = await service.started(hasDemo ? 'of the contract are in' : undefined);
    const port = Number(new URL(address).port);
    const demo = hasDemo ? JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) : null;
    return Object.assign(target, { port, url: `http://127.0.0.1:${port}/api/v2`, demo });
  } catch (error) {
    await target.dispose();
    throw error;
  }
}

/** Ends what is still running, such as the targets that several attacks share. */
export async function disposeAll() {
  await Promise.all([...running].map((target) => target.dispose()));
}

/** How many sockets the process has open (only on Linux). */
export function openSockets(pid) {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).filter((name) => {
    try {
      return readlinkSync(join(folder, name)).startsWith('socket:');
    } catch {
      return false;
    }
  }).length;
}

/** Opens a socket that does not read, and does not close when the other side closes. Linux has all of 127.0.0.0/8 as its own addresses. */
export function openSocket(port, bytes = '', localAddress = '127.0.0.1') {
  const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true });
  socket.on('error', () => {});
  if (bytes !== '') socket.on('connect', () => socket.write(bytes));
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(socket));
    socket.once('close', () => resolve(socket));
  });
}

/** Sends bytes that no HTTP client would. Returns the status, the head and the body of the response. */
export async function sendBytes(port, bytes) {
  const socket = connect({ port, host: '127.0.0.1' });
  let text = '';
  socket.on('data', (chunk) => (text += chunk));
  socket.on('error', () => {});
  socket.write(bytes);
  await Promise.race([once(socket, 'end'), pause(PATIENCE_MS)]);
  socket.destroy();
  const [head, ...body] = text.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1] ?? 0), head, body: body.join('\r\n\r\n') };
}

/** A request without a body. */
export function requestText(method, path, headers = []) {
  return [`${method} ${path} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n');
}
