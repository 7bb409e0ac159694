import { IANAZone } from 'luxon';

/**
 * What a clock on a wall in some time zone shows, written as the milliseconds of the same date and time in UTC. On wall
 * time a day has 24 hours and a calendar is only a calendar: daylight saving comes in where it is turned into an instant.
 */
export type WallTime = number;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A time zone by its IANA name, or null when there is none of that name. */
export function zoneOf(name: string): IANAZone | null {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(name)) return null;
  // In lower case, which Intl understands: luxon keeps every spelling that it was ever asked for.
  const spelling = name.toLowerCase();
  return IANAZone.isValidZone(spelling) ? IANAZone.create(spelling) : null;
}

/** What the clock on the wall shows at an instant. */
export function wallTimeAt(instantMs: number, zone: IANAZone): WallTime {
  return instantMs + zone.offset(instantMs) * MINUTE_MS;
}

/**
 * The first instant at which the clock on the wall shows `wall` or more: of a time that comes twice (clocks go back) the
 * first one, for a time that never comes (clocks go forward, or a whole day is left out) the moment of the change.
 */
export function instantOf(wall: WallTime, zone: IANAZone): number {
  // Offsets lie between -12 and +14 hours: the instant is in here, and with it at most one change of the clocks.
  let before = wall - 15 * HOUR_MS;
  let after = wall + 13 * HOUR_MS;
  for (const edge of [before, after]) {
    const instant = wall - zone.offset(edge) * MINUTE_MS;
    if (wallTimeAt(instant, zone) === wall) return instant;
  }
  const offset = zone.offset(before);
  while (after - before > MINUTE_MS) {
    const middle = before + Math.floor((after - before) / 2 / MINUTE_MS) * MINUTE_MS;
    if (zone.offset(middle) === offset) before = middle;
    else after = middle;
  }
  return Math.floor(after / MINUTE_MS) * MINUTE_MS;
}

/** Midnight at the start of the wall's day. */
export function midnightOf(wall: WallTime): WallTime {
  return Math.floor(wall / DAY_MS) * DAY_MS;
}

/** Whether an instant is the first of a local day (midnight, or the end of a change of the clocks that skips it). */
export function isLocalMidnight(instantMs: number, zone: IANAZone): boolean {
  return instantOf(midnightOf(wallTimeAt(instantMs, zone)), zone) === instantMs;
}
