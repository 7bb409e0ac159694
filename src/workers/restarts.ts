import { backoff } from '../common/jobs/backoff.js';
import { MINUTE_MS, SECOND_MS } from '../common/time/durations.js';

/** A worker that has run for this long did not die of its start. */
const SOUND_MS = MINUTE_MS;

/**
 * Says when a worker that has died may be replaced. The first one at once, because its users wait. Those that die soon after
 * their start wait for 2, 4, 8... seconds, at most a minute. Otherwise a fault that ends each worker would keep the machine busy
 * with starts, and fill its log.
 */
export class Restarts {
  /** Deaths since a worker has last lived for long. */
  private inRow = 0;
  private nextAt = 0;

  /** @param livedMs how long it has run; 0 when it did not even listen */
  died(livedMs: number, now = performance.now()): void {
    this.inRow = livedMs < SOUND_MS ? this.inRow + 1 : 1;
    this.nextAt = this.inRow === 1 ? now : now + backoff(this.inRow - 1, SECOND_MS, MINUTE_MS);
  }

  /** How long to wait, in milliseconds, until the next start. */
  waitMs(now = performance.now()): number {
    return Math.max(0, this.nextAt - now);
  }
}
