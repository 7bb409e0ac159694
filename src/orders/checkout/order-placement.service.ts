import { Injectable } from '@nestjs/common';
import { AuditService } from '../../events/audit/audit.service.js';
import { type BuyerKeys } from '../../domain/buyers/buyer-keys.js';
import { type LockName } from '../../domain/limits/lock-names.js';
import { type PaymentMethod, unpayableProblem } from '../../domain/payments/charge-rules.js';
import { formatAmount, type MinorUnits } from '../../lib/money/money.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { netOf, withCode } from '../../catalogue/pricing/price-basket.js';
import { limitsBuyers } from '../../catalogue/discounts/discount-rules.js';
import { type Validation } from '../../catalogue/discounts/discount.types.js';
import { locksOnBuyer, QuotasService } from '../../infrastructure/quotas/quotas.service.js';
import { RedemptionsService } from '../reservations/redemptions.service.js';
import { BuyerChecksService } from './buyer-checks.service.js';
import { DeliveryStatusService } from '../fulfilment/delivery-status.service.js';
import { OrdersService } from '../order/orders.service.js';
import { type OrderProblem, type PriceCause, requireNoProblem } from '../order/order-problem.js';
import { type OrderLimit } from '../reservations/order-limits.js';
import { ReservationsService } from '../reservations/reservations.service.js';
import {
  type NewOrder,
  type OpenOrderSlot,
  type Order,
  type OrderItem,
  type UnnumberedOrder,
} from '../order/order.types.js';

/** A priced order that is checked before it is placed. */
export interface PricedOrder extends Pick<
  NewOrder,
  'id' | 'items' | 'serverId' | 'subtotalMinor' | 'currency' | 'createdAt'
> {
  /** null when the buyer is not known: then what depends on the buyer is not checked. */
  readonly buyer: BuyerKeys | null;
  /** The address of the buyer; null when it is unknown, because a storefront's server sent the order. */
  readonly address: string | null;
  readonly discountCode: string | undefined;
  /** The limits of its products. */
  readonly limits: readonly OrderLimit[];
  /** The products that are reduced. */
  readonly reducedIds: readonly string[];
  /** What the shop can be paid with. */
  readonly methods: readonly PaymentMethod[];
  /** The most that the order may cost; null: whatever it costs. */
  readonly expectedMinor: MinorUnits | null;
  /** Whether a sale that has just ended made it cheaper. */
  readonly saleEnded: boolean;
}

/** How a buyer checks out. */
export type CheckoutConditions = Pick<
  PricedOrder,
  'discountCode' | 'address' | 'limits' | 'reducedIds' | 'methods' | 'expectedMinor' | 'saleEnded'
>;

/** Whether a priced order can be placed now, and for how much. */
export interface Assessment {
  /** With their parts in the discount. */
  readonly items: readonly OrderItem[];
  /** null without a code. */
  readonly discount: Validation | null;
  readonly totalMinor: MinorUnits;
  readonly slots: readonly OpenOrderSlot[];
  readonly problems: readonly OrderProblem[];
}

/**
 * Stores a priced order together with what it holds and, when there is nothing to pay, its deliveries.
 */
@Injectable()
export class OrderPlacementService {
  constructor(
    private readonly orders: OrdersService,
    private readonly reservations: ReservationsService,
    private readonly redemptions: RedemptionsService,
    private readonly deliveryStatus: DeliveryStatusService,
    private readonly buyers: BuyerChecksService,
    private readonly quotas: QuotasService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Checks everything that can change between two orders: bans, the stock, the code and the limits of the buyer. A quote and
   * `place` both use it.
   * @param transaction in which the order is placed; null for a quote, which places no order
   */
  async assess(shopId: string, priced: PricedOrder, transaction: Transaction | null): Promise<Assessment> {
    const { id, items, reducedIds, serverId, subtotalMinor, currency, createdAt: now, discountCode: code } = priced;
    const shortages = await this.reservations.problems(shopId, priced, transaction);
    const { buyer: keys } = priced;
    const buyer = keys && { ...keys, hasPaidBefore: () => this.buyers.hasPaid(shopId, keys, id, transaction) };
    const request = { items, reducedIds, serverId, currency, now, buyer };
    const check = code === undefined ? null : await this.redemptions.check(shopId, { ...request, code }, transaction);
    const discounted = withCode(items, check?.reasons.length === 0 ? check.discount : null, reducedIds);
    const totalMinor = netOf(discounted);
    const discount = check && { ...check, discountMinor: subtotalMinor - totalMinor };
    const reasons = (check?.reasons ?? []).map((reason) => {
      return { code: 'discount_not_applicable', message: reason.message, reason } as const;
    });
    const { slots, problems } = await this.buyers.check(shopId, { ...priced, totalMinor }, transaction);
    const amounts = amountProblemsOf(priced, totalMinor);
    return {
      items: discounted,
      discount,
      totalMinor,
      slots,
      problems: [...shortages, ...reasons, ...problems, ...amounts],
    };
  }

  /**
   * Rejects a checkout that cannot be placed, whatever it costs. It reserves nothing: `place` checks the same in its transaction.
   * @throws AppError quota_reached when the buyer has too many open orders
   */
  async requireOpenOrder(shopId: string, buyer: BuyerKeys, address: string | null): Promise<void> {
    requireNoProblem(await this.buyers.openOrderProblems(shopId, buyer, address));
  }

  /** The records that concurrent checkouts write too, for `TransactionOptions.oneAtATime`. */
  sharedRecords(shopId: string, draft: UnnumberedOrder, conditions: CheckoutConditions): LockName[] {
    const { buyerKey, nicknameKey } = draft;
    const buyer = { buyerKey, nicknameKey };
    return [...locksOnBuyer(shopId, buyer), ...this.reservations.names(shopId, { ...draft, ...conditions, buyer })];
  }

  /**
   * @param draft the order at its full price
   * @throws AppError buyer_banned, out_of_stock, product_limit_reached when the buyer cannot have that many units, already_owned,
   * requirement_not_met, discount_not_applicable when the code does not apply to the order, amount_not_chargeable, price_changed when it costs more than expected, quota_reached when the
   * buyer has too many open orders, or has had too many orders with nothing to pay
   */
  async place(
    shopId: string,
    draft: NewOrder,
    conditions: CheckoutConditions,
    transaction: Transaction,
  ): Promise<Order> {
    const { id, buyerKey, nicknameKey } = draft;
    const buyer = { buyerKey, nicknameKey };
    const assessment = await this.assess(shopId, { ...draft, ...conditions, buyer }, transaction);
    const { slots, problems } = assessment;
    requireNoProblem(problems);
    const order = withDiscount(draft, assessment);
    if (countsEarlierOrders(order, assessment.discount)) await this.quotas.claimBuyer(shopId, buyer, transaction);
    await this.reservations.take({ ...order, shopId }, transaction);
    await this.audit.record({ shopId, principal: 'buyer' }, { action: 'order.created', subjectId: id }, transaction);
    if (order.totalMinor > 0) return this.orders.insert(shopId, { ...order, slots }, transaction);
    const paid = await this.orders.insert(shopId, asPaid(order), transaction);
    await this.reservations.settle({ ...paid, status: order.status }, transaction);
    await this.deliveryStatus.queue({ shopId, principal: 'buyer' }, paid, transaction);
    return paid;
  }
}

const CAUSE_IN_WORDS: Readonly<Record<PriceCause, string>> = {
  sale_ended: 'a sale has ended',
  upgrade: 'what the player has of a lower tier, or a price, has changed',
  price: 'a price has changed',
};

/** Why an order cannot cost its total. */
function amountProblemsOf(
  {
    methods,
    currency,
    expectedMinor,
    saleEnded,
    items,
  }: Pick<PricedOrder, 'methods' | 'currency' | 'expectedMinor' | 'saleEnded' | 'items'>,
  totalMinor: MinorUnits,
): OrderProblem[] {
  const problems: OrderProblem[] = [];
  const unpayable = totalMinor > 0 ? unpayableProblem(methods, totalMinor, currency) : null;
  if (unpayable !== null) problems.push({ code: 'amount_not_chargeable', message: unpayable });
  if (expectedMinor !== null && totalMinor > expectedMinor) {
    const [total, expected] = [formatAmount(totalMinor, currency), formatAmount(expectedMinor, currency)];
    const isTiered = items.some(({ tiers }) => tiers !== undefined);
    const cause = saleEnded ? 'sale_ended' : isTiered ? 'upgrade' : 'price';
    const message = `The order costs ${total} now, not ${expected}: ${CAUSE_IN_WORDS[cause]}`;
    problems.push({ code: 'price_changed', message, priceCause: cause });
  }
  return problems;
}

/** Whether the earlier orders of the buyer decided about the price of this one. */
function countsEarlierOrders(order: NewOrder, validation: Validation | null): boolean {
  const discount = validation?.discount ?? null;
  return order.totalMinor === 0 || (discount !== null && limitsBuyers(discount));
}

function withDiscount(draft: NewOrder, { items, discount: validation, totalMinor }: Assessment): NewOrder {
  if (validation?.discount == null) return draft;
  const { discount, code, discountMinor: amountMinor } = validation;
  return { ...draft, items, discount: { discountId: discount.id, code, amountMinor }, totalMinor };
}

/** An order with nothing to pay is paid at once, because no payment provider reports a payment for it. */
function asPaid(order: NewOrder): NewOrder {
  return {
    ...order,
    status: 'completed',
    paymentStatus: 'paid',
    paidAt: order.createdAt,
    deliveryStatus: 'queued',
  };
}
