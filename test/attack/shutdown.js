// A stop under load: no client may delay the process, and no request may be lost.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startEmbeddedStore } from '@shop-platform/embedded-mongodb';
import { openSocket, requestText, startTarget } from './target.js';

const CONNECTIONS = 160;
const CLIENTS = 20;
/** Longer than the proxy needs to see that a process is not ready. */
const DELAY_SECONDS = '3';
const HEALTH_CHECK_MS = 100;
const HALF_SENT =
  'POST /api/v2/auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{';

/** Stops a process to which clients are connected that read nothing and send some bytes, once or again and again. */
const heldBy =
  (bytes, times = 1) =>
  async () => {
    const target = await startTarget({ env: { RATE_LIMIT_FACTOR: '1000' } });
    const sockets = await Promise.all(Array.from({ length: 10 }, () => openSocket(target.port, bytes)));
    try {
      for (let time = 1; time < times; time++) {
        await pause(100);
        for (const socket of sockets) socket.write(bytes);
      }
      await pause(500);
      const { code, ms } = await target.stop();
      return { ok: code === 0, figure: `exit code ${code} after ${(ms / 1000).toFixed(1)} s` };
    } finally {
      for (const socket of sockets) socket.destroy();
      await target.dispose();
    }
  };

/** Sends a request. Returns the response when it is complete. */
function send(options, body) {
  return new Promise((resolve, reject) => {
    const outgoing = request(options, (response) => {
      response.resume();
      response.once('end', () => resolve(response));
      response.once('error', reject);
    });
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}

/** Clients that send one request after the other until a response closes their connection. */
async function keepAlive() {
  const target = await startTarget({ env: { RATE_LIMIT_FACTOR: '1000' } });
  const counts = { sent: 0, lost: 0 };
  const client = async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    try {
      for (let closed = false; !closed;) {
        counts.sent++;
        const response = await send({ port: target.port, host: '127.0.0.1', path: '/api/v2/health/live', agent });
        closed = response.headers.connection === 'close';
      }
    } catch {
      counts.lost++;
    } finally {
      agent.destroy();
    }
  };
  try {
    const clients = Array.from({ length: CONNECTIONS }, client);
    await pause(1_000);
    const { code } = await target.stop();
    await Promise.all(clients);
    return {
      ok: counts.lost === 0 && code === 0,
      figure: `${counts.lost} of ${counts.sent} requests on ${CONNECTIONS} connections were lost, exit code ${code}`,
    };
  } finally {
    await target.dispose();
  }
}

/**
 * A load balancer. It sends a request to the next process that is ready, over connections that it keeps. It tries another
 * process only when a connection was refused, because then the first one cannot have got the request.
 */
class Proxy {
  upstreams = [];
  failures = [];
  #next = 0;
  #server = createServer((incoming, outgoing) => void this.#forward(incoming, outgoing));
  #agent = new Agent({ keepAlive: true });
  #checks = setInterval(() => void this.#check(), HEALTH_CHECK_MS);

  async listen() {
    await new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this.#server.address().port;
  }

  add(target) {
    const upstream = { port: target.port, ready: true };
    this.upstreams.push(upstream);
    return upstream;
  }

  close() {
    clearInterval(this.#checks);
    this.#agent.destroy();
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #check() {
    for (const upstream of this.upstreams) {
      const ready = await send({
        port: upstream.port,
        host: '127.0.0.1',
        path: '/api/v2/health/ready',
        agent: false,
      }).then(
        ({ statusCode }) => statusCode === 200,
        () => false,
      );
      upstream.ready = ready;
    }
  }

  async #forward(incoming, outgoing) {
    const chunks = await incoming.toArray();
    for (;;) {
      const ready = this.upstreams.filter((upstream) => upstream.ready);
      if (ready.length === 0) {
        await pause(HEALTH_CHECK_MS);
        continue;
      }
      const upstream = ready[this.#next++ % ready.length];
      const { method, url: path, headers } = incoming;
      try {
        const response = await send(
          {
            port: upstream.port,
            host: '127.0.0.1',
            method,
            path,
            headers: { ...headers, connection: 'keep-alive' },
            agent: this.#agent,
          },
          Buffer.concat(chunks),
        );
        outgoing.writeHead(response.statusCode).end();
        return;
      } catch (error) {
        upstream.ready = false;
        if (error.code === 'ECONNREFUSED') continue;
        this.failures.push(`${method} ${path}: ${error.code ?? error.message}`);
        outgoing.writeHead(502).end();
        return;
      }
    }
  }
}

/** Two processes on one store behind a proxy are restarted, one after the other, while clients send reads and writes. */
async function rollingRestart() {
  const folder = mkdtempSync(join(tmpdir(), 'shop-platform-rolling-'));
  const store = await startEmbeddedStore({ path: join(folder, 'store') });
  const env = {
    MONGODB_URI: store.uri,
    JWT_SECRET: randomBytes(32).toString('hex'),
    ENCRYPTION_KEY: randomBytes(32).toString('hex'),
    RATE_LIMIT_FACTOR: '100000',
    SHUTDOWN_DELAY_SECONDS: DELAY_SECONDS,
  };
  const running = [await startTarget({ env }), await startTarget({ env })];
  const proxy = new Proxy();
  const port = await proxy.listen();
  const upstreams = running.map((target) => proxy.add(target));
  const agent = new Agent({ keepAlive: true });
  const counts = { sent: 0, lost: 0, codes: [] };
  let over = false;
  const client = async (number) => {
    const json = { 'content-type': 'application/json' };
    const calls = [
      { options: { path: '/api/v2/shops/public/nobody' }, expected: 404 },
      {
        options: { path: '/api/v2/auth/password/forgot', method: 'POST', headers: json },
        body: `{"email":"${number}@example.com"}`,
        expected: 200,
      },
    ];
    while (!over) {
      const { options, body, expected } = calls[counts.sent++ % calls.length];
      const status = await send({ ...options, port, host: '127.0.0.1', agent }, body).then(
        ({ statusCode }) => statusCode,
        ({ message }) => message,
      );
      if (status !== expected) {
        counts.lost++;
        proxy.failures.push(`${options.path}: ${status}`);
      }
    }
  };
  try {
    const clients = Array.from({ length: CLIENTS }, (_, number) => client(number));
    for (const [index, upstream] of upstreams.entries()) {
      const { code } = await running[index].stop();
      counts.codes.push(code);
      const next = await startTarget({ env });
      running.push(next);
      Object.assign(upstream, { port: next.port });
      while (!upstream.ready) await pause(HEALTH_CHECK_MS);
    }
    over = true;
    await Promise.all(clients);
    return {
      ok: counts.lost === 0 && counts.codes.every((code) => code === 0),
      figure: [
        `${counts.lost} of ${counts.sent} requests were lost, exit codes ${counts.codes.join(' and ')}`,
        ...new Set(proxy.failures.slice(0, 5)),
      ].join('; '),
    };
  } finally {
    over = true;
    agent.destroy();
    proxy.close();
    await Promise.all(running.map((target) => target.dispose()));
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

export const shutdownAttacks = [
  { name: 'A half-sent request does not hold a process that stops', run: heldBy(HALF_SENT) },
  { name: 'A rejected connection does not hold a process that stops', run: heldBy('nonsense\r\n\r\n') },
  { name: 'A silent client does not hold a process that stops', run: heldBy('') },
  {
    name: 'A client that does not read does not hold a process that stops',
    // 12 MB for each of them: more than the buffers of the kernel hold.
    run: heldBy(requestText('GET', '/api/v2/openapi.json'), 60),
  },
  { name: 'A stop loses no request of keep-alive connections', run: keepAlive },
  { name: 'A rolling restart behind a proxy loses no request', run: rollingRestart },
];
