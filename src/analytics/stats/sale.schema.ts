import { Schema, type Types } from 'mongoose';
import { type Order, type OrderItem } from '../../orders/order/order.types.js';
import { type SaleState } from '../../orders/ledger/sale-events.js';

export const SALE_MODEL = 'Sale';

/** What statistics read of an order. The names are those of the order, so a renamed field does not compile here. */
export interface SaleRecord extends Pick<
  Order,
  | 'currency'
  | 'buyerKey'
  | 'itemCount'
  | 'subtotalMinor'
  | 'totalMinor'
  | 'createdAt'
  | 'paidAt'
  | 'isFirstPurchase'
  | 'reversals'
> {
  _id: Types.ObjectId;
  shopId: Types.ObjectId;
  serverId: Types.ObjectId | null;
  payments: SaleState['payments'];
  items: (Pick<OrderItem, 'quantity' | 'totalMinor'> & { productId: Types.ObjectId })[];
  discount: { code: string } | null;
  discountMinor: number;
}

/**
 * A second, smaller model of the collection `orders`, for reading only: src/orders/orders writes the orders. So statistics read only
 * the fields that are named here, and their indexes are next to their queries.
 */
export const saleSchema = new Schema<SaleRecord>(
  {
    shopId: Schema.Types.ObjectId,
    serverId: Schema.Types.ObjectId,
    currency: String,
    buyerKey: String,
    items: [new Schema({ productId: Schema.Types.ObjectId, quantity: Number, totalMinor: Number }, { _id: false })],
    itemCount: Number,
    subtotalMinor: Number,
    discount: new Schema({ code: String }, { _id: false }),
    discountMinor: Number,
    totalMinor: Number,
    createdAt: Date,
    paidAt: Date,
    isFirstPurchase: Boolean,
    // `type` alone would be read as the type of the whole.
    payments: [new Schema({ provider: String, type: { type: String }, occurredAt: Date }, { _id: false })],
    reversals: [new Schema({ kind: String, amountMinor: Number, at: Date }, { _id: false })],
  },
  { versionKey: false, collection: 'orders' },
);

// The orders created in a period are found by an index of src/orders/order/order.schema.ts.
// Revenue of a period, counted when the order was paid. The latest purchases of a shop (src/orders/orders) use it too.
saleSchema.index({ shopId: 1, paidAt: 1 });
// Refunds and chargebacks of a period.
saleSchema.index({ shopId: 1, 'reversals.at': 1 }, { sparse: true });
