import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, trusted } from 'mongoose';
import { Page, type PageRequest } from '../../lib/paging/page.js';
import { statesBefore } from '../../lib/states/transitions.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../lib/time/durations.js';
import { newObjectId } from '../../lib/ids/object-id.js';
import { nameless } from '../../infrastructure/buyers/naming-fields.js';
import { aboutOrders, type PersonalData } from '../../infrastructure/buyers/personal-data.js';
import { orConflict, violatedIndex } from '../../infrastructure/database/database-errors.js';
import { madeInLast } from '../../infrastructure/database/made-in-last.js';
import { oneOf } from '../../infrastructure/database/one-of.js';
import { countedById } from '../../infrastructure/database/count-listed.js';
import { fromStored } from '../../infrastructure/database/stored.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { ages, counts, grouped, type Totals } from '../../infrastructure/totals/totals.js';
import { type PaymentEventType } from '../../orders/order/payment-event.types.js';
import { type Failure, INBOX_TRANSITIONS, type InboxEntry, type InboxEvent, type InboxFilter } from './inbox.types.js';
import { INBOX_EVENT_MODEL, type InboxEventRecord } from './inbox-event.schema.js';
import { type PaymentDetails, type ProviderEvent } from '../providers/provider.js';

/** Longer than the longest time for which a known provider repeats an event (30 days). */
const RETENTION_MS = 45 * DAY_MS;
const REJECTION_RETENTION_MS = 7 * DAY_MS;

/** An event that is not stored yet. */
type NewEvent = Omit<InboxEntry, 'id'> & { readonly _id: string; readonly forgetAt: Date };

/** Why an event without a payment is ignored, unless the event itself has a better reason. */
const CHANGES_NOTHING = 'Events of this kind, or in this state, change no order';

function newEvent(shopId: string, provider: string, event: ProviderEvent, now: Date): NewEvent {
  const { eventId, kind, payment, problem = payment === null ? CHANGES_NOTHING : null } = event;
  return {
    _id: newObjectId(),
    shopId,
    provider,
    eventId,
    kind,
    state: payment === null ? 'ignored' : 'received',
    failure: null,
    problem,
    attempts: 0,
    orderId: payment && payment.orderId,
    payment: payment && withoutOrder(payment),
    receivedAt: now,
    settledAt: payment === null ? now : null,
    forgetAt: new Date(now.getTime() + RETENTION_MS),
  };
}

const withoutOrder = ({ orderId: _, ...payment }: PaymentDetails): InboxEntry['payment'] => payment;

/** The inbox: the events of payment providers, each event once. */
@Injectable()
export class InboxEventsRepository {
  constructor(@InjectModel(INBOX_EVENT_MODEL) private readonly events: Model<InboxEventRecord>) {}

  /**
   * Stores an event durably, unless the inbox has it, with one command in both cases. An event that exists is not written
   * again, so repetitions do not slow down the first one.
   */
  async store(
    shopId: string,
    provider: string,
    event: ProviderEvent,
    now: Date,
  ): Promise<{ event: InboxEntry; isNew: boolean }> {
    const incoming = newEvent(shopId, provider, event, now);
    const stored = await this.insertIfAbsent(incoming).catch((error: unknown) => {
      // Of two parallel inserts one fails. Then the event exists.
      if (violatedIndex(error) === null) throw error;
      return this.insertIfAbsent(incoming);
    });
    return { event: stored, isNew: stored.id === incoming._id };
  }

  /**
   * Stores that a request was rejected, in one event a minute for each webhook that counts them: whoever has the address of a webhook
   * cannot fill the inbox.
   * @param problem what was wrong with the request, in one sentence; the event has the latest
   */
  async storeRejection(
    shopId: string,
    provider: string,
    problem: string,
    now: Date,
    transaction: Transaction,
  ): Promise<void> {
    // With a space, which no id of a provider has.
    const eventId = `rejected ${Math.floor(now.getTime() / MINUTE_MS)}`;
    const {
      attempts: _attempts,
      problem: _problem,
      ...rejected
    } = {
      ...newEvent(shopId, provider, { eventId, kind: 'rejected', payment: null }, now),
      state: 'rejected',
      failure: 'webhook_rejected',
      forgetAt: new Date(now.getTime() + REJECTION_RETENTION_MS),
    } as const;
    const count = { $setOnInsert: rejected, $set: { problem }, $inc: { attempts: 1 } };
    const write = this.events.updateOne({ shopId, provider, eventId }, count, { upsert: true, session: transaction });
    // Of parallel transactions that insert the event, one does, and the others run again.
    await orConflict(write.exec());
  }

  /** The events of a shop, newest first. */
  async list(shopId: string, { state, orderId }: InboxFilter, page: PageRequest): Promise<Page<InboxEntry>> {
    const filter = {
      shopId,
      ...(state === undefined ? {} : { state }),
      ...(orderId === undefined ? {} : { orderId }),
    };
    const [records, total] = await countedById<InboxEventRecord>(this.events, filter, page);
    return Page.of(records.map(fromStored), page.limit).counted(total);
  }

  async find(shopId: string, id: string, transaction: Transaction | null): Promise<InboxEntry | null> {
    const record = await this.events.findOne({ _id: id, shopId }).session(transaction).lean();
    return record && fromStored(record);
  }

  /** The order that a stored event of a payment names, or null. A failed event names an order that the shop does not have. */
  async orderOf(
    shopId: string,
    provider: string,
    paymentId: string,
    transaction: Transaction | null,
  ): Promise<string | null> {
    const state = oneOf(['received', 'processed'] as const);
    const orderId = trusted({ $type: 'objectId' as const });
    const record = await this.events
      .findOne({ shopId, provider, 'payment.paymentId': paymentId, state, orderId }, { orderId: 1 })
      .session(transaction)
      .lean();
    return record?.orderId?.toHexString() ?? null;
  }

  /** The types of the events of an order that name a payment, as the payment or as its checkout. An order has few events. */
  reportsOf(shopId: string, orderId: string, provider: string, paymentId: string): Promise<PaymentEventType[]> {
    const named = [{ 'payment.paymentId': paymentId }, { 'payment.checkoutId': paymentId }];
    return this.events.distinct('payment.type', { shopId, orderId, provider, $or: named });
  }

  /** This event of a payment, and those that name no order, as far as they are not applied yet, unsorted. */
  async waiting(
    { id, shopId, provider }: Pick<InboxEvent, 'id' | 'shopId' | 'provider'>,
    paymentId: string,
    limit: number,
    transaction: Transaction,
  ): Promise<InboxEvent[]> {
    const state = oneOf(statesBefore(INBOX_TRANSITIONS, 'processed'));
    const ofPayment = { shopId, provider, 'payment.paymentId': paymentId, state };
    const records = await this.events
      .find({
        $or: [
          { _id: id, shopId, state },
          { ...ofPayment, orderId: null },
        ],
      })
      .limit(limit)
      .session(transaction)
      .lean();
    return records.map(fromStored);
  }

  /** Records that an event was applied, in the transaction that applied it. */
  async markProcessed(
    shopId: string,
    id: string,
    applied: Pick<InboxEntry, 'orderId' | 'problem'>,
    now: Date,
    transaction: Transaction,
  ): Promise<void> {
    const change = { failure: null, ...applied, settledAt: now, forgetAt: null };
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
    change: Partial<Pick<InboxEntry, 'failure' | 'orderId' | 'problem' | 'settledAt'>> & { readonly forgetAt?: null },
    transaction: Transaction,
  ): Promise<void> {
    const mayMove = { _id: id, shopId, state: oneOf(statesBefore(INBOX_TRANSITIONS, state)) };
    const moved = { $set: { ...change, state }, $inc: { attempts: 1 } };
    await this.events.updateOne(mayMove, moved, { session: transaction });
  }

  private async insertIfAbsent({ shopId, provider, eventId, ...rest }: NewEvent): Promise<InboxEntry> {
    const record = await this.events
      .findOneAndUpdate(
        { shopId, provider, eventId },
        { $setOnInsert: rest },
        { upsert: true, returnDocument: 'after' },
      )
      .lean();
    return fromStored(record);
  }

  /** What the records have about buyers. */
  personalData(): PersonalData {
    return aboutOrders<InboxEventRecord>(
      this.events,
      'orderId',
      nameless('provider', 'eventId', 'kind', 'problem', 'payment'),
    );
  }

  /** The events of the last hour, and the oldest one of the last day that is not applied. The latter have an index of their own. */
  totals(): Totals<'payment_events_last_hour' | 'payment_events_unapplied_oldest_age_seconds'> {
    const { events } = this;
    return {
      gauges: {
        payment_events_last_hour: {
          help: 'Payment events received in the last hour, by provider and state',
          labels: ['provider', 'state'],
        },
        payment_events_unapplied_oldest_age_seconds: {
          help: 'The age of the oldest payment event of the last day that is not applied to an order, by provider',
          labels: ['provider'],
        },
      },
      async read(now, maxTimeMS) {
        const provider = '$provider';
        // A rejected event stands for all rejected requests of its minute.
        const requests = { $cond: [{ $eq: ['$state', 'rejected'] }, '$attempts', 1] };
        const received = { $gte: new Date(now.getTime() - DAY_MS) };
        const unapplied = { state: { $in: ['received', 'failed'] }, receivedAt: received };
        const oldestAt = { $min: '$receivedAt' };
        const [counted, oldest] = await Promise.all([
          counts(events, madeInLast(HOUR_MS, now), { provider, state: '$state' }, maxTimeMS, requests),
          grouped<{ oldestAt: Date }>(events, unapplied, { provider }, { oldestAt }, maxTimeMS),
        ]);
        return { payment_events_last_hour: counted, payment_events_unapplied_oldest_age_seconds: ages(oldest, now) };
      },
    };
  }
}
