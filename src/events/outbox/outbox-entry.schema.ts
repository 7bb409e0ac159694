import { Schema, type Types } from 'mongoose';
import { type SchemaFields } from '../../infrastructure/database/stored.js';
import { ENTRY_STATES, type EntryState } from './outbox.types.js';

export const OUTBOX_ENTRY_MODEL = 'OutboxEntry';

/** A message that leaves the service, as it is stored. */
export interface OutboxEntryRecord {
  _id: Types.ObjectId;
  state: EntryState;
  topic: string;
  shopId: Types.ObjectId | null;
  /** The order that it is about; null: about no order. */
  orderId: Types.ObjectId | null;
  /** The topic, a space and the lane of the message, so that lanes of two topics never have the same name. */
  lane: string;
  /** The stream of the message. A message without one has its own id here: it is a stream of its own. */
  stream: string;
  /** Its position among the waiting messages of its stream. */
  position: number;
  /** The encrypted payload; null when it is no longer needed. */
  sealedPayload: string | null;
  attempts: number;
  /** The kind of error that ended the latest attempt (`errorKind`). */
  lastError: string | null;
  createdAt: Date;
  /** When the next attempt is due. */
  dueAt: Date;
  /** When it reached its final state; null while it waits. */
  settledAt: Date | null;
  /** When the database deletes it; null while it waits. */
  forgetAt: Date | null;
}

const key = { type: String, required: true, immutable: true };
const whole = { type: Number, required: true };

export const outboxEntrySchema = new Schema<OutboxEntryRecord>(
  {
    state: { type: String, enum: ENTRY_STATES, required: true },
    topic: key,
    shopId: { type: Schema.Types.ObjectId, default: null, immutable: true },
    orderId: { type: Schema.Types.ObjectId, default: null, immutable: true },
    lane: key,
    stream: key,
    position: { ...whole, immutable: true },
    sealedPayload: { type: String, default: null },
    attempts: whole,
    lastError: { type: String, default: null },
    createdAt: { type: Date, required: true, immutable: true },
    dueAt: { type: Date, required: true },
    settledAt: { type: Date, default: null },
    forgetAt: { type: Date, default: null },
  } satisfies SchemaFields<OutboxEntryRecord>,
  { versionKey: false, collection: 'outbox' },
);

const waiting = { partialFilterExpression: { state: 'waiting' } };

// Only waiting messages are in these three, so sent ones cost the sender nothing.
// The messages of a stream in their order (`insert`, `ofStreams`, `postpone`). Unique: no two of them have the same position.
outboxEntrySchema.index({ lane: 1, stream: 1, position: 1 }, { ...waiting, unique: true });
// The lanes with messages (`nextLane`), and the messages of a lane, those that are due first (`due`, `next`, `nextDueAt`).
outboxEntrySchema.index({ lane: 1, dueAt: 1 }, waiting);
// The oldest waiting messages of a topic (`backlog`), and all waiting ones (`ofShop`).
outboxEntrySchema.index({ topic: 1, createdAt: 1 }, waiting);
// The messages that were set aside (`failures`): all of them, and those of a topic.
const failed = { partialFilterExpression: { state: 'failed' } };
outboxEntrySchema.index({ settledAt: 1 }, failed);
outboxEntrySchema.index({ topic: 1, settledAt: 1 }, failed);
// The messages about an order (`ofOrder`), which most messages have.
outboxEntrySchema.index({ orderId: 1 }, { partialFilterExpression: { orderId: { $type: 'objectId' } } });
// Deletes old entries.
outboxEntrySchema.index({ forgetAt: 1 }, { expireAfterSeconds: 0 });
