import { Injectable, Logger } from '@nestjs/common';
import { BackgroundJobs } from '../../infrastructure/jobs/background-jobs.js';
import { type Job } from '../../infrastructure/jobs/job.js';
import { nextAttemptAt } from '../../infrastructure/jobs/backoff.js';
import { describeError } from '../../infrastructure/logging/logger.js';
import { Transactions } from '../../infrastructure/database/transactions.js';
import { type Order } from '../../orders/order/order.types.js';
import { OrdersService } from '../../orders/order/orders.service.js';
import { awaitsPayment } from '../../orders/order/payability.js';
import { PaymentAccountsService } from '../accounts/payment-accounts.service.js';
import { ProviderHealthService } from '../accounts/provider-health.service.js';
import { PaymentInboxService } from '../inbox/payment-inbox.service.js';
import { hasOpenDispute, isCreated, isWatched, nextDisputeCheckAt } from './payment-rules.js';
import { type OpenPayment, type Payment } from './payment.types.js';
import { PaymentsRepository } from './payments.repository.js';
import { type ProviderEvent } from '../providers/provider.js';
import { confirmationDaysOf, disputeDaysOf } from '../providers/provider-registry.js';
import { workByProvider } from '../providers/work-by-provider.js';

/**
 * Queries providers about payments whose order stays unpaid, so that a lost webhook does not lose a sale. The response of a
 * provider goes through the inbox like its webhooks. Any number of processes can run it: each claims its own payments.
 */
@Injectable()
export class PaymentChecksService {
  private readonly logger = new Logger('Payments');
  private readonly job: Job;

  constructor(
    private readonly payments: PaymentsRepository,
    private readonly accounts: PaymentAccountsService,
    private readonly inbox: PaymentInboxService,
    private readonly health: ProviderHealthService,
    private readonly orders: OrdersService,
    private readonly transactions: Transactions,
    jobs: BackgroundJobs,
  ) {
    this.job = jobs.add('payments', () => this.round());
  }

  /**
   * Queries a provider about all payments that it created for an order, and applies what it reports.
   * @returns what it reports; nothing of a payment that the shop created itself, or when the provider cannot be queried
   * @throws AppError provider_credentials_rejected, provider_unavailable
   */
  async refresh(shopId: string, orderId: string, provider: string): Promise<ProviderEvent[]> {
    const events: ProviderEvent[] = [];
    for (const payment of await this.payments.listCreated(shopId, orderId, provider)) {
      if (isCreated(payment)) events.push(...(await this.query(payment)));
    }
    return events;
  }

  private round(): Promise<void> {
    return workByProvider(this.job, {
      hasDue: (providers, now) => this.payments.hasDue(providers, now),
      claim: (provider, now, leaseUntil, limit) =>
        this.transactions.run((transaction) => this.payments.claimDue(provider, now, leaseUntil, limit, transaction)),
      idsOf: ({ shopId, orderId, id }) => ({ shopId, orderId, paymentId: id }),
      work: (payment) => this.check(payment),
      onFailure: (payment, error) => this.postpone(payment, error),
    });
  }

  private async check(payment: Payment): Promise<void> {
    const now = new Date();
    const order = await this.orders.get(payment.shopId, payment.orderId, null);
    await this.schedule(payment, isCreated(payment) ? await this.checkCreated(payment, order, now) : null);
  }

  /** @returns when the provider is queried again; null: never */
  private async checkCreated(payment: OpenPayment, order: Order, now: Date): Promise<Date | null> {
    const { provider } = payment;
    if (awaitsPayment(order)) {
      const events = await this.query(payment);
      const isOpen = isWatched(payment, events, now, confirmationDaysOf(provider));
      return isOpen ? nextAttemptAt(payment.checks, now) : null;
    }
    const disputeDays = disputeDaysOf(provider);
    if (disputeDays === null || !hasOpenDispute(payment, order)) return null;
    return nextDisputeCheckAt(await this.query(payment), disputeDays, now);
  }

  private async query(payment: OpenPayment): Promise<readonly ProviderEvent[]> {
    const { shopId, provider } = payment;
    const active = await this.accounts.findReporting(shopId, provider);
    const fetch = active?.provider.fetch?.bind(active.provider);
    if (active === null || fetch === undefined) return [];
    const events = await this.health.watch(active, 'query', () => fetch(payment, active.account));
    await this.inbox.receive(shopId, provider, events);
    return events;
  }

  /** Never rejects: a payment that cannot be postponed stays claimed, and is claimed again later. */
  private async postpone(payment: Payment, error: unknown): Promise<void> {
    this.logger.warn(`The provider could not be queried about payment ${payment.id}`, describeError(error));
    await this.schedule(payment, nextAttemptAt(payment.checks, new Date())).catch((failure: unknown) => {
      this.logger.warn(`Payment ${payment.id} could not be postponed`, describeError(failure));
    });
  }

  private schedule({ shopId, id }: Payment, dueAt: Date | null): Promise<void> {
    return this.transactions.run((transaction) => this.payments.schedule(shopId, id, dueAt, transaction));
  }
}
