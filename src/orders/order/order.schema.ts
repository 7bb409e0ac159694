import { Schema, type Types } from 'mongoose';
import { REVIEW_DECISIONS } from '../../domain/payments/payment-review.js';
import { CONSENT_KINDS } from '../../shops/consents/consent.types.js';
import { type SchemaFields } from '../../infrastructure/database/stored.js';
import { type OrderItemRecord, orderItemSchema } from './order-item.schema.js';
import {
  DELIVERY_STATUSES,
  type DeliveryStatus,
  type HistoryEntry,
  MISSING_CODES,
  type MissingPart,
  type OpenOrderSlot,
  type OrderConsent,
  ORDER_ORIGINS,
  ORDER_STATUSES,
  type OrderOrigin,
  type OrderStatus,
  PAYMENT_STATUSES,
  type PaymentReview,
  type PaymentStatus,
  type Reversal,
  REVERSAL_KINDS,
  STAFF_ORIGINS,
} from './order.types.js';
import { DISPUTE_EVENTS, PAYMENT_EVENT_TYPES, type PaymentEvent } from './payment-event.types.js';

export const ORDER_MODEL = 'Order';

interface OrderDiscountRecord {
  discountId: Types.ObjectId;
  code: string;
  amountMinor: number;
}

interface WithdrawalRecord {
  at: Date;
  name: string | null;
  productIds: Types.ObjectId[];
}

/** An order as it is stored. */
export interface OrderRecord {
  _id: Types.ObjectId;
  shopId: Types.ObjectId;
  number: number;
  origin: OrderOrigin;
  serverId: Types.ObjectId | null;
  nickname: string;
  email: string | null;
  buyerKey: string;
  nicknameKey: string;
  status: OrderStatus;
  paymentStatus: PaymentStatus;
  deliveryStatus: DeliveryStatus;
  items: OrderItemRecord[];
  itemCount: number;
  subtotalMinor: number;
  discount: OrderDiscountRecord | null;
  discountMinor: number;
  totalMinor: number;
  currency: string;
  createdAt: Date;
  paidAt: Date | null;
  expiresAt: Date;
  /** While money is on its way: until when the order waits for it (`awaitedUntil`). null otherwise. */
  awaitedUntil: Date | null;
  /** When the expiry may claim the order: the later of the times above at first, then the end of a lease or of a wait after a failure. */
  expiryDueAt: Date;
  expiryFailures: number;
  isFirstPurchase: boolean | null;
  payments: PaymentEvent[];
  reversals: Reversal[];
  /** Absent when the shop required none. */
  consents?: OrderConsent[];
  /** Absent without one. */
  withdrawal?: WithdrawalRecord;
  /** Absent when nothing is missing. */
  missing?: MissingPart[];
  /** null until a decision. */
  review: PaymentReview | null;
  history: HistoryEntry[];
  /** The slots of an open order (`OpenOrderSlot`). Each write that ends or completes the order removes them. */
  slots?: OpenOrderSlot[];
  /** SHA-256 of the buyer's access token. */
  accessTokenHash: string;
}

const string = { type: String, required: true };
const integer = { type: Number, required: true };
const date = { type: Date, required: true };
const boolean = { type: Boolean, required: true };
const id = { type: Schema.Types.ObjectId, required: true };

const paymentEventSchema = new Schema<PaymentEvent>(
  {
    provider: string,
    eventId: string,
    type: { ...string, enum: PAYMENT_EVENT_TYPES },
    paymentId: string,
    checkoutId: String,
    awaitedUntil: Date,
    refundId: String,
    failure: String,
    disputeId: String,
    amountMinor: integer,
    currency: string,
    occurredAt: date,
    cumulative: boolean,
  } satisfies SchemaFields<PaymentEvent>,
  { _id: false },
);

export const orderSchema = new Schema<OrderRecord>(
  {
    shopId: { ...id, immutable: true },
    number: { ...integer, immutable: true },
    origin: { ...string, enum: ORDER_ORIGINS, immutable: true },
    serverId: { type: Schema.Types.ObjectId, default: null },
    nickname: string,
    email: { type: String, default: null },
    buyerKey: string,
    nicknameKey: string,
    status: { ...string, enum: ORDER_STATUSES },
    paymentStatus: { ...string, enum: PAYMENT_STATUSES },
    deliveryStatus: { ...string, enum: DELIVERY_STATUSES },
    items: { type: [orderItemSchema], required: true },
    itemCount: integer,
    subtotalMinor: integer,
    discount: {
      type: new Schema<OrderDiscountRecord>(
        { discountId: id, code: string, amountMinor: integer } satisfies SchemaFields<OrderDiscountRecord>,
        { _id: false },
      ),
      default: null,
    },
    discountMinor: integer,
    totalMinor: integer,
    currency: string,
    createdAt: date,
    paidAt: { type: Date, default: null },
    expiresAt: date,
    awaitedUntil: { type: Date, default: null },
    expiryDueAt: date,
    expiryFailures: integer,
    isFirstPurchase: { type: Boolean, default: null },
    payments: { type: [paymentEventSchema], required: true },
    reversals: {
      type: [
        new Schema<Reversal>(
          {
            kind: { ...string, enum: REVERSAL_KINDS },
            amountMinor: integer,
            at: date,
          } satisfies SchemaFields<Reversal>,
          { _id: false },
        ),
      ],
      required: true,
    },
    consents: {
      type: [
        new Schema<OrderConsent>(
          {
            kind: { ...string, enum: CONSENT_KINDS },
            version: integer,
            hash: string,
            at: date,
          } satisfies SchemaFields<OrderConsent>,
          { _id: false },
        ),
      ],
      default: undefined,
    },
    withdrawal: {
      type: new Schema<WithdrawalRecord>(
        {
          at: date,
          name: { type: String, default: null },
          productIds: { type: [Schema.Types.ObjectId], required: true },
        } satisfies SchemaFields<WithdrawalRecord>,
        { _id: false },
      ),
      default: undefined,
    },
    missing: {
      type: [
        new Schema<MissingPart>(
          {
            code: { ...string, enum: MISSING_CODES },
            amountMinor: integer,
          } satisfies SchemaFields<MissingPart>,
          { _id: false },
        ),
      ],
      default: undefined,
    },
    review: {
      type: new Schema<PaymentReview>(
        {
          decision: { ...string, enum: REVIEW_DECISIONS },
          payments: { type: [String], required: true },
          warnings: { type: [String], required: true },
          paidAt: { type: Date, default: null },
        } satisfies SchemaFields<PaymentReview>,
        { _id: false },
      ),
      default: null,
    },
    history: {
      type: [
        new Schema<HistoryEntry>(
          {
            at: date,
            actor: string,
            action: string,
            detail: { type: String, default: null },
          } satisfies SchemaFields<HistoryEntry>,
          { _id: false },
        ),
      ],
      required: true,
    },
    slots: {
      type: [
        new Schema<OpenOrderSlot>({ holder: string, number: integer } satisfies SchemaFields<OpenOrderSlot>, {
          _id: false,
        }),
      ],
      default: undefined,
    },
    accessTokenHash: string,
  } satisfies SchemaFields<OrderRecord>,
  { versionKey: false, collection: 'orders' },
);

// Orders of a shop, newest first (`OrderSearchRepository`): all (`RecordedOrdersRepository` too), in certain states, of a server,
// with a product, of a mailbox, of a player, with a payment.
const STATES = { status: 1, paymentStatus: 1, deliveryStatus: 1 } as const;
const NEWEST_FIRST = { createdAt: -1, _id: -1 } as const;
orderSchema.index({ shopId: 1, ...NEWEST_FIRST });
orderSchema.index({ shopId: 1, ...STATES, ...NEWEST_FIRST });
orderSchema.index({ shopId: 1, serverId: 1, ...NEWEST_FIRST });
orderSchema.index({ shopId: 1, serverId: 1, ...STATES, ...NEWEST_FIRST });
orderSchema.index({ shopId: 1, 'items.productId': 1, ...NEWEST_FIRST });
orderSchema.index({ shopId: 1, buyerKey: 1, ...NEWEST_FIRST });
orderSchema.index({ shopId: 1, nicknameKey: 1, ...NEWEST_FIRST });
const havingOne = (path: string) => ({ partialFilterExpression: { [path]: { $exists: true } } });
orderSchema.index({ shopId: 1, 'payments.paymentId': 1, ...NEWEST_FIRST }, havingOne('payments.paymentId'));
// With a discount code, and of a payment provider, in certain states or in any.
for (const path of ['discount.code', 'payments.provider']) {
  orderSchema.index({ shopId: 1, [path]: 1, ...STATES, ...NEWEST_FIRST }, havingOne(path));
}
// The order with a number. Unique: no two orders of a shop have the same.
orderSchema.index({ shopId: 1, number: 1 }, { unique: true });
// Those that staff placed, of one origin. A list has no filter for the origin of nearly all others.
orderSchema.index(
  { shopId: 1, origin: 1, createdAt: -1, _id: -1 },
  { partialFilterExpression: { origin: { $in: [...STAFF_ORIGINS] } } },
);
// Orders that need a person, for the metrics (`OrdersRepository.totals`).
orderSchema.index(
  { paymentStatus: 1 },
  { partialFilterExpression: { paymentStatus: { $in: ['needs_review', 'disputed'] } } },
);
// Open orders that are due to be ended.
orderSchema.index({ status: 1, expiryDueAt: 1 }, { partialFilterExpression: { status: 'open' } });
// Whether a buyer has paid in this shop before: by mailbox, and by player. The latest purchase of a mailbox.
orderSchema.index({ shopId: 1, buyerKey: 1, paidAt: 1 });
orderSchema.index({ shopId: 1, nicknameKey: 1, paidAt: 1 });
// The latest purchases of a shop (`PurchasesRepository.latest`), and its paid orders page by page (`OrderSearchRepository`).
orderSchema.index({ shopId: 1, paidAt: -1, _id: -1 });
// The orders of a buyer with a dispute (`BuyerOrdersRepository.disputed`): few, so nearly no write changes these indexes.
for (const path of ['nicknameKey', 'buyerKey']) {
  const partialFilterExpression = { 'payments.type': { $in: [...DISPUTE_EVENTS] } };
  orderSchema.index({ shopId: 1, [path]: 1, _id: -1 }, { partialFilterExpression });
}
// The latest withdrawals (`WithdrawalsRepository.latest`): few orders have one.
orderSchema.index(
  { shopId: 1, 'withdrawal.at': -1 },
  { partialFilterExpression: { 'withdrawal.at': { $type: 'date' } } },
);
// The slots of open orders (`takenSlots`). Unique: no two open orders of a shop have the same slot.
orderSchema.index(
  { shopId: 1, 'slots.holder': 1, 'slots.number': 1 },
  { unique: true, partialFilterExpression: { status: 'open', 'slots.holder': { $exists: true } } },
);
