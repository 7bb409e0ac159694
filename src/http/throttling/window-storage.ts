import { type ThrottlerStorage } from '@nestjs/throttler';
import { type CountingPlace, type LimitStorage } from './limit-storage.js';

type Counted = Awaited<ReturnType<ThrottlerStorage['increment']>>;

interface Cell {
  /** Number of the window since the epoch. */
  index: number;
  current: number;
  previous: number;
}

const SWEEP_EVERY = 10_000;

/**
 * What a sliding window says about one more request. It counts the hits of the current window and a share of the previous one:
 * the part that the sliding window still covers. A pure function that both storages use.
 * @param elapsed the elapsed share of the current window, 0..1
 */
export function slidingWindow(
  cell: { readonly current: number; readonly previous: number },
  quota: number,
  windowMs: number,
  elapsed: number,
): Counted {
  const used = cell.current + cell.previous * (1 - elapsed);
  const toEndMs = windowMs * (1 - elapsed);
  if (used + 1 <= quota) {
    const seconds = Math.ceil(toEndMs / 1000);
    return { totalHits: Math.ceil(used + 1), timeToExpire: seconds, isBlocked: false, timeToBlockExpire: 0 };
  }
  // A slot becomes free either while the previous window slides out, or only after the end of the current one.
  const room = quota - 1 - cell.current;
  const waitMs =
    room >= 0
      ? windowMs * (1 - room / cell.previous - elapsed)
      : toEndMs + windowMs * (1 - (quota - 1) / Math.max(1, cell.current));
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return { totalHits: quota + 1, timeToExpire: seconds, isBlocked: true, timeToBlockExpire: seconds };
}

/**
 * Counters of one process: two numbers per subject, for every quota. The library's own storage keeps a list of all hits and
 * reads the whole list at every request, which is slow when the limit is high.
 */
export class WindowStorage implements LimitStorage {
  private readonly cells = new Map<string, Cell & { windowMs: number }>();
  private sinceSweep = 0;

  increment(key: string, ttl: number, limit: number): Promise<Counted> {
    const now = Date.now();
    if (++this.sinceSweep >= SWEEP_EVERY) this.sweep(now);
    const index = Math.floor(now / ttl);
    const cell = this.advance(key, index, ttl);
    const counted = slidingWindow(cell, limit, ttl, (now % ttl) / ttl);
    // A rejected request does not count, so clients that keep trying are not blocked for longer.
    if (!counted.isBlocked) cell.current++;
    return Promise.resolve(counted);
  }

  countsIn(): Promise<CountingPlace> {
    return Promise.resolve('process');
  }

  private advance(key: string, index: number, windowMs: number): Cell {
    let cell = this.cells.get(key);
    if (cell === undefined) {
      cell = { index, current: 0, previous: 0, windowMs };
      this.cells.set(key, cell);
    } else if (cell.index !== index) {
      cell.previous = cell.index === index - 1 ? cell.current : 0;
      cell.current = 0;
      cell.index = index;
    }
    return cell;
  }

  private sweep(now: number): void {
    this.sinceSweep = 0;
    for (const [key, cell] of this.cells) {
      if (Math.floor(now / cell.windowMs) > cell.index + 1) this.cells.delete(key);
    }
  }
}
