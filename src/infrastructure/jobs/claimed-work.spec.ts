import { beforeEach, describe, expect, it } from '@jest/globals';
import { aroundBatches } from '../../../test/support/batches.js';
import { logFields } from '../logging/log-context.js';
import { type ClaimedWork, workOff } from './claimed-work.js';

interface Item {
  readonly id: string;
  readonly shop: string;
}

/** The batches that `claim` returns, one after the other. */
let batches: Item[][];
let limits: number[];
/** The groups whose work was done. */
let done: string[][];
/** The items whose work fails. */
let broken: Set<string>;
let failed: [id: string, error: unknown][];
let job: { isStopped: boolean };

const items = (shop: string, count: number): Item[] =>
  Array.from({ length: count }, (_, index) => ({ id: `${shop}${index}`, shop }));

beforeEach(() => {
  [batches, limits, done, broken, failed, job] = [[], [], [], new Set(), [], { isStopped: false }];
});

/** An id of a record for each name of an item. */
const hexOf = (name: string): string => Buffer.from(name.padEnd(12)).toString('hex');

const run = (changes: Partial<ClaimedWork<Item>> = {}): Promise<void> =>
  workOff(job, {
    claim: (limit) => {
      limits.push(limit);
      return Promise.resolve(batches.shift() ?? []);
    },
    groupOf: ({ shop }) => shop,
    idsOf: ({ id, shop }) => ({ orderId: hexOf(id), shopId: hexOf(shop) }),
    work: (group) => {
      const ids = group.map(({ id }) => id);
      const reason = ids.find((id) => broken.has(id));
      if (reason !== undefined) return Promise.reject(new Error(`${reason} is broken`));
      done.push(ids);
      return Promise.resolve();
    },
    onFailure: ({ id }, error) => void failed.push([id, error]),
    ...changes,
  });

describe('work on claimed items', () => {
  it('claims no further batch when its time to claim is over', async () => {
    batches = [items('a', 2), items('b', 2)];
    await run({ batchSize: 2, claimMs: 0 });
    expect([limits, done]).toEqual([[2], [['a0', 'a1']]]);
  });

  it('processes the items of each group together, at most 50 items at once', async () => {
    batches = [
      [...items('a', 51), ...items('b', 2)].sort((left, right) => (left.id.slice(1) < right.id.slice(1) ? -1 : 1)),
    ];
    await run();
    expect(done.map((group) => group.length).sort()).toEqual([1, 2, 50]);
    expect(done.every((group) => new Set(group.map((id) => id[0])).size === 1)).toBe(true);
    expect(new Set(done.flat()).size).toBe(53);
  });

  it('processes each item of a group alone when the group fails, so that one item stops no other', async () => {
    batches = [[...items('a', 4), ...items('b', 2)]];
    broken = new Set(['a1']);
    await expect(run()).rejects.toThrow('a1 is broken');
    expect(done.flat().sort()).toEqual(['a0', 'a2', 'a3', 'b0', 'b1']);
    expect(failed).toEqual([['a1', new Error('a1 is broken')]]);
  });

  it('names in the log what the items of a group share, and the item whose work failed alone', async () => {
    batches = [items('a', 2)];
    broken = new Set(['a1']);
    const lines: object[] = [];
    const write = (line: object): void => void lines.push({ ...line, ...logFields() });
    const work = (group: readonly Item[]): Promise<void> => {
      write({ group: group.length });
      return group.some(({ id }) => broken.has(id)) ? Promise.reject(new Error('broken')) : Promise.resolve();
    };
    const onFailure = ({ id }: Item): void => {
      write({ failed: id });
    };
    await expect(run({ work, onFailure })).rejects.toThrow('broken');
    const shopId = hexOf('a');
    expect(lines).toEqual([
      { group: 2, shopId },
      { group: 1, shopId, orderId: hexOf('a0') },
      { group: 1, shopId, orderId: hexOf('a1') },
      { failed: 'a1', shopId, orderId: hexOf('a1') },
    ]);
  });

  it('processes all others also when more items fail than groups run at the same time', async () => {
    batches = [['a', 'b', 'c', 'd', 'e', 'f', 'g'].flatMap((shop) => items(shop, 2))];
    broken = new Set(['a0', 'b0', 'c0', 'd0', 'e0', 'f0']);
    await expect(run()).rejects.toThrow('is broken');
    expect(done.flat().sort()).toEqual(['a1', 'b1', 'c1', 'd1', 'e1', 'f1', 'g0', 'g1']);
    expect(failed).toHaveLength(6);
  });

  it.each(aroundBatches(200))('claims %i items until a claim returns no full batch', async (count) => {
    const waiting = items('a', count);
    await run({
      claim: (limit) => {
        limits.push(limit);
        return Promise.resolve(waiting.splice(0, limit));
      },
    });
    expect(done.flat().sort()).toEqual(
      items('a', count)
        .map(({ id }) => id)
        .sort(),
    );
    expect(limits).toEqual(Array(Math.floor(count / 200) + 1).fill(200));
  });

  it('claims as few items at once as the work says', async () => {
    batches = [items('a', 3), items('b', 2)];
    await run({ batchSize: 3 });
    expect(done.flat()).toHaveLength(5);
    expect(limits).toEqual([3, 3]);
  });

  it('ends when the job is stopped: it begins no other group and claims nothing more', async () => {
    batches = [[...items('a', 1), ...items('b', 199)], items('c', 1)];
    const work: ClaimedWork<Item>['work'] = ([{ id }]) => {
      job.isStopped = true;
      done.push([id]);
      return Promise.resolve();
    };
    await run({ work });
    expect([done, limits]).toEqual([[['a0']], [200]]);
  });

  it('fails when nothing can be claimed', async () => {
    await expect(run({ claim: () => Promise.reject(new Error('the database is down')) })).rejects.toThrow('down');
  });
});
