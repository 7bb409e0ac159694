import { fail } from '../errors.js';
import { compileFilter, type Predicate } from '../query/matcher.js';
import { type Env } from '../query/terms.js';
import { sliceMs } from '../query/paced.js';
import { sortKey, Sorter } from '../query/sorting.js';
import { type Collection, type Readable } from '../storage/catalogue.js';
import { type Entry, type View } from '../storage/disk.js';
import { isMultikey } from '../storage/indexes.js';
import { after, recordIn, recordKey, recordsOf } from '../storage/keys.js';
import { decode } from '../values/bson.js';
import { type Doc } from '../values/types.js';
import { type Plan, type KeyRange } from './candidate.js';
import { planQuery, type Query } from './plan.js';

/** A stored document that was found. */
export interface Row {
  readonly record: number;
  readonly bytes: Buffer;
  /** Decoded at its first use. */
  readonly document: Doc;
}

/** How many entries of indexes and how many documents were read. */
export interface Effort {
  keys: number;
  documents: number;
}

const [firstBatch, largestBatch, batchBytes] = [16, 512, 1024 * 1024];

class StoredRow implements Row {
  private decoded: Doc | undefined;
  constructor(
    readonly record: number,
    readonly bytes: Buffer,
    /** Whether it is certain that it matches. */
    readonly isSure = false,
  ) {}

  get document(): Doc {
    return (this.decoded ??= decode(this.bytes));
  }
}

/**
 * Reads a range of keys in batches. After a write the rest of a batch is read again, so that a cursor returns no document that
 * was removed or changed before. Between two batches nothing in the data file is open.
 */
function* entries(view: Readable, from: Buffer, to: Buffer, reverse: boolean): Generator<Entry> {
  let [low, high, size] = [from, to, firstBatch];
  for (;;) {
    const { revision } = view;
    const batch = view.range(low, high, reverse, size);
    let last: Entry | undefined;
    for (last of batch) {
      yield last;
      if (view.revision !== revision) break;
    }
    if (!last || (batch.length < size && view.revision === revision)) return;
    if (reverse) high = last.key;
    else low = Buffer.concat([last.key, Buffer.of(0)]);
    const bytes = batch.reduce((sum, { value }) => sum + value.length, 0);
    size = bytes > batchBytes ? Math.max(1, size >> 1) : Math.min(size * 2, largestBatch);
  }
}

function lookup(view: View, key: Buffer): Entry[] {
  const value = view.get(key);
  return value ? [{ key, value }] : [];
}

const unread = Buffer.alloc(0);

/**
 * @param isSure whether an entry of the index of a plan is enough to know that its document matches
 * @param countOnly such a document is not read
 */
function* planned(
  view: Readable,
  collection: Collection,
  plan: Plan,
  effort: Effort,
  isSure: (plan: Plan) => boolean,
  countOnly: boolean,
): Generator<StoredRow> {
  if (plan.either) {
    for (const part of plan.either) yield* planned(view, collection, part, effort, isSure, countOnly);
    return;
  }
  if (!plan.index) {
    const prefix = recordsOf(collection.id);
    for (const { key, value } of entries(view, prefix, after(prefix), false)) {
      effort.documents++;
      yield new StoredRow(recordIn(key), value);
    }
    return;
  }
  for (const { key, value } of entriesOf(view, plan)) {
    effort.keys++;
    const record = recordIn(value.length > 0 ? value : key);
    const sure = isSure(plan);
    if (sure && countOnly) {
      yield new StoredRow(record, unread, sure);
      continue;
    }
    const bytes = view.get(recordKey(collection.id, record));
    if (!bytes) continue; // the document was removed after its entry was read
    effort.documents++;
    yield new StoredRow(record, bytes, sure);
  }
}

function* entriesOf(view: Readable, { ranges, reverse, lookup: isLookup, sideBySide }: Plan): Generator<Entry> {
  if (sideBySide) {
    yield* inOneOrder(view, ranges, reverse);
    return;
  }
  for (const { from, to } of reverse ? ranges.toReversed() : ranges) {
    yield* isLookup ? lookup(view, from) : entries(view, from, to, reverse);
  }
}

/** Reads ranges side by side: always the entry that comes first, without regard to the fields with one value in a range. */
function* inOneOrder(view: Readable, ranges: readonly KeyRange[], reverse: boolean): Generator<Entry> {
  const heads = ranges.flatMap(({ from, to, prefix }) => {
    const rest = entries(view, from, to, reverse);
    const first = rest.next();
    return first.done ? [] : [{ rest, prefix, entry: first.value, rank: first.value.key.subarray(prefix) }];
  });
  const isBefore = (left: Buffer, right: Buffer): boolean => Buffer.compare(left, right) * (reverse ? -1 : 1) < 0;
  for (;;) {
    const [first, ...others] = heads;
    if (!first) return;
    const head = others.reduce((least, other) => (isBefore(other.rank, least.rank) ? other : least), first);
    yield head.entry;
    const next = head.rest.next();
    if (next.done) heads.splice(heads.indexOf(head), 1);
    else [head.entry, head.rank] = [next.value, next.value.key.subarray(head.prefix)];
  }
}

/** Whether the collection and the indexes that a plan reads were not dropped. */
const isThere = (view: Readable, collection: Collection, { index, either = [] }: Plan): boolean =>
  view.has(collection, index) && either.every((plan) => isThere(view, collection, plan));

/**
 * The rows that match, each once, in the order of the query's sort; of equal rows the one that was stored earlier comes first.
 * An `undefined` among them means that a slice of time is over, and that the reader may let other commands run. Error 175 when
 * the collection or the index was dropped meanwhile: the rows would end too early.
 * @param options.countOnly the rows are only counted: where the index decides that they match, they have no document
 */
export function* findRows(
  view: Readable,
  collection: Collection,
  query: Query,
  env: Env,
  options: { plan?: Plan; matches?: Predicate; effort?: Effort; keep?: number; countOnly?: boolean } = {},
): Generator<Row | undefined, undefined> {
  const matches = options.matches ?? compileFilter(query.filter, env);
  const plan = options.plan ?? planQuery(view, collection, query);
  const several = plan.either !== undefined || (plan.index?.fields.some(isMultikey) ?? false);
  const seen = new Set<number>();
  const sorter = plan.sorted ? undefined : new Sorter<Row>(options.keep);
  const start = view.revision;
  let checked = start;
  const mustBeThere = (): void => {
    checked = view.revision;
    if (!isThere(view, collection, plan)) fail(175, `collection or index dropped: ${collection.namespace}`);
  };
  let sliceEnd = performance.now() + sliceMs;
  // Entries are read ahead. A write in between may have changed the document of an entry.
  const isSure = ({ exact }: Plan): boolean => exact && view.revision === start;
  const { effort = { keys: 0, documents: 0 }, countOnly = false } = options;
  for (const row of planned(view, collection, plan, effort, isSure, countOnly && !sorter)) {
    if (performance.now() > sliceEnd) {
      yield undefined;
      sliceEnd = performance.now() + sliceMs;
    }
    if (view.revision !== checked) mustBeThere();
    if (several && seen.size === seen.add(row.record).size) continue;
    if (query.filter.size > 0 && !row.isSure && !matches(row.document)) continue;
    // A row is kept without its decoded document, which takes several times the memory of its bytes.
    if (sorter) sorter.add(sortKey(row.document, query.sort), new StoredRow(row.record, row.bytes), row.bytes.length);
    else yield row;
  }
  if (view.revision !== checked) mustBeThere();
  if (sorter) yield* sorter.sorted();
}
