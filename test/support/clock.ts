import { jest } from '@jest/globals';

/**
 * Stops the clock of the test file, also the one that lru-cache reads. `jest.advanceTimersByTime` moves it.
 * Undo it with `startClock`.
 */
export function stopClock(now: Date): void {
  jest.useFakeTimers({ now, doNotFake: ['performance'] });
  jest.spyOn(performance, 'now').mockImplementation(() => Date.now());
}

export function startClock(): void {
  jest.restoreAllMocks();
  jest.useRealTimers();
}
