import { type NestExpressApplication } from '@nestjs/platform-express';
import { createApp } from './app.setup.js';
import { listenProblem } from '../http/server/listen-problem.js';
import { PublicUrl } from '../http/addresses/public-url.js';
import { createLogger, describeError } from '../infrastructure/logging/logger.js';
import { type AppConfig } from '../infrastructure/config/app-config.js';
import { unknownVariables } from '../infrastructure/config/env-file.js';
import { openDatabase } from '../infrastructure/database/open-database.js';
import { type DemoLauncher } from './demo/demo-launcher.js';
import { ProductVersion } from '../infrastructure/version/product-version.js';
import { Shutdown } from './shutdown.js';

/**
 * Starts the service: database, application, demo shop, port; in this order, so that all of it is ready for the first request.
 */
export async function serve(config: AppConfig): Promise<void> {
  // Only the owner of the process can read the files and folders that it makes: data, emails, secrets.
  process.umask(0o077);
  const logger = createLogger(config.logLevel);
  for (const warning of unknownVariables()) logger.warn(warning);
  // This comes first: a process with the id 1 (in a container) ignores signals that it does not handle.
  const shutdown = new Shutdown(logger, config.shutdownDelayMs);
  const database = await openDatabase(config.mongodbUri, config.dataDir);
  shutdown.add(() => database.close());
  // Without its store the process can serve nothing, so its supervisor starts it again.
  void database.failure.then((error) => {
    logger.fatal(describeError(error), 'The embedded store has ended, and the process with it');
    process.exit(1);
  });
  try {
    // Nobody else serves an embedded store. A replica set can have processes of the version before: there the operator migrates.
    const migrates = config.mongodbUri === 'embedded';
    const app = await createApp({ config, databaseUri: database.uri, migrates }, logger);
    shutdown.serve(app);
    const demo = config.demo ? await loadDemo(app) : null;
    const seed = (await demo?.prepare()) ?? null;
    await listen(app, config);
    logger.info({ url: app.get(PublicUrl).base(), host: config.host, ...app.get(ProductVersion) }, 'listening');
    if (seed !== null) await demo?.announce(seed);
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Loaded only when it is needed: production has no demo shop. */
async function loadDemo(app: NestExpressApplication): Promise<DemoLauncher> {
  const { DemoLauncher: Launcher } = await import('./demo/demo-launcher.js');
  return new Launcher(app);
}

async function listen(app: NestExpressApplication, { port, host }: AppConfig): Promise<void> {
  try {
    await app.listen(port, host);
  } catch (error) {
    throw listenProblem(error, 'PORT', port, host);
  }
}
