import { setImmediate, setTimeout as pause } from 'node:timers/promises';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { type Logger } from 'pino';
import { type Connections } from './common/http/connections.js';
import { type GuardedExpressAdapter } from './common/http/http-adapter.js';
import { describeError } from './common/logging/logger.js';
import { SECOND_MS } from './common/time/durations.js';
import { HealthService } from './health/health.service.js';

/** How long, after the delay, connections may still send a request whose response closes them. */
const IDLE_MS = SECOND_MS;
// The next two times begin when the service stops listening.
/** How long a client may take to complete its request, or to read its response. */
const CLIENT_MS = 2 * SECOND_MS;
/** How long requests may run: longer than the deadline of a handler. */
const REQUESTS_MS = 12 * SECOND_MS;
/** When the process ends, whatever still hangs. */
const HARD_LIMIT_MS = 20 * SECOND_MS;
const SWEEP_MS = 100;

/**
 * Stops the process on SIGTERM and SIGINT, at whatever point of its life, so that no request is lost:
 *
 * 1. It is not ready, and each response closes its connection. For `delayMs` it accepts requests as before, so that the load
 *    balancer can notice. Then connections have one more second to send a request.
 * 2. It stops listening. Requests in flight finish. Idle connections are closed, and those that wait for their clients are
 *    destroyed, so that no client can hold the process.
 * 3. It closes the stores and exits with 0; with 1 when something of ours fails or hangs.
 */
export class Shutdown {
  private app: NestExpressApplication | null = null;
  private readonly steps: (() => Promise<void>)[] = [];
  private stopping = false;

  constructor(
    private readonly logger: Logger,
    private readonly delayMs: number,
  ) {
    process.once('SIGTERM', (signal) => void this.stop(signal));
    process.once('SIGINT', (signal) => void this.stop(signal));
  }

  /** What to do last, such as closing a store. */
  add(step: () => Promise<void>): void {
    this.steps.push(step);
  }

  /** The application that answers requests from now on. */
  serve(app: NestExpressApplication): void {
    this.app = app;
  }

  private async stop(signal: NodeJS.Signals): Promise<void> {
    if (this.stopping) return;
    this.stopping = true;
    this.logger.info({ signal }, 'stopping');
    setTimeout(() => process.exit(1), this.delayMs + HARD_LIMIT_MS).unref();
    try {
      if (this.app !== null) await this.close(this.app);
      for (const step of this.steps) await step();
      this.logger.info('stopped');
      process.exit(0);
    } catch (error) {
      this.logger.error(describeError(error), 'the stop failed');
      process.exit(1);
    }
  }

  private async close(app: NestExpressApplication): Promise<void> {
    const { connections } = app.getHttpAdapter() as unknown as GuardedExpressAdapter;
    app.get(HealthService).stop();
    connections.closeAfterResponses();
    await pause(this.delayMs);
    for (let waited = 0; waited < IDLE_MS && connections.count > 0; waited += SWEEP_MS) await pause(SWEEP_MS);
    // Right after the event loop has accepted what waits: a connection that nobody accepts is lost with its request.
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

/** Closes idle connections, right after the event loop has read what came: a request that nobody has read yet would be lost. */
async function closeIdle({ server }: Connections): Promise<void> {
  await setImmediate();
  server.closeIdleConnections();
}
