import { describe, expect, it } from '@jest/globals';
import { type ProofState } from '../shops/shop-hostname.types.js';
import { firstProof, proofProblem, type ProofVerdict, stateAfter, verdictOn } from './domain-proof-rules.js';

const NOW = new Date('2026-11-21T12:00:00Z');
const hoursFromNow = (hours: number): Date => new Date(NOW.getTime() + hours * 3_600_000);
const HEALTHY = { misses: 0, missingSince: null };

/** Runs the checks at the times of the rules, one for each verdict. Returns the hours until the hostname is lost, or null. */
function lostAfterHours(verdicts: readonly ProofVerdict[], chance = 0): number | null {
  let state: ProofState = { ...HEALTHY, checkAt: NOW };
  for (const verdict of verdicts) {
    const at = state.checkAt;
    const next = stateAfter(state, verdict, at, chance);
    if (next === null) return (at.getTime() - NOW.getTime()) / 3_600_000;
    state = next;
  }
  return null;
}
const times = (count: number, verdict: ProofVerdict): ProofVerdict[] => Array.from({ length: count }, () => verdict);

describe('A check of the record of a verified hostname', () => {
  it.each([
    [['x'], 'present'],
    [['other', 'x'], 'present'],
    [[], 'missing'],
    [[' x '], 'present'],
    [['"x"'], 'present'],
    [["'x'"], 'present'],
    [['\u201cx\u201d'], 'present'],
    [['other', '" x"'], 'present'],
    [['other', 'x0', 'x y', '"x" "y"', ''], 'missing'],
    [null, 'unknown'],
  ] as const)('reads the result %j as %s', (records, verdict) => expect(verdictOn(records, 'x')).toBe(verdict));

  it.each([
    [HEALTHY, 'present', 0, { checkAt: hoursFromNow(24), ...HEALTHY }],
    [HEALTHY, 'present', 1, { checkAt: hoursFromNow(28), ...HEALTHY }],
    [{ misses: 2, missingSince: hoursFromNow(-71) }, 'present', 0, { checkAt: hoursFromNow(24), ...HEALTHY }],
    [HEALTHY, 'missing', 0.5, { checkAt: hoursFromNow(24), misses: 1, missingSince: NOW }],
    [HEALTHY, 'unknown', 0, { checkAt: hoursFromNow(1), ...HEALTHY }],
    [
      { misses: 2, missingSince: hoursFromNow(-500) },
      'unknown',
      1,
      { checkAt: hoursFromNow(2), misses: 2, missingSince: hoursFromNow(-500) },
    ],
  ] as const)('moves from %j, with a record that is %s (chance %d), to %j', (state, verdict, chance, next) => {
    expect(stateAfter(state, verdict, NOW, chance)).toEqual(next);
  });

  it.each([
    ['gone for good: at the fourth daily check, 72 hours after the first', times(9, 'missing'), 72],
    ['gone for two days: never', [...times(3, 'missing'), 'present', ...times(3, 'missing')], null],
    ['a DNS that does not respond: never, however long', times(10_000, 'unknown'), null],
    ['no response in between: neither a miss nor a reset', ['missing', 'unknown', ...times(9, 'missing')], 73],
  ] as const)('takes the hostname away when the record is %s', (_what, verdicts, hours) => {
    expect(lostAfterHours(verdicts)).toBe(hours);
  });

  it('keeps the hostname when no check ran for a long time: two missed checks are not enough', () => {
    const state = { misses: 1, missingSince: hoursFromNow(-1_000) };
    expect(stateAfter(state, 'missing', NOW, 0)).toMatchObject({ misses: 2 });
  });

  it('schedules the first check a day after the verification, spread over four hours', () => {
    expect(firstProof('x', NOW, 0)).toEqual({ token: 'x', checkAt: hoursFromNow(24), ...HEALTHY });
    expect(firstProof('x', NOW, 1)).toEqual({ token: 'x', checkAt: hoursFromNow(28), ...HEALTHY });
  });
});

it('tells a missing record, another value and a failing name server apart', () => {
  expect(proofProblem('_x.example.com', [])).toMatch(/^There is no TXT record _x\.example\.com yet/);
  expect(proofProblem('_x.example.com', ['a', 'b'.repeat(200)])).toBe(
    `The TXT record _x.example.com has another value than the expected one: "a", "${'b'.repeat(80)}"`,
  );
  expect(proofProblem('_x.example.com', null)).toMatch(/^The name servers of _x\.example\.com gave no usable response/);
});
