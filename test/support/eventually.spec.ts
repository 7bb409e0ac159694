import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { eventually, settled } from './eventually.js';

const PATIENCE_MS = 20;
const never = new Promise<never>(() => undefined);

describe('eventually', () => {
  it('returns the first value of the condition that is not false, null or undefined', async () => {
    const values = [false, null, undefined, 0, 1] as const;
    let calls = 0;
    expect(await eventually(() => Promise.resolve(values[calls++]))).toBe(0);
    expect(calls).toBe(4);
  });

  it('names the condition, its last value and the last state when it gives up', async () => {
    const sent = ['a'];
    const waiting = eventually(
      () => Promise.resolve(sent.length === 2),
      () => sent,
      PATIENCE_MS,
    );
    sent.push('b', 'c');
    await expect(waiting).rejects.toThrow(
      /^Waited in vain for: .*sent\.length === 2.* returned false\nLast state: \[ 'a', 'b', 'c' \]$/s,
    );
  });

  it('throws the error of the condition at once', async () => {
    const failing = (): Promise<never> => Promise.reject(new Error('the condition is wrong'));
    await expect(eventually(failing)).rejects.toThrow('the condition is wrong');
  });
});

describe('settled', () => {
  it('returns the value or the error of the promise', async () => {
    expect(await settled(setImmediate('done'), 'the end')).toBe('done');
    await expect(settled(Promise.reject(new Error('failed')), 'the end')).rejects.toThrow('failed');
  });

  it('names the event and the last state when it gives up', async () => {
    const waiting = settled(never, 'the exit of the service', () => 'its output', PATIENCE_MS);
    await expect(waiting).rejects.toThrow(/^Waited in vain for: the exit of the service\nLast state: its output$/);
  });
});
