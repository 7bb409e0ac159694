import { Schema, type Types } from 'mongoose';
import { type SchemaFields } from '../../../infrastructure/database/stored.js';
import { type Breakdown, BREAKDOWNS } from './breakdown-rules.js';
import { forEachSum, type SalesSums } from './sale-sums.js';

export const BREAKDOWN_SUM_MODEL = 'BreakdownSum';

/** The sums of a part of the sales in a cell of time. A cell in which nothing happened has none. */
export interface BreakdownSumRecord extends Partial<SalesSums> {
  _id: Types.ObjectId;
  shopId: Types.ObjectId;
  currency: string;
  by: Breakdown;
  key: string | null;
  sizeMs: number;
  at: Date;
}

const string = { type: String, required: true, immutable: true };

export const breakdownSumSchema = new Schema<BreakdownSumRecord>(
  {
    shopId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    currency: string,
    by: { ...string, enum: BREAKDOWNS },
    key: { type: String, default: null, immutable: true },
    sizeMs: { type: Number, required: true, immutable: true },
    at: { type: Date, required: true, immutable: true },
    ...forEachSum(() => Number),
  } satisfies SchemaFields<BreakdownSumRecord>,
  { versionKey: false, collection: 'stats_breakdowns' },
);

// All parts of a breakdown in a time range. Unique: a part has one document for a cell.
breakdownSumSchema.index({ shopId: 1, currency: 1, by: 1, sizeMs: 1, at: 1, key: 1 }, { unique: true });
