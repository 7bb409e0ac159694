import { describe, expect, it } from '@jest/globals';
import { KeyedQueue } from './keyed-queue.js';

const tooMany = (): Error => new Error('too many');

/** Work that ends when the test says so. */
function openWork(): { readonly work: () => Promise<void>; readonly end: () => void; isStarted: boolean } {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const state = { isStarted: false, end, work: (): Promise<void> => ((state.isStarted = true), ended) };
  return state;
}

describe('KeyedQueue', () => {
  it('runs work with one key one after the other, and does not make another key wait', async () => {
    const queue = new KeyedQueue(10, tooMany);
    const [first, second, other] = [openWork(), openWork(), openWork()];
    const running = [queue.run('a', first.work), queue.run('a', second.work), queue.run('b', other.work)];
    const started = (): boolean[] => [first, second, other].map(({ isStarted }) => isStarted);
    expect(started()).toEqual([true, false, true]);
    first.end();
    await running[0];
    expect(started()).toEqual([true, true, true]);
    for (const { end } of [second, other]) end();
    await Promise.all(running);
  });

  it('rejects work for a key that too many wait for, and only for that key', async () => {
    const queue = new KeyedQueue(1, tooMany);
    const [first, second] = [openWork(), openWork()];
    const running = [queue.run('a', first.work), queue.run('a', second.work)];
    await expect(queue.run('a', () => Promise.resolve())).rejects.toThrow('too many');
    expect(await queue.run('b', () => Promise.resolve('done'))).toBe('done');
    for (const { end } of [first, second]) end();
    await Promise.all(running);
  });

  it('keeps nothing in memory for a key without work, also after work that failed', async () => {
    const queue = new KeyedQueue(10, tooMany);
    const fail = (): Promise<never> => Promise.reject(new Error('failed'));
    const results = await Promise.allSettled([queue.run('a', fail), queue.run('a', fail), queue.run('b', fail)]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(queue.size).toBe(0);
    expect(await queue.run('a', () => Promise.resolve('again'))).toBe('again');
  });
});
