import { Schema, type Types } from 'mongoose';
import { DAY_MS, SECOND_MS } from '../../platform/time/durations.js';

export const OUTBOX_LANE_MODEL = 'OutboxLane';

/** That a process works on a lane. Only senders write it, so the transactions that add messages never wait for each other. */
export interface OutboxLaneRecord {
  _id: Types.ObjectId;
  lane: string;
  /** The process that has the lane. */
  holder: string;
  /** When another process may take it. */
  leasedUntil: Date;
}

const text = { type: String, required: true };

export const outboxLaneSchema = new Schema<OutboxLaneRecord>(
  { lane: { ...text, immutable: true }, holder: text, leasedUntil: { type: Date, required: true } },
  { versionKey: false, collection: 'outbox_lanes' },
);

// Unique: one process has a lane.
outboxLaneSchema.index({ lane: 1 }, { unique: true });
// Deletes lanes that nobody has had for a day.
outboxLaneSchema.index({ leasedUntil: 1 }, { expireAfterSeconds: DAY_MS / SECOND_MS });
