import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type QueryFilter, trusted, Types } from 'mongoose';
import { nicknameKeyOf } from '../common/buyers/buyer-keys.js';
import { statesBefore } from '../common/states/transitions.js';
import { Page, type PageRequest } from '../common/http/page.js';
import { oneOf } from '../database/one-of.js';
import { olderThan } from '../database/paging.js';
import { fromStored } from '../database/stored.js';
import { type Transaction } from '../database/transactions.js';
import { DELIVERY_TRANSITIONS, REDELIVERY_TRANSITIONS } from './delivery-transitions.js';
import { DELIVERY_MODEL, type DeliveryRecord } from './delivery.schema.js';
import {
  type Delivery,
  type DeliveryFilter,
  type DeliveryState,
  MAX_ATTEMPTS,
  type NewDelivery,
} from './delivery.types.js';

/** The fields of a record that every reader of the delivery may see. */
function toDelivery({ waitsFor: _, ...record }: DeliveryRecord): Delivery {
  return { ...fromStored(record), serverId: record.serverId?.toHexString() ?? null };
}

@Injectable()
export class DeliveriesRepository {
  constructor(@InjectModel(DELIVERY_MODEL) private readonly deliveries: Model<DeliveryRecord>) {}

  /** Adds the deliveries of an order in the state `queued`. One that is stored already stays as it is. */
  async insertMissing(shopId: string, deliveries: readonly NewDelivery[], transaction: Transaction): Promise<void> {
    for (const { orderId, kind, position, serverId, commandListId, ...fields } of deliveries) {
      await this.deliveries.updateOne(
        { shopId: new Types.ObjectId(shopId), orderId: new Types.ObjectId(orderId), kind, position },
        {
          $setOnInsert: {
            // Created here: servers that create ids in several processes do not keep their order within a second.
            _id: new Types.ObjectId(),
            serverId: serverId === null ? null : new Types.ObjectId(serverId),
            commandListId: new Types.ObjectId(commandListId),
            ...fields,
            waitsFor: fields.requiresOnline ? nicknameKeyOf(fields.nickname) : null,
            state: 'queued',
            dueAt: fields.createdAt,
            attempt: 0,
            acknowledgedAttempt: 0,
            attemptsLeft: MAX_ATTEMPTS,
          },
        },
        { session: transaction, upsert: true },
      );
    }
  }

  /** Moves those deliveries of an order to a state that may move there. The others stay as they are. */
  async move(shopId: string, orderId: string, to: 'queued' | 'revoked', transaction: Transaction): Promise<void> {
    await this.deliveries.updateMany(
      { orderId, shopId, state: trusted({ $in: statesBefore(DELIVERY_TRANSITIONS, to) }) },
      { $set: { state: to } },
      { session: transaction },
    );
  }

  /**
   * Queues the deliveries of an order in this state again, with all attempts.
   * @returns how many there were
   */
  async queueAgain(
    shopId: string,
    { orderId, from }: { readonly orderId: string; readonly from: DeliveryState },
    transaction: Transaction,
  ): Promise<number> {
    const state = trusted({ $in: statesBefore(REDELIVERY_TRANSITIONS, 'queued').filter((one) => one === from) });
    const change = { state: 'queued' as const, dueAt: new Date(), attemptsLeft: MAX_ATTEMPTS };
    const { modifiedCount } = await this.deliveries.updateMany(
      { orderId, shopId, state },
      { $set: change },
      { session: transaction },
    );
    return modifiedCount;
  }

  /** Gives the waiting deliveries of an order a nickname: those that require the player online, or the others. */
  async rename(
    shopId: string,
    { orderId, nickname, requiresOnline }: Pick<Delivery, 'orderId' | 'nickname' | 'requiresOnline'>,
    transaction: Transaction,
  ): Promise<void> {
    await this.deliveries.updateMany(
      { orderId, shopId, state: 'queued', requiresOnline },
      { $set: { nickname, waitsFor: requiresOnline ? nicknameKeyOf(nickname) : null } },
      { session: transaction },
    );
  }

  /** The states of the deliveries of these orders. An order without deliveries is not in the result. */
  async statesOf(
    shopId: string,
    orderIds: readonly string[],
    transaction: Transaction,
  ): Promise<ReadonlyMap<string, readonly DeliveryState[]>> {
    const records = await this.deliveries
      .find({ orderId: oneOf(orderIds), shopId }, { orderId: 1, state: 1 })
      .session(transaction)
      .lean();
    const states = new Map<string, DeliveryState[]>();
    for (const { orderId, state } of records) {
      const id = orderId.toHexString();
      states.set(id, [...(states.get(id) ?? []), state]);
    }
    return states;
  }

  /** @param only deliveries of these servers and those that are for any server; null: all */
  async list(
    shopId: string,
    only: ReadonlySet<string> | null,
    filter: DeliveryFilter,
    page: PageRequest,
  ): Promise<Page<Delivery>> {
    const { serverId, state, orderId } = filter;
    const conditions: QueryFilter<DeliveryRecord>[] = [
      olderThan(page),
      ...(only === null ? [] : [{ serverId: trusted({ $in: [null, ...oneOf(only).$in] }) }]),
      ...(serverId === undefined ? [] : [{ serverId }]),
      ...(state === undefined ? [] : [{ state }]),
      ...(orderId === undefined ? [] : [{ orderId }]),
    ];
    const records = await this.deliveries
      .find({ shopId, $and: conditions })
      .sort({ _id: -1 })
      .limit(page.limit + 1)
      .lean();
    return Page.of(records.map(toDelivery), page.limit);
  }

  /** These deliveries of the shop. */
  async findByIds(shopId: string, ids: readonly string[], transaction: Transaction): Promise<Delivery[]> {
    const records = await this.deliveries
      .find({ _id: oneOf(ids), shopId })
      .session(transaction)
      .lean();
    return records.map(toDelivery);
  }

  /**
   * The deliveries that a server may lease now: first those with an expired lease, then those for this server, then those for
   * any server. A delivery that requires a player is found only if that player is named.
   */
  async findDue(
    shopId: string,
    { serverId, playerKeys, now, limit }: { serverId: string; playerKeys: readonly string[]; now: Date; limit: number },
    transaction: Transaction,
  ): Promise<Delivery[]> {
    const found: Delivery[] = [];
    for (const place of [
      { serverId, state: 'leased' },
      { serverId, state: 'queued' },
      { serverId: null, state: 'queued' },
    ] as const) {
      if (found.length === limit) break;
      const records = await this.deliveries
        .find({
          shopId,
          ...place,
          waitsFor: trusted({ $in: [null, ...playerKeys] }),
          dueAt: trusted({ $lte: now }),
        })
        .sort({ waitsFor: 1, dueAt: 1 })
        .limit(limit - found.length)
        .session(transaction)
        .lean();
      found.push(...records.map(toDelivery));
    }
    return found;
  }

  /** Gives deliveries that are due to a server until `leaseUntil`. @returns how many of them were still due */
  async lease(
    shopId: string,
    ids: readonly string[],
    { serverId, now, leaseUntil }: { serverId: string; now: Date; leaseUntil: Date },
    transaction: Transaction,
  ): Promise<number> {
    const { modifiedCount } = await this.deliveries.updateMany(
      { _id: oneOf(ids), shopId, state: trusted({ $in: ['queued', 'leased'] }), dueAt: trusted({ $lte: now }) },
      { $set: { state: 'leased', serverId, dueAt: leaseUntil }, $inc: { attempt: 1, attemptsLeft: -1 } },
      { session: transaction },
    );
    // After its last attempt it no longer waits for a player: the next lease finds it and marks it as failed.
    await this.deliveries.updateMany(
      { _id: oneOf(ids), shopId, attemptsLeft: 0 },
      { $set: { waitsFor: null } },
      { session: transaction },
    );
    return modifiedCount;
  }

  /** Marks deliveries as failed that cannot be leased any more. */
  async fail(shopId: string, ids: readonly string[], transaction: Transaction): Promise<void> {
    await this.deliveries.updateMany(
      { _id: oneOf(ids), shopId, state: trusted({ $in: statesBefore(DELIVERY_TRANSITIONS, 'failed') }) },
      { $set: { state: 'failed' } },
      { session: transaction },
    );
  }

  /** Stores what an acknowledgement changes. @param before the delivery as it was read in the same transaction */
  async acknowledge(
    before: Delivery,
    changes: Pick<Delivery, 'state' | 'acknowledgedAttempt'>,
    transaction: Transaction,
  ): Promise<void> {
    await this.deliveries.updateOne(
      { _id: before.id, shopId: before.shopId, state: before.state, attempt: before.attempt },
      { $set: changes },
      { session: transaction },
    );
  }
}
