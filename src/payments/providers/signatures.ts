import { equalInConstantTime } from '../../platform/crypto/keyed-hash.js';

/** How far the time of a signature may differ from ours, in both directions. */
export const TOLERANCE_SECONDS = 300;
/** A rotation needs a few signatures. More of them are an attack. */
const MAX_SIGNATURES = 16;
/** Seconds since the epoch. Milliseconds have more digits. */
const SECONDS = /^[1-9]\d{8,10}$/;

/** Whether an instant is within the tolerance of `now`. */
export function isNear(instant: Date, now: Date): boolean {
  return Math.abs(now.getTime() - instant.getTime()) <= TOLERANCE_SECONDS * 1000;
}

/** Whether a timestamp (a string with seconds since the epoch) is within the tolerance of `now`. */
export function isRecent(timestamp: string, now: Date): boolean {
  return SECONDS.test(timestamp) && isNear(new Date(Number(timestamp) * 1000), now);
}

/**
 * Whether one of the presented signatures is the expected one. Compares the strings in constant time. It does not
 * compare decoded bytes, because several strings decode to the same bytes.
 */
export function anyMatches(expected: string, presented: readonly string[]): boolean {
  if (presented.length > MAX_SIGNATURES) return false;
  return presented.map((signature) => equalInConstantTime(signature, expected)).includes(true);
}
