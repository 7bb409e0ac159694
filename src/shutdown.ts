import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setImmediate, setTimeout as pause } from 'node:timers/promises';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { type Logger } from 'pino';
import { type Connections } from './common/http/connections.js';
import { type GuardedExpressAdapter } from './common/http/http-adapter.js';
import { describeError } from './common/logging/logger.js';
import { SECOND_MS } from './common/time/durations.js';
import { HealthService } from './health/health.service.js';

/** After the delay, connections may send requests for this long. Each response closes its connection. */
const IDLE_MS = SECOND_MS;
// The next two times begin when the service stops listening.
/** How long a client may take to complete its request, or to read its response. */
const CLIENT_MS = 2 * SECOND_MS;
/** How long requests may run: longer than the deadline of a handler. */
const REQUESTS_MS = 12 * SECOND_MS;
/** A process ends this long after its delay, even when something still hangs. */
export const HARD_LIMIT_MS = 20 * SECOND_MS;
const SWEEP_MS = 100;

/** The message that tells a worker to stop without a delay, because other workers of its port go on (`WorkerPool`). */
export const DRAIN = 'drain';

export interface ShutdownOptions {
  readonly delayMs: number;
  /** How many processes stop one after the other before this one ends, each with its delay; 1: only this one. */
  readonly processes?: number;
}

/**
 * Stops the process on SIGTERM and SIGINT, at any time of its life, so that no request is lost:
 *
 * 1. The service reports that it is not ready, and each response closes its connection. For `delayMs` it accepts requests as
 * before, so that the load balancer can notice. Then connections have one more second to send a request.
 * 2. It stops listening. Running requests finish. Idle connections are closed. Connections that wait for their clients are
 * destroyed, so that no client can keep the process alive.
 * 3. It closes the stores and exits with 0, or with 1 when a part of the service fails or hangs.
 *
 * Further signals change nothing, also not a second Ctrl-C. A second one is often no wish of a person: systemd signals all processes
 * of a service while the first one signals its workers, and npm repeats a Ctrl-C that the terminal has sent to all processes.
 */
export class Shutdown {
  private app: NestExpressApplication | null = null;
  private readonly steps: (() => Promise<void>)[] = [];
  private stopping = false;

  constructor(
    private readonly logger: Logger,
    { delayMs, processes = 1 }: ShutdownOptions,
  ) {
    const limitMs = processes * (delayMs + HARD_LIMIT_MS);
    const stop = (signal: NodeJS.Signals): void => void this.stop(signal, delayMs, limitMs);
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
    if (cluster.isWorker) this.obeyPrimary();
  }

  /** What to do last, such as closing a store. */
  add(step: () => Promise<void>): void {
    this.steps.push(step);
  }

  /** The application that handles requests from now on. */
  serve(app: NestExpressApplication): void {
    this.app = app;
  }

  private obeyPrimary(): void {
    process.on('message', (message) => {
      if (message === DRAIN) void this.stop(DRAIN, 0, HARD_LIMIT_MS);
    });
    // A terminal that closes sends it to all processes. Only the first one acts on it.
    process.on('SIGHUP', () => undefined);
  }

  private async stop(reason: string, delayMs: number, limitMs: number): Promise<void> {
    if (this.stopping) return;
    this.stopping = true;
    this.logger.info({ reason }, 'stopping');
    setTimeout(() => process.exit(1), limitMs).unref();
    try {
      if (this.app !== null) await this.close(this.app, delayMs);
      for (const step of this.steps) await step();
      if (cluster.worker !== undefined) await leave(cluster.worker);
      this.logger.info('stopped');
      process.exit(0);
    } catch (error) {
      this.logger.error(describeError(error), 'the stop failed');
      process.exit(1);
    }
  }

  private async close(app: NestExpressApplication, delayMs: number): Promise<void> {
    const { connections } = app.getHttpAdapter() as unknown as GuardedExpressAdapter;
    app.get(HealthService).stop();
    connections.closeAfterResponses();
    await pause(delayMs);
    for (let waited = 0; waited < IDLE_MS && connections.count > 0; waited += SWEEP_MS) await pause(SWEEP_MS);
    // Lets the event loop accept the connections that wait now. Those that still wait when the server closes are lost. `app.close()`
    // first runs the hooks of the modules, so this cannot save a connection that comes after the delay.
    await setImmediate();
    // `close` closes idle connections, and waits until the last of the others has ended.
    const closed = app.close();
    const sweep = setInterval(() => void closeIdle(connections), SWEEP_MS);
    const patience = setTimeout(() => {
      connections.destroyWaiting();
    }, CLIENT_MS);
    const limit = setTimeout(() => {
      connections.destroyAll();
    }, REQUESTS_MS);
    await closed;
    clearInterval(sweep);
    clearTimeout(patience);
    clearTimeout(limit);
  }
}

/**
 * Leaves the other workers. A connection that was on its way to this one goes to another one: the first process confirms the end
 * only after this worker has returned such connections. With an early exit their clients would wait for ever.
 */
async function leave(worker: Worker): Promise<void> {
  const left = once(worker, 'disconnect');
  worker.disconnect();
  await left;
}

/**
 * Closes idle connections right after the event loop has read what came. Otherwise a request that nobody has read yet would be
 * lost.
 */
async function closeIdle({ server }: Connections): Promise<void> {
  await setImmediate();
  server.closeIdleConnections();
}
