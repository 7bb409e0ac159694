import { jest } from '@jest/globals';

/** How far `setWallClock` has set the date ahead of the clock of the process. */
let aheadMs = 0;

/**
 * Stops the clock of the test file, also the one that lru-cache reads. `jest.advanceTimersByTime` moves it.
 * Undo it with `startClock`.
 */
export function stopClock(now: Date): void {
  jest.useFakeTimers({ now, doNotFake: ['performance'] });
  aheadMs = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => Date.now() - aheadMs);
}

/** Sets the date of a stopped clock forward, or back when negative, as an operator or NTP does: `performance.now()` does not change. */
export function setWallClock(byMs: number): void {
  aheadMs += byMs;
  jest.setSystemTime(Date.now() + byMs);
}

const TIMERS = ['setInterval', 'setTimeout', 'clearInterval', 'clearTimeout'] as const;
const OTHER_CLOCKS = ['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate'] as const;

/** Stops only the timers of the test file, for specs with real sockets. `jest.advanceTimersByTime` moves them. Undo it with `startClock`. */
export function stopTimers(): void {
  jest.useFakeTimers({ doNotFake: ['Date', ...OTHER_CLOCKS] });
}

/** Stops only the date of the test file, for specs with a real store. Undo it with `startClock`. */
export function stopDate(now: Date): void {
  jest.useFakeTimers({ now, doNotFake: [...TIMERS, ...OTHER_CLOCKS] });
}

export function startClock(): void {
  jest.restoreAllMocks();
  jest.useRealTimers();
}
