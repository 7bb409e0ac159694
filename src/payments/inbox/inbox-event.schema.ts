import { Schema } from 'mongoose';
import { type SchemaFields, type Stored } from '../../infrastructure/database/stored.js';
import { PAYMENT_EVENT_TYPES } from '../../orders/order/payment-event.types.js';
import { FAILURES, INBOX_STATES, type InboxEntry } from './inbox.types.js';

export const INBOX_EVENT_MODEL = 'InboxEvent';

/**
 * An event of a provider as it is stored: its content, and its state. Its raw bytes are not stored: they contain
 * personal data of the buyer, and the fields below are enough to apply the event again.
 */
export type InboxEventRecord = Stored<InboxEntry, 'shopId' | 'orderId'> & {
  /** When the database deletes it. null for events of an order, because disputes come months later. */
  forgetAt: Date | null;
};

const paymentSchema = new Schema<NonNullable<InboxEventRecord['payment']>>(
  {
    type: { type: String, enum: PAYMENT_EVENT_TYPES, required: true },
    paymentId: { type: String, required: true },
    checkoutId: String,
    refundId: String,
    failure: String,
    disputeId: String,
    amountMinor: { type: Number, required: true },
    currency: { type: String, required: true },
    occurredAt: { type: Date, required: true },
    cumulative: { type: Boolean, required: true },
  } satisfies SchemaFields<NonNullable<InboxEventRecord['payment']>>,
  { _id: false },
);

export const inboxEventSchema = new Schema<InboxEventRecord>(
  {
    shopId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    provider: { type: String, required: true, immutable: true },
    eventId: { type: String, required: true, immutable: true },
    kind: { type: String, required: true },
    state: { type: String, enum: INBOX_STATES, required: true },
    failure: { type: String, enum: FAILURES, default: null },
    problem: { type: String, default: null },
    attempts: { type: Number, required: true },
    orderId: { type: Schema.Types.ObjectId, default: null },
    payment: { type: paymentSchema, default: null },
    receivedAt: { type: Date, required: true },
    settledAt: { type: Date, default: null },
    forgetAt: { type: Date, default: null },
  } satisfies SchemaFields<InboxEventRecord>,
  { versionKey: false, collection: 'payment_events' },
);

// `store`: an event counts once, also when it is sent several times in parallel.
inboxEventSchema.index({ shopId: 1, provider: 1, eventId: 1 }, { unique: true });
// `orderOf`, `waiting`: finds the order of a refund or dispute that does not name it. A payment can have many events.
inboxEventSchema.index({ shopId: 1, provider: 1, 'payment.paymentId': 1, state: 1, orderId: 1 });
// The events of a shop, newest first (`list`): all, in one state, of one order.
inboxEventSchema.index({ shopId: 1, _id: -1 });
inboxEventSchema.index({ shopId: 1, state: 1, _id: -1 });
inboxEventSchema.index({ shopId: 1, orderId: 1, _id: -1 });
// The events that are not applied, for the metrics (`InboxEventsRepository.totals`).
inboxEventSchema.index({ receivedAt: 1 }, { partialFilterExpression: { state: { $in: ['received', 'failed'] } } });
// Deletes old events that belong to no order.
inboxEventSchema.index({ forgetAt: 1 }, { expireAfterSeconds: 0 });
