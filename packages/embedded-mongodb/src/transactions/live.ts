import { Blocked, fail } from '../errors.js';
import { type Catalogue, type Collection } from '../storage/catalogue.js';
import { type Disk, type Entry } from '../storage/disk.js';
import { type Index } from '../storage/indexes.js';
import { recordsOf } from '../storage/keys.js';
import { type Writer } from '../storage/records.js';

/** The open transaction that has written a key, by the key as a latin1 string. */
export type Holders = Map<string, { readonly ended: Promise<void> }>;

/**
 * Reads and writes outside of a transaction: straight from and to the disk. Writes must be inside a commit; they wait for
 * transactions that have written the same key.
 */
export class Live implements Writer {
  constructor(
    private readonly disk: Disk,
    private readonly catalogue: Catalogue,
    private readonly holders: Holders,
  ) {}

  get version(): number {
    return this.disk.version;
  }

  get revision(): number {
    return this.disk.version;
  }

  has({ namespace, id }: Collection, index: Index | undefined): boolean {
    const latest = this.catalogue.get(namespace);
    // Not the objects: they are made anew when a commit was lost.
    return latest?.id === id && (index === undefined || latest.indexes.some((one) => one.id === index.id));
  }

  get(key: Buffer): Buffer | undefined {
    return this.disk.get(key);
  }

  range(from: Buffer, to: Buffer, reverse: boolean, limit: number): Entry[] {
    return this.disk.range(from, to, reverse, limit);
  }

  claim(keys: readonly Buffer[]): void {
    if (this.holders.size === 0) return;
    for (const key of keys) {
      const holder = this.holders.get(key.toString('latin1'));
      if (holder) throw new Blocked(holder.ended);
    }
  }

  check(collection: Collection): void {
    if (this.catalogue.get(collection.namespace) !== collection)
      fail(175, `collection dropped: ${collection.namespace}`);
  }

  describe(collection: Collection): void {
    this.catalogue.save(this, collection);
  }

  /** Throws Blocked when an open transaction has written to the collection, for changes of the whole collection. */
  claimAll(collection: Collection): void {
    const prefix = recordsOf(collection.id).toString('latin1');
    for (const [name, holder] of this.holders) if (name.startsWith(prefix)) throw new Blocked(holder.ended);
  }

  put(key: Buffer, value: Buffer): void {
    this.disk.put(key, value);
  }

  remove(key: Buffer): void {
    this.disk.remove(key);
  }
}
