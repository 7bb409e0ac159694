import { Injectable } from '@nestjs/common';
import { type BuyerKeys } from '../../platform/buyers/buyer-keys.js';
import { type Transitions } from '../../platform/states/transitions.js';
import { type Transaction } from '../../platform/database/transactions.js';
import { ShopEventsService } from '../../events/shop-events/shop-events.service.js';
import { LedgerService } from '../ledger/ledger.service.js';
import { FirstPurchasesService } from './first-purchases.service.js';
import { eventsOfPlacement, eventsOfSettlement } from './order-events.js';
import { type NewOrder, type Order, type PaymentStatus } from './order.types.js';
import { OrdersRepository, type SettledChange } from './orders.repository.js';

/**
 * Stores orders and what payments change in them, together with what statistics count of it (`FirstPurchasesService`,
 * `LedgerService`) and what others are told of it (`ShopEventsService`).
 */
@Injectable()
export class OrderBookService {
  constructor(
    private readonly orders: OrdersRepository,
    private readonly firstPurchases: FirstPurchasesService,
    private readonly ledger: LedgerService,
    private readonly events: ShopEventsService,
  ) {}

  find(shopId: string, orderId: string, transaction: Transaction): Promise<Order | null> {
    return this.orders.find(shopId, orderId, transaction);
  }

  /** Whether a buyer has paid another order in the shop. */
  hasPaid(shopId: string, buyer: BuyerKeys, exceptOrderId: string, transaction: Transaction | null): Promise<boolean> {
    return this.orders.hasPaid(shopId, buyer, exceptOrderId, transaction);
  }

  /** @throws as `OrdersRepository.insert` */
  async insert(shopId: string, placed: NewOrder, transaction: Transaction): Promise<Order> {
    const { paidAt } = placed;
    const isFirstPurchase =
      paidAt === null ? null : await this.firstPurchases.decide({ ...placed, shopId }, paidAt, transaction);
    const order = { ...placed, isFirstPurchase };
    const inserted = await this.orders.insert(shopId, order, transaction);
    await this.ledger.placed(shopId, [order], transaction);
    await this.events.record(shopId, eventsOfPlacement(order), transaction);
    return inserted;
  }

  /** Stores orders of another system, as they are. Nobody is told of them. */
  async insertMany(shopId: string, orders: readonly NewOrder[], transaction: Transaction): Promise<void> {
    await this.orders.insertMany(shopId, orders, transaction);
    await this.ledger.placed(shopId, orders, transaction);
  }

  /**
   * Sets the payment events of an order and the states that follow from them.
   * @param order as it was read in the same transaction
   * @returns false when a state of the order must not move to the new one: the transaction must be rolled back
   */
  async settle(
    order: Order,
    settled: SettledChange,
    moves: Transitions<PaymentStatus>,
    transaction: Transaction,
  ): Promise<boolean> {
    const { paidAt } = settled;
    const isPaidAtAnotherTime = paidAt !== null && paidAt.getTime() !== order.paidAt?.getTime();
    const isFirstPurchase = isPaidAtAnotherTime
      ? await this.firstPurchases.decide(order, paidAt, transaction)
      : order.isFirstPurchase;
    const change = { ...settled, isFirstPurchase };
    if (!(await this.orders.settle(order.shopId, order.id, change, moves, transaction))) return false;
    await this.ledger.changed(order, change, transaction);
    await this.events.record(order.shopId, eventsOfSettlement(order, change), transaction);
    return true;
  }
}
