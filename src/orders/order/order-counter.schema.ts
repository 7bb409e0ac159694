import { Schema, type Types } from 'mongoose';
import { type SchemaFields } from '../../infrastructure/database/stored.js';

export const ORDER_COUNTER_MODEL = 'OrderCounter';

/** How many order numbers of a shop are given out, to orders or to processes that will give them to orders. */
export interface OrderCounterRecord {
  _id: Types.ObjectId;
  shopId: Types.ObjectId;
  issued: number;
}

export const orderCounterSchema = new Schema<OrderCounterRecord>(
  {
    shopId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    issued: { type: Number, required: true },
  } satisfies SchemaFields<OrderCounterRecord>,
  { versionKey: false, collection: 'order_counters' },
);

// The counter of a shop (`OrderNumbersService`). Unique: no number is given out twice.
orderCounterSchema.index({ shopId: 1 }, { unique: true });
