import { type SaleEvent, type SaleFacts } from './sale-events.js';

/** What one change of an order added to the figures. Entries are only added; together they are what the orders are now. */
export interface LedgerEntry extends SaleFacts {
  readonly events: readonly SaleEvent[];
}

export interface StoredLedgerEntry extends LedgerEntry {
  readonly id: string;
  /** Whether the rollups do not contain it yet. */
  readonly pending: boolean;
}
