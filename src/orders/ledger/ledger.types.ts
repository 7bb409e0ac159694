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

/** Which entries to read: those with an event in one of these time ranges, and on request all pending ones. */
export interface EntrySelection {
  readonly scope: SaleScope;
  readonly timeRanges: readonly TimeRange[];
  readonly withPending: boolean;
}
