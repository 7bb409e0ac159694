import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type NewShopEvent, type ShopEvent } from '../../events/shop-events/shop-event.types.js';
import { ShopEventSubscribers } from '../../events/shop-events/shop-event-subscribers.js';
import { ShopEventsService } from '../../events/shop-events/shop-events.service.js';
import { type Transaction, Transactions } from '../../infrastructure/database/transactions.js';
import { OrdersService } from '../../orders/order/orders.service.js';
import { ItemRefundsService } from '../../orders/settling/item-refunds.service.js';
import { OrderSettlementService } from '../../orders/settling/order-settlement.service.js';
import { failedRefundOf } from '../../orders/settling/settlement-events.js';
import { paymentRecordsOf } from '../inbox/inbox-rules.js';
import { failureReportOf, outsideReportOf, withOutcome } from './refund-rules.js';
import { NOT_CONFIRMED, type Refund } from './refund.types.js';
import { type RefundChange, RefundsRepository } from './refunds.repository.js';

/** Records what becomes of refunds, and publishes once what a person must know: a failure, or that nobody knows how a refund ends. */
@Injectable()
export class RefundOutcomesService implements OnModuleInit {
  constructor(
    private readonly refunds: RefundsRepository,
    private readonly orders: OrdersService,
    private readonly settlement: OrderSettlementService,
    private readonly itemRefunds: ItemRefundsService,
    private readonly events: ShopEventsService,
    private readonly subscribers: ShopEventSubscribers,
    private readonly transactions: Transactions,
  ) {}

  onModuleInit(): void {
    this.subscribers.registerEach('refunds', ['refund.failed'], (event, transaction) =>
      this.recordFailures(event, transaction),
    );
  }

  /**
   * Records the response of the provider to a refund, or that the service gives the refund up.
   * @returns the refund afterwards: in a later state if a parallel request has recorded one
   */
  record(refund: Refund, change: RefundChange): Promise<Refund> {
    const { shopId, id } = refund;
    const work = async (transaction: Transaction): Promise<Refund> => {
      const stored = (await this.refunds.find(shopId, id, transaction)) ?? refund;
      if (!(await this.refunds.change(shopId, id, change, transaction))) return stored;
      const changed = { ...refund, ...change };
      if (changed.state === stored.state) return changed;
      await this.followItems(stored, changed, transaction);
      if (changed.state === 'failed') await this.publishFailure(changed, transaction);
      if (changed.state === 'succeeded') await this.reportOutside(changed, transaction);
      return changed;
    };
    const { provider, orderId, paymentId } = refund;
    return this.transactions.run(work, {
      oneAtATime: paymentRecordsOf({ shopId, provider, orderId, payment: { paymentId } }),
    });
  }

  /**
   * Records what is known of a refund that the provider has. When the service stops checking one that is still pending, a person must
   * find out how it ends.
   */
  update(refund: Refund, change: RefundChange): Promise<void> {
    const { shopId, id } = refund;
    return this.transactions.run(async (transaction) => {
      const stored = await this.refunds.find(shopId, id, transaction);
      if (!(await this.refunds.change(shopId, id, change, transaction))) return;
      if (stored !== null) await this.followItems(stored, { ...refund, ...change }, transaction);
      const isAbandoned = change.state === 'pending' && change.dueAt === null && stored?.dueAt !== null;
      if (isAbandoned) await this.events.record(shopId, [unconfirmedEventOf({ ...refund, ...change })], transaction);
    });
  }

  /** Stores that refunds have failed of which only an event of their order says so, days after they had succeeded. */
  private async recordFailures(
    { shopId, subjectId: orderId }: Pick<ShopEvent, 'shopId' | 'subjectId'>,
    transaction: Transaction,
  ): Promise<void> {
    const named = (await this.refunds.list(shopId, orderId, transaction)).filter(({ items }) => items !== undefined);
    const order = named.length === 0 ? null : await this.orders.find(shopId, orderId, transaction);
    if (order === null) return;
    for (const refund of named) {
      const { state, refundId, failure } = withOutcome(refund, order);
      if (state !== 'failed' || refund.state === 'failed') continue;
      await this.refunds.change(shopId, refund.id, { state, refundId, failure, dueAt: null }, transaction);
      await this.followItems(refund, { ...refund, state }, transaction);
    }
  }

  /** Takes back what a refund names as soon as the provider has accepted it, and gives it again when the refund fails after that. */
  private async followItems(before: Refund, after: Refund, transaction: Transaction): Promise<void> {
    const { shopId, orderId, principal, items = [], takeBack = false } = after;
    if (items.length === 0 || before.state === after.state) return;
    const author = { shopId, principal };
    const positions = items.map(({ position }) => position);
    if (after.state === 'failed') {
      await this.itemRefunds.remove(await this.orders.get(shopId, orderId, transaction), items, transaction);
      const others = await this.refunds.list(shopId, orderId, transaction);
      const kept = new Set(
        others.filter(takesBack).flatMap((other) => (other.items ?? []).map((item) => item.position)),
      );
      const given = positions.filter((position) => !kept.has(position));
      await this.itemRefunds.setTakenBack(author, orderId, given, false, transaction);
    } else if (before.state === 'requested' && takeBack) {
      await this.itemRefunds.setTakenBack(author, orderId, positions, true, transaction);
    }
  }

  /** A refund of a payment that no provider has: nobody else reports it. */
  private async reportOutside(refund: Refund, transaction: Transaction): Promise<void> {
    const report = outsideReportOf(refund, new Date());
    if (report !== null) await this.settlement.apply(refund.shopId, refund.orderId, report, transaction);
  }

  /**
   * A provider that has a refund reports its failure by webhooks too, before or after the response. So the response becomes an event
   * of the order like them, and the order publishes the first of all. What the provider never made, no webhook reports.
   */
  private async publishFailure(refund: Refund, transaction: Transaction): Promise<void> {
    const { shopId, orderId } = refund;
    const report = failureReportOf(refund, new Date());
    if (report !== null) await this.settlement.apply(shopId, orderId, report, transaction);
    else {
      const { failure } = refund;
      const event = failure === NOT_CONFIRMED ? unconfirmedEventOf(refund) : failedRefundOf(orderId, refund, failure);
      await this.events.record(shopId, [event], transaction);
    }
  }
}

/** Whether what a refund names is taken back because of it. */
const takesBack = ({ state, takeBack }: Refund): boolean =>
  takeBack === true && (state === 'pending' || state === 'succeeded');

/** The event of a refund of which nobody knows whether the buyer gets it. */
function unconfirmedEventOf({ orderId, provider, paymentId, amountMinor, currency, refundId }: Refund): NewShopEvent {
  const details = { provider, paymentId, amountMinor, currency, refundId };
  return { type: 'refund.unconfirmed', subjectId: orderId, details };
}
