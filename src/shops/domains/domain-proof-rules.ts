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
  return records.some((record) => valueIn(record) === expected) ? 'present' : 'missing';
}

const QUOTES = /^["'\u201c-\u201f\u2018-\u201b]+|["'\u201c-\u201f\u2018-\u201b]+$/g;

/**
 * The value that somebody meant: the forms of many DNS providers store the quotes and the blanks that were pasted around it. The value
 * itself has neither.
 */
function valueIn(record: string): string {
  return record.trim().replace(QUOTES, '').trim();
}

const MAX_SHOWN_RECORDS = 3;
const MAX_SHOWN_LENGTH = 80;

/** What is wrong with the record of a claim, and what to do. @param records as for `verdictOn`, without the expected one */
export function proofProblem(name: string, records: readonly string[] | null): string {
  if (records === null) {
    return `The name servers of ${name} gave no usable response, so nobody knows whether the TXT record exists; try again in some minutes, and check them if it stays so`;
  }
  if (records.length === 0) {
    return `There is no TXT record ${name} yet; publish it, and wait until your DNS provider has distributed it, which can take an hour`;
  }
  const found = records.slice(0, MAX_SHOWN_RECORDS).map((record) => JSON.stringify(record.slice(0, MAX_SHOWN_LENGTH)));
  return `The TXT record ${name} has another value than the expected one: ${found.join(', ')}`;
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
