import { Schema, type Types } from 'mongoose';
import { REPEAT_RULES, type RepeatRule } from '../../catalogue/products/product-ownership.js';
import { type SchemaFields } from '../../infrastructure/database/stored.js';

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
  restocked?: boolean;
}

const string = { type: String, required: true };
const integer = { type: Number, required: true };
const boolean = { type: Boolean, required: true };
const id = { type: Schema.Types.ObjectId, required: true };

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
    restocked: Boolean,
  } satisfies SchemaFields<OrderItemRecord>,
  { _id: false },
);
