import { createLogger, describeError } from '../common/logging/logger.js';
import { countForWorkers } from '../common/throttling/primary-storage.js';
import { SECOND_MS } from '../common/time/durations.js';
import { type AppConfig } from '../config/app-config.js';
import { openDatabase } from '../database/open-database.js';
import { HARD_LIMIT_MS, Shutdown } from '../shutdown.js';
import { WorkerPool } from './worker-pool.js';

/**
 * Runs several processes of the service on this machine. This first process handles no requests: it has the embedded store and
 * the counters of the limits, hands connections to the workers, replaces those that die, and ends last.
 */
export async function runWorkers(config: AppConfig): Promise<void> {
  // As in `serve`: only the owner of the process can read the files that it makes.
  process.umask(0o077);
  const logger = createLogger(config.logLevel);
  const shutdown = new Shutdown(logger, { delayMs: config.shutdownDelayMs, processes: config.workers });
  const database = await openDatabase(config.mongodbUri, config.dataDir);
  const variables = { MONGODB_URI: database.uri, DEMO: 'false' };
  // A second more than a worker allows itself: it knows better what hangs, and logs it.
  const endMs = config.shutdownDelayMs + HARD_LIMIT_MS + SECOND_MS;
  const pool = new WorkerPool({ size: config.workers, variables, endMs, logger });
  process.on('exit', () => {
    pool.kill();
  });
  shutdown.add(() => pool.stop());
  shutdown.add(() => database.close());
  countForWorkers();
  process.on('SIGHUP', () => {
    logger.info('renewing the workers');
    pool.renew().then(
      () => {
        logger.info('the workers are renewed');
      },
      (error: unknown) => {
        logger.error(describeError(error), 'the workers could not be renewed');
      },
    );
  });
  try {
    await pool.start({ DEMO: String(config.demo) });
  } catch (error) {
    await pool.stop();
    await database.close();
    throw error;
  }
}
