import { Injectable } from '@nestjs/common';
import { type NewShopEvent } from '../../events/shop-events/shop-event.types.js';
import { ShopEventsService } from '../../events/shop-events/shop-events.service.js';
import { type Transaction, Transactions } from '../../infrastructure/database/transactions.js';
import { OrderSettlementService } from '../../orders/settling/order-settlement.service.js';
import { failedRefundOf } from '../../orders/settling/settlement-events.js';
import { paymentRecordsOf } from '../inbox/inbox-rules.js';
import { failureReportOf, outsideReportOf } from './refund-rules.js';
import { NOT_CONFIRMED, type Refund } from './refund.types.js';
import { type RefundChange, RefundsRepository } from './refunds.repository.js';

/** Records what becomes of refunds, and publishes once what a person must know: a failure, or that nobody knows how a refund ends. */
@Injectable()
export class RefundOutcomesService {
  constructor(
    private readonly refunds: RefundsRepository,
    private readonly settlement: OrderSettlementService,
    private readonly events: ShopEventsService,
    private readonly transactions: Transactions,
  ) {}

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
      const isAbandoned = change.state === 'pending' && change.dueAt === null && stored?.dueAt !== null;
      if (isAbandoned) await this.events.record(shopId, [unconfirmedEventOf({ ...refund, ...change })], transaction);
    });
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

/** The event of a refund of which nobody knows whether the buyer gets it. */
function unconfirmedEventOf({ orderId, provider, paymentId, amountMinor, currency, refundId }: Refund): NewShopEvent {
  const details = { provider, paymentId, amountMinor, currency, refundId };
  return { type: 'refund.unconfirmed', subjectId: orderId, details };
}
