import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Semaphore } from './semaphore.js';

describe('Semaphore', () => {
  it('runs no more at once than its limit, all work in the end, and in the order of arrival', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.integer({ min: 1, max: 4 }), fc.nat(12), async (scheduler, width, count) => {
        const semaphore = new Semaphore(width, 100);
        const started: number[] = [];
        let running = 0;
        let most = 0;
        const all = Array.from({ length: count }, (_, index) =>
          semaphore.run(async () => {
            started.push(index);
            most = Math.max(most, ++running);
            await scheduler.schedule(Promise.resolve());
            running--;
          }),
        );
        await scheduler.waitFor(Promise.all(all));
        expect(most).toBeLessThanOrEqual(width);
        expect(started).toEqual([...started].sort((left, right) => left - right));
        expect(started).toHaveLength(count);
      }),
      { numRuns: 100 },
    );
  });

  it('rejects work when too much waits, and accepts work again after that', async () => {
    const semaphore = new Semaphore(1, 1, () => new Error('too many'));
    let finish: () => void = () => undefined;
    const running = semaphore.run(() => new Promise<void>((resolve) => (finish = resolve)));
    const waiting = semaphore.run(() => Promise.resolve('waited'));
    await expect(semaphore.run(() => Promise.resolve())).rejects.toThrow('too many');
    finish();
    await running;
    expect(await waiting).toBe('waited');
    expect(await semaphore.run(() => Promise.resolve('again'))).toBe('again');
  });

  it('runs other work after work that failed', async () => {
    const semaphore = new Semaphore(1, 0);
    for (let times = 0; times < 3; times++) {
      await expect(semaphore.run(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    }
    expect(await semaphore.run(() => Promise.resolve('fine'))).toBe('fine');
  });
});
