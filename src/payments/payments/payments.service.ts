import { Injectable } from '@nestjs/common';
import { changesBetween } from '../../events/audit/audit-rules.js';
import { AuditService } from '../../events/audit/audit.service.js';
import { AppError } from '../../platform/errors/app-error.js';
import { orNotFound } from '../../platform/errors/or-not-found.js';
import { requireValid } from '../../platform/errors/require-valid.js';
import { MINUTE_MS } from '../../platform/time/durations.js';
import { AppConfig } from '../../platform/config/app-config.js';
import { Transactions } from '../../platform/database/transactions.js';
import { type Order } from '../../orders/order/order.types.js';
import { OrdersService } from '../../orders/order/orders.service.js';
import { isPayable } from '../../orders/order/payability.js';
import { frontEndUrl } from '../../shops/shops/shop.mapper.js';
import { ShopsService } from '../../shops/shops/shops.service.js';
import { type ActiveAccount, PaymentAccountsService } from '../accounts/payment-accounts.service.js';
import { hasEnded, isCreated, MAX_ATTEMPTS, type ReturnAddresses, returnProblems } from './payment-rules.js';
import { type OpenPayment, type Payment } from './payment.types.js';
import { PaymentsRepository } from './payments.repository.js';

/** Most buyers have paid by then, and the webhook has arrived. */
const FIRST_CHECK_MS = 10 * MINUTE_MS;
const NO_METHOD = 'The shop has no such payment method';

/** How a buyer wants to pay. */
export interface PaymentChoice extends ReturnAddresses {
  readonly provider: string;
}

/** Payments by buyers: the payment methods of a shop, and the payment of an order at a provider. */
@Injectable()
export class PaymentsService {
  constructor(
    private readonly payments: PaymentsRepository,
    private readonly accounts: PaymentAccountsService,
    private readonly orders: OrdersService,
    private readonly shops: ShopsService,
    private readonly audit: AuditService,
    private readonly transactions: Transactions,
    private readonly config: AppConfig,
  ) {}

  /** The providers with which a buyer can pay in a shop. @throws AppError shop_not_found, also for a closed shop */
  async methods(shopId: string): Promise<ActiveAccount[]> {
    await this.shops.publicSettingsOf(shopId);
    return this.accounts.list(shopId);
  }

  /**
   * Creates the payment of an order at a provider, or returns the one that the buyer can still make. The payment is stored before
   * it is requested from the provider. So when the provider does not respond, the next request repeats the same payment.
   * @throws AppError order_not_found, also for a wrong token; provider_not_found, validation_failed, order_not_payable;
   * provider_unavailable when the provider did not create it
   */
  async create(orderId: string, accessToken: string | undefined, choice: PaymentChoice): Promise<OpenPayment> {
    const order = await this.orders.getByToken(orderId, accessToken);
    const shop = await this.shops.publicSettingsOf(order.shopId);
    const active = await this.accountOf(shop.id, choice.provider);
    const home = frontEndUrl(shop, this.config.platformDomain);
    requireValid(returnProblems(choice, home));
    const { successUrl = home, cancelUrl = home } = choice;
    return this.open(order, active, { successUrl, cancelUrl });
  }

  /**
   * As `create`, for a caller who has proved in another way to be the buyer.
   * @param returnTo an address of the service or of the shop, where the provider sends the buyer
   * @throws AppError shop_not_found for a closed shop; and as `create`
   */
  async createFor(order: Order, provider: string, returnTo: string): Promise<OpenPayment> {
    await this.shops.publicSettingsOf(order.shopId);
    const active = await this.accountOf(order.shopId, provider);
    return this.open(order, active, { successUrl: returnTo, cancelUrl: returnTo });
  }

  private async accountOf(shopId: string, provider: string): Promise<ActiveAccount> {
    return orNotFound(await this.accounts.find(shopId, provider), 'provider_not_found', NO_METHOD);
  }

  private async open(order: Order, active: ActiveAccount, addresses: Required<ReturnAddresses>): Promise<OpenPayment> {
    const now = new Date();
    if (!isPayable(order, now)) throw new AppError('order_not_payable');
    const provider = active.provider.name;
    const latest = await this.payments.findLatest(order.shopId, order.id, provider);
    const payment =
      latest === null || hasEnded(latest, order, now)
        ? await this.begin(order, { ...addresses, provider }, (latest?.attempt ?? 0) + 1)
        : latest;
    return isCreated(payment) ? payment : this.createAt(active, payment);
  }

  /** The payment that a provider knows by this id, or null. */
  async findByPaymentId(provider: string, paymentId: string): Promise<OpenPayment | null> {
    const payment = await this.payments.findByPaymentId(provider, paymentId);
    return payment !== null && isCreated(payment) ? payment : null;
  }

  /** Stores the next attempt of an order. Of parallel requests, one stores it, and all return the same attempt. */
  private async begin(order: Order, choice: Required<PaymentChoice>, attempt: number): Promise<Payment> {
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

  private async createAt({ provider, account }: ActiveAccount, payment: Payment): Promise<OpenPayment> {
    const { id, shopId, orderExpiresAt: expiresAt } = payment;
    const created = await provider.create({ ...payment, expiresAt }, account);
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
