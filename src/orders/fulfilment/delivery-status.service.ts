import { Injectable } from '@nestjs/common';
import { AuditService, type Author } from '../../events/audit/audit.service.js';
import { changesBetween } from '../../events/audit/audit-rules.js';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { type Transaction, Transactions } from '../../infrastructure/database/transactions.js';
import { DeliveriesService } from '../../delivery/deliveries/deliveries.service.js';
import { type DeliverableOrder, type DeliveryState } from '../../delivery/deliveries/delivery.types.js';
import { type NewShopEvent } from '../../events/shop-events/shop-event.types.js';
import { ShopEventsService } from '../../events/shop-events/shop-events.service.js';
import { type EntitlingOrder } from '../entitlements/entitlement.types.js';
import { EntitlementsService } from '../entitlements/entitlements.service.js';
import { DeliveryStatusRepository } from './delivery-status.repository.js';
import { moneyHolder } from '../order/order-rules.js';
import { type DeliveryStatus, type HistoryEntry, type Order } from '../order/order.types.js';
import { OrdersService } from '../order/orders.service.js';

/** The final states that are recorded in the history of the order and in the audit log. */
const RECORDED: ReadonlySet<DeliveryStatus> = new Set(['delivered', 'handed_over', 'uncertain', 'failed', 'revoked']);

/** The final states that are published as shop events. */
const EVENTS: ReadonlyMap<
  DeliveryStatus,
  'order.delivered' | 'delivery.uncertain' | 'delivery.failed' | 'delivery.revoked'
> = new Map([
  ['delivered', 'order.delivered'],
  ['handed_over', 'order.delivered'],
  ['uncertain', 'delivery.uncertain'],
  ['failed', 'delivery.failed'],
  ['revoked', 'delivery.revoked'],
]);

/** The delivery status of paid orders: what all deliveries of an order are together. */
@Injectable()
export class DeliveryStatusService {
  constructor(
    private readonly orders: OrdersService,
    private readonly states: DeliveryStatusRepository,
    private readonly deliveries: DeliveriesService,
    private readonly entitlements: EntitlementsService,
    private readonly audit: AuditService,
    private readonly transactions: Transactions,
    private readonly events: ShopEventsService,
  ) {}

  /** As `follow`, for orders that the caller has not read. */
  async update(author: Author, orderIds: readonly string[], transaction: Transaction): Promise<void> {
    await this.updated(author, orderIds, transaction);
  }

  /** As `update`. @returns these orders */
  async updated(
    author: Author,
    orderIds: readonly string[],
    transaction: Transaction,
  ): Promise<readonly EntitlingOrder[]> {
    if (orderIds.length === 0) return [];
    const own = await this.states.findEntitling(author.shopId, orderIds, transaction);
    await this.follow(author, own, transaction);
    return own;
  }

  /**
   * Queues what follows from a change of deliveries or of the money (`EntitlementsService.follow`), also for other purchases of the same
   * players, and sets the delivery status of all these orders, in the transaction of that change.
   * @param own the orders as they are after that change
   * @param before the status of the order when a change of its payment has set it already in this transaction
   * @throws Error when the state table does not allow it: nothing is written then
   */
  async follow(
    author: Author,
    own: readonly EntitlingOrder[],
    transaction: Transaction,
    before?: DeliveryStatus,
  ): Promise<void> {
    const { shopId } = author;
    const { states, events } = await this.entitlements.follow(shopId, own, transaction);
    const known = new Set(own.map(({ id }) => id));
    const otherIds = [...states.keys()].filter((id) => !known.has(id));
    const others = otherIds.length === 0 ? [] : await this.states.find(shopId, otherIds, transaction);
    const isRevoked = before !== undefined && before !== 'revoked';
    // What was not delivered yet is revoked by the payment itself.
    const revoked = own.filter(
      (order) => isRevoked && order.deliveryStatus === 'revoked' && isUnchanged(order, states),
    );
    const moved = await this.move(author, [...own, ...others], states, transaction);
    const revocations = revoked.map(({ id }) => ({ type: 'delivery.revoked', subjectId: id }) as const);
    await this.events.record(shopId, [...revocations, ...events, ...moved], transaction);
  }

  /** Sets the delivery status of orders whose deliveries were leased or failed: nothing else follows from that. */
  async refresh(author: Author, orderIds: readonly string[], transaction: Transaction): Promise<void> {
    if (orderIds.length === 0) return;
    const { shopId } = author;
    const orders = await this.states.find(shopId, orderIds, transaction);
    const states = await this.deliveries.statesOf(shopId, orderIds, transaction);
    await this.events.record(shopId, await this.move(author, orders, states, transaction), transaction);
  }

  /** Queues what an order bought that is paid at once, and stores what its player owns by it. */
  async queue(author: Author, order: DeliverableOrder & EntitlingOrder, transaction: Transaction): Promise<void> {
    await this.deliveries.queue(order, transaction);
    await this.follow(author, [order], transaction);
  }

  /** @returns the events of the orders that have moved */
  private async move(
    author: Author,
    orders: readonly Pick<Order, 'id' | 'deliveryStatus'>[],
    states: ReadonlyMap<string, DeliveryState>,
    transaction: Transaction,
  ): Promise<readonly NewShopEvent[]> {
    const { shopId, principal } = author;
    const byState = new Map<DeliveryStatus, Pick<Order, 'id' | 'deliveryStatus'>[]>();
    for (const order of orders) {
      const state = states.get(order.id);
      if (state === undefined || isUnchanged(order, states)) continue;
      byState.set(state, [...(byState.get(state) ?? []), order]);
    }
    const at = new Date();
    const events: NewShopEvent[] = [];
    for (const [state, changed] of byState) {
      const recorded = RECORDED.has(state);
      const history = recorded ? [{ at, actor: principal, action: `goods_${state}`, detail: null }] : [];
      const ids = changed.map(({ id }) => id);
      const count = await this.states.move(shopId, ids, state, history, transaction);
      if (count !== ids.length)
        throw new Error(`The delivery status of ${ids.length - count} orders must not become ${state}`);
      const writes = changed.map(({ id, deliveryStatus }) => ({
        action: 'order.delivery_changed' as const,
        subjectId: id,
        changes: changesBetween({ deliveryStatus }, { deliveryStatus: state }),
      }));
      if (recorded) await this.audit.recordAll(author, writes, transaction);
      const type = EVENTS.get(state);
      if (type !== undefined) events.push(...ids.map((subjectId) => ({ type, subjectId })));
    }
    return events;
  }

  /**
   * Queues again what failed of an order; or what is uncertain, when nothing failed; or all of it, when it was delivered. Of an order whose money
   * went back, these are the revocations. With `deliveryId`, only this delivery.
   * @throws AppError order_not_found, delivery_not_found; not_redeliverable for an order that is not paid, or whose deliveries
   * still wait or wait for a deleted game server
   */
  redeliver(context: ShopContext, orderId: string, { reason, ...only }: Redelivery): Promise<Order> {
    const { shopId, principal } = context;
    return this.transactions.run(async (transaction) => {
      const order = await this.orders.get(shopId, orderId, transaction);
      const queued = await this.deliveries.queueAgain(order, moneyHolder(order), only, transaction);
      const items =
        only.deliveryId === undefined ? [] : queued.flatMap(({ position }) => order.items[position]?.name ?? []);
      const detail = [...items, reason].join(': ');
      const history: HistoryEntry = { at: new Date(), actor: principal, action: 'redelivered', detail };
      await this.orders.addHistory(shopId, orderId, history, transaction);
      await this.update(context, [orderId], transaction);
      const changes = changesBetween(null, { reason, deliveries: queued.length, item: items[0] });
      await this.audit.record(context, { action: 'order.redelivered', subjectId: orderId, changes }, transaction);
      return this.orders.get(shopId, orderId, transaction);
    });
  }
}

/** What staff queue again, and why. */
interface Redelivery {
  readonly reason: string;
  readonly deliveryId?: string | undefined;
  /** Whether also what is uncertain is queued again. */
  readonly mayRunTwice?: boolean | undefined;
}

const isUnchanged = (
  { id, deliveryStatus }: Pick<Order, 'id' | 'deliveryStatus'>,
  states: ReadonlyMap<string, DeliveryState>,
): boolean => states.get(id) === deliveryStatus;
