import { Injectable } from '@nestjs/common';
import { type Author } from '../../events/audit/audit.service.js';
import { DeliveriesService } from '../../delivery/deliveries/deliveries.service.js';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { type MinorUnits } from '../../lib/money/money.js';
import { DeliveryStatusService } from '../fulfilment/delivery-status.service.js';
import { LedgerService } from '../ledger/ledger.service.js';
import { moneyHolder } from '../order/order-rules.js';
import { type Order } from '../order/order.types.js';
import { OrdersService } from '../order/orders.service.js';
import { ReservationsService } from '../reservations/reservations.service.js';
import { ItemRefundsRepository, type RefundedFields } from './item-refunds.repository.js';

/** The part of a refund that is about one item of its order. */
export interface ItemPart {
  /** Which item of the order, from 0. */
  readonly position: number;
  readonly amountMinor: MinorUnits;
}

/** What refunds of single items change in their order: where the money counts, and what the player must not keep. */
@Injectable()
export class ItemRefundsService {
  constructor(
    private readonly items: ItemRefundsRepository,
    private readonly orders: OrdersService,
    private readonly ledger: LedgerService,
    private readonly deliveries: DeliveriesService,
    private readonly deliveryStatus: DeliveryStatusService,
    private readonly reservations: ReservationsService,
  ) {}

  /** Counts a refund for the items that it names. @param order as it was read in the same transaction */
  add(order: Order, parts: readonly ItemPart[], transaction: Transaction): Promise<void> {
    return this.count(order, parts, 1, transaction);
  }

  /** Undoes `add` for a refund that failed. @param order as it was read in the same transaction */
  remove(order: Order, parts: readonly ItemPart[], transaction: Transaction): Promise<void> {
    return this.count(order, parts, -1, transaction);
  }

  /**
   * Takes back what a player has of these items, and what is still to be delivered of them; or gives it again, as when the money of a whole
   * order returns. Items where that was done already stay as they are.
   */
  async setTakenBack(
    author: Author,
    orderId: string,
    positions: readonly number[],
    takenBack: boolean,
    transaction: Transaction,
  ): Promise<void> {
    const { shopId } = author;
    const order = await this.orders.get(shopId, orderId, transaction);
    const changed = new Set(positions.filter((position) => (order.items[position]?.takenBack ?? false) !== takenBack));
    if (changed.size === 0) return;
    const changes = new Map([...changed].map((position) => [position, { takenBack }]));
    await this.items.set(shopId, orderId, changes, transaction);
    const after = withFields(order, changes);
    await this.deliveries.applyMoneyState(after, moneyHolder(after), transaction);
    await this.deliveryStatus.follow(author, [after], transaction);
    await this.reservations.follow(author, after, transaction);
  }

  private async count(order: Order, parts: readonly ItemPart[], sign: 1 | -1, transaction: Transaction): Promise<void> {
    if (parts.length === 0) return;
    const changes = new Map(
      parts.map(({ position, amountMinor }) => {
        const refundedMinor = (order.items[position]?.refundedMinor ?? 0) + sign * amountMinor;
        return [position, { refundedMinor }];
      }),
    );
    await this.items.set(order.shopId, order.id, changes, transaction);
    await this.ledger.recordChange(order, withFields(order, changes), transaction);
  }
}

const withFields = (order: Order, changes: ReadonlyMap<number, RefundedFields>): Order => ({
  ...order,
  items: order.items.map((item, position) => ({ ...item, ...changes.get(position) })),
});
