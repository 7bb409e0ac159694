import { type NestExpressApplication } from '@nestjs/platform-express';
import { type Logger } from 'pino';
import { describeError } from './common/logging/logger.js';
import { type Database } from './database/open-database.js';

const HARD_LIMIT_MS = 25_000;
const IDLE_SWEEP_MS = 100;

/**
 * Stops on SIGTERM and SIGINT: not ready at once, no new connections, requests in flight finish, idle connections are
 * closed, then the stores. Whatever hangs is cut off after 25 s.
 */
export function stopOnSignals(app: NestExpressApplication, database: Database, logger: Logger): void {
  let stopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, 'stopping');
    setTimeout(() => process.exit(1), HARD_LIMIT_MS).unref();
    const server = app.getHttpServer();
    // `close` waits for idle keep-alive connections too; nobody else closes them.
    const sweep = setInterval(() => {
      server.closeIdleConnections();
    }, IDLE_SWEEP_MS);
    app
      .close()
      .then(() => database.close())
      .then(() => {
        clearInterval(sweep);
        logger.info('stopped');
        process.exit(0);
      })
      .catch((error: unknown) => {
        logger.error(describeError(error), 'the stop failed');
        process.exit(1);
      });
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}
