import mongoose, { type Model, type mongo, type Types } from 'mongoose';
import { collectionOf } from './collection-of.js';
import { writeTimeLimitMs } from './query-defaults.js';
import { type Transaction } from './transactions.js';

/*
 * Writes through the driver, for the writes that most changes make: mongoose takes about 50 µs more of the processor for each of
 * them. Nothing is converted or checked, so all values must have their stored types, and all fields that mongoose would set by
 * default must be there.
 */

/** A record to insert. The driver gives it an id if it has none. */
type New<Stored> = Omit<Stored, '_id'> & { readonly _id?: Types.ObjectId };

/** Inserts records. Fields that are undefined are left out. */
export async function insertAll<Stored extends object>(
  model: Model<Stored>,
  records: readonly New<Stored>[],
  transaction: Transaction,
): Promise<void> {
  if (records.length === 0) return;
  const inserted = records as unknown as mongo.OptionalUnlessRequiredId<Stored>[];
  await collectionOf(model).insertMany(inserted, { session: transaction, ignoreUndefined: true });
}

/**
 * Sets fields of the first record that a filter finds. Fields that are undefined stay as they are.
 * @returns some fields of the changed record; null when there is none
 */
export async function changeOne<Stored extends object>(
  model: Model<Stored>,
  filter: mongo.Filter<Stored>,
  change: Partial<Stored>,
  { fields, transaction }: { readonly fields: Readonly<Record<string, 0 | 1>>; readonly transaction: Transaction },
): Promise<Stored | null> {
  const options = { projection: fields, session: transaction, maxTimeMS: writeTimeLimitMs(), ignoreUndefined: true };
  const found = await collectionOf(model).findOneAndUpdate(
    mongoose.sanitizeFilter(filter),
    { $set: change as mongo.MatchKeysAndValues<Stored> },
    { ...options, returnDocument: 'after' },
  );
  return found as Stored | null;
}
