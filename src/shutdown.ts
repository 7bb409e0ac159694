import { type NestExpressApplication } from '@nestjs/platform-express';
import { type Logger } from 'pino';
import { describeError } from './common/logging/logger.js';

const HARD_LIMIT_MS = 25_000;
const IDLE_SWEEP_MS = 100;

/**
 * Stops the process on SIGTERM and SIGINT, at whatever point of its life: not ready at once, no new connections, requests in
 * flight finish, idle connections are closed, then the stores. Whatever hangs is cut off after 25 s.
 */
export class Shutdown {
  private app: NestExpressApplication | null = null;
  private readonly steps: (() => Promise<void>)[] = [];
  private stopping = false;

  constructor(private readonly logger: Logger) {
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
    setTimeout(() => process.exit(1), HARD_LIMIT_MS).unref();
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
    const server = app.getHttpServer();
    // `close` waits for idle keep-alive connections too; nobody else closes them.
    const sweep = setInterval(() => {
      server.closeIdleConnections();
    }, IDLE_SWEEP_MS);
    await app.close();
    clearInterval(sweep);
  }
}
