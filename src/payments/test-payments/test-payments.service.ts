import { Injectable } from '@nestjs/common';
import { AppError } from '../../domain/errors/app-error.js';
import { orNotFound } from '../../domain/errors/or-not-found.js';
import { toMajor } from '../../lib/money/money.js';
import { type Order } from '../../orders/order/order.types.js';
import { OrdersService } from '../../orders/order/orders.service.js';
import { PaymentAccountsService } from '../accounts/payment-accounts.service.js';
import { type OpenPayment } from '../payments/payment.types.js';
import { PaymentAttemptsService } from '../payments/payment-attempts.service.js';
import { sendTestWebhook, testProvider } from '../providers/test/test.provider.js';
import { amountOf, disputeOf, possibleActions, TEST_ACTIONS, type TestAction } from './test-payment-rules.js';

/** A test payment as its page shows it. */
export interface TestPayment {
  readonly payment: OpenPayment;
  readonly order: Order;
  /** What can be done now. */
  readonly actions: readonly TestAction[];
}

/** The provider's side of the provider `test`: shows a payment, and sends the webhooks. */
@Injectable()
export class TestPaymentsService {
  constructor(
    private readonly payments: PaymentAttemptsService,
    private readonly accounts: PaymentAccountsService,
    private readonly orders: OrdersService,
  ) {}

  /** @throws AppError payment_not_found */
  async get(paymentId: string): Promise<TestPayment> {
    const payment = orNotFound(await this.payments.findByPaymentId(testProvider.name, paymentId), 'payment_not_found');
    const order = await this.orders.get(payment.shopId, payment.orderId, null);
    return { payment, order, actions: possibleActions(order, await this.payments.hasEnded(payment)) };
  }

  /**
   * Sends the signed webhook of an action to its address, as a provider does.
   * @returns the payment before the action
   * @throws AppError payment_not_found, provider_not_found when the shop has switched the provider off; state_conflict when the
   * action is not possible now; provider_unavailable when the webhook was not accepted
   */
  async act(paymentId: string, action: TestAction): Promise<OpenPayment> {
    const { payment, order, actions } = await this.get(paymentId);
    const active = orNotFound(await this.accounts.find(payment.shopId, testProvider.name), 'provider_not_found');
    if (!actions.includes(action)) throw new AppError('state_conflict', { message: 'This is not possible now' });
    // The same for two clicks on one button, so that they count once.
    const id = `${paymentId}-${action}-${order.payments.length}`;
    const disputeId = disputeOf(action, order, paymentId);
    await sendTestWebhook(active.account, id, {
      type: TEST_ACTIONS[action].event,
      orderId: order.id,
      paymentId,
      ...(disputeId === null ? {} : { disputeId }),
      amount: toMajor(amountOf(action, order), order.currency),
      currency: order.currency,
    });
    return payment;
  }
}
