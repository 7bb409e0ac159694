import { Injectable } from '@nestjs/common';
import { AppError } from '../../domain/errors/app-error.js';
import { orNotFound } from '../../domain/errors/or-not-found.js';
import { requireValid } from '../../domain/errors/require-valid.js';
import { decimalToMinor, type MinorUnits } from '../../lib/money/money.js';
import { AppConfig } from '../../infrastructure/config/app-config.js';
import { type Order } from '../../orders/order/order.types.js';
import { OrdersService } from '../../orders/order/orders.service.js';
import { isPayable } from '../../orders/order/payability.js';
import { frontEndUrl } from '../../shops/shops/shop.mapper.js';
import { ShopsService } from '../../shops/shops/shops.service.js';
import { type ActiveAccount, PaymentAccountsService } from '../accounts/payment-accounts.service.js';
import { chargeProblem } from '../../domain/payments/charge-rules.js';
import { chargingOf } from '../providers/charging.js';
import { PaymentAttemptsService } from './payment-attempts.service.js';
import { type ReturnAddresses, returnProblems } from './payment-rules.js';
import { type OpenPayment } from './payment.types.js';

const NO_METHOD = 'The shop has no such payment method';

/** How a buyer wants to pay. */
export interface PaymentChoice extends ReturnAddresses {
  readonly provider: string;
  /** Whether the buyer wants to pay although the money of another payment is on its way. */
  readonly confirmSecondPayment?: boolean | undefined;
}

/** Payments by buyers: the payment methods of a shop, and the payment of an order at a provider. */
@Injectable()
export class PaymentsService {
  constructor(
    private readonly attempts: PaymentAttemptsService,
    private readonly accounts: PaymentAccountsService,
    private readonly orders: OrdersService,
    private readonly shops: ShopsService,
    private readonly config: AppConfig,
  ) {}

  /**
   * The providers with which a buyer can pay in a shop, as far as they can charge its currency and the amount.
   * @param amount a decimal string in major units; undefined: not known
   * @throws AppError shop_not_found, also for a closed shop; validation_failed for an amount with too many decimals
   */
  async methods(shopId: string, amount: string | undefined): Promise<ActiveAccount[]> {
    const { currency } = await this.shops.publicSettingsOf(shopId);
    const totalMinor = amount === undefined ? null : decimalToMinor(amount, currency);
    const isTooExact = amount !== undefined && totalMinor === null;
    requireValid(isTooExact ? [`amount has more decimals than ${currency} allows`] : []);
    return this.methodsOf(shopId, { totalMinor, currency });
  }

  /** The providers with which a buyer can pay an order, or with `totalMinor` null any order in a currency. */
  async methodsOf(
    shopId: string,
    { totalMinor, currency }: { readonly totalMinor: MinorUnits | null; readonly currency: string },
  ): Promise<ActiveAccount[]> {
    const accounts = await this.accounts.list(shopId);
    return accounts.filter(({ provider }) =>
      totalMinor === null
        ? provider.chargeRule(currency) !== null
        : chargeProblem(chargingOf(provider, currency), totalMinor, currency) === null,
    );
  }

  /**
   * Creates the payment of an order at a provider, or returns the one that the buyer can still make. The payment is stored before
   * it is requested from the provider. So when the provider does not respond, the next request repeats the same payment.
   * @throws AppError order_not_found, also for a wrong token; provider_not_found, validation_failed, order_not_payable,
   * amount_not_chargeable; payment_processing when a second payment is not confirmed; provider_unavailable when the provider did not create it
   */
  async create(orderId: string, accessToken: string | undefined, choice: PaymentChoice): Promise<OpenPayment> {
    const order = await this.orders.getByToken(orderId, accessToken);
    const shop = await this.shops.publicSettingsOf(order.shopId);
    const active = await this.accountOf(shop.id, choice.provider);
    const home = frontEndUrl(shop, this.config.platformDomain);
    const allowLoopback = this.config.environment !== 'production';
    requireValid(returnProblems(choice, { frontEndUrl: home, origins: shop.origins, allowLoopback }));
    const { successUrl = home, cancelUrl = home } = choice;
    return this.open(order, active, choice, { successUrl, cancelUrl });
  }

  /**
   * As `create`, for a caller who has proved in another way to be the buyer.
   * @param returnTo an address of the service or of the shop, where the provider sends the buyer
   * @throws AppError shop_not_found for a closed shop; and as `create`
   */
  async createFor(
    order: Order,
    choice: Omit<PaymentChoice, keyof ReturnAddresses>,
    returnTo: string,
  ): Promise<OpenPayment> {
    await this.shops.publicSettingsOf(order.shopId);
    const active = await this.accountOf(order.shopId, choice.provider);
    return this.open(order, active, choice, { successUrl: returnTo, cancelUrl: returnTo });
  }

  private async accountOf(shopId: string, provider: string): Promise<ActiveAccount> {
    return orNotFound(await this.accounts.find(shopId, provider), 'provider_not_found', NO_METHOD);
  }

  private open(
    order: Order,
    active: ActiveAccount,
    { confirmSecondPayment = false }: PaymentChoice,
    addresses: Required<ReturnAddresses>,
  ): Promise<OpenPayment> {
    if (!isPayable(order, new Date())) throw new AppError('order_not_payable');
    if (order.paymentStatus === 'processing' && !confirmSecondPayment) throw new AppError('payment_processing');
    const message = chargeProblem(chargingOf(active.provider, order.currency), order.totalMinor, order.currency);
    if (message !== null) throw new AppError('amount_not_chargeable', { message });
    return this.attempts.open(order, active, addresses);
  }
}
