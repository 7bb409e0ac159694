import { RollupsService } from '../../analytics/stats/rollups/rollups.service.js';
import { isObjectId } from '../../platform/validation/object-id.js';
import { ShopsService } from '../../shops/shops/shops.service.js';
import { withApp } from './operator.js';
import { print } from './output.js';
import { CommandError } from './problems.js';

/** Computes the statistics of shops again; of all shops without an id. */
export function rebuildStatistics(shopIds: readonly string[]): Promise<void> {
  return withApp(async (app) => {
    const rollups = app.get(RollupsService, { strict: false });
    const shops = app.get(ShopsService, { strict: false });
    for (const shopId of shopIds) {
      if (!isObjectId(shopId) || !(await shops.exists(shopId))) throw new CommandError(`There is no shop ${shopId}.`);
    }
    for (const shopId of shopIds.length > 0 ? shopIds : await rollups.shops()) {
      await rollups.rebuildNow(shopId);
      print(`The statistics of the shop ${shopId} are complete`);
    }
  });
}
