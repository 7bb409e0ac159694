import mongoose, { type Connection, type Model, type mongo, Types } from 'mongoose';
import { SharedReads } from '../common/concurrency/shared-reads.js';
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
 *
 * Requests that need the same at the same time share a read (`SharedReads`), unless it belongs to a transaction. So a filter should
 * not contain the present time, and nobody may change a record that was read.
 */
export async function readOne<Stored extends object>(
  model: Model<Stored>,
  filter: mongo.Filter<Stored>,
  reading: Reading = {},
): Promise<Readonly<Stored> | null> {
  const [safe, options] = [mongoose.sanitizeFilter(filter), optionsOf(reading)];
  return shared(model, { safe, options, one: true }, (collection) => collection.findOne<Stored>(safe, options));
}

/** As `readOne`, for several records. */
export async function readMany<Stored extends object>(
  model: Model<Stored>,
  filter: mongo.Filter<Stored>,
  reading: Reading & Portion = {},
): Promise<readonly Readonly<Stored>[]> {
  const [safe, options] = [mongoose.sanitizeFilter(filter), optionsOf(reading)];
  return shared(model, { safe, options }, (collection) => collection.find<Stored>(safe, options).toArray());
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
  const pipeline = [
    { $match: mongoose.sanitizeFilter(filter) },
    { $limit: 1 },
    ...(fields === undefined ? [] : [{ $project: fields }]),
    {
      $lookup: {
        ...{ from, localField, foreignField, as: 'joined' },
        pipeline: [{ $match: Object.fromEntries(ids) }, { $project: join.fields }],
      },
    },
  ];
  const options = { maxTimeMS: readTimeLimitMs() };
  const [found] = await shared(model, { pipeline, options }, (collection) =>
    collection.aggregate<Stored & { joined: Joined[] }>(pipeline, options).toArray(),
  );
  if (found === undefined) return null;
  const { joined, ...record } = found;
  return { record: record as unknown as Stored, joined };
}

/** The reads that run now, of each connection. */
const running = new WeakMap<Connection, SharedReads>();

/**
 * Runs a read of a collection, or waits for one that is the same. What the database is asked for, as its bytes, is the key: so no
 * two reads that differ in anything, such as the shop, are ever taken for the same.
 */
function shared<Stored extends object, Result>(
  { db: connection, collection: { name } }: Model<Stored>,
  command: { readonly options: mongo.FindOptions } & Readonly<Record<string, unknown>>,
  read: (collection: mongo.Collection<Stored>) => Promise<Result>,
): Promise<Result> {
  const { db } = connection;
  if (db === undefined) throw new Error('the database is not connected');
  const run = (): Promise<Result> => read(db.collection<Stored>(name));
  if (command.options.session !== undefined) return run();
  const reads = running.get(connection) ?? new SharedReads();
  running.set(connection, reads);
  const key = Buffer.from(mongoose.mongo.BSON.serialize({ name, ...command })).toString('latin1');
  return reads.run(key, run);
}

function optionsOf({ fields, transaction, ...rest }: Reading & Portion): mongo.FindOptions {
  return {
    ...(fields === undefined ? {} : { projection: fields }),
    ...(transaction == null ? {} : { session: transaction }),
    ...rest,
    maxTimeMS: readTimeLimitMs(),
  };
}
