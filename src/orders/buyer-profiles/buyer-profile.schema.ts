import { Schema } from 'mongoose';
import { type SchemaFields, type Stored } from '../../infrastructure/database/stored.js';
import { BUYER_KINDS, type BuyerNote, type BuyerProfile } from './buyer-profile.types.js';

export const BUYER_PROFILE_MODEL = 'BuyerProfile';

export type BuyerProfileRecord = Stored<BuyerProfile, 'shopId'>;

const string = { type: String, required: true };
const optionalDate = { type: Date, default: null };

export const buyerProfileSchema = new Schema<BuyerProfileRecord>(
  {
    shopId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    key: { ...string, immutable: true },
    kind: { ...string, enum: BUYER_KINDS, immutable: true },
    name: { ...string, immutable: true },
    nickname: { type: String, default: null },
    email: { type: String, default: null },
    orders: { type: Number, required: true },
    paidOrders: { type: Number, required: true },
    // The amounts of each currency, which updates name by their paths.
    money: { type: Schema.Types.Mixed, required: true },
    firstPurchaseAt: optionalDate,
    lastPurchaseAt: optionalDate,
    lastOrderAt: optionalDate,
    note: {
      type: new Schema<BuyerNote>(
        { text: string, at: { type: Date, required: true }, by: string } satisfies SchemaFields<BuyerNote>,
        { _id: false },
      ),
      default: null,
    },
  } satisfies SchemaFields<BuyerProfileRecord>,
  { versionKey: false, minimize: false, collection: 'buyer_profiles' },
);

// Those with a name (`add`, `deleteEmpty`), and those whose names begin alike (`list`). Unique: a buyer has one profile in a shop.
buyerProfileSchema.index({ shopId: 1, kind: 1, name: 1 }, { unique: true });
// The one with a key (`find`). Not unique, because the name decides the key.
buyerProfileSchema.index({ shopId: 1, key: 1 });
// Those with an order, the latest first (`list`).
buyerProfileSchema.index({ shopId: 1, kind: 1, lastOrderAt: -1, _id: -1 });
