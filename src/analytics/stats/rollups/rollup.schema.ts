import { Schema, type Types } from 'mongoose';
import { type SchemaFields } from '../../../infrastructure/database/stored.js';
import { SALES_PARTS, type SalesPart } from './breakdown-rules.js';
import { forEachSum, type SalesSums } from './sale-sums.js';

export const ROLLUP_MODEL = 'Rollup';

/**
 * What happened in a part of the sales on a day of UTC: a document `per: 'day'` with the sums of the day, and one `per: 'quarter'` with
 * those of its quarters of an hour, by their index in the day. A day and a quarter in which nothing happened have none.
 */
export interface RollupRecord extends Partial<SalesSums> {
  _id: Types.ObjectId;
  shopId: Types.ObjectId;
  version: number;
  currency: string;
  by: SalesPart['by'];
  key: string | null;
  per: 'day' | 'quarter';
  at: Date;
  quarters?: Record<string, Partial<SalesSums>>;
  /**
   * How often each buyer paid (`packed`): in the `day`, or in each quarter. Apart from the sums, which are also read without them. Payment
   * methods and codes have none.
   */
  buyers?: Record<string, Buffer>;
}

const string = { type: String, required: true, immutable: true };
const number = { type: Number, required: true, immutable: true };

export const rollupSchema = new Schema<RollupRecord>(
  {
    shopId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    version: number,
    currency: string,
    by: { ...string, enum: SALES_PARTS },
    key: { type: String, default: null, immutable: true },
    per: { ...string, enum: ['day', 'quarter'] },
    at: { type: Date, required: true, immutable: true },
    ...forEachSum(() => Number),
    quarters: Schema.Types.Mixed,
    buyers: Schema.Types.Mixed,
  } satisfies SchemaFields<RollupRecord>,
  { versionKey: false, collection: 'stats_rollups' },
);

// A part in a time range. Unique: it has one document of each kind for a day.
rollupSchema.index({ shopId: 1, version: 1, currency: 1, by: 1, key: 1, per: 1, at: 1 }, { unique: true });
// All parts of a breakdown in a time range.
rollupSchema.index({ shopId: 1, version: 1, currency: 1, by: 1, per: 1, at: 1 });
