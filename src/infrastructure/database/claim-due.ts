import { type AnyObject, type Model, trusted, type Types } from 'mongoose';
import { oneOf } from './one-of.js';
import { type Transaction } from './transactions.js';

/** Which records of a collection are due. */
interface Due<Item> {
  /** The field with the time from which a record is due. A record with null is never due. */
  readonly field: keyof Item & string;
  /** What must also be true of a record; by default nothing. */
  readonly filter?: Partial<Item>;
  /** The field that counts the claims of a record; by default none. */
  readonly counter?: keyof Item & string;
}

/** How many records one process gets, and until when. */
interface Lease {
  readonly now: Date;
  readonly leaseUntil: Date;
  readonly limit: number;
}

/**
 * Claims records that are due, the longest due first. Until `leaseUntil` no other process claims them, because that is their new
 * due time.
 * @returns the records as they were before, with this claim counted
 */
export async function claimDue<Item extends { readonly _id: Types.ObjectId }>(
  items: Model<Item>,
  { field, filter, counter }: Due<Item>,
  { now, leaseUntil, limit }: Lease,
  transaction: Transaction,
): Promise<Item[]> {
  // The types of mongoose cannot follow a field whose name is a parameter.
  const model = items as unknown as Model<AnyObject>;
  const records = await model
    .find({ ...filter, [field]: trusted({ $lte: now }) })
    .sort({ [field]: 1 })
    .limit(limit)
    .session(transaction)
    .lean<Item[]>();
  if (records.length === 0) return records;
  const claimed = { _id: oneOf(records.map(({ _id }) => _id)) };
  const lease = { $set: { [field]: leaseUntil }, ...(counter === undefined ? {} : { $inc: { [counter]: 1 } }) };
  await model.updateMany(claimed, lease, { session: transaction });
  return counter === undefined
    ? records
    : records.map((record) => ({ ...record, [counter]: Number(record[counter]) + 1 }));
}
