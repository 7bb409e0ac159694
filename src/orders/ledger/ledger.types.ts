import { type SaleEvent, type SaleFacts } from './sale-events.js';

/** The events of one change of an order. Entries are only added; together they make up the orders as they are now. */
export interface LedgerEntry extends SaleFacts {
  readonly events: readonly SaleEvent[];
}

export interface StoredLedgerEntry extends LedgerEntry {
  readonly id: string;
  /** Whether the rollups do not contain the entry yet. */
  readonly pending: boolean;
}

/** An entry that the job of buyer profiles has claimed. */
export interface ClaimedEntry extends StoredLedgerEntry {
  readonly shopId: string;
}

/** A mailbox or a player of a shop, as the entries name it. */
export type EntryName = { readonly buyerKey: string } | { readonly nicknameKey: string };

/** The last order that was compared with the ledger. The oldest orders come first. */
export interface OrderCursor {
  readonly createdAt: Date;
  readonly orderId: string;
}

/** Some orders of a shop: all in a currency, or those of a server, or with a product, or both. */
export interface SaleScope {
  /** ISO 4217. Amounts are never summed across currencies. */
  readonly currency: string;
  /** Null: orders for any server, or for none. */
  readonly serverId: string | null;
  /** Null: orders with any product, and all of their amounts. */
  readonly productId: string | null;
}

/** An interval of time in milliseconds: `fromMs` is part of it, `toMs` is not. */
export interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number;
}

/** A batch of orders that was compared with the ledger. */
export interface ReconciledBatch {
  /** The last order of the batch; null when no order is left after it. */
  readonly last: OrderCursor | null;
  /** The entries of its orders that are not pending. */
  readonly entries: readonly StoredLedgerEntry[];
}
