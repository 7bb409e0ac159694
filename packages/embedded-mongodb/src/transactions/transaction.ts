import { fail } from '../errors.js';
import { type Catalogue, type Collection } from '../storage/catalogue.js';
import { type Disk, type Entry, type View } from '../storage/disk.js';
import { catalogueKey } from '../storage/keys.js';
import { type Writer } from '../storage/records.js';
import { type Holders } from './live.js';

interface Written {
  readonly key: Buffer;
  /** `undefined` where the key was removed. */
  value: Buffer | undefined;
}

/**
 * A transaction: it reads the snapshot of its beginning with its own writes over it, and keeps those in memory until the
 * commit. The first transaction that writes a key locks it. A second one, or a write of what was committed since the snapshot, gets
 * WriteConflict (112) at once (manual: core/transactions-in-applications, core/read-isolation-consistency-recency).
 */
export class Transaction implements Writer {
  private readonly snapshot: View & { release(): void };
  private readonly written = new Map<string, Written>();
  private sorted: Written[] | undefined;
  private readonly created = new Map<string, Collection>();
  private readonly described = new Set<Collection>();
  private readonly held: string[] = [];
  /** How many writes there were. */
  private writes = 0;
  /** Whether it has ended or its commit has begun. A command of it can still be running then. */
  private isOver = false;
  private end: () => void = () => undefined;
  /** Resolves when the transaction has committed or aborted. */
  readonly ended = new Promise<void>((resolve) => (this.end = resolve));

  constructor(
    private readonly disk: Disk,
    private readonly catalogue: Catalogue,
    private readonly holders: Holders,
  ) {
    this.snapshot = disk.snapshot();
  }

  get version(): number {
    return this.snapshot.version;
  }

  /** The snapshot never changes, so only its own writes count. */
  get revision(): number {
    return this.writes;
  }

  /** The snapshot keeps what others drop. */
  has(): boolean {
    return true;
  }

  /** 251 when it is over: a late read would have no snapshot, and nobody would remove a late lock. */
  private mustBeOpen(): void {
    if (this.isOver) fail(251, 'The transaction was committed or aborted while this command was running.');
  }

  get(key: Buffer): Buffer | undefined {
    this.mustBeOpen();
    const own = this.written.get(key.toString('latin1'));
    return own ? own.value : this.snapshot.get(key);
  }

  range(from: Buffer, to: Buffer, reverse: boolean, limit: number): Entry[] {
    this.mustBeOpen();
    const own = this.ownBetween(from, to);
    if (own.length === 0) return this.snapshot.range(from, to, reverse, limit);
    const replaced = new Set(own.map(({ key }) => key.toString('latin1')));
    const stored = this.snapshot
      .range(from, to, reverse, limit + own.length)
      .filter(({ key }) => !replaced.has(key.toString('latin1')));
    const added = own.flatMap(({ key, value }) => (value ? [{ key, value }] : []));
    const way = reverse ? -1 : 1;
    return [...stored, ...added].sort((a, b) => Buffer.compare(a.key, b.key) * way).slice(0, limit);
  }

  private ownBetween(from: Buffer, to: Buffer): Written[] {
    this.sorted ??= [...this.written.values()].sort((a, b) => Buffer.compare(a.key, b.key));
    const first = position(this.sorted, from);
    return this.sorted.slice(first, position(this.sorted, to));
  }

  claim(keys: readonly Buffer[]): void {
    this.mustBeOpen();
    const conflict = (): never =>
      fail(
        112,
        'Caused by :: Write conflict during plan execution and yielding is disabled. :: Please retry your operation or multi-document transaction.',
      );
    // Without a commit since then, every key has the value of the snapshot.
    const isLatest = this.disk.version === this.snapshot.version;
    for (const key of keys) {
      const name = key.toString('latin1');
      const holder = this.holders.get(name);
      if (holder === this) continue;
      if (holder !== undefined || (!isLatest && this.hasChanged(key))) conflict();
      this.holders.set(name, this);
      this.held.push(name);
    }
  }

  /** Whether the value of a key was committed anew after the snapshot. */
  private hasChanged(key: Buffer): boolean {
    const [seen, latest] = [this.snapshot.get(key), this.disk.get(key)];
    return seen ? !latest?.equals(seen) : latest !== undefined;
  }

  check(collection: Collection): void {
    if (this.collection(collection.namespace) !== collection) fail(175, `collection dropped: ${collection.namespace}`);
  }

  describe(collection: Collection): void {
    this.described.add(collection);
  }

  put(key: Buffer, value: Buffer): void {
    this.write(key, value);
  }

  remove(key: Buffer): void {
    this.write(key, undefined);
  }

  private write(key: Buffer, value: Buffer | undefined): void {
    this.writes++;
    const name = key.toString('latin1');
    const known = this.written.get(name);
    if (known) known.value = value;
    else {
      this.written.set(name, { key, value });
      this.sorted = undefined;
    }
  }

  /** The collection of that name, also one that this transaction has created. */
  collection(namespace: string): Collection | undefined {
    return this.created.get(namespace) ?? this.catalogue.get(namespace);
  }

  /** Adds a collection that this transaction creates; others see it after the commit. */
  create(collection: Collection): void {
    this.claim([catalogueKey(collection.namespace)]);
    this.created.set(collection.namespace, collection);
  }

  /** Whether the collection was created by this transaction. */
  hasCreated(namespace: string): boolean {
    return this.created.has(namespace);
  }

  /**
   * Writes everything, with what `also` writes, in one commit; then the transaction is over. One that has only read waits for no
   * disk: what it read is durable. As in MongoDB nothing is kept of it, so after a restart its commit cannot be repeated.
   */
  async commit(also: () => void): Promise<void> {
    this.isOver = true;
    try {
      if (this.written.size + this.created.size + this.described.size === 0) return;
      await this.disk.write(() => {
        for (const { key, value } of this.written.values()) {
          if (value) this.disk.put(key, value);
          else this.disk.remove(key);
        }
        also();
        for (const collection of this.created.values()) {
          this.catalogue.adopt(collection);
          this.described.add(collection);
        }
        for (const collection of this.described) {
          if (this.catalogue.get(collection.namespace) === collection) this.catalogue.save(this.disk, collection);
        }
      });
    } finally {
      this.release();
    }
  }

  /** Drops the transaction's writes and its locks; operations that waited for it continue. */
  release(): void {
    this.isOver = true;
    for (const name of this.held) this.holders.delete(name);
    this.snapshot.release();
    this.end();
  }
}

/** The position of the first entry that is not before `key`. */
function position(entries: readonly Written[], key: Buffer): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const entry = entries[middle];
    if (entry && Buffer.compare(entry.key, key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
