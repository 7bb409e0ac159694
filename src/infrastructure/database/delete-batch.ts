import { type Model, type Types } from 'mongoose';
import { oneOf } from './one-of.js';
import { type Transaction } from './transactions.js';

/** What belongs to a shop. */
interface OfShop {
  readonly _id: Types.ObjectId;
  readonly shopId: Types.ObjectId;
}

/** Deletes some of the records of a shop, so that no transaction has to delete many. @returns how many */
export async function deleteBatch<Item extends OfShop>(
  model: Model<Item>,
  shopId: string,
  limit: number,
  transaction: Transaction,
): Promise<number> {
  const records = model as unknown as Model<OfShop>;
  const found = await records.find({ shopId }, { _id: 1 }).limit(limit).session(transaction).lean();
  const those = { shopId, _id: oneOf(found.map(({ _id }) => _id)) };
  // Without the hint a database can choose an index that begins with the shop, and read everything that the shop has left.
  if (found.length > 0) await records.deleteMany(those, { session: transaction, hint: { _id: 1 } });
  return found.length;
}
