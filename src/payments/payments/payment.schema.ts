import { Schema } from 'mongoose';
import { type SchemaFields, type Stored } from '../../infrastructure/database/stored.js';
import { type Payment, PAYMENT_STATES } from './payment.types.js';

export const PAYMENT_MODEL = 'Payment';

export type PaymentRecord = Stored<Payment, 'shopId' | 'orderId'>;

export const paymentSchema = new Schema<PaymentRecord>(
  {
    shopId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    orderId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    provider: { type: String, required: true },
    attempt: { type: Number, required: true },
    state: { type: String, enum: PAYMENT_STATES, required: true },
    amountMinor: { type: Number, required: true },
    currency: { type: String, required: true },
    successUrl: { type: String, required: true },
    cancelUrl: { type: String, required: true },
    createdAt: { type: Date, required: true },
    orderExpiresAt: { type: Date, required: true },
    paymentId: { type: String, default: null },
    url: { type: String, default: null },
    expiresAt: { type: Date, default: null },
    dueAt: { type: Date, default: null },
    checks: { type: Number, required: true, default: 0 },
  } satisfies SchemaFields<PaymentRecord>,
  { versionKey: false, collection: 'payments' },
);

// The latest attempt of an order with a provider (`findLatest`). Unique: of parallel requests, one stores the next attempt.
paymentSchema.index({ shopId: 1, orderId: 1, provider: 1, attempt: -1 }, { unique: true });
// The payments that are due to be checked at a provider (`hasDue`, `claimDue`).
paymentSchema.index({ provider: 1, dueAt: 1 }, { partialFilterExpression: { dueAt: { $type: 'date' } } });
// A payment by the provider's id (`findByPaymentId`).
paymentSchema.index({ provider: 1, paymentId: 1 }, { partialFilterExpression: { paymentId: { $type: 'string' } } });
