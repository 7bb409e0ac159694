import { type mongo } from 'mongoose';
import { splitAmount } from '../../../lib/money/split-amount.js';
import { type Migration } from './migration.types.js';

const BATCH = 500;
const MISSING = { $exists: false };
const UNPAID_ORIGINS = ['grant', 'rehearsal'];

interface StoredOrder {
  readonly _id: mongo.ObjectId;
  readonly origin: string;
  readonly items: readonly { readonly netMinor: number; readonly listMinor: number }[];
  readonly reversals: readonly { readonly amountMinor: number }[];
}

/**
 * Entitlements say what was paid for them and did not go back (`keptOf`), so that what a player bought before counts for an upgrade. One that a
 * process of the version before stores after this counts as 0 until something changes in its order.
 */
export const paidEntitlements: Migration = {
  id: 6,
  name: 'paid-entitlements',
  phase: 'expand',
  run: async ({ database, signal, report }) => {
    const entitlements = database.collection<{ _id: mongo.ObjectId; orderId: mongo.ObjectId; position: number }>(
      'entitlements',
    );
    let [done, after]: [number, object] = [0, {}];
    for (;;) {
      signal.throwIfAborted();
      const found = await entitlements
        .find({ paidMinor: MISSING, ...after })
        .sort({ _id: 1 })
        .limit(BATCH)
        .toArray();
      const last = found.at(-1);
      if (last === undefined) break;
      const ids = found.map(({ orderId }) => orderId);
      const fields = { origin: 1, items: 1, reversals: 1 };
      const orders = await database
        .collection<StoredOrder>('orders')
        .find({ _id: { $in: ids } }, { projection: fields })
        .toArray();
      const byId = new Map(orders.map((order) => [order._id.toHexString(), order]));
      const updates = found.map(({ _id, orderId, position }) => {
        const order = byId.get(orderId.toHexString());
        const paidMinor = order === undefined ? 0 : (keptOf(order)[position] ?? 0);
        const amounts = { paidMinor, listMinor: order?.items[position]?.listMinor ?? 0 };
        return { updateOne: { filter: { _id, paidMinor: MISSING }, update: { $set: amounts } } };
      });
      done += (await entitlements.bulkWrite(updates)).modifiedCount;
      after = { _id: { $gt: last._id } };
    }
    report(`entitlements: ${done} documents changed`);
  },
};

function keptOf({ origin, items, reversals }: StoredOrder): number[] {
  const nets = items.map(({ netMinor }) => (UNPAID_ORIGINS.includes(origin) ? 0 : netMinor));
  const sum = nets.reduce((total, minor) => total + minor, 0);
  const back = reversals.reduce((total, { amountMinor }) => total + amountMinor, 0);
  const parts = splitAmount(Math.min(sum, back), nets);
  return nets.map((minor, position) => minor - (parts[position] ?? 0));
}
