import { Injectable } from '@nestjs/common';
import { changesBetween } from '../../events/audit/audit-rules.js';
import { AuditService, type Author } from '../../events/audit/audit.service.js';
import { type AuditChange } from '../../events/audit/audit.types.js';
import { AppError } from '../../domain/errors/app-error.js';
import { canMove } from '../../lib/states/transitions.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { DeliveriesService } from '../../delivery/deliveries/deliveries.service.js';
import { OrdersService } from '../order/orders.service.js';
import { OrderEndingService } from '../ending/order-ending.service.js';
import { UpgradesService } from '../entitlements/upgrades.service.js';
import { DeliveryStatusService } from '../fulfilment/delivery-status.service.js';
import { deliveryAfter, isSale, moneyHolder } from '../order/order-rules.js';
import { ORDER_TRANSITIONS, PAYMENT_TRANSITIONS, REVIEW_TRANSITIONS } from '../order/order-transitions.js';
import { ReservationsService } from '../reservations/reservations.service.js';
import { type Order, type PaymentReview, type SettledChange } from '../order/order.types.js';
import { type PaymentEvent } from '../order/payment-event.types.js';
import { messageOf, newReasons, reviewReasons } from './review-reasons.js';
import { eventsOfSettlement } from './settlement-events.js';
import { decisiveEvents, reviewOf, settle } from './settlement-rules.js';

export type SettlementOutcome = 'applied' | 'already_applied' | 'order_not_found';

/** What became of an event, and why a person has to look at its order now, in one message; null when nobody has to. */
export interface AppliedEvent {
  readonly outcome: SettlementOutcome;
  readonly problem: string | null;
}

/** Applies payment events to an order, to what it holds, and to its deliveries. */
@Injectable()
export class OrderSettlementService {
  constructor(
    private readonly orders: OrdersService,
    private readonly reservations: ReservationsService,
    private readonly deliveries: DeliveriesService,
    private readonly deliveryStatus: DeliveryStatusService,
    private readonly ending: OrderEndingService,
    private readonly upgrades: UpgradesService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Adds one event to the order's set of payment events and sets every state that follows from the set: payment, discount
   * use, deliveries. All of it happens in the given transaction, or nothing does. An event that decides nothing changes
   * nothing in the order, and neither does one that the order has already. The cost does not grow with the number of events.
   * @throws Error when a state table does not allow what follows from the events: nothing is written then
   */
  async apply(shopId: string, orderId: string, event: PaymentEvent, transaction: Transaction): Promise<AppliedEvent> {
    const order = await this.orders.find(shopId, orderId, transaction);
    // Nobody can pay for what staff give away or rehearse.
    if (order === null || !isSale(order)) return { outcome: 'order_not_found', problem: null };
    const known = order.payments.some(
      ({ provider, eventId }) => provider === event.provider && eventId === event.eventId,
    );
    if (known) return { outcome: 'already_applied', problem: null };
    const payments = decisiveEvents(order, [...order.payments, event]);
    if (!payments.includes(event)) {
      await this.record(order, event, order, transaction);
      return { outcome: 'applied', problem: null };
    }
    const owed = await this.withMissing(order, payments, transaction);
    const problem = messageOf(newReasons(reviewReasons(order, order.payments), reviewReasons(owed, payments)));
    const change = changeBy(owed, payments, { actor: `provider:${event.provider}`, action: event.type, problem });
    const publication = { moves: PAYMENT_TRANSITIONS, events: eventsOfSettlement(order, change) };
    if (!(await this.orders.settle(order, change, publication, transaction))) {
      // The order was read in the same transaction, so it is there.
      throw new Error(
        `Event ${event.eventId} would make a move of order ${orderId} that its state tables do not allow`,
      );
    }
    await this.applyToDeliveries(order, change, transaction);
    await this.record(order, event, change, transaction);
    return { outcome: 'applied', problem };
  }

  /**
   * Settles an order whose payment needs a review, as staff decided. Accepted, it is paid as if the right payment had arrived:
   * the deliveries are queued and the use of the code is redeemed. Rejected, it is not paid, and ends if it is open. Later events are
   * settled together with the decision.
   * @param order as it was read in the same transaction
   * @throws AppError not_resolvable when the payment does not need a review, when it was paid correctly and cannot be rejected,
   * or when it has too many refunds and disputes
   */
  async resolve(
    author: Author,
    order: Order,
    { decision, reason }: { readonly decision: PaymentReview['decision']; readonly reason: string },
    transaction: Transaction,
  ): Promise<void> {
    const { id } = order;
    if (order.paymentStatus !== 'needs_review') throw new AppError('not_resolvable');
    if (decision === 'reject' && order.paidAt !== null) {
      throw new AppError('not_resolvable', {
        message: 'The order was paid correctly: accept the payment, or refund it',
      });
    }
    const review = reviewOf(decision, order.payments, decision === 'accept' ? (order.paidAt ?? new Date()) : null);
    const reviewed = { ...order, review };
    const entry = { actor: author.principal, action: `review_${decision}ed`, problem: null };
    const settled = changeBy(reviewed, decisiveEvents(reviewed, order.payments), entry);
    const change = { ...settled, history: { ...settled.history, detail: reason } };
    // The write lets an order stay in its state. That would not be a decision: it would complete the order, still in review.
    const isDecided = change.paymentStatus !== 'needs_review';
    // What can still be replaced is, although the order is paid without it.
    if (decision === 'accept' && order.paidAt === null) await this.upgrades.take(order, transaction);
    const publication = { moves: REVIEW_TRANSITIONS, events: eventsOfSettlement(order, change) };
    if (!isDecided || !(await this.orders.settle(order, change, publication, transaction))) {
      throw new AppError('not_resolvable', { message: 'The order has too many refunds and disputes' });
    }
    if (decision === 'reject') {
      await this.ending.end(author, [id], { to: 'cancelled', reason }, transaction);
    }
    await this.applyToDeliveries(order, change, transaction);
    const changes = [...stateChanges(order, change), ...changesBetween(null, { decision, reason })];
    await this.audit.record(author, { action: 'order.payment_reviewed', subjectId: id, changes }, transaction);
  }

  /** An order with what turns out to be missing when it is paid: the lower tier that it replaces is taken here, before it counts as paid. */
  private async withMissing(order: Order, payments: readonly PaymentEvent[], transaction: Transaction): Promise<Order> {
    if (order.paidAt !== null || order.missing !== undefined || settle(order, payments).paidAt === null) return order;
    const missing = await this.upgrades.take(order, transaction);
    return missing.length === 0 ? order : { ...order, missing };
  }

  /**
   * Tells the orders that have replaced what this one gave that its money went back, or that it is there again. Nothing is held up by that:
   * staff end the higher tier, or leave it.
   */
  private async tellUppers(author: Author, order: Order, isLost: boolean, transaction: Transaction): Promise<void> {
    const uppers = await this.upgrades.uppersOf(order.shopId, order.id, transaction);
    for (const upperId of uppers) {
      const upper = await this.orders.find(order.shopId, upperId, transaction);
      if (upper !== null) await this.changeBase(author, upper, isLost, transaction);
    }
  }

  private async changeBase(author: Author, upper: Order, isLost: boolean, transaction: Transaction): Promise<void> {
    const others = (upper.missing ?? []).filter(({ code }) => code !== 'upgrade_base_lost');
    const amountMinor = upper.items.reduce((sum, { upgrade }) => sum + (upgrade?.creditMinor ?? 0), 0);
    const missing = isLost ? [...others, { code: 'upgrade_base_lost', amountMinor } as const] : others;
    const action = isLost ? 'upgrade_base_lost' : 'upgrade_base_returned';
    const entry = { actor: author.principal, action, problem: null };
    const change = changeBy({ ...upper, missing }, upper.payments, entry);
    const publication = { moves: PAYMENT_TRANSITIONS, events: eventsOfSettlement(upper, change) };
    if (!(await this.orders.settle(upper, change, publication, transaction))) {
      throw new Error(`The state tables do not allow order ${upper.id} to lose its lower tier`);
    }
  }

  private async applyToDeliveries(order: Order, change: SettledChange, transaction: Transaction): Promise<void> {
    if (order.paidAt === null && change.paidAt !== null) await this.reservations.settle(order, transaction);
    const { shopId, id } = order;
    const [money, moneyBefore] = [moneyHolder(change), moneyHolder(order)];
    if (money === moneyBefore) {
      // What a player owns is worth what was paid for it and did not go back.
      const isSameAmount = change.reversals.length === order.reversals.length;
      if (!isSameAmount && change.deliveryStatus !== 'none') {
        await this.deliveryStatus.update({ shopId, principal: change.history.actor }, [id], transaction);
      }
      return;
    }
    // An imported order that says `delivered` has no deliveries here.
    if (change.deliveryStatus === 'queued') await this.deliveries.queue(order, transaction);
    if (order.deliveryStatus !== 'none') await this.deliveries.applyMoneyState(order, money, transaction);
    // Delivered items are revoked, and once a plugin had some deliveries, not all of them move alike.
    const author = { shopId, principal: change.history.actor };
    const changed = { ...order, ...change };
    await this.deliveryStatus.follow(author, [changed], transaction, order.deliveryStatus);
    await this.reservations.follow(author, changed, transaction);
    const isBack = money === 'buyer';
    if (isBack || moneyBefore === 'buyer') await this.tellUppers(author, order, isBack, transaction);
  }

  private record(order: Order, { provider }: PaymentEvent, change: States, transaction: Transaction): Promise<void> {
    const write = {
      action: 'order.payment_changed',
      subjectId: order.id,
      changes: stateChanges(order, change),
    } as const;
    return this.audit.record({ shopId: order.shopId, principal: `provider:${provider}` }, write, transaction);
  }
}

/** What payment events, or a decision about them, change in an order. The history has the new payment state, and the problem. */
function changeBy(
  order: Order,
  payments: readonly PaymentEvent[],
  { actor, action, problem }: { readonly actor: string; readonly action: string; readonly problem: string | null },
): SettledChange {
  const settlement = settle(order, payments);
  const completes = settlement.paidAt !== null && canMove(ORDER_TRANSITIONS, order.status, 'completed');
  const status = completes ? 'completed' : order.status;
  const state = settlement.paymentStatus === order.paymentStatus ? null : settlement.paymentStatus;
  return {
    payments,
    ...settlement,
    ...(order.missing && { missing: order.missing }),
    status,
    // A cancelled order that is paid nevertheless delivers nothing: staff must give the money back.
    deliveryStatus: status === 'completed' ? deliveryAfter(order.deliveryStatus, settlement) : order.deliveryStatus,
    review: order.review,
    history: {
      at: new Date(),
      actor,
      action,
      detail: state === null || problem === null ? (state ?? problem) : `${state}: ${problem}`,
    },
  };
}

type States = Pick<Order, 'status' | 'paymentStatus' | 'deliveryStatus'>;

function stateChanges(before: States, after: States): AuditChange[] {
  const states = ({ status, paymentStatus, deliveryStatus }: States) => ({ status, paymentStatus, deliveryStatus });
  return changesBetween(states(before), states(after));
}
