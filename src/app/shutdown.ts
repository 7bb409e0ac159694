import { setImmediate, setTimeout as pause } from 'node:timers/promises';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { type Logger } from 'pino';
import { type Connections } from '../http/server/connections.js';
import { type GuardedExpressAdapter } from '../http/server/http-adapter.js';
import { describeError } from '../infrastructure/logging/logger.js';
import { SECOND_MS } from '../lib/time/durations.js';
import { HealthService } from './health/health.service.js';

/** After the delay, connections may send requests for this long. Each response closes its connection. */
const IDLE_MS = SECOND_MS;
// The next two times begin when the service stops listening.
/** How long a client may take to complete its request, or to read its response. */
const CLIENT_MS = 2 * SECOND_MS;
/** How long requests may run: longer than the deadline of a handler. */
const REQUESTS_MS = 12 * SECOND_MS;
/** A process ends this long after its delay, even when something still hangs. */
const HARD_LIMIT_MS = 20 * SECOND_MS;
const SWEEP_MS = 100;

/**
 * Stops the process on SIGTERM and SIGINT, at any time of its life, so that no request is lost:
 *
 * 1. The service reports that it is not ready, and each response closes its connection. For `delayMs` it accepts requests as
 * before, so that the load balancer can notice. Then connections have one more second to send a request.
 * 2. It stops listening. Running requests finish. Idle connections are closed. Connections that wait for their clients are
 * destroyed, so that no client can keep the process alive.
 * 3. It closes the stores and exits with 0, or with 1 when a part of the service fails or hangs.
 *
 * Further signals change nothing, not even a second Ctrl-C: npm repeats a Ctrl-C that the terminal has already sent to all
 * processes.
 */
export class Shutdown {
  private app: NestExpressApplication | null = null;
  private readonly steps: (() => Promise<void>)[] = [];
  private stopping = false;

  constructor(
    private readonly logger: Logger,
    private readonly delayMs: number,
  ) {
    const stop = (signal: NodeJS.Signals): void => void this.stop(signal);
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
  }

  /** What to do last, such as closing a store. */
  add(step: () => Promise<void>): void {
    this.steps.push(step);
  }

  /** The application that handles requests from now on. */
  serve(app: NestExpressApplication): void {
    this.app = app;
  }

  private async stop(reason: NodeJS.Signals): Promise<void> {
    if (this.stopping) return;
    this.stopping = true;
    this.logger.info({ reason }, 'stopping');
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
    // Before `app.close()`, which first runs the hooks of the modules, and then waits for the same end of the last connection.
    void connections.close();
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
 * Closes idle connections right after the event loop has read what came. Otherwise a request that nobody has read yet would be
 * lost.
 */
async function closeIdle({ server }: Connections): Promise<void> {
  await setImmediate();
  server.closeIdleConnections();
}
