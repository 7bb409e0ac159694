import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted } from 'mongoose';
import { Page, type PageRequest } from '../../lib/paging/page.js';
import { timePositionOf } from '../../lib/paging/time-position.js';
import { statesBefore } from '../../lib/states/transitions.js';
import { nameless } from '../../infrastructure/buyers/naming-fields.js';
import { aboutOrders, type PersonalData } from '../../infrastructure/buyers/personal-data.js';
import { countedById } from '../../infrastructure/database/count-listed.js';
import { oneOf } from '../../infrastructure/database/one-of.js';
import { afterTime, BY_TIME } from '../../infrastructure/database/paging.js';
import { forInsert, fromStored } from '../../infrastructure/database/stored.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { type ShopEventType } from '../../events/shop-events/shop-event-details.js';
import { WEBHOOK_DELIVERY_MODEL, type WebhookDeliveryRecord } from './webhook-delivery.schema.js';
import {
  type WebhookAttempt,
  MAX_STORED_ATTEMPTS,
  type StoredWebhookDelivery,
  WEBHOOK_DELIVERY_TRANSITIONS,
  type WebhookDelivery,
  type WebhookDeliveryState,
} from './webhook-delivery.types.js';

const before = (state: WebhookDeliveryState) => oneOf(statesBefore(WEBHOOK_DELIVERY_TRANSITIONS, state));

/** A time range, for the creation of deliveries. */
export interface TimeRange {
  readonly from: Date;
  /** Exclusive. */
  readonly to: Date;
}

/** The message of the outbox that sends a delivery. */
export type QueuedMessage = Pick<StoredWebhookDelivery, 'id' | 'messageId'>;

/** The outcome of an attempt for its delivery. */
export type AttemptOutcome = Pick<WebhookDelivery, 'state' | 'failures' | 'nextAttemptAt'>;

/** Which deliveries of a webhook are read. */
export interface DeliveriesFilter {
  readonly state?: WebhookDeliveryState | undefined;
  /** Deliveries of these events are left out. */
  readonly hidden: readonly ShopEventType[];
}

const noneOf = (events: readonly ShopEventType[]): { $nin: ShopEventType[] } => trusted({ $nin: [...events] });

@Injectable()
export class WebhookDeliveriesRepository {
  constructor(@InjectModel(WEBHOOK_DELIVERY_MODEL) private readonly deliveries: Model<WebhookDeliveryRecord>) {}

  async insertAll(deliveries: readonly StoredWebhookDelivery[], transaction: Transaction): Promise<void> {
    const records = deliveries.map(({ id, ...values }) => ({ ...values, _id: id }));
    await this.deliveries.insertMany(forInsert(records), { session: transaction });
  }

  /** The deliveries of a webhook, newest first, and how many there are (`countedById`). */
  async list(
    shopId: string,
    webhookId: string,
    { state, hidden }: DeliveriesFilter,
    page: PageRequest,
  ): Promise<Page<WebhookDelivery>> {
    const inState = state === undefined ? {} : { state };
    // Without it, an index decides the whole filter.
    const shown = hidden.length === 0 ? {} : { type: noneOf(hidden) };
    const filter = { shopId, webhookId, ...inState, ...shown };
    const [records, total] = await countedById<WebhookDeliveryRecord>(this.deliveries, filter, page);
    return Page.of(records.map(fromStored), page.limit).counted(total);
  }

  async find(shopId: string, deliveryId: string, transaction: Transaction | null): Promise<WebhookDelivery | null> {
    const record = await this.deliveries.findOne({ _id: deliveryId, shopId }).session(transaction).lean();
    return record && fromStored(record);
  }

  /** The delivery that waits for a message of the outbox; null: it has ended. */
  async findByMessage(shopId: string, messageId: string, transaction: Transaction): Promise<WebhookDelivery | null> {
    const record = await this.deliveries.findOne({ shopId, state: 'waiting', messageId }).session(transaction).lean();
    return record && fromStored(record);
  }

  /** The deliveries of a time range that have ended, oldest first. */
  async endedBetween(
    shopId: string,
    webhookId: string,
    { from, to, hidden }: TimeRange & Pick<DeliveriesFilter, 'hidden'>,
    page: PageRequest,
    transaction: Transaction,
  ): Promise<Page<WebhookDelivery>> {
    const during = { createdAt: trusted({ $gte: from, $lt: to }) };
    const records = await this.deliveries
      .find({
        shopId,
        webhookId,
        state: before('waiting'),
        type: noneOf(hidden),
        $and: [during, ...afterTime(page, 'oldestFirst')],
      })
      .sort(BY_TIME.oldestFirst)
      .limit(page.limit + 1)
      .session(transaction)
      .lean();
    return Page.of(records.map(fromStored), page.limit, timePositionOf);
  }

  /** Adds an attempt to a delivery that waits. Returns false when it does not wait any more. */
  async addAttempt(
    { shopId, id }: Pick<WebhookDelivery, 'shopId' | 'id'>,
    entry: WebhookAttempt,
    outcome: AttemptOutcome,
    transaction: Transaction,
  ): Promise<boolean> {
    const { matchedCount } = await this.deliveries.updateOne(
      { _id: id, shopId, state: 'waiting' },
      { $set: outcome, $push: { attempts: { $each: [entry], $slice: -MAX_STORED_ATTEMPTS } } },
      { session: transaction },
    );
    return matchedCount === 1;
  }

  /** Lets deliveries wait again. Returns how many had ended. */
  async requeue(shopId: string, ids: readonly string[], transaction: Transaction): Promise<number> {
    const { modifiedCount } = await this.deliveries.updateMany(
      { _id: oneOf(ids), shopId, state: before('waiting') },
      { $set: { state: 'waiting', failures: 0, nextAttemptAt: null } },
      { session: transaction },
    );
    return modifiedCount;
  }

  /** Stores which messages of the outbox send deliveries that wait again. */
  async recordMessages(shopId: string, messages: readonly QueuedMessage[], transaction: Transaction): Promise<void> {
    const writes = messages.map(({ id, messageId }) => ({
      updateOne: { filter: { _id: id, shopId }, update: { $set: { messageId } } },
    }));
    await this.deliveries.bulkWrite(writes, { session: transaction });
  }

  /** What the records have about buyers. */
  personalData(): PersonalData {
    return aboutOrders<WebhookDeliveryRecord>(this.deliveries, 'stream', {
      body: 'json',
      attempts: { error: null, response: 'sentence' },
      ...nameless('eventId', 'stream'),
    });
  }
}
