import { Injectable, Logger } from '@nestjs/common';
import { type UnappliedProblem } from '../../domain/payments/provider-problems.js';
import { lockOn } from '../../domain/limits/lock-names.js';
import { changesBetween } from '../../events/audit/audit-rules.js';
import { AuditService, type Author } from '../../events/audit/audit.service.js';
import { orNotFound } from '../../domain/errors/or-not-found.js';
import { type Page, type PageRequest } from '../../lib/paging/page.js';
import { addLogIds } from '../../infrastructure/logging/log-context.js';
import { describeError } from '../../infrastructure/logging/logger.js';
import { isDatabaseUnavailable } from '../../infrastructure/database/database-errors.js';
import { type Transaction, Transactions } from '../../infrastructure/database/transactions.js';
import { OrdersService } from '../../orders/order/orders.service.js';
import { OrderSettlementService } from '../../orders/settling/order-settlement.service.js';
import { type PaymentEventType } from '../../orders/order/payment-event.types.js';
import { type PaymentConfiguration } from '../accounts/payment-configuration.types.js';
import { ProviderHealthService } from '../accounts/provider-health.service.js';
import { isAboutMoney, isFinal, paymentEventOf, paymentRecordsOf, unappliedReason } from './inbox-rules.js';
import { type EventResult, type InboxEntry, type InboxEvent, type InboxFilter } from './inbox.types.js';
import { InboxEventsRepository } from './inbox-events.repository.js';
import { type ProviderEvent } from '../providers/provider.js';
import { confirmationDaysOf } from '../providers/provider-registry.js';
import { type UnreadableEvent } from '../providers/unreadable-event.js';

/** The limit of waiting events that one transaction applies, so that it ends within seconds. */
const MAX_AT_ONCE = 50;

/**
 * Stores the events of providers and applies them to orders, each event exactly once.
 *
 * There are two steps. First the event is stored, durably and outside of any transaction: it is not lost even if applying it
 * fails, and everything that arrives at the same time can see it. Then one transaction applies it and records that it did. A
 * process that dies in between leaves an event in the state `received`. The provider's repetition finds it and runs the
 * second step, which changes nothing that is applied already.
 *
 * Each event is stored before the events of its payment are read. So of a payment and its refund that arrive at the same
 * time, at least one sees the other, and every order of arrival has the same result.
 */
@Injectable()
export class PaymentInboxService {
  private readonly logger = new Logger('Payments');

  constructor(
    private readonly inbox: InboxEventsRepository,
    private readonly orders: OrdersService,
    private readonly settlement: OrderSettlementService,
    private readonly health: ProviderHealthService,
    private readonly audit: AuditService,
    private readonly transactions: Transactions,
  ) {}

  /** Stores and applies events that are proven to be the provider's, one after the other. Repeating them changes nothing. */
  async receive(shopId: string, provider: string, events: readonly ProviderEvent[]): Promise<EventResult[]> {
    const results: EventResult[] = [];
    for (const event of events) results.push(await this.receiveOne(shopId, provider, event));
    return results;
  }

  /**
   * Requires that an event that cannot be read names neither an order nor a known payment of the shop. Otherwise it may be about
   * money of the shop: then it must be rejected, so that staff see it and the provider repeats it.
   * @throws UnreadableEvent the event itself
   */
  async requireForeign(shopId: string, provider: string, event: UnreadableEvent): Promise<void> {
    const { orderId, paymentIds } = event;
    if (orderId !== null && (await this.orders.find(shopId, orderId, null)) !== null) throw event;
    for (const paymentId of paymentIds) {
      if ((await this.inbox.orderOf(shopId, provider, paymentId, null)) !== null) throw event;
    }
  }

  /** Stores that a request of a provider was rejected. @param problem what was wrong with it, in one sentence */
  reject(configuration: PaymentConfiguration, problem: string): Promise<void> {
    const { shopId, provider } = configuration;
    return this.transactions.run(
      async (transaction) => {
        await this.inbox.storeRejection(shopId, provider, problem, new Date(), transaction);
        await this.health.recordRejection(configuration, problem, transaction);
      },
      { oneAtATime: lockOn('rejections', shopId, provider) },
    );
  }

  /** What a provider has reported of a payment of an order; `paymentId` is that of the payment or of its checkout. */
  reportsOf(shopId: string, orderId: string, provider: string, paymentId: string): Promise<PaymentEventType[]> {
    return this.inbox.reportsOf(shopId, orderId, provider, paymentId);
  }

  /** The events of a shop, newest first. */
  list({ shopId }: Author, filter: InboxFilter, page: PageRequest): Promise<Page<InboxEntry>> {
    return this.inbox.list(shopId, filter, page);
  }

  /**
   * Applies an event again that failed or waits. An event whose state is final stays as it is.
   * @returns the event afterwards
   * @throws AppError payment_event_not_found
   */
  async replay(author: Author, id: string): Promise<InboxEntry> {
    const { shopId } = author;
    const before = orNotFound(await this.inbox.find(shopId, id, null), 'payment_event_not_found');
    if (!isFinal(before)) await this.apply(before);
    return this.transactions.run(async (transaction) => {
      const after = orNotFound(await this.inbox.find(shopId, id, transaction), 'payment_event_not_found');
      const changes = changesBetween({ state: before.state }, { state: after.state });
      await this.audit.record(author, { action: 'payment_event.replayed', subjectId: id, changes }, transaction);
      return after;
    });
  }

  private async receiveOne(shopId: string, provider: string, incoming: ProviderEvent): Promise<EventResult> {
    const { event, isNew } = await this.inbox.store(shopId, provider, incoming, new Date());
    const { state, problem } = isFinal(event) ? event : await this.apply(event);
    return { eventId: event.eventId, state, problem, duplicate: !isNew };
  }

  private async apply(event: InboxEntry): Promise<Outcome> {
    addLogIds({ shopId: event.shopId, orderId: event.orderId, eventId: event.id });
    try {
      const work = (transaction: Transaction): Promise<Outcome | 'more'> => this.applyIn(event, transaction);
      let outcome: Outcome | 'more';
      do outcome = await this.transactions.run(work, { oneAtATime: paymentRecordsOf(event) });
      while (outcome === 'more');
      if (outcome.state === 'failed')
        this.logger.warn('A payment names an order that the shop does not have', logContext(event));
      return outcome;
    } catch (error) {
      // Without the database the failure cannot be stored. The provider repeats the event.
      if (!isDatabaseUnavailable(error)) {
        this.logger.error('A payment event could not be applied', { ...logContext(event), ...describeError(error) });
        await this.transactions.run((transaction) => this.fail(event, 'internal_error', transaction));
      }
      throw error;
    }
  }

  /**
   * Applies an event to its order, and with it those of its payment that waited for an order. Refunds and disputes often name
   * only the payment, so they find their order through another event of the payment, or wait for one. Whichever event comes
   * last applies both. When many have waited, each transaction applies some of them, and only the last one the event itself:
   * if the process ends before, the provider's repetition of the event continues.
   * @returns the event afterwards, or `more` when another transaction must follow
   */
  private async applyIn(event: InboxEntry, transaction: Transaction): Promise<Outcome | 'more'> {
    const { id, shopId, provider, payment } = event;
    if (payment === null) return event;
    const orderId = event.orderId ?? (await this.inbox.orderOf(shopId, provider, payment.paymentId, transaction));
    if (orderId === null) return event;
    addLogIds({ orderId });
    const waiting = await this.inbox.waiting(event, payment.paymentId, MAX_AT_ONCE, transaction);
    const own = waiting.find((one) => one.id === id);
    const others = waiting.filter((one) => one !== own);
    const isLast = waiting.length < MAX_AT_ONCE;
    // It was applied since it was read.
    if (isLast && own === undefined) return (await this.inbox.find(shopId, id, transaction)) ?? event;
    let ownProblem: string | null = null;
    for (const one of isLast && own !== undefined ? [own, ...others] : others) {
      const paymentEvent = paymentEventOf(one, confirmationDaysOf(provider));
      const { outcome, problem } = await this.settlement.apply(shopId, orderId, paymentEvent, transaction);
      if (outcome === 'order_not_found') {
        const failed = own ?? event;
        await this.fail(failed, 'order_not_found', transaction);
        return { state: 'failed', problem: unappliedReason(failed, 'order_not_found') };
      }
      if (one === own) ownProblem = problem;
      await this.inbox.markProcessed(shopId, one.id, { orderId, problem }, new Date(), transaction);
    }
    return isLast ? { state: 'processed', problem: ownProblem } : 'more';
  }

  /** Records that an event could not be applied, and notifies the owners of the shop. */
  private async fail(event: InboxEvent, problem: UnappliedProblem, transaction: Transaction): Promise<void> {
    const { shopId, provider, id } = event;
    await this.inbox.markFailed(shopId, id, problem, new Date(), transaction);
    if (problem === 'order_not_found' && !(await this.isLost(event, transaction))) return;
    const trouble = { problem, reason: unappliedReason(event, problem) };
    await this.health.recordUnapplied(shopId, provider, trouble, transaction);
  }

  /**
   * Whether money arrived that belongs to no order. Several shops can have the same account at a provider, and each gets the events
   * of all: an order of another shop is nobody's problem. A repetition is no news.
   */
  private async isLost(event: InboxEvent, transaction: Transaction): Promise<boolean> {
    if (event.state === 'failed' || !isAboutMoney(event) || event.orderId === null) return false;
    return (await this.orders.findPublic(event.orderId, transaction)) === null;
  }
}

type Outcome = Pick<InboxEntry, 'state' | 'problem'>;

function logContext({ shopId, provider, eventId, orderId }: InboxEvent): Record<string, unknown> {
  return { shopId, provider, eventId, orderId };
}
