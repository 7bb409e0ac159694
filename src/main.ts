import { type NestExpressApplication } from '@nestjs/platform-express';
import { createApp } from './app.setup.js';
import { createLogger } from './common/logging/logger.js';
import { type AppConfig, loadAppConfig, readProcessEnvironment } from './config/app-config.js';
import { ConfigurationError } from './config/environment.js';
import { type Database, openDatabase } from './database/open-database.js';
import { DemoLauncher } from './demo/demo-launcher.js';
import { stopOnSignals } from './shutdown.js';

/** Starts the service: database, application, demo shop, port; in this order, so that the first request finds all of it. */
async function start(config: AppConfig): Promise<void> {
  const logger = createLogger(config.logLevel);
  const database: Database = await openDatabase(config.mongodbUri, config.dataDir);
  let app: NestExpressApplication;
  try {
    app = await createApp({ config, databaseUri: database.uri }, logger);
    const demo = app.get(DemoLauncher);
    const seed = await demo.prepare();
    await app.listen(config.port, config.host);
    if (seed !== null) await demo.announce(seed);
  } catch (error) {
    await database.close();
    throw error;
  }
  stopOnSignals(app, database, logger);
  logger.info({ url: await app.getUrl() }, 'listening');
}

/** On standard error and in plain words: a start that fails is read by a person. */
function fail(error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error);
  const trace = error instanceof ConfigurationError || !(error instanceof Error) ? '' : `${error.stack ?? ''}\n`;
  process.stderr.write(`Shop Platform did not start. ${reason}\n${trace}`);
  process.exit(1);
}

try {
  await start(loadAppConfig(readProcessEnvironment()));
} catch (error) {
  fail(error);
}
