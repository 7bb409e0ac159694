import mongoose, { type Model, type mongo, type Types } from 'mongoose';
import { batchesOf } from './batches-of.js';
import { collectionOf } from './collection-of.js';
import { writeTimeLimitMs } from './query-defaults.js';
import { type Transaction } from './transactions.js';

/*
 * Writes through the driver, for the writes that most changes make: mongoose takes about 60 µs more of the processor for each of
 * them. As in mongoose's writes, changes have a time limit, no operator from a client reaches a filter, and values that are undefined
 * are left out. Nothing is converted or checked, so all values must have their stored types, and all fields that mongoose would set by
 * default must be there.
 */

/** A record to insert. The driver gives it an id if it has none. */
type New<Stored> = Omit<Stored, '_id'> & { readonly _id?: Types.ObjectId };

interface Writing {
  /** The transaction that the write is part of; null: it is a write of its own. */
  readonly transaction: Transaction | null;
  /** Whether a record is made when the filter finds none: from the filter and the update. */
  readonly upsert?: boolean;
}

/** Inserts records. */
export async function insertAll<Stored extends object>(
  model: Model<Stored>,
  records: readonly New<Stored>[],
  transaction: Transaction,
): Promise<void> {
  if (records.length === 0) return;
  const inserted = records as unknown as mongo.OptionalUnlessRequiredId<Stored>[];
  await collectionOf(model).insertMany(inserted, { session: transaction, ignoreUndefined: true });
}

/** Changes the first record that a filter finds. */
export async function updateOne<Stored extends object>(
  model: Model<Stored>,
  filter: mongo.Filter<Stored>,
  update: mongo.UpdateFilter<Stored>,
  writing: Writing,
): Promise<mongo.UpdateResult> {
  return collectionOf(model).updateOne(safe(filter), update, optionsOf(writing));
}

/**
 * As `updateOne` without a transaction. Updates of one turn of the event loop that change the same collection share a command, in no
 * certain order. Each of them succeeds or fails alone, unless the whole command fails.
 */
export async function updateTogether<Stored extends object>(
  model: Model<Stored>,
  filter: mongo.Filter<Stored>,
  update: mongo.UpdateFilter<Stored>,
  { upsert = false }: Pick<Writing, 'upsert'> = {},
): Promise<void> {
  const collection = collectionOf(model);
  const write = { updateOne: { filter: safe(filter), update, upsert } };
  const error = await batchesOf(model.db).run(
    `update ${model.collection.name}`,
    write,
    async (writes: readonly (typeof write)[]) => {
      const options = { ...optionsOf({ transaction: null }), ordered: false };
      const failed = await collection.bulkWrite(writes, options).then(() => new Map<number, Error>(), failedWrites);
      return writes.map((_, place) => failed.get(place) ?? null);
    },
  );
  if (error !== null) throw error;
}

/** Changes all records that a filter finds. */
export async function updateMany<Stored extends object>(
  model: Model<Stored>,
  filter: mongo.Filter<Stored>,
  update: mongo.UpdateFilter<Stored>,
  writing: Pick<Writing, 'transaction'>,
): Promise<mongo.UpdateResult> {
  return collectionOf(model).updateMany(safe(filter), update, optionsOf(writing));
}

/**
 * As `updateOne`.
 * @returns some fields of the record after the change; null when there is none
 */
export async function findOneAndUpdate<Stored extends object>(
  model: Model<Stored>,
  filter: mongo.Filter<Stored>,
  update: mongo.UpdateFilter<Stored>,
  { fields, ...writing }: Writing & { readonly fields: Readonly<Record<string, 0 | 1>> },
): Promise<Stored | null> {
  const options = { ...optionsOf(writing), projection: fields, returnDocument: 'after' } as const;
  return (await collectionOf(model).findOneAndUpdate(safe(filter), update, options)) as Stored | null;
}

/** The errors of single writes by their places. @throws an error that is about all of them */
function failedWrites(error: unknown): Map<number, Error> {
  if (!(error instanceof mongoose.mongo.MongoBulkWriteError)) throw error;
  const failed = [error.writeErrors].flat();
  if (failed.length === 0) throw error;
  return new Map(
    failed.map(({ index, code, errmsg }) => [index, new mongoose.mongo.MongoServerError({ code, message: errmsg })]),
  );
}

const optionsOf = ({ transaction, ...rest }: Writing) => ({
  ...rest,
  ...(transaction && { session: transaction }),
  maxTimeMS: writeTimeLimitMs(),
  ignoreUndefined: true,
});

/** @throws Error when a condition is undefined. The driver would leave it out, and the filter would find more. */
function safe<Stored>(filter: mongo.Filter<Stored>): mongo.Filter<Stored> {
  if (lacksValue(filter)) throw new Error('a condition of a write is undefined');
  return mongoose.sanitizeFilter(filter);
}

function lacksValue(filter: object): boolean {
  return Object.values(filter).some((value: unknown) => {
    if (value === undefined) return true;
    return Array.isArray(value) && value.some((entry) => entry instanceof Object && lacksValue(entry as object));
  });
}
