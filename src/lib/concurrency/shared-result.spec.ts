import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { startClock, stopClock } from '../../../test/support/clock.js';
import { SharedResult } from './shared-result.js';

let ends: ((outcome: number | Error) => void)[];
let shared: SharedResult<number>;

beforeEach(() => {
  stopClock(new Date('2026-11-29T08:00:00.000Z'));
  ends = [];
  shared = new SharedResult(1_000, () => {
    return new Promise((resolve, reject) => {
      ends.push((outcome) => {
        if (typeof outcome === 'number') resolve(outcome);
        else reject(outcome);
      });
    });
  });
});
afterEach(startClock);

it('does its work once for all who want the result within its time, and again after that', async () => {
  const first = [shared.get(), shared.get()];
  ends[0]?.(1);
  jest.advanceTimersByTime(999);
  expect(await Promise.all([...first, shared.get()])).toEqual([1, 1, 1]);
  jest.advanceTimersByTime(1);
  const second = shared.get();
  ends[1]?.(2);
  expect([await second, ends.length]).toEqual([2, 2]);
});

it('begins nothing while the work runs, however long it takes', async () => {
  const all = [shared.get()];
  jest.advanceTimersByTime(5_000);
  all.push(shared.get());
  ends[0]?.(1);
  expect([await Promise.all(all), ends.length]).toEqual([[1, 1], 1]);
});

it('shares an error for as long as a result', async () => {
  const [first, other] = [shared.get(), shared.get()];
  ends[0]?.(new Error('down'));
  for (const result of [first, other, shared.get()]) await expect(result).rejects.toThrow('down');
  jest.advanceTimersByTime(1_000);
  const next = shared.get();
  ends[1]?.(2);
  expect(await next).toBe(2);
});
