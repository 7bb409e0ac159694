import { Injectable } from '@nestjs/common';
import { sha256 } from '../../lib/crypto/keyed-hash.js';
import { AppError } from '../../domain/errors/app-error.js';
import { orNotFound } from '../../domain/errors/or-not-found.js';
import { nicknameKeyOf } from '../../domain/buyers/buyer-keys.js';
import { followsRule, type NicknameRule } from '../../domain/buyers/nickname-rule.js';
import { addLogIds } from '../../infrastructure/logging/log-context.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { type Transitions } from '../../lib/states/transitions.js';
import { type ShopEventDetails } from '../../events/shop-events/shop-event-details.js';
import { type NewShopEvent } from '../../events/shop-events/shop-event.types.js';
import { ShopEventsService } from '../../events/shop-events/shop-events.service.js';
import { DeliveriesService } from '../../delivery/deliveries/deliveries.service.js';
import { type DeliveryProgress, type RenderableOrder } from '../../delivery/deliveries/delivery.types.js';
import { LedgerService } from '../ledger/ledger.service.js';
import { MovementsService } from '../movements/movements.service.js';
import { FirstPurchasesService } from './first-purchases.service.js';
import { awaitedUntil } from './order-rules.js';
import { eventsOfPlacement } from './order-events.js';
import {
  type BuyerOrder,
  type EmailedOrder,
  type HistoryEntry,
  type NewOrder,
  type Order,
  type PaymentStatus,
  type SettledChange,
} from './order.types.js';
import { OrderNumbersService } from './order-numbers.service.js';
import { type OrdersOfBuyer, OrdersRepository } from './orders.repository.js';

/** A new nickname of an order, and who changes it. */
export interface Renaming {
  readonly nickname: string;
  readonly at: Date;
  /** As `HistoryEntry` has it. */
  readonly actor: string;
  /** The reason of staff; null for a buyer. */
  readonly reason: string | null;
}

/** Which moves of the payment a change may make, and the shop events that it publishes. */
export interface Publication {
  readonly moves: Transitions<PaymentStatus>;
  readonly events: readonly NewShopEvent[];
}

/**
 * The orders, for all other features. A new order and a change of its payments are stored together with the ledger entry that
 * statistics count, the movements of money and the shop events that subscribers receive, so that none can be forgotten.
 */
@Injectable()
export class OrdersService {
  constructor(
    private readonly orders: OrdersRepository,
    private readonly firstPurchases: FirstPurchasesService,
    private readonly ledger: LedgerService,
    private readonly movements: MovementsService,
    private readonly events: ShopEventsService,
    private readonly deliveries: DeliveriesService,
    private readonly numbers: OrderNumbersService,
  ) {}

  /** @throws AppError order_not_found, also for a wrong token */
  async getByToken(orderId: string, accessToken: string | undefined): Promise<Order> {
    const order = accessToken === undefined ? null : await this.findByToken(orderId, accessToken);
    return orNotFound(order, 'order_not_found');
  }

  /**
   * Orders of a shop for their readers: what plugins had leased waits for the game server again when the leases are over. No decision
   * depends on it: a plugin whose lease is over may still have run the commands.
   */
  async withEndedLeases<Shown extends Pick<Order, 'id' | 'deliveryStatus'>>(
    shopId: string,
    orders: readonly Shown[],
  ): Promise<readonly Shown[]> {
    const leased = orders.filter(({ deliveryStatus }) => deliveryStatus === 'leased').map(({ id }) => id);
    const ended = await this.deliveries.withEndedLeases(shopId, leased);
    return orders.map((order) => (ended.has(order.id) ? { ...order, deliveryStatus: 'queued' } : order));
  }

  /** @throws AppError order_not_found */
  async get(shopId: string, orderId: string, transaction: Transaction | null): Promise<Order> {
    return orNotFound(await this.find(shopId, orderId, transaction), 'order_not_found');
  }

  /**
   * Reads orders of a shop at once.
   * @returns a function that returns one of them by its id
   * @throws AppError order_not_found when one of them does not exist
   */
  async getAll(
    shopId: string,
    ids: readonly string[],
    transaction: Transaction | null,
  ): Promise<(id: string) => Order> {
    const wanted = new Set(ids);
    const orders = wanted.size === 0 ? [] : await this.orders.byIds(shopId, [...wanted], transaction);
    if (orders.length !== wanted.size) throw new AppError('order_not_found');
    const byId = new Map(orders.map((order) => [order.id, order]));
    return (id) => orNotFound(byId.get(id) ?? null, 'order_not_found');
  }

  /** An order of a shop, or null. */
  find(shopId: string, orderId: string, transaction: Transaction | null): Promise<Order | null> {
    return this.orders.find(shopId, orderId, transaction);
  }

  /** The order of a shop with this number, or null. */
  findByNumber(shopId: string, number: number): Promise<Order | null> {
    return this.orders.findByNumber(shopId, number);
  }

  /** The order with this id and access token, or null. */
  async findByToken(orderId: string, accessToken: string): Promise<Order | null> {
    const order = await this.orders.findByToken(orderId, sha256(accessToken));
    // The paths of buyers have no shop.
    if (order !== null) addLogIds({ shopId: order.shopId, orderId });
    return order;
  }

  /** An order by its id alone, or null. An id is no secret: the caller needs another proof before it shows or changes the order. */
  findPublic(orderId: string, transaction: Transaction | null): Promise<Order | null> {
    return this.orders.findPublic(orderId, transaction);
  }

  /** The orders of a mailbox, those of a player, or certain orders: the oldest first. */
  ofBuyer(shopId: string, of: OrdersOfBuyer, transaction: Transaction | null): Promise<BuyerOrder[]> {
    return this.orders.ofBuyer(shopId, of, transaction);
  }

  /** The latest orders of a mailbox, newest first. */
  latestOf(shopId: string, buyerKey: string, limit: number, transaction: Transaction): Promise<EmailedOrder[]> {
    return this.orders.latestOf(shopId, buyerKey, limit, transaction);
  }

  /** How far the deliveries of an order have come. An imported order has none. */
  progressOf({ shopId, id }: Pick<Order, 'shopId' | 'id'>): Promise<DeliveryProgress> {
    return this.deliveries.progressOf(shopId, id);
  }

  /** @throws AppError nickname_not_allowed unless the nickname follows the shop's rule and is safe in the order's commands */
  async requireNickname(order: RenderableOrder, rule: NicknameRule): Promise<void> {
    if (!followsRule(order.nickname, rule)) throw new AppError('nickname_not_allowed');
    const message = await this.deliveries.renderingProblem(order);
    if (message !== null) throw new AppError('nickname_not_allowed', { message });
  }

  /**
   * Changes the nickname of an order and of its deliveries.
   * @param order as it was read in the same transaction
   * @throws AppError nickname_locked when a player may have received a part of it (`isRenamable`)
   */
  async rename(order: Order, { nickname, at, actor, reason }: Renaming, transaction: Transaction): Promise<void> {
    const detail = [`${order.nickname} -> ${nickname}`, ...(reason === null ? [] : [reason])].join(': ');
    const history = { at, actor, action: 'nickname_changed', detail };
    const renamed = await this.orders.rename(order.shopId, order.id, nickname, history, transaction);
    const by = reason === null ? 'buyer' : 'staff';
    if (!renamed || !(await this.deliveries.rename(order, nickname, by, transaction))) {
      throw new AppError('nickname_locked');
    }
    await this.ledger.recordRenaming(order, nicknameKeyOf(nickname), transaction);
    await this.publishRenaming(order, { previousNickname: order.nickname, nickname, item: null }, transaction);
  }

  /**
   * Changes the nickname of one delivery of an order for staff.
   * @param order as it was read in the same transaction
   * @returns the name of its item, and its nickname before
   * @throws AppError delivery_not_found, nickname_locked, nickname_unchanged
   */
  async renameDelivery(
    order: Order,
    deliveryId: string,
    { nickname, at, actor, reason }: Renaming,
    transaction: Transaction,
  ): Promise<{ readonly item: string; readonly previousNickname: string }> {
    const { position, nickname: previousNickname } = await this.deliveries.renameOne(
      order,
      deliveryId,
      nickname,
      transaction,
    );
    const item = order.items[position]?.name ?? '';
    const detail = [item, `${previousNickname} -> ${nickname}`, reason].join(': ');
    const history = { at, actor, action: 'nickname_changed', detail };
    await this.orders.addHistory(order.shopId, order.id, history, transaction);
    await this.publishRenaming(order, { previousNickname, nickname, item }, transaction);
    return { item, previousNickname };
  }

  private publishRenaming(
    { shopId, id }: Order,
    details: ShopEventDetails['order.nickname_changed'],
    transaction: Transaction,
  ): Promise<void> {
    return this.events.record(shopId, [{ type: 'order.nickname_changed', subjectId: id, details }], transaction);
  }

  /** A number for a new order. Not in the transaction that stores it: orders of a shop would wait for one another then. */
  nextNumber(shopId: string): Promise<number> {
    return this.numbers.next(shopId);
  }

  /**
   * Stores a new order.
   * @throws as `OrdersRepository.insert`
   */
  async insert(shopId: string, placed: NewOrder, transaction: Transaction): Promise<Order> {
    const { paidAt } = placed;
    const isFirstPurchase =
      paidAt === null ? null : await this.firstPurchases.decide({ ...placed, shopId }, paidAt, transaction);
    const order = { ...placed, isFirstPurchase };
    const inserted = await this.orders.insert(shopId, order, transaction);
    await this.ledger.recordPlacement(shopId, [order], transaction);
    const { id, number, origin, payments } = order;
    if (origin === 'paid_outside')
      await this.movements.recordChange({ shopId, id, number, payments: [] }, payments, transaction);
    await this.events.record(shopId, eventsOfPlacement(order), transaction);
    return inserted;
  }

  /**
   * Sets the payment events of an order and the states that follow from them.
   * @param order as it was read in the same transaction
   * @param moves those of events, or those of a decision of staff
   * @returns false when the state tables do not allow the change: the transaction must be rolled back
   */
  async settle(
    order: Order,
    settled: SettledChange,
    { moves, events }: Publication,
    transaction: Transaction,
  ): Promise<boolean> {
    const { paidAt } = settled;
    const isPaidAtAnotherTime = paidAt !== null && paidAt.getTime() !== order.paidAt?.getTime();
    const isFirstPurchase = isPaidAtAnotherTime
      ? await this.firstPurchases.decide(order, paidAt, transaction)
      : order.isFirstPurchase;
    const awaited = awaitedUntil(settled);
    const expiryDueAt = awaited !== null && awaited > order.expiresAt ? awaited : order.expiresAt;
    const change = { ...settled, isFirstPurchase, awaitedUntil: awaited, expiryDueAt };
    if (!(await this.orders.settle(order.shopId, order.id, change, moves, transaction))) return false;
    await this.ledger.recordChange(order, { ...change, items: order.items }, transaction);
    await this.movements.recordChange(order, change.payments, transaction);
    await this.events.record(order.shopId, events, transaction);
    return true;
  }

  /**
   * Adds an entry to the history of an order. Of parallel transactions that read the order before, only one commits, and the
   * others run again.
   */
  addHistory(shopId: string, orderId: string, entry: HistoryEntry, transaction: Transaction): Promise<void> {
    return this.orders.addHistory(shopId, orderId, entry, transaction);
  }
}
