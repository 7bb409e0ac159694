import mongoose, { type Model, type mongo } from 'mongoose';
import { readTimeLimitMs } from './query-defaults.js';
import { type Transaction } from './transactions.js';

/** What a read returns of each record, in which order, and the transaction that it is part of. */
interface Reading {
  readonly fields?: Readonly<Record<string, 0 | 1>>;
  readonly sort?: Readonly<Record<string, 1 | -1>>;
  readonly transaction?: Transaction | null;
}

/**
 * Reads one record through the driver. The reads that most requests make use this, because mongoose makes each of them take half as
 * long again (bench/RESULTS.md). As in mongoose's reads, there is a time limit, and no operator from a client reaches the database.
 * Nothing is converted, so ids must be ObjectIds.
 */
export async function readOne<Stored extends object>(
  model: Model<Stored>,
  filter: mongo.Filter<Stored>,
  reading: Reading = {},
): Promise<Stored | null> {
  return collectionOf(model).findOne<Stored>(mongoose.sanitizeFilter(filter), optionsOf(reading));
}

/** As `readOne`, for several records. */
export async function readMany<Stored extends object>(
  model: Model<Stored>,
  filter: mongo.Filter<Stored>,
  reading: Reading & { readonly limit?: number } = {},
): Promise<Stored[]> {
  return collectionOf(model).find<Stored>(mongoose.sanitizeFilter(filter), optionsOf(reading)).toArray();
}

function collectionOf<Stored extends object>({ db: connection, collection }: Model<Stored>): mongo.Collection<Stored> {
  if (connection.db === undefined) throw new Error('the database is not connected');
  return connection.db.collection<Stored>(collection.name);
}

function optionsOf({ fields, transaction, ...rest }: Reading & { readonly limit?: number }): mongo.FindOptions {
  return {
    ...(fields === undefined ? {} : { projection: fields }),
    ...(transaction == null ? {} : { session: transaction }),
    ...rest,
    maxTimeMS: readTimeLimitMs(),
  };
}
