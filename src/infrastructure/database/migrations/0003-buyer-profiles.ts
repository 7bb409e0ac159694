import { type Migration } from './migration.types.js';

const BATCH = 500;
const BATCHES_PER_REPORT = 20;

/**
 * Entries of the ledger name the player, and say whether the profiles of buyers contain them: the job `buyer-profiles` makes the profiles of
 * all earlier sales. What a process of the version before stores after this has neither, and is in no profile until the next `contract`
 * migration, which does the same once more.
 */
export const buyerProfiles: Migration = {
  id: 3,
  name: 'buyer-profiles',
  phase: 'expand',
  run: async ({ database, signal, report }) => {
    const [entries, orders] = [database.collection('stats_ledger'), database.collection('orders')];
    const [unnamed, profileDueAt] = [{ nicknameKey: { $exists: false } }, new Date()];
    let [done, after]: [number, object] = [0, {}];
    for (let batch = 1; ; batch++) {
      signal.throwIfAborted();
      const found = await entries
        .find({ $and: [unnamed, after] }, { projection: { orderId: 1 } })
        .sort({ _id: 1 })
        .limit(BATCH)
        .toArray();
      const last = found.at(-1);
      if (last === undefined) break;
      const those = { _id: { $in: found.map(({ orderId }) => orderId as unknown) } };
      const named = await orders.find(those as object, { projection: { nicknameKey: 1 } }).toArray();
      const players = new Map(named.map(({ _id, nicknameKey }) => [String(_id), nicknameKey as unknown]));
      const updates = found.flatMap(({ _id, orderId }) => {
        const nicknameKey = players.get(String(orderId));
        const update = { $set: { nicknameKey, profileDueAt } };
        return nicknameKey === undefined ? [] : [{ updateOne: { filter: { _id, ...unnamed }, update } }];
      });
      if (updates.length > 0) done += (await entries.bulkWrite(updates)).modifiedCount;
      after = { _id: { $gt: last._id } };
      if (batch % BATCHES_PER_REPORT === 0) report(`stats_ledger: ${done} documents changed`);
    }
    report(`stats_ledger: ${done} documents changed`);
  },
};
