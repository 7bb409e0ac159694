import { Schema, type Types } from 'mongoose';
import { type SchemaFields } from '../../../infrastructure/database/stored.js';

export const BUYER_SUM_MODEL = 'BuyerSum';

/** What a buyer paid in a shop, minus what the buyer got back: in a month, or in all time. */
export interface BuyerSumRecord {
  _id: Types.ObjectId;
  shopId: Types.ObjectId;
  version: number;
  currency: string;
  /** `2026-11`, in the time zone that the shop had when the sale was folded; null for all time. */
  month: string | null;
  buyerKey: string;
  netMinor: number;
  /** In the sum of all time: the number of the buyer in rollups, where it names nobody. */
  number?: number;
}

const string = { type: String, required: true, immutable: true };

export const buyerSumSchema = new Schema<BuyerSumRecord>(
  {
    shopId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    version: { type: Number, required: true, immutable: true },
    currency: string,
    month: { type: String, default: null, immutable: true },
    buyerKey: string,
    netMinor: { type: Number, required: true },
    number: Number,
  } satisfies SchemaFields<BuyerSumRecord>,
  { versionKey: false, collection: 'stats_buyer_sums' },
);

// The sums of a buyer (`add`, `numbersOf`, `ofBuyer`, `rename`). Unique: a buyer has one sum for each month and one for all time.
buyerSumSchema.index({ shopId: 1, buyerKey: 1, version: 1, currency: 1, month: 1 }, { unique: true });
// The buyers who paid most (`top`). `buyerKey` keeps the order of equal sums the same.
buyerSumSchema.index({ shopId: 1, version: 1, currency: 1, month: 1, netMinor: -1, buyerKey: 1 });
