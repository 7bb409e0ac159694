import { Schema, type Types } from 'mongoose';
import {
  type DeliveryStatus,
  type HistoryEntry,
  type OpenOrderPlace,
  type OrderStatus,
  type PaymentReview,
  type PaymentStatus,
  type Reversal,
} from './order.types.js';
import { type PaymentEvent } from './payment-event.types.js';

export const ORDER_MODEL = 'Order';

interface OrderItemRecord {
  productId: Types.ObjectId;
  name: string;
  quantity: number;
  unitPriceMinor: number;
  totalMinor: number;
  commandListId: Types.ObjectId;
  requiresOnline: boolean;
  durationDays: number | null;
  takesStock: boolean;
}

/** An order as it is stored. Statistics read the same collection and have their own indexes (src/stats/sale.schema.ts). */
export interface OrderRecord {
  _id: Types.ObjectId;
  shopId: Types.ObjectId;
  serverId: Types.ObjectId | null;
  nickname: string;
  email: string;
  buyerKey: string;
  nicknameKey: string;
  status: OrderStatus;
  paymentStatus: PaymentStatus;
  deliveryStatus: DeliveryStatus;
  items: OrderItemRecord[];
  itemCount: number;
  subtotalMinor: number;
  discount: { discountId: Types.ObjectId; code: string; amountMinor: number } | null;
  discountMinor: number;
  totalMinor: number;
  currency: string;
  createdAt: Date;
  paidAt: Date | null;
  expiresAt: Date;
  /** When the expiry may claim the order: `expiresAt` at first, then the end of a lease or of a wait after a failure. */
  expiryDueAt: Date;
  expiryFailures: number;
  isFirstPurchase: boolean | null;
  payments: PaymentEvent[];
  reversals: Reversal[];
  /** Only after a decision. */
  review?: PaymentReview;
  history: HistoryEntry[];
  /** Only an order that is or was open has places; the repository removes them when it ends. */
  places?: OpenOrderPlace[];
  /** SHA-256 of the buyer's access token. */
  accessTokenHash: string;
}

const text = { type: String, required: true };
const whole = { type: Number, required: true };
const instant = { type: Date, required: true };

const orderItemSchema = new Schema<OrderItemRecord>(
  {
    productId: { type: Schema.Types.ObjectId, required: true },
    name: text,
    quantity: whole,
    unitPriceMinor: whole,
    totalMinor: whole,
    commandListId: { type: Schema.Types.ObjectId, required: true },
    requiresOnline: { type: Boolean, required: true },
    durationDays: { type: Number, default: null },
    takesStock: { type: Boolean, required: true },
  },
  { _id: false },
);

const paymentEventSchema = new Schema<PaymentEvent>(
  {
    provider: text,
    eventId: text,
    type: text,
    paymentId: text,
    refundId: { type: String, default: undefined },
    amountMinor: whole,
    currency: text,
    occurredAt: instant,
    cumulative: { type: Boolean, required: true },
  },
  { _id: false },
);

export const orderSchema = new Schema<OrderRecord>(
  {
    shopId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    serverId: { type: Schema.Types.ObjectId, default: null },
    nickname: text,
    email: text,
    buyerKey: text,
    nicknameKey: text,
    status: text,
    paymentStatus: text,
    deliveryStatus: text,
    items: { type: [orderItemSchema], required: true },
    itemCount: whole,
    subtotalMinor: whole,
    discount: {
      type: new Schema(
        { discountId: { type: Schema.Types.ObjectId, required: true }, code: text, amountMinor: whole },
        { _id: false },
      ),
      default: null,
    },
    discountMinor: whole,
    totalMinor: whole,
    currency: text,
    createdAt: instant,
    paidAt: { type: Date, default: null },
    expiresAt: instant,
    expiryDueAt: instant,
    expiryFailures: whole,
    isFirstPurchase: { type: Boolean, default: null },
    payments: { type: [paymentEventSchema], default: [] },
    reversals: {
      type: [new Schema({ kind: text, amountMinor: whole, at: instant }, { _id: false })],
      default: [],
    },
    review: {
      type: new Schema(
        {
          decision: text,
          payments: { type: [String], required: true },
          warnings: { type: [String], required: true },
          received: { type: [new Schema({ currency: text, amountMinor: whole }, { _id: false })], required: true },
          paidAt: { type: Date, default: null },
        },
        { _id: false },
      ),
      default: undefined,
    },
    history: {
      type: [
        new Schema({ at: instant, actor: text, action: text, detail: { type: String, default: null } }, { _id: false }),
      ],
      default: [],
    },
    places: {
      type: [new Schema<OpenOrderPlace>({ holder: text, number: whole }, { _id: false })],
      default: undefined,
    },
    accessTokenHash: text,
  },
  { versionKey: false, collection: 'orders' },
);

// Orders of a shop, newest first (`OrderSearchRepository`): all (statistics use it too), in certain states, of a server, with a
// product, of a mailbox, of a player.
orderSchema.index({ shopId: 1, createdAt: -1, _id: -1 });
orderSchema.index({ shopId: 1, status: 1, paymentStatus: 1, deliveryStatus: 1, createdAt: -1, _id: -1 });
orderSchema.index({ shopId: 1, serverId: 1, createdAt: -1, _id: -1 });
orderSchema.index({ shopId: 1, 'items.productId': 1, createdAt: -1, _id: -1 });
orderSchema.index({ shopId: 1, buyerKey: 1, createdAt: -1, _id: -1 });
orderSchema.index({ shopId: 1, nicknameKey: 1, createdAt: -1, _id: -1 });
// Open orders that are due to be ended.
orderSchema.index({ status: 1, expiryDueAt: 1 }, { partialFilterExpression: { status: 'open' } });
// Whether a buyer has paid in this shop before: by mailbox, and by player. The latest purchase of a mailbox.
orderSchema.index({ shopId: 1, buyerKey: 1, paidAt: 1 });
orderSchema.index({ shopId: 1, nicknameKey: 1, paidAt: 1 });
// The places of open orders (`takenPlaces`). Unique: no two open orders of a shop have the same place.
orderSchema.index(
  { shopId: 1, 'places.holder': 1, 'places.number': 1 },
  { unique: true, partialFilterExpression: { status: 'open', 'places.holder': { $exists: true } } },
);
