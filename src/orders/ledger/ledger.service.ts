import { Injectable } from '@nestjs/common';
import { type Transaction } from '../../platform/database/transactions.js';
import { type NewOrder, type Order } from '../order/order.types.js';
import { LedgerRepository } from './ledger.repository.js';
import { type LedgerEntry } from './ledger.types.js';
import { difference, eventsOf, type SaleFacts, type SaleState } from './sale-events.js';

/** What an order needs to be counted. */
type CountedOrder = SaleState &
  Pick<
    NewOrder,
    'id' | 'serverId' | 'currency' | 'buyerKey' | 'items' | 'itemCount' | 'subtotalMinor' | 'discount' | 'totalMinor'
  >;

function factsOf(order: CountedOrder): SaleFacts {
  const { id, serverId, currency, buyerKey, items, itemCount, subtotalMinor, discount, totalMinor } = order;
  return {
    orderId: id,
    serverId,
    currency,
    buyerKey,
    items: items.map(({ productId, quantity, totalMinor: itemMinor }) => ({
      productId,
      quantity,
      totalMinor: itemMinor,
    })),
    itemCount,
    subtotalMinor,
    discountCode: discount?.code ?? null,
    discountMinor: discount?.amountMinor ?? 0,
    totalMinor,
  };
}

/** Adds to the ledger what happens to orders, in the transaction in which it happens. */
@Injectable()
export class LedgerService {
  constructor(private readonly ledger: LedgerRepository) {}

  async placed(shopId: string, orders: readonly CountedOrder[], transaction: Transaction): Promise<void> {
    const entries = orders.map((order): LedgerEntry => ({ ...factsOf(order), events: eventsOf(order) }));
    await this.ledger.insertMany(shopId, entries, transaction);
  }

  /** @param order as it was before the change */
  async changed(order: Order, change: Omit<SaleState, 'createdAt'>, transaction: Transaction): Promise<void> {
    const { createdAt } = order;
    const events = difference(eventsOf(order), eventsOf({ ...change, createdAt }));
    if (events.length > 0) await this.ledger.insertMany(order.shopId, [{ ...factsOf(order), events }], transaction);
  }
}
