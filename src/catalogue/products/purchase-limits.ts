import { DateTime, type IANAZone } from 'luxon';
import { DAY_MS } from '../../lib/time/durations.js';
import { instantOf, wallTimeAt } from '../../lib/time/local-time.js';

/** Whose units count. `buyer`: of the mailbox or for the player; `player`: for the player, whoever pays; `shop`: all that the shop sells. */
export const LIMIT_HOLDERS = ['buyer', 'player', 'shop'] as const;
export type LimitHolder = (typeof LIMIT_HOLDERS)[number];

export const CALENDAR_WINDOWS = ['day', 'week', 'month'] as const;
export type CalendarWindow = (typeof CALENDAR_WINDOWS)[number];

/** Exactly one of the two: so many days of 24 hours that end now, or the calendar's unit of now in the time zone of the shop. */
export interface LimitWindow {
  readonly days?: number;
  readonly calendar?: CalendarWindow;
}

/** The largest limit of a shop: each order of the product reads the orders of the window. A larger number is a stock. */
export const MAX_SHOP_LIMIT = 1_000;

/** How many units of a product somebody can have within a window. */
export interface PurchaseLimit {
  readonly of: LimitHolder;
  readonly max: number;
  /** null: for ever. */
  readonly window: LimitWindow | null;
}

/** A window at a moment. */
export interface OpenWindow {
  /** The first moment that counts; null: every moment. */
  readonly from: Date | null;
  /** When a unit that was ordered at a moment no longer counts; null: never. */
  readonly freeAt: (orderedAt: Date) => Date | null;
}

/** @param zone of the shop: a week begins there on Monday, at midnight */
export function windowAt(window: LimitWindow | null, zone: IANAZone, now: Date): OpenWindow {
  const { days, calendar } = window ?? {};
  if (days !== undefined) {
    const lengthMs = days * DAY_MS;
    return {
      from: new Date(now.getTime() - lengthMs + 1),
      freeAt: (orderedAt) => new Date(orderedAt.getTime() + lengthMs),
    };
  }
  if (calendar === undefined) return { from: null, freeAt: () => null };
  // Calendar arithmetic on wall time, which has no daylight saving. UTC is only the notation.
  const start = DateTime.fromMillis(wallTimeAt(now.getTime(), zone), { zone: 'utc' }).startOf(calendar);
  const end = new Date(instantOf(start.plus({ [calendar]: 1 }).toMillis(), zone));
  return { from: new Date(instantOf(start.toMillis(), zone)), freeAt: () => end };
}

/** A window in words, after a number of units; empty without one. */
export function windowInWords(window: LimitWindow | null): string {
  const { days, calendar } = window ?? {};
  if (days !== undefined) return days === 1 ? ' in 24 hours' : ` in ${days} days`;
  return calendar === undefined ? '' : ` in a ${calendar}`;
}

/** A limit in the form of the audit log. */
export function limitInWords({ of, max, window }: PurchaseLimit): string {
  return `${max} for one ${of}${windowInWords(window)}`;
}

/**
 * What is wrong with the limits of a product, one sentence for each problem.
 * @param field its name, with which the sentences begin
 */
export function limitProblems(limits: readonly PurchaseLimit[], field: string): string[] {
  const names = limits.map(({ of, window }) => `${of}${windowInWords(window)}`);
  const isRepeated = new Set(names).size !== names.length;
  const isUnclear = limits.some(
    ({ window }) => window !== null && (window.days === undefined) === (window.calendar === undefined),
  );
  const isLarge = limits.some(({ of, max }) => of === 'shop' && max > MAX_SHOP_LIMIT);
  return [
    ...(isLarge ? [`${field} of the shop must have at most ${MAX_SHOP_LIMIT} units; a larger number is a stock`] : []),
    ...(isUnclear ? [`${field} must have either days or calendar in each window`] : []),
    ...(isRepeated ? [`${field} must not repeat a window of the same holder`] : []),
  ];
}
