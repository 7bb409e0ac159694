import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { type Connection, mongo } from 'mongoose';
import { AppConfig } from '../../infrastructure/config/app-config.js';
import { SECOND_MS } from '../../lib/time/durations.js';

const TIME_LIMIT_MS = 5 * SECOND_MS;

/** Waiting messages of the outbox with one topic. */
export interface Backlog {
  readonly topic: string;
  readonly waiting: number;
  readonly oldestAt: Date;
}

/** Messages of the outbox with one topic that were set aside after their last attempt. */
export interface GivenUp {
  readonly topic: string;
  readonly count: number;
}

/** Deliveries that one game server could take now. */
export interface DueDeliveries {
  /** null: any server of the shop can take them. */
  readonly serverId: string | null;
  readonly due: number;
  readonly oldestAt: Date;
}

/** Payment events of one provider that are stored and not applied to an order. */
export interface UnappliedEvents {
  readonly provider: string;
  readonly oldestAt: Date;
}

/** Orders whose payment a person has to look at. */
export interface OrdersUnderReview {
  readonly state: string;
  readonly count: number;
}

/** How many records have the same values in two fields. */
export interface Count {
  readonly of: string;
  readonly state: string;
  readonly count: number;
}

/**
 * Numbers about all shops together, for the operator only. It reads the collections of several features by their names, because the
 * repositories of the features have no queries that span shops. Each query reads one range of an index.
 */
@Injectable()
export class TotalsRepository {
  private readonly maxTimeMS: number;

  constructor(
    @InjectConnection() private readonly connection: Connection,
    config: AppConfig,
  ) {
    this.maxTimeMS = TIME_LIMIT_MS * config.timeLimitFactor;
  }

  /** The waiting messages by topic. Index: `{ lane, dueAt }`, which has only waiting messages. */
  backlog(): Promise<Backlog[]> {
    return this.aggregate<Backlog>('outbox', [
      { $match: { state: 'waiting', lane: { $gt: '' } } },
      { $group: { _id: '$topic', waiting: { $sum: 1 }, oldestAt: { $min: '$createdAt' } } },
      { $project: { _id: 0, topic: '$_id', waiting: 1, oldestAt: 1 } },
    ]);
  }

  /** The messages that were added since a time, by topic and state. */
  messages(since: Date): Promise<Count[]> {
    return this.counts('outbox', since, { of: '$topic', state: '$state' });
  }

  /** The messages that were given up since a time, by topic. Index: `{ settledAt }`, which has only these messages. */
  givenUp(since: Date): Promise<GivenUp[]> {
    return this.aggregate<GivenUp>('outbox', [
      { $match: { state: 'failed', settledAt: { $gte: since } } },
      { $group: { _id: '$topic', count: { $sum: 1 } } },
      { $project: { _id: 0, topic: '$_id', count: 1 } },
    ]);
  }

  /** The orders that were placed since a time, by the provider of their first payment event and the state of their payment. */
  payments(since: Date): Promise<Count[]> {
    const provider = { $ifNull: [{ $arrayElemAt: ['$payments.provider', 0] }, 'none'] };
    return this.counts('orders', since, { of: provider, state: '$paymentStatus' });
  }

  /** The attempts to pay that were begun since a time, by provider and state. */
  paymentAttempts(since: Date): Promise<Count[]> {
    return this.counts('payments', since, { of: '$provider', state: '$state' });
  }

  /** The payment events that were received since a time, by provider and state. A rejected one counts all requests of its minute. */
  paymentEvents(since: Date): Promise<Count[]> {
    const requests = { $cond: [{ $eq: ['$state', 'rejected'] }, '$attempts', 1] };
    return this.counts('payment_events', since, { of: '$provider', state: '$state' }, requests);
  }

  /** The oldest event of each provider that was received since a time and is not applied. Index: `{ receivedAt }`, which has only these. */
  unappliedEvents(since: Date): Promise<UnappliedEvents[]> {
    return this.aggregate<UnappliedEvents>('payment_events', [
      { $match: { state: { $in: ['received', 'failed'] }, receivedAt: { $gte: since } } },
      { $group: { _id: '$provider', oldestAt: { $min: '$receivedAt' } } },
      { $project: { _id: 0, provider: '$_id', oldestAt: 1 } },
    ]);
  }

  /** The refunds that staff have requested since a time, by provider and state. */
  refunds(since: Date): Promise<Count[]> {
    return this.counts('refunds', since, { of: '$provider', state: '$state' });
  }

  /** The orders that wait for a decision of staff or for the end of a dispute. Index: `{ paymentStatus }`, which has only these. */
  ordersUnderReview(): Promise<OrdersUnderReview[]> {
    return this.aggregate<OrdersUnderReview>('orders', [
      { $match: { paymentStatus: { $in: ['needs_review', 'disputed'] } } },
      { $group: { _id: '$paymentStatus', count: { $sum: 1 } } },
      { $project: { _id: 0, state: '$_id', count: 1 } },
    ]);
  }

  /** The deliveries that wait for a server and not for a player, by server. Index: `{ waitsFor, serverId, dueAt }`. */
  async dueDeliveries(now: Date): Promise<DueDeliveries[]> {
    const rows = await this.aggregate<{ _id: mongo.ObjectId | null; due: number; oldestAt: Date }>('deliveries', [
      { $match: { state: 'queued', waitsFor: null, dueAt: { $lte: now } } },
      { $group: { _id: '$serverId', due: { $sum: 1 }, oldestAt: { $min: '$dueAt' } } },
      { $sort: { due: -1 } },
    ]);
    return rows.map(({ _id, due, oldestAt }) => ({ serverId: _id?.toHexString() ?? null, due, oldestAt }));
  }

  /** Ids begin with the time at which the record was made, so the index of `_id` has the records since a time. */
  private counts(
    collection: string,
    since: Date,
    key: Readonly<Record<'of' | 'state', unknown>>,
    each: unknown = 1,
  ): Promise<Count[]> {
    const from = mongo.ObjectId.createFromTime(Math.floor(since.getTime() / SECOND_MS));
    return this.aggregate<Count>(collection, [
      { $match: { _id: { $gte: from } } },
      { $group: { _id: key, count: { $sum: each } } },
      { $project: { _id: 0, of: '$_id.of', state: '$_id.state', count: 1 } },
    ]);
  }

  private aggregate<Row extends object>(collection: string, pipeline: mongo.Document[]): Promise<Row[]> {
    const { maxTimeMS } = this;
    return this.connection.getClient().db().collection(collection).aggregate<Row>(pipeline, { maxTimeMS }).toArray();
  }
}
