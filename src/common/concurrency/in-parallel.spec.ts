import { describe, expect, it } from '@jest/globals';
import { inParallel } from './in-parallel.js';

describe('inParallel', () => {
  it('works on each item once, and on no more at once than it may', async () => {
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

  it('returns at once when there is nothing to do', async () => {
    await inParallel([], 3, () => Promise.reject(new Error('no item')));
  });
});
