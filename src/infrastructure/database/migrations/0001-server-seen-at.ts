import { dropIndex } from './drop-index.js';
import { type Migration } from './migration.types.js';
import { updateInBatches } from './update-in-batches.js';

/**
 * `seenAt` of a game server, the last sign of life, is a field of its own and no longer the time of the heartbeat. The job that
 * notices silent servers searches by it. Until the next `contract` migration, `ServersRepository` also reads servers without the field:
 * processes of the version before can still store some.
 */
export const serverSeenAt: Migration = {
  id: 1,
  name: 'server-seen-at',
  phase: 'expand',
  run: async (context) => {
    const seenAt = { $ifNull: ['$heartbeat.at', null] };
    await updateInBatches(context, 'game_servers', { seenAt: { $exists: false } }, [{ $set: { seenAt } }]);
    // Replaced by one with `seenAt`. The version before runs the query of this index once in 30 seconds, also without it.
    await dropIndex(context.database, 'game_servers', 'announced_1_heartbeat.at_1');
  },
};
