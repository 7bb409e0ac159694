import { Schema } from 'mongoose';
import { type SchemaFields, type Stored } from '../../infrastructure/database/stored.js';
import { type TierGroup } from './tier-group.types.js';

export const TIER_GROUP_MODEL = 'TierGroup';

export type TierGroupRecord = Stored<TierGroup, 'shopId' | 'productIds'>;

export const tierGroupSchema = new Schema<TierGroupRecord>(
  {
    shopId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    name: { type: String, required: true },
    productIds: { type: [Schema.Types.ObjectId], required: true },
    createdAt: { type: Date, required: true, immutable: true },
    createdBy: { type: String, required: true, immutable: true },
  } satisfies SchemaFields<TierGroupRecord>,
  { versionKey: false, collection: 'tier_groups' },
);

// The group of a product (`findOf`). Unique: a product is in one group at most.
tierGroupSchema.index({ shopId: 1, productIds: 1 }, { unique: true });
// The groups of a shop, newest first (`list`, `listSold`).
tierGroupSchema.index({ shopId: 1, _id: -1 });
