import { describe, expect, it } from '@jest/globals';
import { inParallel } from './in-parallel.js';

describe('inParallel', () => {
  it('processes each item once, and no more at once than its limit', async () => {
    const [done, running]: [number[], Set<number>] = [[], new Set()];
    let most = 0;
    await inParallel(Array.from({ length: 20 }).keys(), 3, async (item) => {
      most = Math.max(most, running.add(item).size);
      await new Promise((resume) => setImmediate(resume));
      running.delete(item);
      done.push(item);
    });
    expect([...done].sort((left, right) => left - right)).toEqual([...Array.from({ length: 20 }).keys()]);
    expect([most, running.size]).toEqual([3, 0]);
  });

  it('processes the other items when one fails, and then rejects with its error', async () => {
    const done: number[] = [];
    const work = inParallel([1, 2, 3, 4], 2, async (item) => {
      if (item === 1) throw new Error('item 1 failed');
      await new Promise((resume) => setImmediate(resume));
      done.push(item);
    });
    await expect(work).rejects.toThrow('item 1 failed');
    expect(done).toEqual([2, 3, 4]);
  });

  it('stops when as many items have failed as it may process at once', async () => {
    const begun: number[] = [];
    const work = inParallel([1, 2, 3, 4], 2, (item) => {
      begun.push(item);
      return Promise.reject(new Error(`item ${item} failed`));
    });
    await expect(work).rejects.toThrow('item 1 failed');
    expect(begun).toEqual([1, 2]);
  });

  it('returns at once when there is nothing to do', async () => {
    await inParallel([], 3, () => Promise.reject(new Error('no item')));
  });
});
