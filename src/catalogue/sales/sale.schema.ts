import { Schema } from 'mongoose';
import { type SchemaFields, type Stored } from '../../infrastructure/database/stored.js';
import { type Sale, SALE_SCOPES, SALE_TYPES } from './sale.types.js';

export const SALE_MODEL = 'Sale';

export type SaleRecord = Stored<Sale, 'shopId' | 'productIds' | 'categoryIds' | 'excludedProductIds'>;

const ids = { type: [Schema.Types.ObjectId], required: true };

export const saleSchema = new Schema<SaleRecord>(
  {
    shopId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    name: { type: String, required: true },
    type: { type: String, enum: SALE_TYPES, required: true },
    value: { type: Number, required: true },
    currency: { type: String, required: true, immutable: true },
    scope: { type: String, enum: SALE_SCOPES, required: true },
    productIds: ids,
    categoryIds: ids,
    excludedProductIds: ids,
    startsAt: { type: Date, required: true },
    endsAt: { type: Date, default: null },
    createdAt: { type: Date, required: true, immutable: true },
    createdBy: { type: String, required: true, immutable: true },
  } satisfies SchemaFields<SaleRecord>,
  { versionKey: false, collection: 'sales' },
);

// The sales of a shop that have not ended (`listSold`, `countCurrent`), and those in a state (`list`).
saleSchema.index({ shopId: 1, endsAt: 1, startsAt: 1 });
// The sales of a shop, newest first (`list`).
saleSchema.index({ shopId: 1, _id: -1 });
