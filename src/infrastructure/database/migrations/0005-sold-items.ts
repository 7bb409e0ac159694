import { type mongo } from 'mongoose';
import { splitAmount } from '../../../lib/money/split-amount.js';
import { type Migration, type MigrationContext } from './migration.types.js';
import { updateInBatches } from './update-in-batches.js';

const BATCH = 500;
/** As `FIRST_NUMBER` of `OrderNumbersService`. */
const FIRST_NUMBER = 1_001;

/** The fields that 2.0.0 stored of an item are there; those of later versions may be missing. */
interface StoredItem {
  readonly productId: mongo.ObjectId;
  readonly unitPriceMinor: number;
  readonly totalMinor: number;
  readonly durationDays: number | null;
}

interface StoredOrder {
  readonly _id: mongo.ObjectId;
  readonly shopId: mongo.ObjectId;
  readonly number?: number;
  readonly origin?: string;
  readonly items: readonly StoredItem[];
  readonly discount: { readonly amountMinor: number } | null;
}

const MISSING = { $exists: false };

/**
 * Items of orders say what they cost after sales and codes, and what their player owns by them; orders have a number and an origin. Without
 * these fields, which 2.0.0 did not store, no order can be paid or delivered. An order that a process of that version stores after this
 * stays without them until the next `contract` migration, which does the same once more.
 */
export const soldItems: Migration = {
  id: 5,
  name: 'sold-items',
  phase: 'expand',
  run: async (context) => {
    const change = (collection: string, field: string, $set: object): Promise<void> =>
      updateInBatches(context, collection, { [field]: MISSING }, [{ $set }]);
    await change('products', 'ownedEverywhere', { ownedEverywhere: false });
    await change('command_lists', 'extendCommands', { extendCommands: [] });
    await change('deliveries', 'isRehearsal', { isRehearsal: false });
    await change('deliveries', 'stage', { stage: 'first' });
    await completeOrders(context);
  },
};

async function completeOrders({ database, signal, report }: MigrationContext): Promise<void> {
  const orders = database.collection<StoredOrder>('orders');
  const incomplete = { $or: [{ number: MISSING }, { items: { $elemMatch: { repeat: MISSING } } }] };
  let [done, after]: [number, object] = [0, {}];
  for (;;) {
    signal.throwIfAborted();
    const found = await orders
      .find({ $and: [incomplete, after] })
      .sort({ _id: 1 })
      .limit(BATCH)
      .toArray();
    const last = found.at(-1);
    if (last === undefined) break;
    const numbers = await numbersFor(database, found);
    const updates = found.map((order) => {
      const { _id, number = numbers.get(order), origin = 'checkout' } = order;
      return { updateOne: { filter: { _id }, update: { $set: { number, origin, items: itemsOf(order) } } } };
    });
    done += (await orders.bulkWrite(updates)).modifiedCount;
    after = { _id: { $gt: last._id } };
  }
  report(`orders: ${done} documents changed`);
}

/** Gives those of some orders numbers that have none, as `OrderNumbersService` does. A repetition leaves gaps, as that one does. */
async function numbersFor(
  database: mongo.Db,
  orders: readonly StoredOrder[],
): Promise<ReadonlyMap<StoredOrder, number>> {
  const counters = database.collection<{ shopId: mongo.ObjectId; issued: number }>('order_counters');
  const unnumbered = new Map<string, StoredOrder[]>();
  for (const order of orders.filter(({ number }) => number === undefined)) {
    const shop = order.shopId.toHexString();
    unnumbered.set(shop, [...(unnumbered.get(shop) ?? []), order]);
  }
  const numbers = new Map<StoredOrder, number>();
  for (const ofShop of unnumbered.values()) {
    const shopId = ofShop[0]?.shopId;
    const count = { $inc: { issued: ofShop.length } };
    const counter = await counters.findOneAndUpdate({ shopId }, count, { upsert: true, returnDocument: 'after' });
    const first = FIRST_NUMBER + (counter?.issued ?? 0) - ofShop.length;
    for (const [at, order] of ofShop.entries()) numbers.set(order, first + at);
  }
  return numbers;
}

/** The items of an order with what they lack. Which of them a code was for is unknown: all share what it took off. */
function itemsOf({ items, discount }: StoredOrder): StoredItem[] {
  const parts = splitAmount(
    discount?.amountMinor ?? 0,
    items.map(({ totalMinor }) => totalMinor),
  );
  return items.map((item, position) => {
    const { productId, unitPriceMinor, totalMinor, durationDays } = item;
    const discountMinor = parts[position] ?? 0;
    const price = { listMinor: unitPriceMinor, saleId: null, saleMinor: 0 };
    const ownership = { repeat: durationDays === null ? 'parallel' : 'extend', countsAs: productId };
    const added = {
      ...price,
      discountMinor,
      netMinor: totalMinor - discountMinor,
      ...ownership,
      ownedEverywhere: false,
    };
    return { ...added, ...item };
  });
}
