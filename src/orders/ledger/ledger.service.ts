import { Injectable } from '@nestjs/common';
import { type Transaction } from '../../infrastructure/database/transactions.js';
import { isSale } from '../order/order-rules.js';
import { type Order } from '../order/order.types.js';
import { LedgerRepository } from './ledger.repository.js';
import {
  type ClaimedEntry,
  type EntryName,
  type LedgerEntry,
  type OrderCursor,
  type ReconciledBatch,
  type SaleScope,
  type StoredLedgerEntry,
  type TimeRange,
} from './ledger.types.js';
import { RecordedOrdersRepository } from './recorded-orders.repository.js';
import { difference, eventsOf, factsOf, type RecordedOrder, type SaleEvent, type SaleState } from './sale-events.js';

/**
 * The ledger of what happens to orders. It is written in the transaction in which something happens, so the entries of an order
 * always add up to the order. Statistics are computed from it.
 */
@Injectable()
export class LedgerService {
  constructor(
    private readonly ledger: LedgerRepository,
    private readonly orders: RecordedOrdersRepository,
  ) {}

  /** Records new orders. What is no sale is no part of the ledger. */
  async recordPlacement(
    shopId: string,
    orders: readonly (RecordedOrder & Pick<Order, 'origin'>)[],
    transaction: Transaction,
  ): Promise<void> {
    const entries = orders.filter(isSale).map((order): LedgerEntry => ({ ...factsOf(order), events: eventsOf(order) }));
    if (entries.length > 0) await this.ledger.insertMany(shopId, entries, true, transaction);
  }

  /** @param order as it was before the change */
  async recordChange(order: Order, change: Omit<SaleState, 'createdAt'>, transaction: Transaction): Promise<void> {
    if (!isSale(order)) return;
    const { createdAt } = order;
    const events = difference(eventsOf(order), eventsOf({ ...change, createdAt }));
    if (events.length > 0)
      await this.ledger.insertMany(order.shopId, [{ ...factsOf(order), events }], true, transaction);
  }

  /**
   * Moves what was recorded of an order to another player. The rollups know no players, so for them nothing has happened.
   * @param order as it was before
   */
  async recordRenaming(order: Order, nicknameKey: string, transaction: Transaction): Promise<void> {
    if (!isSale(order)) return;
    const [facts, events] = [factsOf(order), eventsOf(order)];
    const reversed = events.map((event) => ({ ...event, count: -event.count }));
    const entries = [
      { ...facts, events: reversed },
      { ...facts, nicknameKey, events },
    ];
    await this.ledger.insertMany(order.shopId, entries, false, transaction);
  }

  /**
   * Compares a batch of orders with the ledger, and adds what the ledger lacks. A payment at the same time adds the difference that it
   * makes, so nothing is counted twice, whichever of the two commits first.
   * @param after the last order of the batch before
   */
  async reconcile(
    shopId: string,
    after: OrderCursor | null,
    limit: number,
    transaction: Transaction,
  ): Promise<ReconciledBatch> {
    const orders = await this.orders.batch(shopId, after, limit, transaction);
    const ids = orders.map(({ id }) => id);
    const known = new Map<string, SaleEvent[]>(ids.map((id) => [id, []]));
    const entries = await this.ledger.ofOrders(shopId, ids, transaction);
    for (const { orderId, events } of entries) known.get(orderId)?.push(...events);
    const lacking = orders.flatMap((order): LedgerEntry[] => {
      const events = difference(known.get(order.id) ?? [], eventsOf(order));
      return events.length === 0 ? [] : [{ ...factsOf(order), events }];
    });
    if (lacking.length > 0) await this.ledger.insertMany(shopId, lacking, true, transaction);
    const last = orders.length < limit ? undefined : orders.at(-1);
    return {
      last: last === undefined ? null : { createdAt: last.createdAt, orderId: last.id },
      entries: entries.filter(({ pending }) => !pending),
    };
  }

  /** The next shop, by its id, that has orders; null when no shop follows. */
  nextShop(after: string | null): Promise<string | null> {
    return this.orders.nextShop(after);
  }

  /** The next shop, by its id, that has pending entries; null when no shop follows. */
  nextPendingShop(after: string | null): Promise<string | null> {
    return this.ledger.nextPendingShop(after);
  }

  /**
   * The oldest pending entries. When they have an event that reverses an earlier one, all pending entries of their orders come
   * together: no event is reversed in a batch before the one that has it.
   */
  async pendingBatch(shopId: string, limit: number, transaction: Transaction): Promise<StoredLedgerEntry[]> {
    const entries = await this.ledger.pendingBatch(shopId, limit, transaction);
    if (entries.every(({ events }) => events.every(({ count }) => count > 0))) return entries;
    const orders = new Set(entries.map(({ orderId }) => orderId));
    const all = await this.ledger.ofOrders(shopId, [...orders], transaction);
    return all.filter(({ pending }) => pending);
  }

  /** Claims entries of all shops that the profiles of buyers do not contain yet, until a time. */
  claimUnprofiled(until: Date, limit: number, transaction: Transaction): Promise<ClaimedEntry[]> {
    return this.ledger.claimUnprofiled(new Date(), until, limit, transaction);
  }

  /** Marks those of some entries that the profiles of buyers do not contain yet, and returns them: the caller adds them. */
  markProfiled(shopId: string, entryIds: readonly string[], transaction: Transaction): Promise<StoredLedgerEntry[]> {
    return this.ledger.markProfiled(shopId, entryIds, transaction);
  }

  /** The entries of a mailbox or a player that the profiles of buyers contain, without those of some orders. */
  profiledOf(
    shopId: string,
    name: EntryName,
    exceptOrders: readonly string[],
    transaction: Transaction,
  ): Promise<StoredLedgerEntry[]> {
    return this.ledger.profiledOf(shopId, name, exceptOrders, transaction);
  }

  markFolded(shopId: string, entryIds: readonly string[], transaction: Transaction): Promise<void> {
    return this.ledger.markFolded(shopId, entryIds, transaction);
  }

  /** Gives the entries of a buyer to another name. */
  renameBuyer(shopId: string, from: string, to: string, transaction: Transaction): Promise<void> {
    return this.ledger.renameBuyer(shopId, from, to, transaction);
  }

  /** Reads the pending entries of a scope, and those with an event in one of the time ranges, each once, as a stream. */
  select(
    shopId: string,
    scope: SaleScope,
    timeRanges: readonly TimeRange[],
    transaction: Transaction,
  ): AsyncGenerator<StoredLedgerEntry, void> {
    return this.ledger.select(shopId, scope, timeRanges, transaction);
  }
}
