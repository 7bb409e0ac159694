import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type QueryFilter, trusted } from 'mongoose';
import { isErasedNickname } from '../../domain/buyers/erased-buyer.js';
import { statesBefore } from '../../lib/states/transitions.js';
import { newObjectId } from '../../lib/ids/object-id.js';
import { type NamingFields } from '../../infrastructure/buyers/naming-fields.js';
import { aboutOrders, type PersonalData } from '../../infrastructure/buyers/personal-data.js';
import { type Scrubber } from '../../infrastructure/buyers/scrubber.js';
import { oneOf } from '../../infrastructure/database/one-of.js';
import { fromStored } from '../../infrastructure/database/stored.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { DELIVERY_TRANSITIONS } from './delivery-transitions.js';
import { DELIVERY_MODEL, type DeliveryRecord, waitsFor } from './delivery.schema.js';
import {
  type DecidedDelivery,
  type Delivery,
  type Lease,
  MAX_ATTEMPTS,
  type NewDelivery,
  type PurchaseStage,
} from './delivery.types.js';

const NAMES: NamingFields<DeliveryRecord> = {
  ...{ nickname: 'nickname', waitsFor: 'player', deliveredTo: 'nickname' },
  transferFrom: 'nickname',
};

/** Some items of an order. */
export interface ItemsOfOrder {
  readonly orderId: string;
  readonly positions: readonly number[];
}

/** The deliveries of orders, as payments, staff and the delivery itself change them. */
@Injectable()
export class OrderDeliveriesRepository {
  constructor(@InjectModel(DELIVERY_MODEL) private readonly deliveries: Model<DeliveryRecord>) {}

  /** Adds deliveries in the state `queued`. One that is stored already stays as it is. */
  async insertMissing(shopId: string, deliveries: readonly NewDelivery[], transaction: Transaction): Promise<void> {
    const upserts = deliveries.map(({ orderId, kind, position, ...fields }) => ({
      updateOne: {
        filter: { shopId, orderId, kind, position },
        update: {
          $setOnInsert: {
            // The service creates the id: ids that a database server creates are not in order within a second.
            _id: newObjectId(),
            ...fields,
            waitsFor: waitsFor(fields),
            state: 'queued',
            deliveredAt: null,
            deliveredTo: null,
            transferFrom: null,
            attempt: 0,
            acknowledgedAttempt: 0,
            attemptsLeft: MAX_ATTEMPTS,
            run: 1,
            nameCheckAt: null,
          },
        },
        upsert: true,
      },
    }));
    await this.deliveries.bulkWrite(upserts, { session: transaction });
  }

  /** All deliveries of these orders. */
  async findOf(shopId: string, orderIds: readonly string[], transaction: Transaction | null): Promise<Delivery[]> {
    const records = await this.deliveries
      .find({ orderId: oneOf(orderIds), shopId })
      .sort({ orderId: 1, kind: 1, position: 1 })
      .session(transaction)
      .lean();
    return records.map((record) => ({ ...fromStored(record), transferFrom: record.transferFrom ?? null }));
  }

  /** The leases of purchases of these orders, also those that are over. */
  async leasesOf(shopId: string, orderIds: readonly string[]): Promise<Lease[]> {
    const records = await this.deliveries
      .find(
        { shopId, orderId: oneOf(orderIds), kind: 'purchase', state: 'leased' },
        { orderId: 1, dueAt: 1, attempt: 1 },
      )
      .lean();
    return records.map(fromStored);
  }

  /** Moves those purchases of these items to a state that may move there. The others stay as they are. */
  async movePurchases(
    shopId: string,
    { orderId, positions }: ItemsOfOrder,
    to: 'queued' | 'held' | 'revoked',
    transaction: Transaction,
  ): Promise<void> {
    const purchases = { shopId, orderId, kind: 'purchase', position: oneOf(positions) } as const;
    await this.deliveries.updateMany(
      { ...purchases, state: oneOf(statesBefore(DELIVERY_TRANSITIONS, to)) },
      { $set: { state: to } },
      { session: transaction },
    );
  }

  /** Marks deliveries of these orders as failed that wait for one of these game servers (`isWaiting`). */
  async failWaiting(
    shopId: string,
    { orderIds, serverIds, now }: { orderIds: readonly string[]; serverIds: readonly string[]; now: Date },
    transaction: Transaction,
  ): Promise<void> {
    await this.deliveries.updateMany(
      { shopId, orderId: oneOf(orderIds), serverId: oneOf(serverIds), $or: waitingAt(now) },
      { $set: { state: 'failed' } },
      { session: transaction },
    );
  }

  /** Orders with deliveries that wait for a game server (`isWaiting`). */
  async findWaiting(
    shopId: string,
    serverId: string,
    { now, limit }: { now: Date; limit: number },
    transaction: Transaction,
  ): Promise<string[]> {
    const records = await this.deliveries
      .find({ shopId, serverId, $or: waitingAt(now) }, { orderId: 1 })
      .limit(limit)
      .session(transaction)
      .lean();
    return [...new Set(records.map(({ orderId }) => orderId.toHexString()))];
  }

  /** Whether a delivery is queued for a game server or leased to it. */
  async isWaitedFor(shopId: string, serverId: string, transaction: Transaction): Promise<boolean> {
    const open = { shopId, serverId, state: oneOf(['queued', 'leased'] as const) };
    return (await this.deliveries.exists(open).session(transaction)) !== null;
  }

  /**
   * Records in every delivery of these items whether the buyer got the money back. Because all of them are written, this conflicts
   * with each report of a plugin about them, and one of the two reads what the other one wrote.
   */
  async setMoneyIsBack(
    shopId: string,
    { orderId, positions }: ItemsOfOrder,
    moneyIsBack: boolean,
    transaction: Transaction,
  ): Promise<void> {
    const ofItems = { shopId, orderId, position: oneOf(positions) };
    await this.deliveries.updateMany(ofItems, { $set: { moneyIsBack } }, { session: transaction });
  }

  /**
   * Queues a delivery for its next run, with all attempts, for this player, from this time on, and with the commands of this stage.
   * @param before the delivery as it was read in the same transaction
   */
  async queue(
    before: Delivery,
    { nickname, dueAt, stage }: Pick<Delivery, 'nickname' | 'dueAt' | 'stage'>,
    transaction: Transaction,
  ): Promise<void> {
    const { id, shopId, state, kind, requiresOnline } = before;
    await this.deliveries.updateOne(
      { _id: id, shopId, state },
      {
        $set: {
          state: 'queued',
          dueAt,
          stage,
          nickname,
          waitsFor: waitsFor({ requiresOnline, nickname }),
          attemptsLeft: MAX_ATTEMPTS,
          run: (before.run ?? 1) + 1,
          earlierAttempts: before.attempt,
          releases: 0,
          releasedAt: null,
          // A purchase keeps who received it before. A take-back or an expiry runs again as if it had never run.
          ...(kind === 'purchase' ? { transferFrom: null } : { deliveredAt: null, deliveredTo: null }),
        },
      },
      { session: transaction },
    );
  }

  /**
   * Transfers a delivered purchase to another player.
   * @param before the delivery as it was read in the same transaction
   * @param transferFrom the player from whom it is taken back first; null: nobody
   */
  async transfer(
    { id, shopId, state, requiresOnline }: Delivery,
    nickname: string,
    transferFrom: string | null,
    transaction: Transaction,
  ): Promise<void> {
    const moved = { nickname, deliveredTo: nickname, waitsFor: waitsFor({ requiresOnline, nickname }), transferFrom };
    await this.deliveries.updateOne({ _id: id, shopId, state }, { $set: moved }, { session: transaction });
  }

  /** Sets which commands of a purchase run. @param before the delivery as it was read in the same transaction */
  async setStage({ id, shopId, state }: Delivery, stage: PurchaseStage, transaction: Transaction): Promise<void> {
    await this.deliveries.updateOne({ _id: id, shopId, state }, { $set: { stage } }, { session: transaction });
  }

  /** Revokes a delivery that is not delivered. @param before the delivery as it was read in the same transaction */
  async revoke({ id, shopId, state }: Delivery, transaction: Transaction): Promise<void> {
    await this.deliveries.updateOne(
      { _id: id, shopId, state },
      { $set: { state: 'revoked' } },
      { session: transaction },
    );
  }

  /** Assigns deliveries to another player. @param before the deliveries as they were read in the same transaction */
  async rename(shopId: string, before: readonly Delivery[], nickname: string, transaction: Transaction): Promise<void> {
    for (const requiresOnline of new Set(before.map((delivery) => delivery.requiresOnline))) {
      const ids = before.filter((delivery) => delivery.requiresOnline === requiresOnline).map(({ id }) => id);
      await this.deliveries.updateMany(
        { _id: oneOf(ids), shopId },
        { $set: { nickname, waitsFor: waitsFor({ requiresOnline, nickname }) } },
        { session: transaction },
      );
    }
  }

  /** Ends the doubt about an uncertain delivery. @param before the delivery as it was read in the same transaction */
  async decide({ id, shopId }: Delivery, decided: DecidedDelivery, transaction: Transaction): Promise<void> {
    await this.deliveries.updateOne(
      { _id: id, shopId, state: 'uncertain' },
      { $set: decided },
      { session: transaction },
    );
  }

  /** What the records have about buyers. */
  personalData(): PersonalData {
    return aboutOrders<DeliveryRecord>(this.deliveries, 'orderId', NAMES, { scrubbed: withoutNames });
  }

  /** The ids of all deliveries of these orders. */
  async idsOf(shopId: string, orderIds: readonly string[]): Promise<string[]> {
    const records = await this.deliveries.find({ shopId, orderId: oneOf(orderIds) }, { _id: 1 }).lean();
    return records.map(({ _id }) => _id.toHexString());
  }
}

/** The conditions of `isWaiting`. */
const waitingAt = (now: Date): QueryFilter<DeliveryRecord>[] => [
  { state: 'queued' },
  { state: 'leased', dueAt: trusted({ $lte: now }) },
];

/** A record without the names, unless it keeps them for what is still to run. */
function withoutNames(record: DeliveryRecord, scrubber: Scrubber): DeliveryRecord {
  if (record.nameCheckAt !== null) return record;
  const scrubbed = scrubber.record(record, NAMES);
  return isErasedNickname(scrubbed.nickname) ? { ...scrubbed, waitsFor: null } : scrubbed;
}
