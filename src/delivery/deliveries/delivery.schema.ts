import { Schema } from 'mongoose';
import { nicknameKeyOf } from '../../domain/buyers/buyer-keys.js';
import { isErasedNickname } from '../../domain/buyers/erased-buyer.js';
import { type SchemaFields, type Stored } from '../../infrastructure/database/stored.js';
import { type Delivery, DELIVERY_KINDS, DELIVERY_STATES, PURCHASE_STAGES } from './delivery.types.js';

export const DELIVERY_MODEL = 'Delivery';

/** Fields that records of earlier versions do not have. */
type LaterField = 'run' | 'earlierAttempts' | 'releases' | 'releasedAt' | 'isUnbegun';

/** What a plugin must run for one item of an order. */
export type DeliveryRecord = Stored<Omit<Delivery, LaterField>, 'shopId' | 'orderId' | 'serverId' | 'commandListId'> &
  Pick<Delivery, LaterField> & {
    /** The player who must be online, as `nicknameKeyOf` writes the nickname; null: it does not wait for a player. */
    waitsFor: string | null;
  };

export const deliverySchema = new Schema<DeliveryRecord>(
  {
    shopId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    orderId: { type: Schema.Types.ObjectId, required: true, immutable: true },
    serverId: { type: Schema.Types.ObjectId, default: null },
    kind: { type: String, enum: DELIVERY_KINDS, required: true, immutable: true },
    position: { type: Number, required: true, immutable: true },
    nickname: { type: String, required: true },
    quantity: { type: Number, required: true },
    commandListId: { type: Schema.Types.ObjectId, required: true },
    requiresOnline: { type: Boolean, required: true },
    isRehearsal: { type: Boolean, required: true, immutable: true },
    stage: { type: String, enum: PURCHASE_STAGES, required: true },
    waitsFor: { type: String, default: null },
    state: { type: String, enum: DELIVERY_STATES, required: true },
    moneyIsBack: { type: Boolean, required: true },
    deliveredAt: { type: Date, default: null },
    deliveredTo: { type: String, default: null },
    transferFrom: { type: String, default: null },
    dueAt: { type: Date, required: true },
    attempt: { type: Number, required: true },
    acknowledgedAttempt: { type: Number, required: true },
    attemptsLeft: { type: Number, required: true },
    run: Number,
    earlierAttempts: Number,
    releases: Number,
    releasedAt: Date,
    isUnbegun: Boolean,
    nameCheckAt: { type: Date, default: null },
    createdAt: { type: Date, required: true },
  } satisfies SchemaFields<DeliveryRecord>,
  { versionKey: false, collection: 'deliveries' },
);

/**
 * The player whom a delivery waits for, as `DeliveryRecord` has it. Nobody comes who is an erased buyer: the next lease finds the delivery,
 * and it fails.
 */
export const waitsFor = ({ requiresOnline, nickname }: Pick<Delivery, 'requiresOnline' | 'nickname'>): string | null =>
  requiresOnline && !isErasedNickname(nickname) ? nicknameKeyOf(nickname) : null;

// The deliveries of an order. Each item has one of a kind at most, so an order is never queued, taken back or expired twice.
deliverySchema.index({ shopId: 1, orderId: 1, kind: 1, position: 1 }, { unique: true });
// What a server may lease now (`findDue`): in this order, so that a lease reads only the deliveries that it takes.
deliverySchema.index({ shopId: 1, serverId: 1, state: 1, waitsFor: 1, dueAt: 1 });
// What waits for the servers of all shops (`DeliveriesRepository.totals`, for operators). Only queued deliveries are in it.
deliverySchema.index({ waitsFor: 1, serverId: 1, dueAt: 1 }, { partialFilterExpression: { state: 'queued' } });
// What game servers of a shop can lease now (`DeliveriesOverviewRepository.waiting`), what waits longest first. What waits for its expiry is
// due later.
deliverySchema.index({ shopId: 1, dueAt: 1 }, { partialFilterExpression: { state: { $in: ['queued', 'leased'] } } });
// Deliveries whose last lease has ended (`AbandonedDeliveriesRepository.claim`).
deliverySchema.index(
  { state: 1, attemptsLeft: 1, dueAt: 1 },
  { partialFilterExpression: { state: 'leased', attemptsLeft: 0 } },
);
// Deliveries that keep the name of an erased buyer (`KeptNamesRepository.claim`). There are few.
deliverySchema.index({ nameCheckAt: 1 }, { partialFilterExpression: { nameCheckAt: { $type: 'date' } } });
// The deliveries of a shop, newest first (`list`): all, in one state, of one server, of one server in one state, of one kind (in one
// state).
deliverySchema.index({ shopId: 1, _id: -1 });
deliverySchema.index({ shopId: 1, state: 1, _id: -1 });
deliverySchema.index({ shopId: 1, serverId: 1, _id: -1 });
deliverySchema.index({ shopId: 1, serverId: 1, state: 1, _id: -1 });
deliverySchema.index({ shopId: 1, kind: 1, state: 1, _id: -1 });
