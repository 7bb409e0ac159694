import { type Database, open, type Transaction } from 'lmdb';
import { StoreError } from '../errors.js';
import { maxReaders, NoSpace, requireSpace, Room, type Statistics } from './room.js';

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

/** How long nothing is written after an error of the disk. */
const restMs = 1000;

/**
 * The data file: LMDB, one key space. Writes that arrive together share one commit and so one flush (group commit); LMDB's synchronous commit returns when it is on the disk:
 * a promise of {@link write} resolves when its data is durable. Nobody can read what is not durable yet.
 */
export class Disk implements View {
  private db: Database<Buffer, Buffer>;
  private room: Room;
  private tasks: Task[] = [];
  private inside = false;
  /** Why the commit that is being written can't succeed. */
  private lost: Error | undefined;
  private closed = false;
  private commits = 0;
  /** After an error of the disk nothing is written until the file is opened anew: when that happened, and the error. */
  private failure: { readonly at: number; readonly error: StoreError } | undefined;
  /** Called when a whole commit failed or the file was opened anew, so that caches can be read again. */
  onLostCommit: () => void = () => undefined;

  /** The directory must belong to this process, see `directory.ts`; `isOwn` tells whether it still does. */
  constructor(
    private readonly directory: string,
    private readonly isOwn: () => boolean = () => true,
  ) {
    this.db = openFile(directory);
    this.room = this.openRoom();
  }

  private openRoom(): Room {
    return new Room(this.directory, () => this.db.getStats() as Statistics);
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
    this.change(key.length + value.length, () => this.db.putSync(key, value));
  }

  /** Removes a key; only inside a task of {@link write}. */
  remove(key: Buffer): void {
    this.change(0, () => this.db.removeSync(key));
  }

  /** Makes a change of that many bytes. One that fails ends the whole commit, also where a task catches the error. */
  private change(bytes: number, make: () => void): void {
    if (!this.inside) throw new Error('a write outside of a commit');
    try {
      this.room.take(bytes);
      make();
    } catch (error) {
      this.lost ??= error instanceof Error ? error : new Error('the change failed');
      throw error;
    }
  }

  /**
   * Runs the task in the next commit and returns its result when that is durable. When a task throws, its error goes to the
   * caller, but the commit keeps what the task has written until then, together with the writes of the other tasks. So a task
   * may throw only where its writes are complete in themselves. 14031 when the disk is full, 39 for another error of the disk,
   * 10107 when the directory or the file belongs to another process, 91 after {@link close}: a command that was interrupted by
   * the end of the server may still call this.
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
    const lost = this.refusal() ?? this.written(tasks);
    for (const task of tasks)
      if (lost) task.failed(lost);
      else task.done();
  }

  /** Why nothing may be written now. */
  private refusal(): StoreError | undefined {
    if (this.failure) return this.failure.error;
    try {
      this.requireOwn();
      this.room.begin();
      return undefined;
    } catch (error) {
      return storeError(error);
    }
  }

  /** Throws 10107 while the directory or the file does not belong to this process any more: then writing is impossible. */
  requireOwn(): void {
    if (this.isOwn() && this.room.isInPlace()) return;
    throw new StoreError(10107, `${this.directory} was taken from this process: its files were removed or replaced`);
  }

  /** Runs the tasks in one commit; returns why it was lost. */
  private written(tasks: readonly Task[]): StoreError | undefined {
    try {
      this.db.transactionSync(() => {
        this.inside = true;
        this.commits++;
        this.lost = undefined;
        for (const task of tasks) {
          task.run();
          this.mustBePossible();
        }
        this.inside = false;
      });
      this.room.end();
      return undefined;
    } catch (error) {
      this.inside = false;
      const lost = storeError(error);
      if (!(error instanceof NoSpace)) this.failure = { at: performance.now(), error: lost };
      this.onLostCommit();
      return lost;
    }
  }

  private mustBePossible(): void {
    if (this.lost) throw this.lost;
  }

  /** Opens the file anew some time after an error of the disk. Called regularly. */
  recover(): void {
    if (!this.failure || performance.now() - this.failure.at < restMs) return;
    requireSpace(this.directory, 0);
    this.reopen();
  }

  /** Opens the file anew. Transactions end, and nothing that was read before is used again. */
  reopen(): void {
    this.onLostCommit(); // no snapshot may be open when the file is closed
    void this.db.close(); // closes at once: no asynchronous operation of LMDB is used
    try {
      this.db = openFile(this.directory);
      const before = this.room;
      this.room = this.openRoom();
      before.close();
    } catch (error) {
      // Nothing can be read or written any more. An error that nobody catches ends the thread, and whoever started the store learns of it.
      setImmediate(() => {
        throw error;
      });
      throw error;
    }
    this.failure = undefined;
    this.onLostCommit();
  }

  /** Closes the file after the writes that are under way. Later ones are rejected. */
  async close(): Promise<void> {
    this.closed = true;
    this.commit();
    await this.db.close();
    this.room.close();
  }
}

function openFile(directory: string): Database<Buffer, Buffer> {
  return open<Buffer, Buffer>({
    path: directory,
    noSubdir: false,
    encoding: 'binary',
    keyEncoding: 'binary',
    overlappingSync: false,
    maxReaders,
    mapSize: MAP_BYTES,
  });
}

/** The error for clients: 14031 for a full disk, 39 (FileStreamFailed) where the disk fails for another reason. */
function storeError(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (!isFull(error)) return new StoreError(39, `The disk failed, writes are rejected until it works: ${message}`);
  return new StoreError(14031, `${message}. Writes are rejected until there is space, reads work.`);
}

/** Whether the disk is full: by our own check, or by LMDB's number of the system's error (ENOSPC, EFBIG, EDQUOT). */
const isFull = (error: unknown): boolean =>
  error instanceof NoSpace || (error instanceof Error && 'code' in error && [28, 27, 122].includes(Number(error.code)));
