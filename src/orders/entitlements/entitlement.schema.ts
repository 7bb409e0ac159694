import { Schema } from 'mongoose';
import { REPEAT_RULES } from '../../catalogue/products/product-ownership.js';
import { MONEY_HOLDERS } from '../../delivery/deliveries/delivery.types.js';
import { type SchemaFields, type Stored } from '../../infrastructure/database/stored.js';
import { lineUpgradeSchema } from '../order/order-item.schema.js';
import { ENDINGS, type Entitlement, ENTITLEMENT_STATES } from './entitlement.types.js';

export const ENTITLEMENT_MODEL = 'Entitlement';

export type EntitlementRecord = Stored<
  Entitlement,
  'shopId' | 'orderId' | 'productId' | 'countsAs' | 'serverId' | 'upgradedBy'
>;

const string = { type: String, required: true };
const id = { type: Schema.Types.ObjectId, required: true, immutable: true };
const optionalDate = { type: Date, default: null };

export const entitlementSchema = new Schema<EntitlementRecord>(
  {
    shopId: id,
    orderId: id,
    position: { type: Number, required: true, immutable: true },
    productId: id,
    countsAs: id,
    ownedEverywhere: { type: Boolean, required: true },
    serverId: { type: Schema.Types.ObjectId, default: null },
    repeat: { ...string, enum: REPEAT_RULES },
    quantity: { type: Number, required: true },
    durationDays: { type: Number, default: null },
    nickname: string,
    nicknameKey: string,
    buyerKey: string,
    money: { ...string, enum: MONEY_HOLDERS },
    state: { ...string, enum: ENTITLEMENT_STATES },
    startsAt: optionalDate,
    endsAt: optionalDate,
    endedBy: { type: String, enum: [...ENDINGS, null], default: null },
    upgradedBy: { type: Schema.Types.ObjectId, default: null },
    upgrade: { type: lineUpgradeSchema, default: null },
    paidMinor: { type: Number, required: true },
    listMinor: { type: Number, required: true },
    endDueAt: optionalDate,
    changedAt: { type: Date, required: true },
  } satisfies SchemaFields<EntitlementRecord>,
  { versionKey: false, collection: 'entitlements' },
);

// What an order has given (`ofOrders`). Unique: each item of an order gives one entitlement.
entitlementSchema.index({ shopId: 1, orderId: 1, position: 1 }, { unique: true });
// What a player owns, and the chains of a player (`ofPlayers`).
entitlementSchema.index({ shopId: 1, nicknameKey: 1, countsAs: 1 });
// The list of a shop, and what has changed there since a time: one range for each state (`list`).
entitlementSchema.index({ shopId: 1, state: 1, changedAt: 1, _id: 1 });
// What is over (`claimOver`). Only what has not ended and ends some time is in it.
entitlementSchema.index({ endDueAt: 1 }, { partialFilterExpression: { endDueAt: { $type: 'date' } } });
