import { fail } from './errors.js';
import { Catalogue } from './storage/catalogue.js';
import { Disk } from './storage/disk.js';
import { takeDirectory } from './storage/directory.js';
import { checkFormat } from './storage/format.js';
import { type Ownership } from './storage/owner.js';
import { type Writer } from './storage/records.js';
import { type Holders, Live } from './transactions/live.js';
import { Sessions } from './transactions/sessions.js';
import { type Transaction } from './transactions/transaction.js';

/** The opened data directory: what commands work with. */
export class Engine {
  readonly catalogue: Catalogue;
  readonly sessions: Sessions;
  readonly live: Live;
  private counter = 0;
  private seconds = 0;

  /** Opens the directory, and creates it when it doesn't exist. Throws when another process uses it, or when it can't be read or written. */
  static async open(directory: string): Promise<Engine> {
    const ownership = await takeDirectory(directory);
    let disk: Disk | undefined;
    try {
      disk = new Disk(directory, () => ownership.isHeld());
      await checkFormat(disk);
      return new Engine(directory, disk, ownership);
    } catch (error) {
      await disk?.close();
      ownership.release();
      throw error;
    }
  }

  private constructor(
    readonly directory: string,
    readonly disk: Disk,
    private readonly ownership: Ownership,
  ) {
    const holders: Holders = new Map();
    this.catalogue = new Catalogue(this.disk);
    this.sessions = new Sessions(this.disk, this.catalogue, holders);
    this.live = new Live(this.disk, this.catalogue, holders);
    this.disk.onLostCommit = () => {
      this.catalogue.reload();
      this.sessions.forget();
    };
  }

  /**
   * Runs a writing task in the transaction or, outside of one, in the next commit. For a task that throws, see
   * {@link Disk.write}; Blocked when a transaction holds what is to be written.
   */
  async write<T>(transaction: Transaction | undefined, task: (writer: Writer) => T): Promise<T> {
    return transaction ? task(transaction) : this.disk.write(() => task(this.live));
  }

  /** A new point in time of the cluster: seconds, and a counter within them. */
  tick(): { t: number; i: number } {
    const now = Math.floor(Date.now() / 1000);
    this.counter = now > this.seconds ? 1 : this.counter + 1;
    this.seconds = Math.max(this.seconds, now);
    return { t: this.seconds, i: this.counter };
  }

  /** Makes writing possible again after an error of the disk, or when the hold on the directory was lost. Called regularly. */
  async recover(): Promise<void> {
    if (!this.ownership.isHeld()) {
      await this.ownership.renew();
      this.disk.reopen(); // another process may have used the directory meanwhile
    }
    this.disk.recover();
  }

  /** Rolls back open transactions, finishes the writes under way and gives the directory back. */
  async close(): Promise<void> {
    this.sessions.close();
    await this.disk.close();
    this.ownership.release();
  }
}

/** Waits for the promise, at most until the deadline: then error 50. */
export async function before(deadline: number, promise: Promise<void>): Promise<void> {
  if (!Number.isFinite(deadline)) return promise;
  const tooLate = (): never => fail(50, 'operation exceeded time limit');
  if (performance.now() > deadline) tooLate(); // a promise that is resolved already would win the race
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>(
    (resolve) => (timer = setTimeout(() => resolve('late'), Math.max(0, deadline - performance.now()))),
  );
  const first = await Promise.race([promise, late]);
  clearTimeout(timer);
  if (first === 'late') tooLate();
}
