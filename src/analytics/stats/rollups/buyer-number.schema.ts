import { Schema, type Types } from 'mongoose';
import { type SchemaFields } from '../../../infrastructure/database/stored.js';

export const BUYER_NUMBER_MODEL = 'BuyerNumber';

/** The number of a buyer in a shop, so that rollups can hold sets of buyers in few bytes. */
export interface BuyerNumberRecord {
  _id: Types.ObjectId;
  shopId: Types.ObjectId;
  buyerKey: string;
  number: number;
}

export const buyerNumberSchema = new Schema<BuyerNumberRecord>(
  {
    shopId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    buyerKey: { type: String, required: true, immutable: true },
    number: { type: Number, required: true, immutable: true },
  } satisfies SchemaFields<BuyerNumberRecord>,
  { versionKey: false, collection: 'stats_buyers' },
);

// Unique: a buyer has one number in a shop.
buyerNumberSchema.index({ shopId: 1, buyerKey: 1 }, { unique: true });
