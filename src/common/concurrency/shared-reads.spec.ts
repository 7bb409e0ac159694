import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SharedReads } from './shared-reads.js';

/** Reads that end when the test says so. Each returns its number. */
function openReads(): { readonly read: () => Promise<number>; readonly end: (error?: Error) => void; begun: number } {
  const open: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const state = {
    begun: 0,
    read: (): Promise<number> => {
      const number = ++state.begun;
      return new Promise((resolve, reject) => {
        open.push({ resolve: () => resolve(number), reject });
      });
    },
    end: (error?: Error): void => {
      const oldest = open.shift();
      if (error === undefined) oldest?.resolve();
      else oldest?.reject(error);
    },
  };
  return state;
}

const turn = (): Promise<void> => new Promise((resume) => setImmediate(resume));

describe('SharedReads', () => {
  it('starts a read at once when the same read is not running', () => {
    const [shared, reads, others] = [new SharedReads(), openReads(), openReads()];
    void shared.run('a', reads.read);
    void shared.run('b', others.read);
    expect([reads.begun, others.begun]).toEqual([1, 1]);
  });

  it('gives all who come while a read runs one next read, which begins when the first one ends', async () => {
    const [shared, reads] = [new SharedReads(), openReads()];
    const results = [1, 2, 3].map(() => shared.run('a', reads.read));
    await turn();
    expect(reads.begun).toBe(1);
    reads.end();
    await turn();
    expect(reads.begun).toBe(2);
    reads.end();
    expect(await Promise.all(results)).toEqual([1, 2, 2]);
  });

  it('never gives a caller a result that was read before the caller came', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.array(fc.nat(3), { maxLength: 20 }), async (scheduler, pauses) => {
        const shared = new SharedReads();
        let version = 0;
        const read = async (): Promise<number> => {
          const seen = version;
          await scheduler.schedule(Promise.resolve());
          return seen;
        };
        const callers = pauses.map(async (pause) => {
          for (let count = 0; count < pause; count++) await scheduler.schedule(Promise.resolve());
          const written = ++version;
          return (await shared.run('a', read)) >= written;
        });
        const areCurrent = await scheduler.waitFor(Promise.all(callers));
        expect(areCurrent).not.toContain(false);
        expect(shared.size).toBe(0);
      }),
    );
  });

  it('rejects those who wait with the error of the running read, and reads again for those who come later', async () => {
    const [shared, reads] = [new SharedReads(), openReads()];
    const [first, second] = [shared.run('a', reads.read), shared.run('a', reads.read)];
    reads.end(new Error('no database'));
    await expect(first).rejects.toThrow('no database');
    await expect(second).rejects.toThrow('no database');
    expect(reads.begun).toBe(1);
    const later = shared.run('a', reads.read);
    reads.end();
    expect(await later).toBe(2);
  });

  it('keeps nothing in memory after the last read', async () => {
    const shared = new SharedReads();
    const results = [1, 2, 3].map(() => shared.run('a', () => Promise.resolve()));
    expect(shared.size).toBe(1);
    await Promise.all(results);
    expect(shared.size).toBe(0);
  });
});
