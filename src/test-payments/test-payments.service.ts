import { Injectable } from '@nestjs/common';
import { standardSignature } from '../common/crypto/standard-webhooks.js';
import { AppError } from '../common/errors/app-error.js';
import { orNotFound } from '../common/errors/or-not-found.js';
import { toMajor } from '../common/money/money.js';
import { SECOND_MS } from '../common/time/durations.js';
import { type Order } from '../orders/order.types.js';
import { OrdersService } from '../orders/orders.service.js';
import { PaymentAccountsService } from '../payments/payment-accounts.service.js';
import { hasEnded } from '../payments/payment-rules.js';
import { type OpenPayment } from '../payments/payment.types.js';
import { PaymentsService } from '../payments/payments.service.js';
import { testProvider } from '../payments/providers/test.provider.js';
import { amountOf, possibleActions, TEST_ACTIONS, type TestAction } from './test-payment-rules.js';

const TIMEOUT_MS = 5 * SECOND_MS;

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
    private readonly payments: PaymentsService,
    private readonly accounts: PaymentAccountsService,
    private readonly orders: OrdersService,
  ) {}

  /** @throws AppError payment_not_found */
  async get(paymentId: string): Promise<TestPayment> {
    const payment = orNotFound(await this.payments.findByPaymentId(testProvider.name, paymentId), 'payment_not_found');
    const order = await this.orders.get(payment.shopId, payment.orderId, null);
    return { payment, order, actions: possibleActions(order, hasEnded(payment, order, new Date())) };
  }

  /**
   * Sends the signed webhook of an action to its address, as a provider does.
   * @returns the payment before the action
   * @throws AppError payment_not_found, provider_not_found when the shop has switched the provider off; state_conflict when the
   * action is not possible now; service_unavailable when the webhook was not accepted
   */
  async act(paymentId: string, action: TestAction): Promise<OpenPayment> {
    const { payment, order, actions } = await this.get(paymentId);
    const active = orNotFound(await this.accounts.find(payment.shopId, testProvider.name), 'provider_not_found');
    const webhook = orNotFound(
      active.account.webhookUrl,
      'provider_not_found',
      'The webhook address is unknown: rotate its secret once',
    );
    if (!actions.includes(action)) throw new AppError('state_conflict', { message: 'This is not possible now' });
    const { event } = TEST_ACTIONS[action];
    const body = JSON.stringify({
      type: event,
      orderId: order.id,
      paymentId,
      amount: toMajor(amountOf(action, order), order.currency),
      currency: order.currency,
      occurredAt: new Date().toISOString(),
    });
    // The same for two clicks on one button, so that they count once.
    const id = `${paymentId}-${action}-${order.payments.length}`;
    await send(webhook, { id, body, signingSecret: active.account.credentials['signingSecret'] ?? '' });
    return payment;
  }
}

async function send(
  webhook: string,
  { id, body, signingSecret }: { readonly id: string; readonly body: string; readonly signingSecret: string },
): Promise<void> {
  const timestamp = String(Math.floor(Date.now() / SECOND_MS));
  const signature = standardSignature({ id, timestamp, body }, signingSecret);
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
  const request = { method: 'POST', headers, body, signal: AbortSignal.timeout(TIMEOUT_MS) };
  const response = await fetch(webhook, request).catch((cause: unknown) => {
    throw new AppError('service_unavailable', { cause });
  });
  if (!response.ok) throw new AppError('service_unavailable', { cause: new Error(await response.text()) });
}
