import { Schema, type Types } from 'mongoose';
import { type SchemaFields, type Stored } from '../../infrastructure/database/stored.js';
import { type Refund, REFUND_STATES, type RefundedItem } from './refund.types.js';

export const REFUND_MODEL = 'Refund';

type RefundedItemRecord = Omit<RefundedItem, 'productId'> & { readonly productId: Types.ObjectId };

export type RefundRecord = Omit<Stored<Refund, 'shopId' | 'orderId'>, 'items'> & { items?: RefundedItemRecord[] };

export const refundSchema = new Schema<RefundRecord>(
  {
    shopId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    orderId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    provider: { type: String, required: true },
    paymentId: { type: String, required: true },
    amountMinor: { type: Number, required: true },
    currency: { type: String, required: true },
    items: {
      type: [
        new Schema<RefundedItemRecord>(
          {
            position: { type: Number, required: true },
            productId: { type: Schema.Types.ObjectId, required: true },
            amountMinor: { type: Number, required: true },
          } satisfies SchemaFields<RefundedItemRecord>,
          { _id: false },
        ),
      ],
      default: undefined,
    },
    takeBack: Boolean,
    reason: { type: String, required: true },
    principal: { type: String, required: true },
    state: { type: String, enum: REFUND_STATES, required: true },
    refundId: { type: String, default: null },
    failure: { type: String, default: null },
    createdAt: { type: Date, required: true },
    dueAt: { type: Date, default: null },
    checks: { type: Number, required: true },
  } satisfies SchemaFields<RefundRecord>,
  { versionKey: false, collection: 'refunds' },
);

// The refunds of an order, oldest first (`list`).
refundSchema.index({ shopId: 1, orderId: 1, _id: 1 });
// The refunds that are due to be checked at a provider (`hasDue`, `claimDue`).
refundSchema.index({ provider: 1, dueAt: 1 }, { partialFilterExpression: { dueAt: { $type: 'date' } } });
