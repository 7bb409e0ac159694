import { Schema, type Types } from 'mongoose';
import { type SchemaFields } from './stored.js';

export const COUNTER_SHARD_MODEL = 'CounterShard';

/** One part of a counter: see `ShardedCounters`. */
export interface CounterShardRecord {
  _id: Types.ObjectId;
  shopId: Types.ObjectId;
  /** What is counted: the uses of a discount, or the units of a product. */
  subjectId: Types.ObjectId;
  /** 0 to `SHARDS` - 1. */
  shard: number;
  /** How many of them this shard has left. */
  left: number;
  /** Changes with every write, so that a write of an equal number conflicts with others too. */
  revision: number;
}

export const counterShardSchema = new Schema<CounterShardRecord>(
  {
    shopId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    subjectId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    shard: { type: Number, required: true, immutable: true },
    left: { type: Number, required: true },
    revision: { type: Number, required: true },
  } satisfies SchemaFields<CounterShardRecord>,
  { versionKey: false, collection: 'counter_shards' },
);

// One shard (`take`), and all shards of a subject (`left`). Unique: no number is counted twice.
counterShardSchema.index({ shopId: 1, subjectId: 1, shard: 1 }, { unique: true });
