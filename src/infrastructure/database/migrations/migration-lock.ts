import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type mongo } from 'mongoose';
import { SECOND_MS } from '../../../lib/time/durations.js';
import { violatedIndex } from '../database-errors.js';

/** A holder that has not renewed its lock for this long was killed. */
const LEASE_MS = 15 * SECOND_MS;
const RENEWAL_MS = 3 * SECOND_MS;
const POLL_MS = SECOND_MS / 2;

interface Lock {
  readonly _id: 'lock';
  readonly holder: string;
  /** Counts the renewals. */
  readonly renewals: number;
}

/**
 * Runs work in only one process at a time. A process that waits notices by its own clock that the lock is not renewed any more, so
 * clocks that differ do no harm.
 * @param waiting is called once when another process has the lock
 * @param work gets a signal that is aborted when the process could not renew its lock in time
 */
export async function underMigrationLock<Result>(
  database: mongo.Db,
  waiting: () => void,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const locks = database.collection<Lock>('migration_lock');
  const holder = randomUUID();
  await acquire(locks, holder, waiting);
  const [lost, done] = [new AbortController(), new AbortController()];
  const renewing = renew(locks, holder, lost, done.signal);
  try {
    return await work(lost.signal);
  } finally {
    done.abort();
    await renewing;
    await locks.deleteOne({ _id: 'lock', holder });
  }
}

async function acquire(locks: mongo.Collection<Lock>, holder: string, waiting: () => void): Promise<void> {
  let seen: { readonly lock: Lock; readonly since: number } | null = null;
  while (!(await insert(locks, holder))) {
    const lock = await locks.findOne({ _id: 'lock' });
    if (lock === null) continue;
    if (seen === null) waiting();
    if (seen?.lock.holder !== lock.holder || seen.lock.renewals !== lock.renewals) {
      seen = { lock, since: performance.now() };
    } else if (performance.now() - seen.since > LEASE_MS) {
      await locks.deleteOne({ ...lock });
    }
    await pause(POLL_MS);
  }
}

/** @returns false when there is a lock already */
async function insert(locks: mongo.Collection<Lock>, holder: string): Promise<boolean> {
  try {
    await locks.insertOne({ _id: 'lock', holder, renewals: 0 });
    return true;
  } catch (error) {
    if (violatedIndex(error) !== null) return false;
    throw error;
  }
}

/** Renews the lock until `done`. Aborts `lost` when another process has it, or when it was not renewed for as long as a lease. */
async function renew(
  locks: mongo.Collection<Lock>,
  holder: string,
  lost: AbortController,
  done: AbortSignal,
): Promise<void> {
  let renewedAt = performance.now();
  while (await waited(RENEWAL_MS, done)) {
    const now = performance.now();
    // While the database cannot be reached, the work itself fails. The lock may still be there afterwards.
    const renewed = await locks.updateOne({ _id: 'lock', holder }, { $inc: { renewals: 1 } }).catch(() => null);
    if (renewed?.matchedCount === 1) renewedAt = now;
    if (renewed?.matchedCount === 0 || performance.now() - renewedAt > LEASE_MS) {
      lost.abort(new Error('another process has taken over the migration'));
      return;
    }
  }
}

/** @returns false when it was ended early */
async function waited(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await pause(ms, undefined, { signal });
    return true;
  } catch {
    return false;
  }
}
