import { Injectable, Logger } from '@nestjs/common';
import { changesBetween } from '../../events/audit/audit-rules.js';
import { AuditService, type Author } from '../../events/audit/audit.service.js';
import { type NewShopEvent } from '../../events/shop-events/shop-event.types.js';
import { ShopEventsService } from '../../events/shop-events/shop-events.service.js';
import { AppError } from '../../platform/errors/app-error.js';
import { requireValid } from '../../platform/errors/require-valid.js';
import { nextAttemptAt } from '../../platform/jobs/backoff.js';
import { amountProblems, checkedMinor, formatAmount, type MinorUnits } from '../../platform/money/money.js';
import { MINUTE_MS } from '../../platform/time/durations.js';
import { type Transaction, Transactions } from '../../platform/database/transactions.js';
import { type Creation } from '../../platform/idempotency/creation.js';
import { type Order } from '../../orders/order/order.types.js';
import { OrdersService } from '../../orders/order/orders.service.js';
import { paymentRecordsOf } from '../inbox/inbox-rules.js';
import { PaymentAccountsService } from '../accounts/payment-accounts.service.js';
import { ProviderHealthService } from '../accounts/provider-health.service.js';
import { knownProvider } from '../providers/provider-registry.js';
import { type NewRefund, type StartedRefund } from '../providers/provider.js';
import {
  requestUntil,
  choosePayment,
  type RefundablePayment,
  refundablePayments,
  refundProblem,
  stateOf,
} from './refund-rules.js';
import { NOT_CONFIRMED, type Refund, type RefundRequest } from './refund.types.js';
import { type RefundChange, RefundsRepository } from './refunds.repository.js';

/** Longer than the deadline of a request. When the process dies in between, the refund is requested again after this time. */
const FIRST_CHECK_MS = MINUTE_MS;

/** Sends a refund to the provider of its payment. */
type RequestRefund = (refund: NewRefund) => Promise<StartedRefund>;

/**
 * Refunds by staff. A refund is stored, and its amount is reserved, before it is requested from the provider. So parallel refunds
 * never exceed a payment, and a refund whose response was lost is requested again with the same id. The events of the provider
 * decide what the buyer got back: they change the order, like any payment event.
 */
@Injectable()
export class RefundsService {
  private readonly logger = new Logger('Refunds');

  constructor(
    private readonly refunds: RefundsRepository,
    private readonly orders: OrdersService,
    private readonly accounts: PaymentAccountsService,
    private readonly health: ProviderHealthService,
    private readonly audit: AuditService,
    private readonly events: ShopEventsService,
    private readonly transactions: Transactions,
  ) {}

  /** The refunds of an order, oldest first. @throws AppError order_not_found */
  async list(shopId: string, orderId: string): Promise<Refund[]> {
    const order = await this.orders.get(shopId, orderId, null);
    const refunds = await this.refunds.list(shopId, orderId, null);
    return refunds.map((refund) => ({ ...refund, state: stateOf(refund, order) }));
  }

  /**
   * Gives back a part of a payment, or all that is left of it.
   * @param creation a repetition with the same id is the same refund
   * @throws AppError order_not_found, validation_failed; not_refundable when less is left, or when the provider rejects it;
   * provider_unavailable when the provider does not respond: the refund is stored then, and requested again later
   */
  async create(author: Author, { id, isRepeated }: Creation, orderId: string, request: RefundRequest): Promise<Refund> {
    const { shopId } = author;
    const stored = isRepeated ? await this.refunds.find(shopId, id, null) : null;
    const refund = stored ?? (await this.begin(author, id, orderId, request));
    const sent = refund.state === 'requested' ? await this.requestOrGiveUp(refund) : refund;
    if (sent.state === 'failed') throw notRefundable(failureOf(sent));
    return { ...sent, state: stateOf(sent, await this.orders.get(shopId, orderId, null)) };
  }

  /**
   * Requests a stored refund from the provider, or gives it up when the provider may have forgotten an earlier request: it could
   * pay twice then. A repeated request of staff can come hours later.
   * @returns the refund afterwards
   * @throws AppError as `send`
   */
  async requestOrGiveUp(refund: Refund): Promise<Refund> {
    if (new Date() < requestUntil(refund)) return this.send(refund);
    const { id, orderId } = refund;
    const recorded = await this.record(refund, {
      state: 'failed',
      refundId: null,
      failure: NOT_CONFIRMED,
      dueAt: null,
    });
    if (recorded.failure === NOT_CONFIRMED) {
      this.logger.error(`The provider never confirmed refund ${id} of order ${orderId}: check its dashboard`);
    }
    return recorded;
  }

  /**
   * Requests a stored refund from the provider and stores the response.
   * @returns the refund afterwards
   * @throws AppError provider_unavailable; not_refundable when the shop has switched the provider off
   */
  private async send(refund: Refund): Promise<Refund> {
    const requestRefund = await this.requireProvider(refund.shopId, refund.provider);
    const { refundId, state, failure } = await requestRefund(refund);
    const dueAt = state === 'failed' ? null : nextAttemptAt(1, new Date());
    return this.record(refund, { refundId, state, failure, dueAt });
  }

  private record(refund: Refund, change: RefundChange): Promise<Refund> {
    const { shopId, id } = refund;
    return this.transactions.run(async (transaction) => {
      const stored = (await this.refunds.find(shopId, id, transaction)) ?? refund;
      // Otherwise a parallel request has recorded a later state.
      if (!(await this.refunds.change(shopId, id, change, transaction))) return stored;
      const changed = { ...refund, ...change };
      const isNew = changed.state === 'failed' && stored.state !== 'failed';
      if (isNew) await this.events.record(shopId, [failedEventOf(changed)], transaction);
      return changed;
    });
  }

  /** Stores a refund if enough of the payment is left. */
  private async begin(author: Author, id: string, orderId: string, request: RefundRequest): Promise<Refund> {
    const { shopId } = author;
    const order = await this.orders.get(shopId, orderId, null);
    const { provider, paymentId } = this.choose(
      order,
      await this.refunds.list(shopId, orderId, null),
      request.paymentId,
    );
    await this.requireProvider(shopId, provider);
    const work = (transaction: Transaction): Promise<Refund> =>
      this.reserve(author, id, orderId, { ...request, paymentId }, transaction);
    const oneAtATime = paymentRecordsOf({ shopId, provider, orderId, payment: { paymentId } });
    return this.transactions.run(work, { oneAtATime });
  }

  private async reserve(
    author: Author,
    id: string,
    orderId: string,
    request: RefundRequest,
    transaction: Transaction,
  ): Promise<Refund> {
    const { shopId, principal } = author;
    const order = await this.orders.get(shopId, orderId, transaction);
    const earlier = await this.refunds.list(shopId, orderId, transaction);
    const payment = this.choose(order, earlier, request.paymentId);
    const { provider, paymentId, currency } = payment;
    const amountMinor = amountOf(request, payment);
    const problem = refundProblem(payment, amountMinor, earlier.length);
    if (problem !== null) throw notRefundable(problem);
    const now = new Date();
    const { reason } = request;
    const values = { orderId, provider, paymentId, amountMinor, currency, reason, principal, createdAt: now };
    const state = { state: 'requested', refundId: null, failure: null, checks: 0 } as const;
    const dueAt = new Date(now.getTime() + FIRST_CHECK_MS);
    const refund = await this.refunds.insert(shopId, { id, ...values, ...state, dueAt }, transaction);
    const amount = formatAmount(amountMinor, currency);
    const entry = { at: now, actor: principal, action: 'refund_requested', detail: `${amount}: ${reason}` };
    await this.orders.addHistory(shopId, orderId, entry, transaction);
    const changes = changesBetween(null, { amount, provider, paymentId, reason });
    await this.audit.record(author, { action: 'order.refund_requested', subjectId: orderId, changes }, transaction);
    return refund;
  }

  private choose(
    order: Pick<Order, 'payments'>,
    refunds: readonly Refund[],
    paymentId: string | undefined,
  ): RefundablePayment {
    const payment = choosePayment(refundablePayments(order, refunds), paymentId);
    if (typeof payment === 'string') throw notRefundable(payment);
    return payment;
  }

  /** @throws AppError not_refundable when the provider cannot give money back, or is switched off */
  private async requireProvider(shopId: string, provider: string): Promise<RequestRefund> {
    const active = await this.accounts.find(shopId, provider);
    const known = active?.provider ?? knownProvider(provider);
    const send = known?.refund?.bind(known);
    if (send === undefined) {
      throw notRefundable(
        `The provider ${provider} does not accept refunds from this service; refund the payment at the provider`,
      );
    }
    if (active === null)
      throw notRefundable(
        `The shop cannot use the provider ${provider} now: it is switched off, or credentials are missing that its check names`,
      );
    const { account, configuration } = active;
    return (refund) => this.health.watch(configuration, () => send(refund, account));
  }
}

/** @throws AppError validation_failed when the amount has more decimals than the currency */
function amountOf({ amount }: RefundRequest, { leftMinor, currency }: RefundablePayment): MinorUnits {
  if (amount === undefined) return leftMinor;
  requireValid(amountProblems({ amount }, currency));
  return checkedMinor(amount, currency);
}

/** The event of a refund that the provider did not make. One that fails later is an event of the provider, which publishes it. */
function failedEventOf({ orderId, provider, paymentId, amountMinor, currency, failure }: Refund): NewShopEvent {
  const details = { provider, paymentId, amountMinor, currency, reason: failure };
  return { type: 'refund.failed', subjectId: orderId, details };
}

/** Why a refund failed, in one sentence. */
function failureOf({ failure }: Refund): string {
  return failure === NOT_CONFIRMED
    ? 'The provider never confirmed the refund: check its dashboard before you request another one'
    : `The provider did not make the refund: ${failure ?? 'no reason given'}`;
}

function notRefundable(message: string): AppError {
  return new AppError('not_refundable', { message });
}
