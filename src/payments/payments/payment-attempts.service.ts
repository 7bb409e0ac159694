import { Injectable } from '@nestjs/common';
import { changesBetween } from '../../events/audit/audit-rules.js';
import { AuditService } from '../../events/audit/audit.service.js';
import { AppError } from '../../domain/errors/app-error.js';
import { MINUTE_MS } from '../../lib/time/durations.js';
import { type Transaction, Transactions } from '../../infrastructure/database/transactions.js';
import { shownNumber } from '../../orders/order/order-rules.js';
import { type Order } from '../../orders/order/order.types.js';
import { type PaymentEventType } from '../../orders/order/payment-event.types.js';
import { type ActiveAccount } from '../accounts/payment-accounts.service.js';
import { ProviderHealthService } from '../accounts/provider-health.service.js';
import { PaymentInboxService } from '../inbox/payment-inbox.service.js';
import { hasEnded, isCreated, isUsed, MAX_ATTEMPTS, type ReturnAddresses } from './payment-rules.js';
import { type OpenPayment, type Payment } from './payment.types.js';
import { PaymentsRepository } from './payments.repository.js';

/** Most buyers have paid by then, and the webhook has arrived. */
const FIRST_CHECK_MS = 10 * MINUTE_MS;

/** The attempts to pay an order, each a payment at a provider. */
@Injectable()
export class PaymentAttemptsService {
  constructor(
    private readonly payments: PaymentsRepository,
    private readonly inbox: PaymentInboxService,
    private readonly health: ProviderHealthService,
    private readonly audit: AuditService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Returns the payment of an order at a provider with which its buyer can still pay, or creates one. It is stored before it is
   * requested from the provider. So when the provider does not respond, the next request repeats the same payment.
   * @throws AppError order_not_payable at the limit of attempts; provider_unavailable, provider_credentials_rejected, provider_refused when
   * the provider did not create it
   */
  async open(order: Order, active: ActiveAccount, addresses: Required<ReturnAddresses>): Promise<OpenPayment> {
    const provider = active.provider.name;
    const latest = await this.payments.findLatest(order.shopId, order.id, provider);
    const payment =
      latest === null || isUsed(latest, await this.reportsOf(latest), new Date())
        ? await this.begin(order, { ...addresses, provider }, (latest?.attempt ?? 0) + 1)
        : latest;
    return isCreated(payment) ? payment : this.createAt(active, payment, order);
  }

  /** All attempts to pay an order, with every provider. */
  listOf(shopId: string, orderId: string): Promise<Payment[]> {
    return this.payments.listOf(shopId, orderId);
  }

  /** Which of these orders have an attempt to pay, with any provider. */
  async startedOf(
    shopId: string,
    orderIds: readonly string[],
    transaction: Transaction | null,
  ): Promise<ReadonlySet<string>> {
    return new Set(orderIds.length === 0 ? [] : await this.payments.ordersWithAttempts(shopId, orderIds, transaction));
  }

  /** The payment that a provider knows by this id, or null. */
  async findByPaymentId(provider: string, paymentId: string): Promise<OpenPayment | null> {
    const payment = await this.payments.findByPaymentId(provider, paymentId);
    return payment !== null && isCreated(payment) ? payment : null;
  }

  /** Whether nothing can come of a payment any more. */
  async hasEnded(payment: OpenPayment): Promise<boolean> {
    return hasEnded(payment, await this.reportsOf(payment), new Date());
  }

  private async reportsOf({ shopId, orderId, provider, paymentId }: Payment): Promise<readonly PaymentEventType[]> {
    return paymentId === null ? [] : this.inbox.reportsOf(shopId, orderId, provider, paymentId);
  }

  /** Stores the next attempt of an order. Of parallel requests, one stores it, and all return the same attempt. */
  private async begin(
    order: Order,
    choice: Required<ReturnAddresses> & { readonly provider: string },
    attempt: number,
  ): Promise<Payment> {
    if (attempt > MAX_ATTEMPTS)
      throw new AppError('order_not_payable', {
        message: 'The order has reached the limit of payment attempts with this provider',
      });
    const { id: orderId, shopId, totalMinor: amountMinor, currency, expiresAt: orderExpiresAt } = order;
    const { provider, successUrl, cancelUrl } = choice;
    const key = { orderId, provider, attempt, createdAt: new Date(), orderExpiresAt };
    const values = { ...key, amountMinor, currency, successUrl, cancelUrl };
    try {
      return await this.transactions.run(async (transaction) => {
        const payment = await this.payments.insert(shopId, values, transaction);
        const write = {
          action: 'order.payment_started',
          subjectId: orderId,
          changes: changesBetween(null, { provider }),
        } as const;
        await this.audit.record({ shopId, principal: 'buyer' }, write, transaction);
        return payment;
      });
    } catch (error) {
      const isStored = error instanceof AppError && error.code === 'state_conflict';
      const stored = isStored ? await this.payments.findLatest(shopId, orderId, provider) : null;
      if (stored === null) throw error;
      return stored;
    }
  }

  private async createAt(active: ActiveAccount, payment: Payment, order: Order): Promise<OpenPayment> {
    const { provider, account } = active;
    const { id, shopId, orderExpiresAt: expiresAt } = payment;
    const created = await this.health.watch(active, 'payment', () =>
      provider.create({ ...payment, description: `Order ${shownNumber(order)}`, expiresAt }, account),
    );
    const dueAt = provider.fetch === undefined ? null : new Date(Date.now() + FIRST_CHECK_MS);
    const stored =
      (await this.transactions.run((transaction) =>
        this.payments.markCreated(shopId, id, { ...created, dueAt }, transaction),
      )) ?? (await this.payments.findLatest(shopId, payment.orderId, payment.provider));
    // A parallel request stored the same.
    if (stored === null || !isCreated(stored)) throw new AppError('state_conflict');
    return stored;
  }
}
