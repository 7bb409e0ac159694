import { type mongo } from 'mongoose';
import { type MigrationContext } from './migration.types.js';

/** So few that nobody waits for long for a document that the batch changes. */
const BATCH = 500;
const BATCHES_PER_REPORT = 20;

/**
 * Changes the documents of a collection that match, batch by batch in the order of their ids.
 * @param filter no longer matches a document that was changed, so that it can run again after it was killed
 */
export async function updateInBatches(
  { database, signal, report }: MigrationContext,
  collectionName: string,
  filter: mongo.Filter<mongo.BSON.Document>,
  update: mongo.BSON.Document[],
): Promise<void> {
  const collection = database.collection(collectionName);
  let [done, after]: [number, mongo.Filter<mongo.BSON.Document>] = [0, {}];
  for (let batch = 1; ; batch++) {
    signal.throwIfAborted();
    const found = await collection
      .find({ $and: [filter, after] }, { projection: { _id: 1 } })
      .sort({ _id: 1 })
      .limit(BATCH)
      .toArray();
    const last = found.at(-1);
    if (last === undefined) break;
    const { modifiedCount } = await collection.updateMany(
      { $and: [filter, { _id: { $in: found.map(({ _id }) => _id) } }] },
      update,
    );
    done += modifiedCount;
    after = { _id: { $gt: last._id } };
    if (batch % BATCHES_PER_REPORT === 0) report(`${collectionName}: ${done} documents changed`);
  }
  report(`${collectionName}: ${done} documents changed`);
}
