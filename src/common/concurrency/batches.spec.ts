import { describe, expect, it } from '@jest/globals';
import { Batches } from './batches.js';

const nextTurn = (): Promise<void> => new Promise((resume) => setImmediate(resume));

/** Doubles numbers, and keeps the items of each batch. */
function doubling() {
  const seen: number[][] = [];
  const work = (items: readonly number[]): Promise<number[]> => {
    seen.push([...items]);
    return Promise.resolve(items.map((item) => 2 * item));
  };
  return { seen, work };
}

describe('Batches', () => {
  it('work once for the calls of one turn with the same key, and give each call its own result', async () => {
    const [batches, { seen, work }] = [new Batches(), doubling()];
    const results = [1, 2, 2].map((item) => batches.run('a', item, work));
    const other = batches.run('b', 7, work);
    expect(seen).toEqual([]);
    expect(await Promise.all([...results, other])).toEqual([2, 4, 4, 14]);
    expect(seen).toEqual([[1, 2, 2], [7]]);
  });

  it('begin the work after all calls of its batch, and do not wait for work that runs', async () => {
    const batches = new Batches();
    let stored = 0;
    const ends: (() => void)[] = [];
    const read = async (items: readonly null[]): Promise<number[]> => {
      const seen = stored;
      await new Promise<void>((resolve) => ends.push(resolve));
      return items.map(() => seen);
    };
    const first = batches.run('a', null, read);
    await nextTurn();
    stored = 1;
    const second = batches.run('a', null, read);
    await nextTurn();
    for (const end of ends) end();
    expect(await Promise.all([first, second])).toEqual([0, 1]);
  });

  it('give the error of the work to each call of the batch, and to no later one', async () => {
    const [batches, { work }] = [new Batches(), doubling()];
    const broken = (): Promise<number[]> => Promise.reject(new Error('down'));
    const results = await Promise.allSettled([1, 2].map((item) => batches.run('a', item, broken)));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await batches.run('a', 1, work)).toBe(2);
  });

  it('have at most 100 calls each', async () => {
    const [batches, { seen, work }] = [new Batches(), doubling()];
    const items = Array.from({ length: 250 }, (_, index) => index);
    const results = await Promise.all(items.map((item) => batches.run('a', item, work)));
    expect(results).toEqual(items.map((item) => 2 * item));
    expect(seen.map(({ length }) => length)).toEqual([100, 100, 50]);
  });
});
