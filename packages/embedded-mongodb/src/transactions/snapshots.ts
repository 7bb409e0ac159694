import { Timestamp } from 'bson';
import { fail } from '../errors.js';
import { type Disk, type View } from '../storage/disk.js';

const [keepMs, most] = [60_000, 100];

/** The state of a point in time. */
export interface Snapshot {
  readonly at: Timestamp;
  readonly view: View;
}

interface Kept extends Snapshot {
  readonly release: () => void;
  usedAt: number;
}

/**
 * States for reads with `readConcern: { level: 'snapshot' }` outside of transactions (manual: reference/read-concern-snapshot).
 * Each is kept for a minute after its last use; MongoDB's own default is five.
 */
export class Snapshots {
  private readonly kept = new Map<bigint, Kept>();

  constructor(private readonly disk: Disk) {}

  /** The state of that time, or a new one of this moment; 239 when it is no longer kept. */
  get(at: Timestamp | undefined, now: () => { t: number; i: number }): Snapshot {
    if (at) {
      const found =
        this.kept.get(at.toBigInt()) ??
        fail(239, `Read timestamp ${at.t}, ${at.i} is older than the oldest available timestamp.`);
      found.usedAt = Date.now();
      return found;
    }
    const oldest = this.kept.keys().next();
    if (this.kept.size >= most && oldest.done !== true) this.drop(oldest.value);
    const view = this.disk.snapshot();
    const made = { at: new Timestamp(now()), view, release: () => view.release(), usedAt: Date.now() };
    this.kept.set(made.at.toBigInt(), made);
    return made;
  }

  private drop(time: bigint): void {
    this.kept.get(time)?.release();
    this.kept.delete(time);
  }

  /** Gives up what was not used for a minute, or everything. */
  expire(now = Date.now()): void {
    for (const [time, { usedAt }] of this.kept) if (now - usedAt > keepMs) this.drop(time);
  }
}
