import { type Migration } from './migration.types.js';
import { updateInBatches } from './update-in-batches.js';

/**
 * Game servers say when their usual time until a delivery is to be found. Without that, the job never finds it. A server that a process
 * of the version before stores after this stays without it until the next `contract` migration: its time is then not shown.
 */
export const deliveryTimes: Migration = {
  id: 7,
  name: 'delivery-times',
  phase: 'expand',
  run: (context) =>
    updateInBatches(context, 'game_servers', { timesDueAt: { $exists: false } }, [
      { $set: { medianSeconds: null, timesDueAt: '$createdAt' } },
    ]),
};
