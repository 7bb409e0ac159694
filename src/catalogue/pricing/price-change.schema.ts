import { Schema } from 'mongoose';
import { type SchemaFields, type Stored } from '../../infrastructure/database/stored.js';
import { type PriceChange } from './price-change.types.js';

export const PRICE_CHANGE_MODEL = 'PriceChange';

export type PriceChangeRecord = Stored<PriceChange, 'shopId' | 'productId' | 'categoryId'>;

const id = { type: Schema.Types.ObjectId, required: true, immutable: true };

export const priceChangeSchema = new Schema<PriceChangeRecord>(
  {
    shopId: id,
    productId: id,
    from: { type: Date, required: true, immutable: true },
    until: { type: Date, required: true },
    listMinor: { type: Number, required: true, immutable: true },
    compareAtMinor: { type: Number, default: null, immutable: true },
    categoryId: { type: Schema.Types.ObjectId, default: null, immutable: true },
    hasUnknownPast: { type: Boolean, required: true, immutable: true },
  } satisfies SchemaFields<PriceChangeRecord>,
  { versionKey: false, collection: 'price_changes' },
);

// The prices of a product since a moment, and the one in force (`listSince`, `inForce`). Unique: only one is in force.
priceChangeSchema.index({ shopId: 1, productId: 1, until: 1 }, { unique: true });
// The prices of a shop since a moment (`listSince`), and those in force in a category (`inForce`).
priceChangeSchema.index({ shopId: 1, until: 1 });
