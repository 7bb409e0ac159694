const HOUR_MS = 3_600_000;
/** How often the record of a verified domain is looked at. */
const CHECK_INTERVAL_MS = 24 * HOUR_MS;
/** Up to this much later, at random: domains that were verified together are not looked at together for ever. */
const SPREAD_MS = 4 * HOUR_MS;
/** When the DNS said nothing that counts, it is asked again earlier. */
const RETRY_MS = HOUR_MS;
/** A hostname is lost when its record was missing at this many looks in a row ... */
const MISSES_TO_LOSE = 3;
/** ... over at least this long: a move to another DNS provider, or a weekend, must not cost a shop its name. */
export const GRACE_MS = 72 * HOUR_MS;

/** What was found out about a proof, and when to look again. */
export interface ProofState {
  readonly checkAt: Date;
  /** How often in a row the record was definitely not there. */
  readonly misses: number;
  readonly missingSince: Date | null;
}

/** What a look at the DNS told: the record is there, it is definitely not, or nothing that counts. */
export type ProofVerdict = 'present' | 'missing' | 'unknown';

/** @param records what the DNS has at the record's name; null when it did not say */
export function verdictOn(records: readonly string[] | null, expected: string): ProofVerdict {
  if (records === null) return 'unknown';
  return records.includes(expected) ? 'present' : 'missing';
}

/**
 * The state after a look; null: the hostname is lost.
 * @param chance 0..1, spreads the looks
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

/** The proof of a hostname whose record was just seen. */
export function firstProof(token: string, now: Date, chance: number): ProofState & { readonly token: string } {
  const checkAt = new Date(now.getTime() + CHECK_INTERVAL_MS + SPREAD_MS * chance);
  return { token, checkAt, misses: 0, missingSince: null };
}
