import { createApp } from './app.setup.js';
import { createLogger } from '../platform/logging/logger.js';
import { loadAppConfig, readProcessEnvironment } from '../platform/config/app-config.js';
import { isObjectId } from '../platform/validation/object-id.js';
import { openDatabase } from '../platform/database/open-database.js';
import { ShopsService } from '../shops/shops/shops.service.js';
import { RollupsService } from '../analytics/stats/rollups/rollups.service.js';

/**
 * Computes the statistics of shops again, with the configuration of the service: `npm run stats:rebuild [-- SHOP_ID ...]`, of all
 * shops without an id. The service may run meanwhile on the same MongoDB. The embedded store belongs to one process: there
 * the service must be stopped, or use `POST /stats/{shopId}/rebuild`.
 */
async function rebuild(shopIds: readonly string[]): Promise<void> {
  const config = loadAppConfig(readProcessEnvironment());
  const database = await openDatabase(config.mongodbUri, config.dataDir);
  try {
    const app = await createApp({ config, databaseUri: database.uri }, createLogger('error'));
    const rollups = app.get(RollupsService, { strict: false });
    const shops = app.get(ShopsService, { strict: false });
    for (const shopId of shopIds) {
      if (!isObjectId(shopId) || !(await shops.exists(shopId))) throw new Error(`There is no shop ${shopId}`);
    }
    for (const shopId of shopIds.length > 0 ? shopIds : await rollups.shops()) {
      await rollups.rebuildNow(shopId);
      process.stdout.write(`The statistics of the shop ${shopId} are complete\n`);
    }
    await app.close();
  } finally {
    await database.close();
  }
}

try {
  await rebuild(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`The statistics were not rebuilt. ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
