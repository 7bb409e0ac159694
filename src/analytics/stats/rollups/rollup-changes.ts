import { type LedgerEntry, type SaleScope, type TimeRange } from '../../../orders/ledger/ledger.types.js';
import { type SalesSums, scopesOf, sumsOf } from './sale-sums.js';
import { cellsAt, isBetween, type TimeCell } from './time-cells.js';

/** What some entries of the ledger add to a cell. */
export interface CellChange extends TimeCell {
  readonly scope: SaleScope;
  /** Sums of 0 are left out. */
  readonly sums: Partial<SalesSums>;
  /** The number of payments of each buyer in the cell. Below 0 when more payments were reversed than made. */
  readonly payments: ReadonlyMap<string, number>;
}

interface Summed extends TimeCell {
  readonly scope: SaleScope;
  readonly sums: Map<string, number>;
  readonly payments: Map<string, number>;
}

const increase = (sums: Map<string, number>, name: string, by: number): void => {
  sums.set(name, (sums.get(name) ?? 0) + by);
};

/** The changes of a scope in the cells that contain an instant. */
function changesAt(changes: Map<string, Summed>, scope: SaleScope, atMs: number): Summed[] {
  const ofScope = [scope.currency, scope.serverId, scope.productId].join(' ');
  return cellsAt(atMs).map((cell) => {
    const name = `${ofScope} ${cell.sizeMs} ${cell.atMs}`;
    const change = changes.get(name) ?? { ...cell, scope, sums: new Map(), payments: new Map() };
    changes.set(name, change);
    return change;
  });
}

/** What some entries add to every cell of every scope. */
export function changesOf(entries: readonly LedgerEntry[]): CellChange[] {
  const changes = new Map<string, Summed>();
  for (const entry of entries) {
    for (const scope of scopesOf(entry)) {
      // The events of an order have few different times.
      const atTimes = new Map<number, Summed[]>();
      for (const event of entry.events) {
        const added = Object.entries(sumsOf(entry, event, scope));
        const atMs = event.at.getTime();
        const cells = atTimes.get(atMs) ?? changesAt(changes, scope, atMs);
        atTimes.set(atMs, cells);
        for (const { sums, payments } of cells) {
          for (const [sum, by] of added) increase(sums, sum, by);
          if (event.kind === 'paid') increase(payments, entry.buyerKey, event.count);
        }
      }
    }
  }
  return [...changes.values()].map(({ sums, payments, ...change }) => ({
    ...change,
    sums: Object.fromEntries([...sums].filter(([, by]) => by !== 0)),
    payments,
  }));
}

/** How often a buyer paid in a time range, by all of the buyer's entries in a scope. */
export function paymentsIn(entries: readonly LedgerEntry[], buyerKey: string, range: TimeRange): number {
  return entries
    .filter((entry) => entry.buyerKey === buyerKey)
    .flatMap(({ events }) => events)
    .reduce((sum, { kind, at, count }) => (kind === 'paid' && isBetween(at.getTime(), range) ? sum + count : sum), 0);
}
