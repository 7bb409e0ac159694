import mongoose, { type Model, type mongo, Types } from 'mongoose';
import { batchesOf } from './batches-of.js';
import { collectionOf } from './collection-of.js';
import { readTimeLimitMs } from './query-defaults.js';
import { type Transaction } from './transactions.js';
import { distribute, matches, merge, shapeOf, type ValueFilter, valueFilterOf } from './value-filters.js';

/*
 * Reads through the driver, for the reads that most requests make: mongoose makes each of them take half as long again
 * (bench/RESULTS.md). As in mongoose's reads, there is a time limit, and no operator from a client reaches the database. Nothing is
 * converted, so ids must be ObjectIds.
 *
 * Reads that are wanted in one turn of the event loop share a command (`Batches`) if they are the same, or if they ask for ids or
 * texts in the same fields (`ValueFilter`). A read of a transaction is never shared. So a filter should not contain the present
 * time, and nobody may change a record that was read.
 */

type Fields = Readonly<Record<string, 0 | 1>>;

/** Which fields of a record are read, and the transaction that the read is part of. */
interface Reading {
  /** By default all. Those that the filter asks for are read as well. */
  readonly fields?: Fields;
  readonly transaction?: Transaction | null;
}

interface Sorting {
  readonly sort?: Readonly<Record<string, 1 | -1>>;
}

/** How many records a read returns at most, and how many at once (by default the driver's number). */
interface Portion {
  readonly limit?: number;
  readonly batchSize?: number;
}

/** Reads the only record that a filter finds, such as that with an id. */
export async function readOne<Stored extends object>(
  model: Model<Stored>,
  filter: mongo.Filter<Stored>,
  reading: Reading = {},
): Promise<Readonly<Stored> | null> {
  const [found] = await readMany(model, filter, reading);
  return found ?? null;
}

/** Reads the first record that a filter finds; any of them without an order. */
export async function readFirst<Stored extends object>(
  model: Model<Stored>,
  filter: mongo.Filter<Stored>,
  reading: Reading & Sorting = {},
): Promise<Readonly<Stored> | null> {
  const [found] = await readMany(model, filter, { ...reading, limit: 1 });
  return found ?? null;
}

/** Reads all records that a filter finds, or as many as `limit`. */
export async function readMany<Stored extends object>(
  model: Model<Stored>,
  filter: mongo.Filter<Stored>,
  { fields, transaction, ...rest }: Reading & Sorting & Portion = {},
): Promise<readonly Readonly<Stored>[]> {
  const safe = mongoose.sanitizeFilter(filter) as mongo.Filter<object>;
  const values = rest.limit === undefined ? valueFilterOf(safe) : null;
  const options = {
    ...rest,
    ...(fields && { projection: withFieldsOf(values, fields) }),
    maxTimeMS: readTimeLimitMs(),
  };
  const find = (of: mongo.Filter<object>, session: { readonly session?: Transaction } = {}): Promise<Stored[]> =>
    collectionOf(model)
      .find<Stored>(of as mongo.Filter<Stored>, { ...options, ...session })
      .toArray();
  if (transaction != null) return find(safe, { session: transaction });
  if (values === null) {
    return batched(model, { safe, options }, null, async (calls) => {
      const records = await find(safe);
      return calls.map(() => records);
    });
  }
  return batched(model, { shape: shapeOf(values), options }, values, async (filters) =>
    distribute(filters, await find(merge(filters))),
  );
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

/**
 * As `readOne`, with what a join finds for the record, in the same command. Without a join nothing is joined.
 * @throws Error when the filter asks for something other than values
 */
export async function readOneJoined<Stored extends object, Joined extends object>(
  model: Model<Stored>,
  filter: mongo.Filter<Stored>,
  join: Join<Joined> | null,
  { fields }: Pick<Reading, 'fields'> = {},
): Promise<{ readonly record: Stored; readonly joined: readonly Joined[] } | null> {
  if (join === null) {
    const record = await readOne(model, filter, fields === undefined ? {} : { fields });
    return record && { record, joined: [] };
  }
  const { ids, ...on } = join;
  const others = Object.fromEntries(Object.entries(ids).map(([field, id]) => [field, new Types.ObjectId(id)]));
  const [values, ofJoined] = [filter, others].map((of) => valueFilterOf(mongoose.sanitizeFilter(of)));
  if (!values || !ofJoined) throw new Error('a join needs filters that only ask for values');
  const read = { values, ofJoined };
  const key = { shape: shapeOf(values), on, ofJoined: shapeOf(ofJoined), fields };
  return batched(model, key, read, async (reads) => {
    const filters = reads.map(({ values: of }) => of);
    const joins = reads.map(({ ofJoined: of }) => of);
    const pipeline = [
      { $match: merge(filters) },
      ...(fields === undefined ? [] : [{ $project: withFieldsOf(values, fields) }]),
      {
        $lookup: {
          ...{ from: on.from, localField: on.localField, foreignField: on.foreignField, as: 'joined' },
          pipeline: [{ $match: merge(joins) }, { $project: withFieldsOf(ofJoined, on.fields as Fields) }],
        },
      },
    ];
    const records = await collectionOf(model)
      .aggregate<Stored & { joined: Joined[] }>(pipeline, { maxTimeMS: readTimeLimitMs() })
      .toArray();
    return distribute(filters, records).map(([found], place) => {
      if (found === undefined) return null;
      const { joined, ...record } = found;
      const own = joined.filter((other) => matches(joins[place] as ValueFilter, other));
      return { record: record as unknown as Stored, joined: own };
    });
  });
}

/** Fields with those of a filter, which tell the records of merged reads apart. */
function withFieldsOf(values: ValueFilter | null, fields: Fields): Fields {
  const wanted = [...(values?.wanted.keys() ?? [])];
  const missing = wanted.find((field) => fields[field] === 0);
  if (missing !== undefined) throw new Error(`a read by ${missing} must not leave it out`);
  const isSelection = Object.values(fields).includes(1);
  return isSelection ? { ...fields, ...Object.fromEntries(wanted.map((field) => [field, 1])) } : fields;
}

/** Adds a read to the batch of this turn with the same `key`, of one collection. The key is compared as bytes. */
function batched<Item, Result>(
  { db, collection }: Pick<Model<object>, 'db' | 'collection'>,
  key: object,
  item: Item,
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
): Promise<Result> {
  // Something undefined counts, because the driver sends it as null.
  const bytes = mongoose.mongo.BSON.serialize({ collection: collection.name, ...key }, { ignoreUndefined: false });
  return batchesOf(db).run(Buffer.from(bytes).toString('latin1'), item, work);
}
