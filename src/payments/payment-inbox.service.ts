import { Injectable, Logger } from '@nestjs/common';
import { describeError } from '../common/logging/logger.js';
import { isDatabaseUnavailable } from '../database/database-errors.js';
import { type Transaction, Transactions } from '../database/transactions.js';
import { OrderSettlementService } from '../orders/order-settlement.service.js';
import { type PaymentEvent } from '../orders/payment-event.types.js';
import { dueWith, isFinal } from './inbox-rules.js';
import { type EventReceipt, type EventState, type InboxEvent } from './inbox.types.js';
import { PaymentEventsRepository } from './payment-events.repository.js';
import { type VerifiedNotification } from './payment-webhooks.service.js';
import { type ProviderEvent } from './providers/provider.js';

/**
 * Takes what providers tell and applies it to orders, each event exactly once.
 *
 * Two steps, on purpose. First the event is stored, durably and outside of any transaction: from then on it is ours, even
 * if applying it fails for a reason of our own, and everything that comes at the same time can see it. Then one transaction
 * applies it and notes that it did. A process that dies in between leaves an event that is `received`; its repetition finds
 * it there and goes on with the second step, which does nothing to what is done already.
 *
 * That each event is stored before the events of its payment are read is what makes every order of arrival end the same:
 * of a payment and its refund that come at once, at least one sees the other.
 */
@Injectable()
export class PaymentInboxService {
  private readonly logger = new Logger('Payments');

  constructor(
    private readonly inbox: PaymentEventsRepository,
    private readonly orders: OrderSettlementService,
    private readonly transactions: Transactions,
  ) {}

  /** Stores and applies the events of a notification, one after the other. Repeating a notification changes nothing. */
  async receive({ shopId, provider, events }: VerifiedNotification): Promise<EventReceipt[]> {
    const receipts: EventReceipt[] = [];
    for (const event of events ?? []) receipts.push(await this.take(shopId, provider, event));
    return receipts;
  }

  private async take(shopId: string, provider: string, incoming: ProviderEvent): Promise<EventReceipt> {
    const { event, isNew } = await this.inbox.store(shopId, provider, incoming, new Date());
    const state = isFinal(event) ? event.state : await this.apply(event);
    return { eventId: event.eventId, state, duplicate: !isNew };
  }

  private async apply(event: InboxEvent): Promise<EventState> {
    try {
      const state = await this.transactions.run((transaction) => this.applyIn(event, transaction));
      if (state === 'failed') this.logger.warn('A payment names an order that the shop does not have', place(event));
      return state;
    } catch (error) {
      // While the database is away there is nobody to note it; the provider repeats the event.
      if (!isDatabaseUnavailable(error)) {
        this.logger.error('A payment event could not be applied', { ...place(event), ...describeError(error) });
        await this.inbox.markFailed(event.shopId, event.id, 'internal_error', new Date());
      }
      throw error;
    }
  }

  /** @returns the state of the event after it */
  private async applyIn(
    { id, shopId, provider, state, notice }: InboxEvent,
    transaction: Transaction,
  ): Promise<EventState> {
    if (notice === null) return state;
    const ofPayment = await this.inbox.ofPayment(shopId, provider, notice.paymentId, transaction);
    const due = dueWith(id, ofPayment);
    if (due === null) return ofPayment.find((event) => event.id === id)?.state ?? state;
    const now = new Date();
    for (const event of due.events) {
      const result = await this.orders.apply(shopId, due.orderId, paymentEventOf(event), transaction);
      if (result === 'order_not_found') {
        await this.inbox.markFailed(shopId, id, 'order_not_found', now, transaction);
        return 'failed';
      }
      await this.inbox.markProcessed(shopId, event.id, due.orderId, now, transaction);
    }
    return 'processed';
  }
}

function paymentEventOf({ provider, eventId, notice }: InboxEvent): PaymentEvent {
  if (notice === null) throw new Error('an event without a notice cannot be applied');
  return { provider, eventId, ...notice };
}

function place({ shopId, provider, eventId, orderId }: InboxEvent): Record<string, unknown> {
  return { shopId, provider, eventId, orderId };
}
