import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../lib/time/durations.js';
import { type CodeState } from './nickname-code.types.js';

/** How many attempts a code has. */
const MAX_ATTEMPTS = 5;
/** After how many failed attempts an order accepts no code until the next day. */
export const MAX_FAILURES_A_DAY = 20;

export const CODE_LIFETIME_MS = 10 * MINUTE_MS;
const MAX_SENT_AN_HOUR = 3;
const MAX_SENT_A_DAY = 10;

/** Whether another code may be sent for an order: at most 3 in an hour and 10 in a day. */
export function maySend(before: CodeState | null, now: Date): boolean {
  if (before === null) return true;
  const sentToday = before.day === dayOf(now) ? before.sentToday : 0;
  return sentWithinAnHour(before, now).length < MAX_SENT_AN_HOUR && sentToday < MAX_SENT_A_DAY;
}

/**
 * The state with a new code. It replaces the code before and has new attempts, but the failures of the day stay
 * counted.
 */
export function withNewCode(before: CodeState | null, codeHash: string, now: Date, lifetimeMs: number): CodeState {
  const day = dayOf(now);
  const today = before?.day === day ? before : null;
  return {
    codeHash,
    attemptsLeft: MAX_ATTEMPTS,
    expiresAt: new Date(now.getTime() + lifetimeMs),
    usedAt: null,
    day,
    failedToday: today?.failedToday ?? 0,
    sentToday: (today?.sentToday ?? 0) + 1,
    sentAt: [...sentWithinAnHour(before, now), now],
  };
}

/** Whether an order has used up its failed attempts of today. Those of earlier days do not count. */
export function isLockedOut(state: CodeState | null, now: Date): boolean {
  return state?.day === dayOf(now) && state.failedToday >= MAX_FAILURES_A_DAY;
}

/** Seconds until the next UTC day, when the counting of failures starts again. */
export function secondsToTomorrow(now: Date): number {
  return Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / SECOND_MS);
}

/** The UTC day of an instant. */
function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

function sentWithinAnHour(state: CodeState | null, now: Date): Date[] {
  return (state?.sentAt ?? []).filter((at) => now.getTime() - at.getTime() < HOUR_MS);
}
