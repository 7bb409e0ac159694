import { Schema } from 'mongoose';
import { type SchemaFields, type Stored } from '../../infrastructure/database/stored.js';
import { type Redemption, REDEMPTION_STATES } from './redemption.types.js';

export const REDEMPTION_MODEL = 'Redemption';

export type RedemptionRecord = Stored<Redemption, 'shopId' | 'discountId' | 'orderId'>;

export const redemptionSchema = new Schema<RedemptionRecord>(
  {
    shopId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    discountId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    orderId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    buyerKey: { type: String, required: true },
    nicknameKey: { type: String, required: true },
    state: { type: String, enum: REDEMPTION_STATES, required: true },
    at: { type: Date, required: true },
  } satisfies SchemaFields<RedemptionRecord>,
  { versionKey: false, collection: 'redemptions' },
);

// The use of an order (`redeem`, `release`). Unique: an order uses one code, once.
redemptionSchema.index({ shopId: 1, orderId: 1 }, { unique: true });
// How often a buyer used a code (`count`): by mailbox, and by player.
redemptionSchema.index({ discountId: 1, buyerKey: 1 });
redemptionSchema.index({ discountId: 1, nicknameKey: 1 });
