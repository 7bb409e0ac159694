import { Injectable } from '@nestjs/common';
import { changesBetween } from '../../events/audit/audit-rules.js';
import { AuditService, type Author } from '../../events/audit/audit.service.js';
import { AppError } from '../../domain/errors/app-error.js';
import { UpgradesService } from '../../orders/entitlements/upgrades.service.js';
import { requireValid } from '../../domain/errors/require-valid.js';
import { amountProblems, checkedMinor, formatAmount, type MinorUnits } from '../../lib/money/money.js';
import { MINUTE_MS } from '../../lib/time/durations.js';
import { type Transaction, Transactions } from '../../infrastructure/database/transactions.js';
import { type Creation } from '../../infrastructure/idempotency/creation.js';
import { type Order } from '../../orders/order/order.types.js';
import { OrdersService } from '../../orders/order/orders.service.js';
import { ItemRefundsService } from '../../orders/settling/item-refunds.service.js';
import { paymentRecordsOf } from '../inbox/inbox-rules.js';
import { notRefundable } from './not-refundable.js';
import {
  choosePayment,
  type RefundablePayment,
  refundablePayments,
  refundProblem,
  withOutcome,
} from './refund-rules.js';
import { itemProblems, itemsProblem, leftOf, partsOf, sum } from './refund-items.js';
import { NOT_CONFIRMED, type Refund, type RefundedItem, type RefundRequest } from './refund.types.js';
import { RefundRequestsService } from './refund-requests.service.js';
import { RefundsRepository } from './refunds.repository.js';

/** Longer than the deadline of a request. When the process dies in between, the refund is requested again after this time. */
const FIRST_CHECK_MS = MINUTE_MS;

/**
 * Refunds by staff. A refund is stored, and its amount is reserved, before it is requested from the provider. So parallel refunds
 * never exceed a payment, and a refund whose response was lost is requested again with the same id. The events of the provider
 * decide what the buyer got back: they change the order, like any payment event.
 */
@Injectable()
export class RefundsService {
  constructor(
    private readonly refunds: RefundsRepository,
    private readonly orders: OrdersService,
    private readonly requests: RefundRequestsService,
    private readonly upgrades: UpgradesService,
    private readonly itemRefunds: ItemRefundsService,
    private readonly audit: AuditService,
    private readonly transactions: Transactions,
  ) {}

  /** The refunds of an order, oldest first. @throws AppError order_not_found */
  async list(shopId: string, orderId: string): Promise<Refund[]> {
    const order = await this.orders.get(shopId, orderId, null);
    const refunds = await this.refunds.list(shopId, orderId, null);
    return refunds.map((refund) => withOutcome(refund, order));
  }

  /**
   * Gives back a part of a payment, or all that is left of it.
   * @param creation a repetition with the same id is the same refund
   * @throws AppError order_not_found, validation_failed, refund_has_upgrade; not_refundable when less is left, or when the provider rejects it;
   * provider_unavailable when the provider does not respond: the refund is stored then, and requested again later
   */
  async create(author: Author, { id, isRepeated }: Creation, orderId: string, request: RefundRequest): Promise<Refund> {
    const { shopId } = author;
    const stored = isRepeated ? await this.refunds.find(shopId, id, null) : null;
    const sent =
      stored === null
        ? await this.requests.request(await this.begin(author, id, orderId, request))
        : await this.repeat(stored);
    if (sent.state === 'failed') throw notRefundable(failureOf(sent));
    return withOutcome(sent, await this.orders.get(shopId, orderId, null));
  }

  private repeat(refund: Refund): Promise<Refund> {
    return refund.state === 'requested' ? this.requests.requestOrGiveUp(refund) : Promise.resolve(refund);
  }

  /** Stores a refund if enough of the payment is left. */
  private async begin(author: Author, id: string, orderId: string, request: RefundRequest): Promise<Refund> {
    const { shopId } = author;
    const order = await this.orders.get(shopId, orderId, null);
    requireValid(itemProblems(order, request));
    if (request.force !== true) await this.requireNoUpgrade(shopId, orderId);
    const { provider, paymentId } = this.choose(
      order,
      await this.refunds.list(shopId, orderId, null),
      request.paymentId,
    );
    await this.requests.requireProvider(shopId, provider);
    const work = (transaction: Transaction): Promise<Refund> =>
      this.reserve(author, id, orderId, { ...request, paymentId }, transaction);
    const oneAtATime = paymentRecordsOf({ shopId, provider, orderId, payment: { paymentId } });
    return this.transactions.run(work, { oneAtATime });
  }

  /** @throws AppError refund_has_upgrade when another order has replaced what this one gave */
  private async requireNoUpgrade(shopId: string, orderId: string): Promise<void> {
    const uppers = await this.upgrades.uppersOf(shopId, orderId, null);
    if (uppers.length === 0) return;
    const message = `Order ${uppers.join(', ')} has replaced what this order gave, for the difference: refund that one first, or send force`;
    throw new AppError('refund_has_upgrade', { message });
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
    const { amountMinor, items } = partsFor(order, earlier, payment, request);
    const problem = refundProblem(payment, amountMinor, earlier.length);
    if (problem !== null) throw notRefundable(problem);
    const now = new Date();
    const { reason, takeBack = false } = request;
    const named = items.length === 0 ? {} : { items, takeBack };
    const values = { orderId, provider, paymentId, amountMinor, currency, ...named, reason, principal, createdAt: now };
    const state = { state: 'requested', refundId: null, failure: null, checks: 0 } as const;
    const dueAt = new Date(now.getTime() + FIRST_CHECK_MS);
    const refund = await this.refunds.insert(shopId, { id, ...values, ...state, dueAt }, transaction);
    const amount = formatAmount(amountMinor, currency);
    const names = items.flatMap(({ position }) => order.items[position]?.name ?? []);
    const detail = [amount, ...itemNames(names), reason].join(': ');
    const entry = { at: now, actor: principal, action: 'refund_requested', detail };
    await this.orders.addHistory(shopId, orderId, entry, transaction);
    await this.itemRefunds.add(order, items, transaction);
    const about = items.length === 0 ? {} : { items: names, takeBack };
    const changes = changesBetween(null, { amount, provider, paymentId, ...about, reason });
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
}

/**
 * The amount of a refund, and its part of each item that it names.
 * @throws AppError validation_failed when the amount has more decimals than the currency; not_refundable when less of the items is left
 */
function partsFor(
  order: Order,
  earlier: readonly Refund[],
  { leftMinor, currency }: RefundablePayment,
  { amount, items: productIds = [] }: RefundRequest,
): { readonly amountMinor: MinorUnits; readonly items: readonly RefundedItem[] } {
  requireValid(amountProblems({ amount: amount ?? null }, currency));
  const wanted = amount === undefined ? undefined : checkedMinor(amount, currency);
  if (productIds.length === 0) return { amountMinor: wanted ?? leftMinor, items: [] };
  const left = leftOf(order, earlier, productIds);
  const amountMinor = wanted ?? sum(left);
  const problem = itemsProblem(left, amountMinor, currency);
  if (problem !== null) throw notRefundable(problem);
  return { amountMinor, items: partsOf(left, amountMinor) };
}

/** The most items that the history of an order names in one line. */
const MAX_NAMES = 5;

const itemNames = (names: readonly string[]): string[] => {
  if (names.length > MAX_NAMES) return [`${names.length} products`];
  return names.length === 0 ? [] : [names.join(', ')];
};

/** Why a refund failed, in one sentence. */
function failureOf({ failure }: Refund): string {
  return failure === NOT_CONFIRMED
    ? 'The provider never confirmed the refund: check its dashboard before you request another one'
    : `The provider did not make the refund: ${failure ?? 'no reason given'}`;
}
