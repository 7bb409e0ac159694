import { type Model, trusted, type Types } from 'mongoose';
import { type Transaction } from './transactions.js';

/** A stored item that the service must look at, again and again. */
interface DueRecord {
  _id: Types.ObjectId;
  /** When the service looks at it next; null: never. */
  dueAt: Date | null;
  /** How often the service has looked at it. */
  checks: number;
}

/**
 * Claims stored items that are due, the longest due first. Until `leaseUntil` no other process claims them.
 * @returns the items, with this look counted
 */
export async function claimDue<Item extends DueRecord>(
  items: Model<Item>,
  { now, leaseUntil, limit }: { readonly now: Date; readonly leaseUntil: Date; readonly limit: number },
  transaction: Transaction,
): Promise<Item[]> {
  const due = items as unknown as Model<DueRecord>;
  const records = await due
    .find({ dueAt: trusted({ $lte: now }) })
    .sort({ dueAt: 1 })
    .limit(limit)
    .session(transaction)
    .lean();
  const claimed = { _id: trusted({ $in: records.map(({ _id }) => _id) }) };
  const lease = { $set: { dueAt: leaseUntil }, $inc: { checks: 1 } };
  if (records.length > 0) await due.updateMany(claimed, lease, { session: transaction });
  return records.map((record) => ({ ...record, checks: record.checks + 1 })) as unknown as Item[];
}
