import { Schema, type Types } from 'mongoose';
import { REPEAT_RULES, type RepeatRule } from '../../catalogue/products/product-ownership.js';
import { type SchemaFields } from '../../infrastructure/database/stored.js';

interface LineUpgradeRecord {
  entitlementIds: Types.ObjectId[];
  creditMinor: number;
}

/** An item of an order as it is stored. */
export interface OrderItemRecord {
  productId: Types.ObjectId;
  name: string;
  quantity: number;
  listMinor: number;
  saleId: Types.ObjectId | null;
  saleMinor: number;
  unitPriceMinor: number;
  totalMinor: number;
  discountMinor: number;
  netMinor: number;
  commandListId: Types.ObjectId;
  requiresOnline: boolean;
  durationDays: number | null;
  repeat: RepeatRule;
  countsAs: Types.ObjectId;
  ownedEverywhere: boolean;
  takesStock: boolean;
  upgrade?: LineUpgradeRecord;
  tiers?: Types.ObjectId[];
  restocked?: boolean;
  refundedMinor?: number;
  takenBack?: boolean;
}

const string = { type: String, required: true };
const integer = { type: Number, required: true };
const boolean = { type: Boolean, required: true };
const id = { type: Schema.Types.ObjectId, required: true };

/** What a purchase replaces, in the records of orders and of entitlements. */
export const lineUpgradeSchema = new Schema<LineUpgradeRecord>(
  {
    entitlementIds: { type: [Schema.Types.ObjectId], required: true },
    creditMinor: integer,
  } satisfies SchemaFields<LineUpgradeRecord>,
  { _id: false },
);

export const orderItemSchema = new Schema<OrderItemRecord>(
  {
    productId: id,
    name: string,
    quantity: integer,
    listMinor: integer,
    saleId: { type: Schema.Types.ObjectId, default: null },
    saleMinor: integer,
    unitPriceMinor: integer,
    totalMinor: integer,
    discountMinor: integer,
    netMinor: integer,
    commandListId: id,
    requiresOnline: boolean,
    durationDays: { type: Number, default: null },
    repeat: { ...string, enum: REPEAT_RULES },
    countsAs: id,
    ownedEverywhere: boolean,
    takesStock: boolean,
    upgrade: { type: lineUpgradeSchema, default: undefined },
    tiers: { type: [Schema.Types.ObjectId], default: undefined },
    restocked: Boolean,
    refundedMinor: Number,
    takenBack: Boolean,
  } satisfies SchemaFields<OrderItemRecord>,
  { _id: false },
);
