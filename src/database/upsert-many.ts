import { type Model, type mongo } from 'mongoose';
import { type Transaction } from './transactions.js';

/** What is changed in the record that a filter finds, or in a new one. */
interface Upsert {
  readonly filter: mongo.Filter<mongo.Document>;
  readonly update: mongo.UpdateFilter<mongo.Document>;
}

/**
 * Changes many records, and makes those that do not exist. Through the driver, because mongoose would copy and convert each of
 * thousands of changes. So nothing is converted: filters and changes must have the stored types.
 */
export async function upsertMany<Stored>(
  { collection }: Model<Stored>,
  upserts: readonly Upsert[],
  transaction: Transaction,
): Promise<void> {
  if (upserts.length === 0) return;
  const writes = upserts.map((upsert) => ({ updateOne: { ...upsert, upsert: true } }));
  await collection.bulkWrite(writes, { session: transaction });
}
