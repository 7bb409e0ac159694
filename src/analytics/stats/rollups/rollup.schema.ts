import { Schema, type Types } from 'mongoose';
import { type SchemaFields } from '../../../infrastructure/database/stored.js';
import { forEachSum, type SalesSums } from './sale-sums.js';

export const ROLLUP_MODEL = 'Rollup';

/** The sums of a scope in a cell of time. A cell in which nothing happened has none. */
export interface RollupRecord extends Partial<SalesSums> {
  _id: Types.ObjectId;
  shopId: Types.ObjectId;
  currency: string;
  serverId: Types.ObjectId | null;
  productId: Types.ObjectId | null;
  sizeMs: number;
  at: Date;
  /** The numbers of the buyers who paid in the cell (`NumberSet`). */
  buyers?: Buffer;
}

const id = { type: Schema.Types.ObjectId, default: null, immutable: true };

export const rollupSchema = new Schema<RollupRecord>(
  {
    shopId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    currency: { type: String, required: true, immutable: true },
    serverId: id,
    productId: id,
    sizeMs: { type: Number, required: true, immutable: true },
    at: { type: Date, required: true, immutable: true },
    ...forEachSum(() => Number),
    buyers: Buffer,
  } satisfies SchemaFields<RollupRecord>,
  { versionKey: false, collection: 'stats_rollups' },
);

// The cells of a scope in a time range. Unique: a cell has one document.
rollupSchema.index({ shopId: 1, currency: 1, serverId: 1, productId: 1, sizeMs: 1, at: 1 }, { unique: true });
