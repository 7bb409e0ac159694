import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted, Types } from 'mongoose';
import { Page, type PageRequest } from '../common/http/page.js';
import { statesBefore } from '../common/states/transitions.js';
import { DAY_MS, MINUTE_MS } from '../common/time/durations.js';
import { violatedIndex } from '../database/database-errors.js';
import { readFirst, readMany, readOne } from '../database/direct-reads.js';
import { findOneAndUpdate, updateOne } from '../database/direct-writes.js';
import { olderThan } from '../database/paging.js';
import { keyInShop } from '../database/key-in-shop.js';
import { type Transaction } from '../database/transactions.js';
import { type Failure, INBOX_TRANSITIONS, type InboxEntry, type InboxEvent, type InboxFilter } from './inbox.types.js';
import { INBOX_EVENT_MODEL, type InboxEventRecord } from './inbox-event.schema.js';
import { type ProviderEvent } from './providers/provider.js';

const FIELDS = { shopId: 1, provider: 1, eventId: 1, kind: 1, state: 1, orderId: 1, paymentId: 1, payment: 1 } as const;
const ENTRY = { ...FIELDS, failure: 1, problem: 1, attempts: 1, receivedAt: 1, settledAt: 1 } as const;
/** Longer than the longest time for which a known provider repeats an event (30 days). */
const RETENTION_MS = 45 * DAY_MS;
const REJECTION_RETENTION_MS = 7 * DAY_MS;

type StoredFields = Pick<InboxEventRecord, keyof typeof FIELDS | '_id'>;

function toInboxEvent(record: StoredFields): InboxEvent {
  const { _id, shopId, provider, eventId, kind, state, orderId, paymentId, payment } = record;
  return {
    id: _id.toHexString(),
    shopId: shopId.toHexString(),
    provider,
    eventId,
    kind,
    state,
    orderId: orderId?.toHexString() ?? null,
    payment: payment && paymentId !== null ? { ...payment, paymentId } : null,
  };
}

function toInboxEntry(record: Pick<InboxEventRecord, keyof typeof ENTRY | '_id'>): InboxEntry {
  const { failure, problem, attempts, receivedAt, settledAt } = record;
  return { ...toInboxEvent(record), failure, problem, attempts, receivedAt, settledAt };
}

function toRecord(shopId: string, provider: string, event: ProviderEvent, now: Date): InboxEventRecord {
  const { eventId, kind, payment } = event;
  const { orderId = null, paymentId = null } = payment ?? {};
  return {
    _id: new Types.ObjectId(),
    shopId: new Types.ObjectId(shopId),
    provider,
    eventId,
    kind,
    state: payment === null ? 'ignored' : 'received',
    failure: null,
    problem: null,
    attempts: 0,
    orderId: orderId === null ? null : new Types.ObjectId(orderId),
    paymentId,
    payment: payment && {
      type: payment.type,
      ...(payment.refundId === undefined ? {} : { refundId: payment.refundId }),
      amountMinor: payment.amountMinor,
      currency: payment.currency,
      occurredAt: payment.occurredAt,
      cumulative: payment.cumulative,
    },
    receivedAt: now,
    settledAt: payment === null ? now : null,
    forgetAt: new Date(now.getTime() + RETENTION_MS),
  };
}

/** The inbox: the events of payment providers, each event once. */
@Injectable()
export class InboxEventsRepository {
  constructor(@InjectModel(INBOX_EVENT_MODEL) private readonly events: Model<InboxEventRecord>) {}

  /**
   * Stores an event durably, unless the inbox has it. That is one command in both cases. An event that exists is not written
   * again, so repetitions do not slow down the first one.
   */
  async store(
    shopId: string,
    provider: string,
    event: ProviderEvent,
    now: Date,
  ): Promise<{ event: InboxEvent; isNew: boolean }> {
    const record = toRecord(shopId, provider, event, now);
    const stored = await this.insertIfAbsent(record).catch((error: unknown) => {
      // Of two parallel inserts one fails. Then the event exists.
      if (violatedIndex(error) === null) throw error;
      return this.insertIfAbsent(record);
    });
    return { event: toInboxEvent(stored), isNew: stored._id.equals(record._id) };
  }

  /**
   * Stores that a request was rejected, at most once a minute for each webhook: whoever has the address of a webhook cannot fill
   * the inbox.
   * @param problem what was wrong with the request, in one sentence
   */
  async storeRejection(shopId: string, provider: string, problem: string, now: Date): Promise<void> {
    // With a space, which no id of a provider has.
    const eventId = `rejected ${Math.floor(now.getTime() / MINUTE_MS)}`;
    const record = toRecord(shopId, provider, { eventId, kind: 'rejected', payment: null }, now);
    const forgetAt = new Date(now.getTime() + REJECTION_RETENTION_MS);
    const rejected = { ...record, state: 'rejected' as const, failure: 'webhook_rejected' as const, problem, forgetAt };
    await this.insertIfAbsent(rejected).catch((error: unknown) => {
      if (violatedIndex(error) === null) throw error;
    });
  }

  /** The events of a shop, newest first. */
  async list(shopId: string, { state, orderId }: InboxFilter, page: PageRequest): Promise<Page<InboxEntry>> {
    const filter = {
      shopId,
      ...olderThan(page),
      ...(state === undefined ? {} : { state }),
      ...(orderId === undefined ? {} : { orderId }),
    };
    const records = await this.events
      .find(filter, ENTRY)
      .sort({ _id: -1 })
      .limit(page.limit + 1)
      .lean();
    return Page.of(records.map(toInboxEntry), page.limit);
  }

  async find(shopId: string, id: string, transaction: Transaction | null): Promise<InboxEntry | null> {
    const record = await readOne<InboxEventRecord>(this.events, keyInShop(shopId, id), { fields: ENTRY, transaction });
    return record && toInboxEntry(record);
  }

  /** The order that a stored event of a payment names, or null. A failed event names an order that the shop does not have. */
  async orderOf(shopId: string, provider: string, paymentId: string, transaction: Transaction): Promise<string | null> {
    const state = trusted({ $in: ['received', 'processed'] as const });
    const orderId = trusted({ $type: 'objectId' as const });
    const filter = { shopId: new Types.ObjectId(shopId), provider, paymentId, state, orderId };
    const reading = { fields: { orderId: 1 }, transaction } as const;
    const record = await readFirst<InboxEventRecord>(this.events, filter, reading);
    return record?.orderId?.toHexString() ?? null;
  }

  /** Events of a payment that name no order and are not applied yet, in no certain order. */
  async waiting(
    shopId: string,
    provider: string,
    paymentId: string,
    limit: number,
    transaction: Transaction,
  ): Promise<InboxEvent[]> {
    const state = trusted({ $in: statesBefore(INBOX_TRANSITIONS, 'processed') });
    const filter = { shopId: new Types.ObjectId(shopId), provider, paymentId, state, orderId: null };
    const records = await readMany<InboxEventRecord>(this.events, filter, { fields: FIELDS, limit, transaction });
    return records.map(toInboxEvent);
  }

  /** Records that an event was applied, in the transaction that applied it. */
  async markProcessed(shopId: string, id: string, orderId: string, now: Date, transaction: Transaction): Promise<void> {
    const change = { failure: null, orderId: new Types.ObjectId(orderId), settledAt: now, forgetAt: null };
    await this.move(shopId, id, 'processed', change, transaction);
  }

  /** Records that an event could not be applied, so that staff can see it. */
  async markFailed(shopId: string, id: string, failure: Failure, now: Date, transaction: Transaction): Promise<void> {
    await this.move(shopId, id, 'failed', { failure, settledAt: now }, transaction);
  }

  /** Moves an event to a state if it may move there, and counts the attempt. */
  private async move(
    shopId: string,
    id: string,
    state: 'processed' | 'failed',
    change: Partial<InboxEventRecord>,
    transaction: Transaction,
  ): Promise<void> {
    const mayMove = {
      ...keyInShop(shopId, id),
      state: trusted({ $in: statesBefore(INBOX_TRANSITIONS, state) }),
    };
    const moved = { $set: { ...change, state }, $inc: { attempts: 1 } };
    await updateOne<InboxEventRecord>(this.events, mayMove, moved, { transaction });
  }

  private async insertIfAbsent(record: InboxEventRecord): Promise<StoredFields> {
    const { shopId, provider, eventId, ...rest } = record;
    const writing = { fields: FIELDS, transaction: null, upsert: true };
    const filter = { shopId, provider, eventId };
    const stored = await findOneAndUpdate<InboxEventRecord>(this.events, filter, { $setOnInsert: rest }, writing);
    if (stored === null) throw new Error('an upsert returned no record');
    return stored;
  }
}
