import { Session } from 'node:inspector/promises';
import { performance } from 'node:perf_hooks';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { eventually } from '../test/support/eventually.js';
import { bytesOfHeap, collectGarbage, collectWhenIdle, isWorthCollecting } from './memory.js';

const MIB = 1024 ** 2;

describe('isWorthCollecting', () => {
  it('is true for an idle process, when the heap has grown by more than half', () => {
    expect(isWorthCollecting(0.01, 100 * MIB, 0)).toBe(true);
    expect(isWorthCollecting(0.01, 91 * MIB, 60 * MIB)).toBe(true);
    expect(isWorthCollecting(0.01, 90 * MIB, 60 * MIB)).toBe(false);
  });

  it('is false while the process works, however large the heap is', () => {
    expect(isWorthCollecting(0.05, 1000 * MIB, 60 * MIB)).toBe(false);
  });
});

/** Leaves 100 MiB of garbage. Returns how many bytes the heap takes with it. */
function leaveGarbage(): number {
  const garbage: number[][] = [];
  while (garbage.length < 100) garbage.push(new Array<number>(MIB / 8).fill(garbage.length));
  return bytesOfHeap();
}

describe('collectGarbage', () => {
  it('returns the memory of all garbage at once', async () => {
    const bytes = leaveGarbage();
    await collectGarbage();
    expect(bytesOfHeap()).toBeLessThan(bytes - 90 * MIB);
  });
});

describe('collectWhenIdle', () => {
  const warn = jest.fn();
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
    warn.mockClear();
  });

  it('collects the garbage that an idle process has left', async () => {
    const bytes = leaveGarbage();
    const timer = collectWhenIdle({ warn }, 10);
    await eventually(() => Promise.resolve(bytesOfHeap() < bytes - 90 * MIB));
    clearInterval(timer);
    expect(warn).not.toHaveBeenCalled();
  });

  it('ends with one warning, and not the process, when the inspector is not allowed', async () => {
    jest.useFakeTimers();
    jest.spyOn(performance, 'eventLoopUtilization').mockReturnValue({ idle: 1, active: 0, utilization: 0 });
    const connect = jest.spyOn(Session.prototype, 'connect').mockImplementation(() => {
      throw new Error('Access to this API has been restricted.');
    });
    collectWhenIdle({ warn }, 10);
    await jest.advanceTimersByTimeAsync(50);
    expect(connect).toHaveBeenCalledTimes(1);
    expect(warn).toHaveBeenCalledTimes(1);
    expect(warn).toHaveBeenCalledWith(
      expect.objectContaining({ reason: 'Access to this API has been restricted.' }),
      'the service cannot return memory when it is idle',
    );
  });
});
