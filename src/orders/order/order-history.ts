import { type HistoryEntry, MAX_HISTORY } from './order.types.js';

/** The value of `$push` that adds entries to the history of an order, which keeps the latest ones. */
export function withHistory(entries: readonly HistoryEntry[]): {
  history: { $each: HistoryEntry[]; $slice: number };
} {
  return { history: { $each: [...entries], $slice: -MAX_HISTORY } };
}
