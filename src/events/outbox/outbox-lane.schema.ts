import { Schema, type Types } from 'mongoose';
import { type SchemaFields } from '../../infrastructure/database/stored.js';
import { DAY_MS, SECOND_MS } from '../../lib/time/durations.js';

export const OUTBOX_LANE_MODEL = 'OutboxLane';

/** The lease of a lane: which process works on it. Only senders write it, so the transactions that add messages never wait for each other. */
export interface OutboxLaneRecord {
  _id: Types.ObjectId;
  lane: string;
  /** The process that holds the lease. */
  holder: string;
  /** When another process may take the lane. */
  leasedUntil: Date;
}

const string = { type: String, required: true };

export const outboxLaneSchema = new Schema<OutboxLaneRecord>(
  {
    lane: { ...string, immutable: true },
    holder: string,
    leasedUntil: { type: Date, required: true },
  } satisfies SchemaFields<OutboxLaneRecord>,
  { versionKey: false, collection: 'outbox_lanes' },
);

// Unique: one process holds a lane (`lease`).
outboxLaneSchema.index({ lane: 1 }, { unique: true });
// Deletes leases that ended a day ago.
outboxLaneSchema.index({ leasedUntil: 1 }, { expireAfterSeconds: DAY_MS / SECOND_MS });
