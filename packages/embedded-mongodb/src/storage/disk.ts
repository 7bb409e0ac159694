import { type Database, open, type Transaction } from 'lmdb';
import { StoreError } from '../errors.js';

/** One entry of the key space. */
export interface Entry {
  readonly key: Buffer;
  readonly value: Buffer;
}

/** A state that can be read: the latest one, a snapshot, or a snapshot with a transaction's own writes. */
export interface View {
  get(key: Buffer): Buffer | undefined;
  /** At most `limit` entries with `from <= key < to`, in order or in reverse order. */
  range(from: Buffer, to: Buffer, reverse: boolean, limit: number): Entry[];
  /** The number of the commit whose state this is, or of the one that is being written. */
  readonly version: number;
}

interface Task {
  readonly run: () => void;
  readonly done: () => void;
  readonly failed: (error: Error) => void;
}

/**
 * How much of the address space the file gets. LMDB maps a file that outgrows this once more and keeps the old map, so what is read
 * through both counts twice as memory of the process.
 */
const MAP_BYTES = 1024 ** 3;

/**
 * The data file: LMDB, one key space. Writes that arrive together share one commit and so one flush (group commit); LMDB's synchronous commit returns when it is on the disk:
 * a promise of {@link write} resolves when its data is durable. Nobody can read what is not durable yet.
 */
export class Disk implements View {
  private readonly db: Database<Buffer, Buffer>;
  private tasks: Task[] = [];
  private inside = false;
  private closed = false;
  private commits = 0;
  /** Called when a whole commit failed, so that caches can be read again. */
  onLostCommit: () => void = () => undefined;

  /** The directory must belong to this process, see `directory.ts`. */
  constructor(directory: string) {
    this.db = open<Buffer, Buffer>({
      path: directory,
      noSubdir: false,
      encoding: 'binary',
      keyEncoding: 'binary',
      overlappingSync: false,
      maxReaders: 2048,
      mapSize: MAP_BYTES,
    });
  }

  get version(): number {
    return this.commits;
  }

  get(key: Buffer): Buffer | undefined {
    return this.db.get(key);
  }

  range(from: Buffer, to: Buffer, reverse: boolean, limit: number): Entry[] {
    return this.read(from, to, reverse, limit);
  }

  private read(from: Buffer, to: Buffer, reverse: boolean, limit: number, transaction?: Transaction): Entry[] {
    const entries: Entry[] = [];
    // In reverse LMDB starts at `to` itself, which is not ours.
    const bounds = reverse
      ? { start: to, end: from, inclusiveEnd: true, reverse, limit: limit + 1 }
      : { start: from, end: to, limit };
    for (const { key, value } of this.db.getRange(transaction ? { ...bounds, transaction } : bounds)) {
      if (entries.length < limit && !(reverse && key.equals(to))) entries.push({ key, value });
    }
    return entries;
  }

  /** How many keys there are from `from` to before `to`. */
  count(from: Buffer, to: Buffer): number {
    return this.db.getKeysCount({ start: from, end: to });
  }

  /** The state of this moment, for as long as it is not released. */
  snapshot(): View & { release(): void } {
    const transaction = this.db.useReadTransaction();
    return {
      version: this.commits,
      get: (key) => this.db.get(key, { transaction }),
      range: (from, to, reverse, limit) => this.read(from, to, reverse, limit, transaction),
      release: () => transaction.done(),
    };
  }

  /** Sets a value; only inside a task of {@link write}. */
  put(key: Buffer, value: Buffer): void {
    this.mustBeInside();
    this.db.putSync(key, value);
  }

  /** Removes a key; only inside a task of {@link write}. */
  remove(key: Buffer): void {
    this.mustBeInside();
    this.db.removeSync(key);
  }

  private mustBeInside(): void {
    if (!this.inside) throw new Error('a write outside of a commit');
  }

  /**
   * Runs the task in the next commit and returns its result when that is durable. When a task throws, its error goes to the
   * caller, but the commit keeps what the task has written until then, together with the writes of the other tasks. So a task
   * may throw only where its writes are complete in themselves. 14031 when the disk is full, 91 after
   * {@link close}: a command that was interrupted by the end of the server may still call this.
   */
  write<T>(task: () => T): Promise<T> {
    if (this.closed) return Promise.reject(new StoreError(91, 'The server is shutting down'));
    return new Promise<T>((resolve, reject) => {
      let finish: () => void = () => undefined;
      const run = (): void => {
        try {
          const result = task();
          finish = () => resolve(result);
        } catch (error) {
          if (isDiskError(error)) throw error;
          finish = () => reject(error instanceof Error ? error : new Error('the task failed'));
        }
      };
      this.tasks.push({ run, done: () => finish(), failed: reject });
      if (this.tasks.length === 1) setImmediate(() => this.commit());
    });
  }

  private commit(): void {
    const tasks = this.tasks;
    this.tasks = [];
    if (tasks.length === 0) return; // close() has committed them before their turn came
    try {
      this.db.transactionSync(() => {
        this.inside = true;
        this.commits++;
        for (const task of tasks) task.run();
      });
    } catch (error) {
      this.inside = false;
      this.onLostCommit();
      const lost = new StoreError(
        14031,
        `the data file takes no more writes: ${error instanceof Error ? error.message : ''}`,
      );
      for (const task of tasks) task.failed(lost);
      return;
    } finally {
      this.inside = false;
    }
    for (const task of tasks) task.done();
  }

  /** Closes the file after the writes that are under way. Later ones are rejected. */
  async close(): Promise<void> {
    this.closed = true;
    this.commit();
    await this.db.close();
  }
}

/** LMDB's own failures (map full, no space, I/O) have a numeric or system code; ours and programming errors don't. */
const isDiskError = (error: unknown): boolean =>
  error instanceof Error &&
  !(error instanceof StoreError) &&
  'code' in error &&
  (typeof error.code === 'number' || (typeof error.code === 'string' && /^E[A-Z]+$/.test(error.code)));
