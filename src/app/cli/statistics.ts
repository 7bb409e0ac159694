import { RollupsService } from '../../analytics/stats/rollups/rollups.service.js';
import { requireShop, withApp } from './operator.js';
import { print } from './output.js';

/** Computes the statistics of shops again; of all shops without an id. */
export function rebuildStatistics(shopIds: readonly string[]): Promise<void> {
  return withApp(async (app) => {
    const rollups = app.get(RollupsService, { strict: false });
    for (const shopId of shopIds) await requireShop(app, shopId);
    for (const shopId of shopIds.length > 0 ? shopIds : await rollups.shops()) {
      await rollups.rebuildNow(shopId);
      print(`The statistics of the shop ${shopId} are complete`);
    }
  });
}
