import { Schema } from 'mongoose';
import { type SchemaFields, type Stored } from '../../infrastructure/database/stored.js';
import { type Sale, SALE_SCOPES, SALE_TYPES, type SaleAnnouncement } from './sale.types.js';

export const SALE_MODEL = 'Sale';

export type SaleRecord = Stored<Sale, 'shopId' | 'productIds' | 'categoryIds' | 'excludedProductIds'>;

const ids = { type: [Schema.Types.ObjectId], required: true };

const announcementSchema = new Schema<SaleAnnouncement>(
  {
    type: { type: String, enum: ['started', 'ended'], required: true },
    at: { type: Date, required: true },
  } satisfies SchemaFields<SaleAnnouncement>,
  { _id: false },
);

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
    announces: { type: announcementSchema, default: null },
    createdAt: { type: Date, required: true, immutable: true },
    createdBy: { type: String, required: true, immutable: true },
  } satisfies SchemaFields<SaleRecord>,
  { versionKey: false, collection: 'sales' },
);

// The sales of a shop that have not ended (`listSold`, `countCurrent`), and those in a state (`list`).
saleSchema.index({ shopId: 1, endsAt: 1, startsAt: 1 });
// The sales of a shop, newest first (`list`).
saleSchema.index({ shopId: 1, _id: -1 });
// What is to be announced in all shops (`findDue`). Only sales with something to announce are in it.
saleSchema.index({ 'announces.at': 1 }, { partialFilterExpression: { 'announces.at': { $type: 'date' } } });
