import { Schema, type Types } from 'mongoose';

export const DELIVERY_MODEL = 'Delivery';

export type DeliveryState = 'queued' | 'leased' | 'delivered' | 'failed' | 'revoked';

/** What a plugin has to run for one position of an order. */
export interface DeliveryRecord {
  _id: Types.ObjectId;
  shopId: Types.ObjectId;
  orderId: Types.ObjectId;
  serverId: Types.ObjectId | null;
  /** Which position of the order. */
  position: number;
  nickname: string;
  /** Rendered for the nickname; `{uuid}` is filled in by the plugin, which knows it. */
  commands: string[];
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
    commands: { type: [String], required: true },
    state: { type: String, required: true },
    createdAt: { type: Date, required: true },
  },
  { versionKey: false, collection: 'deliveries' },
);

// The deliveries of an order; one a position, so that queueing twice changes nothing.
deliverySchema.index({ orderId: 1, position: 1 }, { unique: true });
// What waits for a server, oldest first.
deliverySchema.index({ shopId: 1, serverId: 1, state: 1, _id: 1 });
