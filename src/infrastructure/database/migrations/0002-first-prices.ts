import { type mongo } from 'mongoose';
import { type Migration } from './migration.types.js';

const BATCH = 500;
/** As `NO_END` of `price-change.types.ts`. */
const IN_FORCE = new Date('9999-12-31T23:59:59.999Z');

/**
 * Each change of a price is recorded from now on. The price that a product has now is the first one that is known of it. A process of the
 * version before records none: `PriceHistoryService` treats what such a process changed as an unknown past.
 */
export const firstPrices: Migration = {
  id: 2,
  name: 'first-prices',
  phase: 'expand',
  run: async ({ database, signal, report }) => {
    const changes = database.collection('price_changes');
    let [done, after]: [number, mongo.Filter<mongo.BSON.Document>] = [0, {}];
    for (;;) {
      signal.throwIfAborted();
      const products = await database
        .collection('products')
        .find({ archivedAt: null, ...after })
        .sort({ _id: 1 })
        .limit(BATCH)
        .toArray();
      const last = products.at(-1);
      if (last === undefined) break;
      const ids = products.map(({ _id }) => _id);
      const recorded = await changes.find({ productId: { $in: ids } }, { projection: { productId: 1 } }).toArray();
      const known = new Set(recorded.map(({ productId }) => String(productId)));
      const missing = products.filter(({ _id }) => !known.has(String(_id)));
      if (missing.length > 0) await changes.insertMany(missing.map((product) => firstPriceOf(product, new Date())));
      done += missing.length;
      after = { _id: { $gt: last._id } };
    }
    report(`price_changes: ${done} documents added`);
  },
};

function firstPriceOf(
  { _id, shopId, priceMinor, compareAtPriceMinor, categoryId }: mongo.BSON.Document,
  from: Date,
): mongo.BSON.Document {
  return {
    shopId: shopId as unknown,
    productId: _id as unknown,
    from,
    until: IN_FORCE,
    listMinor: priceMinor as unknown,
    compareAtMinor: (compareAtPriceMinor ?? null) as unknown,
    categoryId: (categoryId ?? null) as unknown,
    hasUnknownPast: true,
  };
}
