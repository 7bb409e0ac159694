import { type Model, trusted, type Types } from 'mongoose';
import { oneOf } from './one-of.js';
import { type Transaction } from './transactions.js';

/** A record of a shop. Records with a higher version replace it. */
interface Versioned {
  readonly _id: Types.ObjectId;
  readonly shopId: Types.ObjectId;
  readonly version: number;
}

/** Deletes some of the records of a shop with a lower version, so that no transaction has to delete many. @returns how many */
export async function deleteEarlier<Item extends Versioned>(
  model: Model<Item>,
  { shopId, version }: { readonly shopId: string; readonly version: number },
  limit: number,
  transaction: Transaction,
): Promise<number> {
  const records = model as unknown as Model<Versioned>;
  const earlier = { shopId, version: trusted({ $lt: version }) };
  const found = await records.find(earlier, { _id: 1 }).limit(limit).session(transaction).lean();
  const those = { shopId, _id: oneOf(found.map(({ _id }) => _id)) };
  // Without the hint a database can choose an index that begins with the shop, and read everything that the shop has left.
  if (found.length > 0) await records.deleteMany(those, { session: transaction, hint: { _id: 1 } });
  return found.length;
}
