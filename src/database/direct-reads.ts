import mongoose, { type Model, type mongo, Types } from 'mongoose';
import { readTimeLimitMs } from './query-defaults.js';
import { type Transaction } from './transactions.js';

/** What a read returns of each record, in which order, and the transaction that it is part of. */
interface Reading {
  readonly fields?: Readonly<Record<string, 0 | 1>>;
  readonly sort?: Readonly<Record<string, 1 | -1>>;
  readonly transaction?: Transaction | null;
}

/** How many records a read returns at most, and how many at once (by default the driver's number). */
interface Portion {
  readonly limit?: number;
  readonly batchSize?: number;
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
  reading: Reading & Portion = {},
): Promise<Stored[]> {
  return collectionOf(model).find<Stored>(mongoose.sanitizeFilter(filter), optionsOf(reading)).toArray();
}

/** The records of another collection whose `foreignField` has the value of a record's `localField`. */
export interface Join<Joined> {
  readonly from: string;
  readonly localField: string;
  readonly foreignField: string;
  /** The ids (24 hexadecimal digits) that other fields of theirs must have. */
  readonly ids: Readonly<Record<string, string>>;
  readonly fields: Readonly<Partial<Record<keyof Joined, 1>>>;
}

/** As `readOne`, with what a join finds for the record, in the same command. Without a join nothing is joined. */
export async function readOneJoined<Stored extends object, Joined>(
  model: Model<Stored>,
  filter: mongo.Filter<Stored>,
  join: Join<Joined> | null,
  { fields }: Pick<Reading, 'fields'> = {},
): Promise<{ readonly record: Stored; readonly joined: readonly Joined[] } | null> {
  if (join === null) {
    const record = await readOne(model, filter, fields === undefined ? {} : { fields });
    return record && { record, joined: [] };
  }
  const { from, localField, foreignField } = join;
  const ids = Object.entries(join.ids).map(([field, id]) => [field, new Types.ObjectId(id)] as const);
  const pipeline = [{ $match: Object.fromEntries(ids) }, { $project: join.fields }];
  const [found] = await collectionOf(model)
    .aggregate<Stored & { joined: Joined[] }>(
      [
        { $match: mongoose.sanitizeFilter(filter) },
        { $limit: 1 },
        ...(fields === undefined ? [] : [{ $project: fields }]),
        { $lookup: { from, localField, foreignField, pipeline, as: 'joined' } },
      ],
      { maxTimeMS: readTimeLimitMs() },
    )
    .toArray();
  if (found === undefined) return null;
  const { joined, ...record } = found;
  return { record: record as unknown as Stored, joined };
}

function collectionOf<Stored extends object>({ db: connection, collection }: Model<Stored>): mongo.Collection<Stored> {
  if (connection.db === undefined) throw new Error('the database is not connected');
  return connection.db.collection<Stored>(collection.name);
}

function optionsOf({ fields, transaction, ...rest }: Reading & Portion): mongo.FindOptions {
  return {
    ...(fields === undefined ? {} : { projection: fields }),
    ...(transaction == null ? {} : { session: transaction }),
    ...rest,
    maxTimeMS: readTimeLimitMs(),
  };
}
