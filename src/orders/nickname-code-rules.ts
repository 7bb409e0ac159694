import { randomInt } from 'node:crypto';
import { type CodeState } from './nickname-code.schema.js';

/** How many tries one code, and one order in a day, may fail. */
const MAX_ATTEMPTS = 5;
export const MAX_FAILURES_A_DAY = 20;

const CODE_DIGITS = 8;
export const CODE_LIFETIME_MS = 10 * 60_000;
const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const MAX_SENT_AN_HOUR = 3;
const MAX_SENT_A_DAY = 10;

/** An 8-digit code from the system's random source. */
export function generateCode(): string {
  return String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
}

/** Whether an order may be sent another code: 3 an hour, 10 a day. */
export function maySend(before: CodeState | null, now: Date): boolean {
  if (before === null) return true;
  const sentToday = before.day === dayOf(now) ? before.sentToday : 0;
  return sentWithinAnHour(before, now).length < MAX_SENT_AN_HOUR && sentToday < MAX_SENT_A_DAY;
}

/**
 * The state of an order's codes with a new one: it ends the one before and has fresh tries, but the failures of the day go
 * on counting.
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

/** Whether an order had all the failed tries of today; those of an earlier day are forgotten. */
export function isLockedOut(state: CodeState | null, now: Date): boolean {
  return state?.day === dayOf(now) && state.failedToday >= MAX_FAILURES_A_DAY;
}

/** Until the next UTC day, when failures are counted anew. */
export function secondsToTomorrow(now: Date): number {
  return Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / 1000);
}

/** The UTC day of an instant. */
function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

function sentWithinAnHour(state: CodeState | null, now: Date): Date[] {
  return (state?.sentAt ?? []).filter((at) => now.getTime() - at.getTime() < HOUR_MS);
}
