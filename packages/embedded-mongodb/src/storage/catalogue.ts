import { Binary, UUID } from 'bson';
import { decode, encode } from '../values/bson.js';
import { toNumber } from '../values/numbers.js';
import { type Doc, doc, isDoc, isNumber } from '../values/types.js';
import { type Disk, type View } from './disk.js';
import { idIndexSpec, type Index, makeIndex } from './indexes.js';
import { after, catalogueKey, droppedKey, entriesOf, highestKey, recordIn, recordsOf } from './keys.js';

/** Indexes that are being built, see `build.ts`. */
export interface Build {
  readonly indexes: readonly Index[];
  /** Resolves when the build has ended, also when it failed. */
  readonly ended: Promise<void>;
  /** Runs work whose failure concerns only the new indexes. */
  attempt(run: () => void): void;
}

/** A collection: the id in the keys of its documents, and its indexes (`_id_` first). */
export interface Collection {
  readonly namespace: string;
  readonly id: number;
  readonly uuid: Binary;
  readonly options: Doc;
  indexes: Index[];
  /** The indexes that are being built. */
  build: Build | undefined;
  /** The next document's record number; 0 until it is first needed. */
  nextRecord: number;
  /** The state of the indexes in the stored description, see {@link marksOf}. */
  marks: number;
}

/** What queries read: the latest state, or that of a transaction. */
export interface Readable extends View {
  /** Changes with each write that a read can see. */
  readonly revision: number;
  /** Whether the collection and its index are still there to be read. */
  has(collection: Collection, index: Index | undefined): boolean;
}

/** A target of writes: the disk inside a commit, or a transaction. */
export interface Writable extends View {
  put(key: Buffer, value: Buffer): void;
  remove(key: Buffer): void;
}

/** All collections. They are kept in memory, and each change is written to the disk. */
export class Catalogue {
  private collections = new Map<string, Collection>();
  private nextId = 1;

  constructor(private readonly disk: Disk) {
    this.reload();
  }

  /** Reads all collections from the disk, at start and when a commit was lost. */
  reload(): void {
    const known = this.collections;
    this.collections = new Map();
    const start = Buffer.from('C');
    for (const { value } of this.disk.range(start, after(start), false, 1e9)) {
      const collection = parse(decode(value));
      this.collections.set(collection.namespace, collection);
      collection.nextRecord = known.get(collection.namespace)?.nextRecord ?? 0;
      this.nextId = Math.max(this.nextId, collection.id + 1, ...collection.indexes.map(({ id }) => id + 1));
    }
    this.nextId = Math.max(this.nextId, (this.disk.get(highestKey)?.readUInt32BE() ?? 0) + 1);
  }

  /** The collection of that name. */
  get(namespace: string): Collection | undefined {
    return this.collections.get(namespace);
  }

  /** All collections, or those of one database. */
  list(database?: string): Collection[] {
    const all = [...this.collections.values()];
    return database === undefined ? all : all.filter(({ namespace }) => namespace.startsWith(`${database}.`));
  }

  /** A new collection that no command can see yet; {@link adopt} makes it visible. */
  make(namespace: string): Collection {
    const indexes = [makeIndex(this.newId(), idIndexSpec())];
    return {
      namespace,
      id: this.newId(),
      uuid: new UUID().toBinary(),
      options: new Map(),
      indexes,
      build: undefined,
      nextRecord: 1,
      marks: 0,
    };
  }

  /** An id for a collection or an index that was never used before. */
  newId(): number {
    return this.nextId++;
  }

  /** Makes a collection visible whose description is written in the same commit. */
  adopt(collection: Collection): void {
    this.collections.set(collection.namespace, collection);
  }

  /** Writes a collection's description. */
  save(writable: Writable, collection: Collection): void {
    const { namespace, id, uuid, options, indexes } = collection;
    const described = indexes.map((index) =>
      doc({ id: index.id, spec: index.spec, arrays: index.fields.map(({ arrays }) => arrays), long: index.long }),
    );
    writable.put(catalogueKey(namespace), encode(doc({ namespace, id, uuid, options, indexes: described })));
    collection.marks = marksOf(collection);
  }

  /** Removes a collection from memory; its entries are removed later, see {@link sweep}. */
  drop(writable: Writable, collection: Collection): void {
    this.collections.delete(collection.namespace);
    writable.remove(catalogueKey(collection.namespace));
    this.retire(writable, [collection.id, ...collection.indexes.map((index) => index.id)]);
  }

  /**
   * Marks ids as dropped: the entries with them will be removed. They are never used again, because an open transaction may
   * still write entries with them.
   */
  retire(writable: Writable, ids: readonly number[]): void {
    for (const id of ids) writable.put(droppedKey(id), Buffer.alloc(0));
    const highest = Buffer.alloc(4);
    highest.writeUInt32BE(this.nextId - 1);
    writable.put(highestKey, highest);
  }

  /** The number that the collection's next document gets. */
  newRecord(collection: Collection): number {
    if (collection.nextRecord === 0) {
      const [last] = this.disk.range(recordsOf(collection.id), after(recordsOf(collection.id)), true, 1);
      collection.nextRecord = last ? recordIn(last.key) + 1 : 1;
    }
    return collection.nextRecord++;
  }

  private dropped(): number[] {
    const start = Buffer.from('D');
    return this.disk.range(start, after(start), false, 1000).map(({ key }) => key.readUInt32BE(1));
  }

  private isBuilt(id: number): boolean {
    return this.list().some(({ build }) => build?.indexes.some((index) => index.id === id));
  }

  /** Removes a batch of the entries of dropped collections and indexes; returns whether there is more. Runs inside a commit. */
  sweep(most = 2000): boolean {
    for (const id of this.dropped().filter((one) => !this.isBuilt(one))) {
      for (const prefix of [recordsOf(id), entriesOf(id)]) {
        const entries = this.disk.range(prefix, after(prefix), false, most);
        for (const { key } of entries) this.disk.remove(key);
        if (entries.length === most) return true;
      }
      this.disk.remove(droppedKey(id));
    }
    return false;
  }

  /** Whether there is anything to {@link sweep}. */
  get hasDropped(): boolean {
    return this.dropped().some((id) => !this.isBuilt(id));
  }
}

/** How many properties of the documents the indexes have recorded; the number only grows. */
export const marksOf = ({ indexes }: Collection): number =>
  indexes.reduce(
    (sum, { fields, long }) => fields.reduce((marks, { arrays }) => marks + arrays, sum + Number(long)),
    0,
  );

function parse(stored: Doc): Collection {
  const [namespace, id, uuid, options, indexes] = ['namespace', 'id', 'uuid', 'options', 'indexes'].map((name) =>
    stored.get(name),
  );
  if (
    typeof namespace !== 'string' ||
    typeof id !== 'number' ||
    !(uuid instanceof Binary) ||
    !isDoc(options) ||
    !Array.isArray(indexes)
  ) {
    throw new Error('the data directory holds a collection description that this version cannot read');
  }
  const made = indexes.filter(isDoc).map((entry) => {
    const [indexId, spec, arrays] = ['id', 'spec', 'arrays'].map((name) => entry.get(name));
    if (!isNumber(indexId) || !isDoc(spec) || !Array.isArray(arrays))
      throw new Error(`unreadable index of ${namespace}`);
    return makeIndex(
      Number(indexId),
      spec,
      arrays.map((mask) => (isNumber(mask) ? toNumber(mask) : 0)),
      entry.get('long') === true,
    );
  });
  const collection = { namespace, id, uuid, options, indexes: made, build: undefined, nextRecord: 0, marks: 0 };
  return { ...collection, marks: marksOf(collection) };
}
