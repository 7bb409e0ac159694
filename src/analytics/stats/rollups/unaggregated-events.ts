import { type StoredLedgerEntry, type TimeRange } from '../../../orders/ledger/ledger.types.js';
import { type SaleEvent } from '../../../orders/ledger/sale-events.js';
import { type Interval } from './sales.types.js';
import { type Cover, coverOf, isBetween, isInOneOf, timeRangeOf } from './time-cells.js';

/** A window, and the cells and edges that it consists of. */
export interface CoveredWindow {
  readonly range: TimeRange;
  readonly cover: Cover;
}

/**
 * Covers a window with the largest cells in it.
 * @param areComplete whether the sums of the cells are complete. Until then the window has no cells: all of it is read from the
 * ledger
 */
export function coveredWindow(window: Interval, areComplete: boolean): CoveredWindow {
  const range = timeRangeOf(window);
  return { range, cover: areComplete ? coverOf(range) : { cells: [], edges: [range] } };
}

/** The events of an entry in a window that the sums of its cells do not contain. */
export function unaggregatedEvents(
  { range, cover }: CoveredWindow,
  { pending, events }: StoredLedgerEntry,
): readonly SaleEvent[] {
  return events.filter(({ at }) => {
    const atMs = at.getTime();
    return pending ? isBetween(atMs, range) : isInOneOf(atMs, cover.edges);
  });
}
