import { fail } from '../errors.js';
import { type Doc } from '../values/types.js';
import { encode, maxDocumentBytes } from '../values/bson.js';
import { type Collection, marksOf, type Readable, type Writable } from './catalogue.js';
import { dependsOn, duplicateKey, entriesFor, type Index, type IndexEntry } from './indexes.js';
import { recordIn, recordKey } from './keys.js';

/** Writes documents, and checks that no other transaction has written the same keys. */
export interface Writer extends Readable, Writable {
  /** Throws Blocked or WriteConflict when another transaction has written one of the keys. */
  claim(keys: readonly Buffer[]): void;
  /** Throws 175 when the collection was dropped, or another one has its name. */
  check(collection: Collection): void;
  /** Writes the collection's description, which has changed. */
  describe(collection: Collection): void;
}

/** A change of one document: `before` alone is a removal, `after` alone an insertion. */
export interface RecordChange {
  readonly record: number;
  /** Decoded only if an index needs it. */
  readonly before?: { readonly document: Doc } | undefined;
  readonly after?: Doc | undefined;
  /** The bytes of `after`, if they are known. */
  readonly bytes?: Buffer;
  /** The only fields of the document that may differ; any if it is missing. */
  readonly fields?: ReadonlySet<string> | undefined;
}

interface IndexChange {
  readonly index: Index;
  readonly removed: Map<string, IndexEntry>;
  readonly added: Map<string, IndexEntry>;
}

/**
 * Writes a change of one document and of all its index entries, or throws and has written nothing: 11000 for a unique
 * index's violation, 10334 for a document above 16 MB, what {@link Writer.claim} throws, 171 of the indexes.
 */
export function changeRecord(writer: Writer, collection: Collection, change: RecordChange): void {
  const { record, before, after, fields } = change;
  writer.check(collection);
  const key = recordKey(collection.id, record);
  const bytes = after && (change.bytes ?? encode(after));
  if (bytes && bytes.length > maxDocumentBytes)
    fail(10334, `BSONObj size: ${bytes.length} is invalid. Size must be between 0 and ${maxDocumentBytes}(16MB)`);
  const { build } = collection;
  const affected = (indexes: readonly Index[]): readonly Index[] =>
    fields ? indexes.filter((index) => dependsOn(index, fields)) : indexes;
  const changeOf = (index: Index): IndexChange => indexChange(index, before?.document, after, record);
  const changes = affected(collection.indexes).map(changeOf);
  for (const index of affected(build?.indexes ?? [])) build?.attempt(() => changes.push(changeOf(index)));
  writer.claim(claimed(key, changes));
  for (const { index, added } of changes) {
    if (!index.unique) continue;
    for (const entry of added.values()) {
      const holder = writer.get(entry.key);
      if (!holder || recordIn(holder) === record) continue;
      const violated = (): never => duplicateKey(collection.namespace, index, entry.values);
      if (build?.indexes.includes(index)) build.attempt(violated);
      else violated();
    }
  }
  for (const { removed, added } of changes) {
    for (const entry of removed.values()) writer.remove(entry.key);
    for (const entry of added.values()) writer.put(entry.key, entry.value);
  }
  if (bytes) writer.put(key, bytes);
  else writer.remove(key);
  if (marksOf(collection) !== collection.marks) writer.describe(collection);
}

function indexChange(index: Index, before: Doc | undefined, after: Doc | undefined, record: number): IndexChange {
  const entries = (document: Doc | undefined): Map<string, IndexEntry> =>
    document ? entriesFor(index, document, record) : new Map<string, IndexEntry>();
  const [removed, added] = [entries(before), entries(after)];
  for (const name of added.keys()) if (removed.delete(name)) added.delete(name);
  return { index, removed, added };
}

/** The keys that a writer must lock: the document, and the values that it adds to or removes from unique indexes. */
const claimed = (key: Buffer, changes: readonly IndexChange[]): Buffer[] => [
  key,
  ...changes
    .filter(({ index }) => index.unique)
    .flatMap(({ removed, added }) => [...removed.values(), ...added.values()].map((entry) => entry.key)),
];
