import { StoreError } from '../errors.js';
import { decode } from '../values/bson.js';
import { type Build, type Collection } from './catalogue.js';
import { duplicateKey, entriesFor, type Index } from './indexes.js';
import { after, droppedKey, recordIn, recordsOf } from './keys.js';
import { type Writer } from './records.js';

const sliceMs = 5;
const batchSize = 16;

/**
 * Indexes that are being built for a collection that has documents. Until {@link finish} nobody reads them, but every write to
 * the collection keeps them, so the documents can be gone through in batches. What such a write can't put into them is the
 * build's failure, not the write's (as MongoDB's builds hold back their violations). A build that ends halfway, also by
 * kill -9, leaves entries under ids that are marked as dropped from the beginning, so they are swept away. (A transaction's
 * write that can't be put into them fails the build also when the transaction is rolled back later.)
 */
export class IndexBuild implements Build {
  /** Why the build can't succeed. */
  failure: StoreError | undefined;
  private from: Buffer;
  private end: () => void = () => undefined;
  readonly ended = new Promise<void>((resolve) => (this.end = resolve));

  constructor(
    private readonly collection: Collection,
    readonly indexes: readonly Index[],
  ) {
    this.from = recordsOf(collection.id);
  }

  /**
   * Continues for a few milliseconds, inside a commit, and returns whether all documents are done. Throws its failure, and
   * Blocked when a transaction holds a value that a unique index needs: the next call continues there.
   */
  step(writer: Writer): boolean {
    const until = performance.now() + sliceMs;
    for (let rows; performance.now() < until;) {
      rows = writer.range(this.from, after(recordsOf(this.collection.id)), false, batchSize);
      for (const { key, value } of rows) {
        this.attempt(() => this.add(writer, recordIn(key), value));
        if (this.failure) throw this.failure;
        this.from = Buffer.concat([key, Buffer.of(0)]);
      }
      if (rows.length < batchSize) return true;
    }
    return false;
  }

  private add(writer: Writer, record: number, bytes: Buffer): void {
    const document = decode(bytes);
    for (const index of this.indexes) {
      const entries = [...entriesFor(index, document, record).values()];
      if (index.unique) writer.claim(entries.map(({ key }) => key));
      for (const { key, value, values } of entries) {
        const holder = index.unique ? writer.get(key) : undefined;
        if (holder && recordIn(holder) !== record) duplicateKey(this.collection.namespace, index, values);
        writer.put(key, value);
      }
    }
  }

  attempt(run: () => void): void {
    try {
      run();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      this.failure ??= error;
    }
  }

  /** The indexes exist from this commit on; the caller writes the collection's description. */
  finish(writer: Writer): void {
    if (this.failure) throw this.failure;
    for (const index of this.indexes) {
      writer.remove(droppedKey(index.id));
      index.since = writer.version;
    }
    this.collection.indexes = [...this.collection.indexes, ...this.indexes];
  }

  /** Ends it, after a success or a failure. */
  close(): void {
    if (this.collection.build === this) this.collection.build = undefined;
    this.end();
  }
}
