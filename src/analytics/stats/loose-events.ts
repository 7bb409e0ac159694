import { type StoredLedgerEntry } from '../../orders/ledger/ledger.types.js';
import { type SaleEvent } from '../../orders/ledger/sale-events.js';
import { type Interval } from '../../orders/ledger/sales.types.js';
import { type Cover, isBetween, stretchOf } from '../../orders/ledger/time-cells.js';

/** A window, and what covers it. */
export interface CoveredWindow {
  readonly window: Interval;
  readonly cover: Cover;
}

/** The event of an entry, in a window. */
export interface LooseEvent {
  readonly entry: StoredLedgerEntry;
  readonly event: SaleEvent;
}

/** The events in a window that no kept sum of the window contains. @param entries as `LedgerRepository.loose` returns them */
export function looseEvents({ window, cover }: CoveredWindow, entries: readonly StoredLedgerEntry[]): LooseEvent[] {
  const whole = stretchOf(window);
  return entries.flatMap((entry) => {
    const stretches = entry.pending ? [whole] : cover.edges;
    const counts = ({ at }: SaleEvent): boolean => stretches.some((stretch) => isBetween(at.getTime(), stretch));
    return entry.events.filter(counts).map((event) => ({ entry, event }));
  });
}
