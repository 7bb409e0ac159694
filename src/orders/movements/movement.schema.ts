import { Schema } from 'mongoose';
import { type SchemaFields, type Stored } from '../../infrastructure/database/stored.js';
import { type Movement, MOVEMENT_KINDS, MOVEMENT_STATES } from './movement.types.js';

export const MOVEMENT_MODEL = 'Movement';

export type MovementRecord = Stored<Movement, 'shopId' | 'orderId'>;

const string = { type: String, required: true };
const date = { type: Date, required: true };
const id = { type: Schema.Types.ObjectId, required: true, immutable: true };

export const movementSchema = new Schema<MovementRecord>(
  {
    shopId: id,
    orderId: id,
    orderNumber: { type: Number, required: true, immutable: true },
    name: { ...string, immutable: true },
    kind: { ...string, enum: MOVEMENT_KINDS },
    state: { ...string, enum: MOVEMENT_STATES },
    provider: string,
    paymentId: string,
    refundId: { type: String, default: null },
    disputeId: { type: String, default: null },
    amountMinor: { type: Number, required: true },
    currency: string,
    startedAt: date,
    occurredAt: date,
  } satisfies SchemaFields<MovementRecord>,
  { versionKey: false, collection: 'movements' },
);

// The movements of an order (`list`), and one by its name (`apply`). Unique: each payment, refund and dispute has one line.
movementSchema.index({ shopId: 1, orderId: 1, name: 1 }, { unique: true });
// The movements of a shop, newest first (`list`): all, of one kind, of one provider.
movementSchema.index({ shopId: 1, occurredAt: -1, _id: -1 });
movementSchema.index({ shopId: 1, kind: 1, occurredAt: -1, _id: -1 });
movementSchema.index({ shopId: 1, provider: 1, occurredAt: -1, _id: -1 });
