import { Schema, type Types } from 'mongoose';
import { DISCOUNT_TYPES, type DiscountType } from './discount.types.js';

export const DISCOUNT_MODEL = 'Discount';
export const REDEMPTION_MODEL = 'Redemption';

export interface DiscountRecord {
  _id: Types.ObjectId;
  shopId: Types.ObjectId;
  code: string;
  type: DiscountType;
  value: number;
  currency: string;
  maxDiscountMinor: number | null;
  minOrderMinor: number | null;
  productIds: Types.ObjectId[] | null;
  serverIds: Types.ObjectId[] | null;
  maxUses: number | null;
  maxUsesPerBuyer: number | null;
  firstPurchaseOnly: boolean;
  startsAt: Date | null;
  endsAt: Date | null;
  isActive: boolean;
  used: number;
  createdAt: Date;
  createdBy: string;
}

export type RedemptionState = 'reserved' | 'redeemed' | 'released';

/** One use of a code by one order. */
export interface RedemptionRecord {
  _id: Types.ObjectId;
  shopId: Types.ObjectId;
  discountId: Types.ObjectId;
  orderId: Types.ObjectId;
  buyerKey: string;
  state: RedemptionState;
  at: Date;
}

const optionalNumber = { type: Number, default: null };
const optionalInstant = { type: Date, default: null };

export const discountSchema = new Schema<DiscountRecord>(
  {
    shopId: { type: Schema.Types.ObjectId, required: true },
    code: { type: String, required: true },
    type: { type: String, enum: DISCOUNT_TYPES, required: true },
    value: { type: Number, required: true },
    currency: { type: String, required: true },
    maxDiscountMinor: optionalNumber,
    minOrderMinor: optionalNumber,
    productIds: { type: [Schema.Types.ObjectId], default: null },
    serverIds: { type: [Schema.Types.ObjectId], default: null },
    maxUses: optionalNumber,
    maxUsesPerBuyer: optionalNumber,
    firstPurchaseOnly: { type: Boolean, required: true },
    startsAt: optionalInstant,
    endsAt: optionalInstant,
    isActive: { type: Boolean, required: true },
    used: { type: Number, required: true },
    createdAt: { type: Date, required: true },
    createdBy: { type: String, required: true },
  },
  { versionKey: false, collection: 'discounts' },
);

// A code of a shop; one discount a code.
discountSchema.index({ shopId: 1, code: 1 }, { unique: true });
// Discounts of a shop, newest first.
discountSchema.index({ shopId: 1, _id: -1 });

export const redemptionSchema = new Schema<RedemptionRecord>(
  {
    shopId: { type: Schema.Types.ObjectId, required: true },
    discountId: { type: Schema.Types.ObjectId, required: true },
    orderId: { type: Schema.Types.ObjectId, required: true },
    buyerKey: { type: String, required: true },
    state: { type: String, required: true },
    at: { type: Date, required: true },
  },
  { versionKey: false, collection: 'redemptions' },
);

// The use that belongs to an order; one an order.
redemptionSchema.index({ orderId: 1 }, { unique: true });
// How often a buyer has used a code.
redemptionSchema.index({ discountId: 1, buyerKey: 1 });
