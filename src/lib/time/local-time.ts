import { IANAZone } from 'luxon';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './durations.js';

/**
 * The date and time that a clock in some time zone shows, written as the milliseconds of the same date and time in UTC. In
 * wall time every day has 24 hours. Daylight saving matters only when a wall time is turned into an instant.
 */
export type WallTime = number;

/** A time zone by its IANA name, or null when there is no such zone. */
export function zoneOf(name: string): IANAZone | null {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(name)) return null;
  // In lower case, which Intl accepts: luxon caches every spelling that it is given, forever.
  const spelling = name.toLowerCase();
  return IANAZone.isValidZone(spelling) ? IANAZone.create(spelling) : null;
}

/** Reads a time zone, or returns what is wrong with it. */
export function readZone(name: string): IANAZone | readonly string[] {
  return zoneOf(name) ?? ['timezone must be an IANA time zone such as Europe/Berlin'];
}

/** The wall time at an instant. */
export function wallTimeAt(instantMs: number, zone: IANAZone): WallTime {
  return instantMs + zone.offset(instantMs) * MINUTE_MS;
}

/**
 * The first instant at which the clock shows `wall` or later. For a time that comes twice (clocks go back) it is the first
 * one. For a time that never comes (clocks go forward, or a whole day is left out) it is the moment of the change.
 */
export function instantOf(wall: WallTime, zone: IANAZone): number {
  // Offsets are between -12 and +14 hours, so the instant is in this range, with at most one change of the clocks.
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

/** Midnight at the start of the day. */
export function midnightOf(wall: WallTime): WallTime {
  return Math.floor(wall / DAY_MS) * DAY_MS;
}

/** What a clock in the zone shows at an instant: `2026-11-28 09:57`. */
export function localTimeOf(at: Date, zone: IANAZone): string {
  return new Date(wallTimeAt(at.getTime(), zone)).toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length).replace('T', ' ');
}

/** The local day of an instant, such as `2026-11-28`. */
export function localDayOf(at: Date, zone: IANAZone): string {
  return localTimeOf(at, zone).slice(0, 'yyyy-mm-dd'.length);
}

/** The local month of an instant, such as `2026-11`. */
export function monthOf(at: Date, zone: IANAZone): string {
  return new Date(wallTimeAt(at.getTime(), zone)).toISOString().slice(0, 'yyyy-mm'.length);
}

/** Whether an instant is the first of a local day: midnight, or the moment of a change of the clocks that skips it. */
export function isLocalMidnight(instantMs: number, zone: IANAZone): boolean {
  return instantOf(midnightOf(wallTimeAt(instantMs, zone)), zone) === instantMs;
}
