import { Schema, type Types } from 'mongoose';
import { type DeliveryState } from './delivery.types.js';

export const DELIVERY_MODEL = 'Delivery';

/** What a plugin must run for one item of an order. */
export interface DeliveryRecord {
  _id: Types.ObjectId;
  shopId: Types.ObjectId;
  orderId: Types.ObjectId;
  serverId: Types.ObjectId | null;
  position: number;
  nickname: string;
  quantity: number;
  commandListId: Types.ObjectId;
  state: DeliveryState;
  createdAt: Date;
}

export const deliverySchema = new Schema<DeliveryRecord>(
  {
    shopId: { type: Schema.Types.ObjectId, required: true },
    orderId: { type: Schema.Types.ObjectId, required: true },
    serverId: { type: Schema.Types.ObjectId, default: null },
    position: { type: Number, required: true },
    nickname: { type: String, required: true },
    quantity: { type: Number, required: true },
    commandListId: { type: Schema.Types.ObjectId, required: true },
    state: { type: String, required: true },
    createdAt: { type: Date, required: true },
  },
  { versionKey: false, collection: 'deliveries' },
);

// The deliveries of an order. Each item has one at most, so queueing an order twice adds nothing.
deliverySchema.index({ orderId: 1, position: 1 }, { unique: true });
// The deliveries of a server in one state, oldest first.
deliverySchema.index({ shopId: 1, serverId: 1, state: 1, _id: 1 });
