import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted, Types } from 'mongoose';
import { duplicateKeyFields } from '../database/database-errors.js';
import { type Transaction } from '../database/transactions.js';
import { type EventState, type Failure, type InboxEvent } from './inbox.types.js';
import { PAYMENT_EVENT_MODEL, type PaymentEventRecord } from './payment-event.schema.js';
import { type ProviderEvent } from './providers/provider.js';

const FIELDS = { shopId: 1, provider: 1, eventId: 1, kind: 1, state: 1, orderId: 1, paymentId: 1, notice: 1 } as const;
/** Longer than the longest time for which a known provider repeats an event (30 days). */
const RETENTION_MS = 45 * 86_400_000;
const UNSETTLED: readonly EventState[] = ['received', 'failed'];

type StoredFields = Pick<PaymentEventRecord, keyof typeof FIELDS | '_id'>;

function toInboxEvent(record: StoredFields): InboxEvent {
  const { _id, shopId, provider, eventId, kind, state, orderId, paymentId, notice } = record;
  return {
    id: _id.toHexString(),
    shopId: shopId.toHexString(),
    provider,
    eventId,
    kind,
    state,
    orderId: orderId?.toHexString() ?? null,
    notice: notice && paymentId !== null ? { ...notice, paymentId } : null,
  };
}

function toRecord(shopId: string, provider: string, event: ProviderEvent, now: Date): PaymentEventRecord {
  const { eventId, kind, notice } = event;
  const { orderId = null, paymentId = null } = notice ?? {};
  return {
    _id: new Types.ObjectId(),
    shopId: new Types.ObjectId(shopId),
    provider,
    eventId,
    kind,
    state: notice === null ? 'ignored' : 'received',
    failure: null,
    attempts: 0,
    orderId: orderId === null ? null : new Types.ObjectId(orderId),
    paymentId,
    notice: notice && {
      type: notice.type,
      amountMinor: notice.amountMinor,
      currency: notice.currency,
      occurredAt: notice.occurredAt,
      cumulative: notice.cumulative,
    },
    receivedAt: now,
    settledAt: notice === null ? now : null,
    forgetAt: new Date(now.getTime() + RETENTION_MS),
  };
}

/** The inbox: what providers told us, each event once. */
@Injectable()
export class PaymentEventsRepository {
  constructor(@InjectModel(PAYMENT_EVENT_MODEL) private readonly events: Model<PaymentEventRecord>) {}

  /**
   * Puts an event into the inbox, durably, unless it is there. One command either way: where it exists, nothing is written,
   * so repetitions don't get in the way of the first one.
   */
  async store(
    shopId: string,
    provider: string,
    event: ProviderEvent,
    now: Date,
  ): Promise<{ event: InboxEvent; isNew: boolean }> {
    const record = toRecord(shopId, provider, event, now);
    const stored = await this.upsert(record).catch((error: unknown) => {
      // Of two inserts at once the slower one is refused; then the event is there.
      if (duplicateKeyFields(error) === null) throw error;
      return this.upsert(record);
    });
    return { event: toInboxEvent(stored), isNew: stored._id.equals(record._id) };
  }

  /** All events of one payment, in the order in which they came. */
  async ofPayment(
    shopId: string,
    provider: string,
    paymentId: string,
    transaction: Transaction,
  ): Promise<InboxEvent[]> {
    const records = await this.events
      .find({ shopId, provider, paymentId }, FIELDS)
      .sort({ _id: 1 })
      .session(transaction)
      .lean();
    return records.map(toInboxEvent);
  }

  /** Notes that an event is in its order's ledger, in the transaction that put it there. */
  async markProcessed(shopId: string, id: string, orderId: string, now: Date, transaction: Transaction): Promise<void> {
    await this.events.updateOne(
      { _id: id, shopId, state: trusted({ $in: UNSETTLED }) },
      {
        $set: { state: 'processed', failure: null, orderId, settledAt: now, forgetAt: null },
        $inc: { attempts: 1 },
      },
      { session: transaction },
    );
  }

  /** Notes that an event could not be applied, for somebody to look at. */
  async markFailed(shopId: string, id: string, failure: Failure, now: Date, transaction?: Transaction): Promise<void> {
    await this.events.updateOne(
      { _id: id, shopId, state: trusted({ $in: UNSETTLED }) },
      { $set: { state: 'failed', failure, settledAt: now }, $inc: { attempts: 1 } },
      transaction ? { session: transaction } : {},
    );
  }

  private upsert(record: PaymentEventRecord): Promise<StoredFields> {
    const { shopId, provider, eventId, ...rest } = record;
    return this.events
      .findOneAndUpdate(
        { shopId, provider, eventId },
        { $setOnInsert: rest },
        { upsert: true, returnDocument: 'after', projection: FIELDS },
      )
      .orFail()
      .lean()
      .exec();
  }
}
