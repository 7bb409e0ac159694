import { HOUR_MS } from '../../lib/time/durations.js';
import { type HostnameProof, type ProofState } from '../shops/shop-hostname.types.js';

/** How often the record of a verified domain is checked. */
const CHECK_INTERVAL_MS = 24 * HOUR_MS;
/** A random delay up to this, so that domains that were verified together are not always checked together. */
const SPREAD_MS = 4 * HOUR_MS;
/** When the DNS gave no usable result, the next check comes earlier. */
const RETRY_MS = HOUR_MS;
/** A hostname is lost when its record was missing in this many checks in a row ... */
const MISSES_TO_LOSE = 3;
/** ... during at least this time, so that no shop loses its name during a move to another DNS provider or a weekend. */
export const GRACE_MS = 72 * HOUR_MS;

/** The result of a check: the record exists, it does not exist, or the DNS gave no usable result. */
export type ProofVerdict = 'present' | 'missing' | 'unknown';

/** @param records the TXT records at the name; null when the DNS gave no usable result */
export function verdictOn(records: readonly string[] | null, expected: string): ProofVerdict {
  if (records === null) return 'unknown';
  return records.includes(expected) ? 'present' : 'missing';
}

/**
 * The state after a check, or null when the hostname is lost.
 * @param chance a random number from 0 to 1 that spreads the checks
 */
export function stateAfter(
  { misses, missingSince }: Pick<ProofState, 'misses' | 'missingSince'>,
  verdict: ProofVerdict,
  now: Date,
  chance: number,
): ProofState | null {
  const after = (ms: number): Date => new Date(now.getTime() + ms);
  if (verdict === 'unknown') return { checkAt: after(RETRY_MS * (1 + chance)), misses, missingSince };
  if (verdict === 'present') {
    return { checkAt: after(CHECK_INTERVAL_MS + SPREAD_MS * chance), misses: 0, missingSince: null };
  }
  const since = missingSince ?? now;
  const counted = misses + 1;
  if (counted >= MISSES_TO_LOSE && now.getTime() - since.getTime() >= GRACE_MS) return null;
  return { checkAt: after(CHECK_INTERVAL_MS), misses: counted, missingSince: since };
}

/** The proof of a hostname whose record was just found. */
export function firstProof(token: string, now: Date, chance: number): HostnameProof {
  const checkAt = new Date(now.getTime() + CHECK_INTERVAL_MS + SPREAD_MS * chance);
  return { token, checkAt, misses: 0, missingSince: null };
}
