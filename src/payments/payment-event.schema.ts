import { Schema, type Types } from 'mongoose';
import { type PaymentEventType } from '../orders/payment-event.types.js';
import { EVENT_STATES, type EventState, type Failure } from './inbox.types.js';

export const PAYMENT_EVENT_MODEL = 'PaymentEvent';

/**
 * An event of a provider as it is stored: what it says, and what became of it. The bytes that it came in are not kept, they
 * are full of the buyer's data and everything that is needed to apply it again is here.
 */
export interface PaymentEventRecord {
  _id: Types.ObjectId;
  shopId: Types.ObjectId;
  provider: string;
  eventId: string;
  kind: string;
  state: EventState;
  failure: Failure | null;
  /** How often it was tried to apply it. */
  attempts: number;
  orderId: Types.ObjectId | null;
  /** The payment that it is about; null for kinds that mean nothing here. */
  paymentId: string | null;
  notice: {
    type: PaymentEventType;
    amountMinor: number;
    currency: string;
    occurredAt: Date;
    cumulative: boolean;
  } | null;
  receivedAt: Date;
  /** When it reached its state; null while it is `received`. */
  settledAt: Date | null;
  /** Events that reached no order are forgotten; those of an order stay (null), because disputes come months later. */
  forgetAt: Date | null;
}

const noticeSchema = new Schema<NonNullable<PaymentEventRecord['notice']>>(
  {
    type: { type: String, required: true },
    amountMinor: { type: Number, required: true },
    currency: { type: String, required: true },
    occurredAt: { type: Date, required: true },
    cumulative: { type: Boolean, required: true },
  },
  { _id: false },
);

export const paymentEventSchema = new Schema<PaymentEventRecord>(
  {
    shopId: { type: Schema.Types.ObjectId, required: true },
    provider: { type: String, required: true },
    eventId: { type: String, required: true },
    kind: { type: String, required: true },
    state: { type: String, enum: EVENT_STATES, required: true },
    failure: { type: String, default: null },
    attempts: { type: Number, required: true },
    orderId: { type: Schema.Types.ObjectId, default: null },
    paymentId: { type: String, default: null },
    notice: { type: noticeSchema, default: null },
    receivedAt: { type: Date, required: true },
    settledAt: { type: Date, default: null },
    forgetAt: { type: Date, default: null },
  },
  { versionKey: false, collection: 'payment_events' },
);

// An event counts once, however often and in parallel it is sent.
paymentEventSchema.index({ shopId: 1, provider: 1, eventId: 1 }, { unique: true });
// The events of one payment: to find the order of a refund or dispute that does not name it.
paymentEventSchema.index({ shopId: 1, provider: 1, paymentId: 1 });
// Garbage collection only.
paymentEventSchema.index({ forgetAt: 1 }, { expireAfterSeconds: 0 });
