import { type MinorUnits } from '../../lib/money/money.js';
import { DAY_MS, HOUR_MS } from '../../lib/time/durations.js';
import { type SoldSale } from '../sales/sale.types.js';
import { type PriceChange, type PriorPrice, type PublicPrice } from './price-change.types.js';
import { publicPrices } from './public-prices.js';

/** 30 days, and the hour by which a change of the clocks can make 30 days of the calendar longer. */
export const PRIOR_WINDOW_MS = 30 * DAY_MS + HOUR_MS;

/** What is known of the past of a product. */
export interface KnownPast {
  /** Of one product, the oldest first: all that were in force after `since`. */
  readonly changes: readonly PriceChange[];
  /** All that had not ended at `since`. */
  readonly sales: readonly SoldSale[];
  readonly since: Date;
}

/**
 * The price before the reduction that runs, from now on until everything that is planned has ended: the lowest price in the 30 days before
 * it began, or since the product exists when that is shorter (article 6a of directive 98/6/EC). A reduction that follows another one
 * without a gap and costs no more belongs to it; one that costs more is another one.
 */
export function priorPrices({ changes, sales, since }: KnownPast, now: Date): PriorPrice[] {
  const known = changes.slice(
    Math.max(
      0,
      changes.findLastIndex(({ hasUnknownPast }) => hasUnknownPast),
    ),
  );
  const prices = publicPrices(known, sales);
  const knownFrom = knownFromOf(known, since);
  let beginning = 0;
  const found: PriorPrice[] = [];
  for (const [index, { from, until, priceMinor, isReduced }] of prices.entries()) {
    const before = prices[index - 1];
    const goesOn = before?.isReduced === true && before.priceMinor >= priceMinor;
    if (!goesOn) beginning = index;
    if (until <= now) continue;
    const prior = isReduced ? lowestBefore(prices, beginning, knownFrom) : null;
    if (found.at(-1)?.priceMinor !== prior) found.push({ from, priceMinor: prior });
  }
  return found.every(({ priceMinor }) => priceMinor === null) ? [] : found;
}

/** The price before the reduction that runs at a moment; null: none is known. @param prices of `priorPrices` */
export function priorPriceAt(prices: readonly PriorPrice[], now: Date): MinorUnits | null {
  return prices.findLast(({ from }) => from <= now)?.priceMinor ?? null;
}

/** From when on the prices are known; null: since the product exists. */
function knownFromOf([first]: readonly PriceChange[], since: Date): Date | null {
  if (first === undefined) return null;
  if (first.from <= since) return since;
  return first.hasUnknownPast ? first.from : null;
}

function lowestBefore(prices: readonly PublicPrice[], beginning: number, knownFrom: Date | null): MinorUnits | null {
  const startMs = (prices[beginning]?.from.getTime() ?? 0) - PRIOR_WINDOW_MS;
  if (knownFrom !== null && startMs < knownFrom.getTime()) return null;
  const first = prices.findLastIndex(({ until }, index) => index < beginning && until.getTime() <= startMs) + 1;
  const before = prices.slice(first, beginning).map(({ priceMinor }) => priceMinor);
  return before.length === 0 ? null : Math.min(...before);
}
