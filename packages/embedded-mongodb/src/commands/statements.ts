import { ObjectId } from 'bson';
import { fail } from '../errors.js';
import { findRows, type Row } from '../planner/scan.js';
import { planQuery, type Query } from '../planner/plan.js';
import { withVariables } from '../query/expression.js';
import { compileFilter, type Predicate } from '../query/matcher.js';
import { type Env } from '../query/terms.js';
import { parseSort } from '../query/sorting.js';
import { changedFields, compileUpdate, isReplacement, type Updater, upsertBase } from '../query/update.js';
import { type Collection } from '../storage/catalogue.js';
import { changeRecord, type Writer } from '../storage/records.js';
import { recordKey } from '../storage/keys.js';
import { decode, encode } from '../values/bson.js';
import { type Doc, isDoc, type Maybe, typeName, type Value } from '../values/types.js';
import { ensureCollection } from './collections.js';
import { type Operation } from './operation.js';

/** An update or a removal of documents, for `update`, `delete` and `findAndModify`. */
export interface Statement {
  readonly filter: Doc;
  /** The update; `undefined` removes. */
  readonly update: Value | undefined;
  readonly multi: boolean;
  readonly upsert: boolean;
  readonly arrayFilters?: readonly Doc[] | undefined;
  readonly sort?: Maybe;
  readonly hint?: Maybe;
  /** The variables of the statement (`let` or `c`), besides those of the command. */
  readonly vars?: Doc | undefined;
  /** What findAndModify returns of the document before and after. Called before the write, so that nothing is written when it fails. */
  readonly returned?: (before: Row | undefined, after: Doc | undefined) => Doc | null;
}

/** Reads and stores the result of a statement of a retryable write. */
export interface Memory {
  /** Whether the statement was executed before. */
  isKnown(): boolean;
  /** Stores the outcome in the commit of the last change. */
  record(outcome: Outcome, writer: Writer): void;
}

/** The result of a statement. */
export interface Outcome {
  matched: number;
  modified: number;
  /** The `_id` of the document that an upsert inserted. */
  upserted?: Value;
  /** The result of {@link Statement.returned}. */
  value?: Doc | null | undefined;
}

const chunk = 256;

/** Checks an `_id` and puts it in front, a new ObjectId where it is missing (manual: core/document/#the-_id-field). */
function withId(document: Doc): Doc {
  const id = document.get('_id');
  if (Array.isArray(id) || typeName(id) === 'regex') fail(53, `The '_id' value cannot be of type ${typeName(id)}`);
  if (isDoc(id))
    for (const name of id.keys())
      if (name.startsWith('$'))
        fail(52, `_id fields may not contain '$'-prefixed fields: ${name} is not valid for storage.`);
  const [first] = document.keys();
  if (first === '_id') return document;
  return new Map<string, Value>([
    ['_id', id ?? (id === null ? null : new ObjectId())],
    ...[...document].filter(([name]) => name !== '_id'),
  ]);
}

/** Inserts one document. */
export function insertDocument({ engine }: Operation, writer: Writer, collection: Collection, document: Doc): void {
  changeRecord(writer, collection, { record: engine.catalogue.newRecord(collection), after: withId(document) });
}

const unchanged: Updater = (document) => ({ document, counts: false });

/** A statement that is being executed: everything compiled that does not depend on a document. */
interface Work {
  readonly operation: Operation;
  readonly collection: Collection;
  readonly statement: Statement;
  readonly query: Query;
  /** Whether a document passes the filter of the query. */
  readonly matches: Predicate;
  readonly env: Env;
  readonly updater: Updater;
  readonly inserter: Updater;
  /** The only fields that the updater can change, see {@link changedFields}. */
  readonly fields: ReadonlySet<string> | undefined;
  readonly outcome: Outcome;
}

/** Compiles a statement; malformed ones are rejected here. */
function compiled(
  operation: Operation,
  statement: Statement,
): Pick<Work, 'query' | 'matches' | 'env' | 'updater' | 'inserter' | 'fields'> {
  const { update, filter, arrayFilters = [], multi, sort, hint, vars } = statement;
  if (vars && !Array.isArray(update)) fail(51198, 'Constant values may only be specified for pipeline updates');
  if (arrayFilters.length > 0 && Array.isArray(update))
    fail(9, 'arrayFilters may not be specified for pipeline-style updates');
  const env = withVariables(operation.env, vars);
  const matches = compileFilter(filter, env);
  const query = { filter, sort: multi ? [] : parseSort(sort), hint };
  if (update === undefined) return { env, query, matches, updater: unchanged, inserter: unchanged, fields: undefined };
  if (multi && isReplacement(update)) fail(9, 'multi update is not supported for replacement-style update');
  const updater = compileUpdate(update, { env, query: filter, arrayFilters, inserting: false });
  // An insertion is compiled once more only for `$setOnInsert`: nothing else in an update depends on it.
  const differs = statement.upsert && isDoc(update) && update.has('$setOnInsert');
  const inserter = differs ? compileUpdate(update, { env, query: filter, arrayFilters, inserting: true }) : updater;
  return { env, query, matches, updater, inserter, fields: changedFields(update) };
}

/**
 * Executes a statement. One document is found and changed in one commit. Many documents are found first and then changed in
 * batches, so that other commands can run between them, as MongoDB yields between documents. Each document is read again
 * before it is changed. A repeated retryable write is recognised inside the commit, because the first one can still be running
 * for a connection that was closed.
 */
export async function execute(
  operation: Operation,
  namespace: string,
  statement: Statement,
  memory?: Memory,
): Promise<Outcome> {
  const ready = compiled(operation, statement);
  const outcome: Outcome = { matched: 0, modified: 0 };
  if (statement.upsert) await ensureCollection(operation, namespace);
  const collection = operation.collection(namespace);
  const work = collection && { operation, collection, statement, outcome, ...ready };
  if (work && !statement.multi) {
    await changeOne(work, memory);
    return outcome;
  }
  if (work) await changeMany(work);
  await operation.write((writer) => {
    if (work && outcome.matched === 0 && statement.upsert) upsert(work, writer);
    memory?.record(outcome, writer);
  });
  return outcome;
}

/**
 * With an index the document is found inside the commit. Without one, or when that takes too long, it is searched outside of a
 * commit, and again if another command changed it.
 */
async function changeOne(work: Work, memory: Memory | undefined): Promise<void> {
  const { operation, collection, query, matches, env } = work;
  const change = (writer: Writer, row: Row | undefined): void => {
    if (row) changeRow(work, writer, row);
    else if (work.statement.upsert) upsert(work, writer);
    memory?.record(work.outcome, writer);
  };
  const isDone = await operation.write((writer) => {
    if (memory?.isKnown() === true) return true;
    const plan = planQuery(writer, collection, query);
    if (!plan.index) return false;
    const { done, value: row } = findRows(writer, collection, query, env, { plan, matches }).next();
    if (!done && !row) return false; // a slice of time is over, and a commit lets no other command run
    change(writer, row);
    return true;
  });
  for (let isSettled = isDone; !isSettled;) {
    const candidate = await search(work);
    isSettled = await operation.write((writer) => {
      if (memory?.isKnown() === true) return true;
      const row = reread(work, writer, candidate?.record);
      if (candidate && !row) return false;
      change(writer, row);
      return true;
    });
  }
}

async function search({ operation, collection, query, matches, env }: Work): Promise<Row | undefined> {
  for (const row of findRows(operation.view, collection, query, env, { matches })) {
    if (row) return row;
    await operation.pause();
  }
  return undefined;
}

/** The row as it is now, if it still matches. */
function reread({ collection, matches }: Work, writer: Writer, record: number | undefined): Row | undefined {
  if (record === undefined) return undefined;
  const bytes = writer.get(recordKey(collection.id, record));
  if (!bytes) return undefined;
  const document = decode(bytes);
  return matches(document) ? { record, bytes, document } : undefined;
}

async function changeMany(work: Work): Promise<void> {
  const { operation, collection, query, matches, env } = work;
  // A write during a pause can move a document forward in the index, so that it is found twice.
  const records = new Set<number>();
  for (const row of findRows(operation.view, collection, query, env, { matches })) {
    if (row) records.add(row.record);
    else await operation.pause();
  }
  const found = [...records];
  for (let at = 0; at < found.length;) {
    at = await operation.write((writer) => {
      writer.check(collection);
      let next = at;
      for (; next < Math.min(found.length, at + chunk); next++) {
        const row = reread(work, writer, found[next]);
        try {
          if (row) changeRow(work, writer, row);
        } catch (error) {
          if (next === at) throw error;
          break; // the documents before it stay changed; the next batch begins with this one and throws
        }
      }
      return next;
    });
    await operation.pause();
  }
}

function changeRow({ collection, statement, updater, fields, outcome }: Work, writer: Writer, row: Row): void {
  const { record, bytes } = row;
  const { update, returned } = statement;
  if (update === undefined) {
    const value = returned?.(row, undefined);
    changeRecord(writer, collection, { record, before: row });
    outcome.value = value;
    outcome.modified++;
  } else {
    const { document: after, counts } = updater(decode(bytes));
    const encoded = encode(after);
    const value = returned?.(row, after);
    if (counts || !encoded.equals(bytes)) {
      changeRecord(writer, collection, { record, before: row, after, bytes: encoded, fields });
      outcome.modified++;
    }
    outcome.value = value;
  }
  outcome.matched++;
}

function upsert({ operation, collection, statement, inserter, outcome }: Work, writer: Writer): void {
  const { update, filter, returned } = statement;
  const base = upsertBase(filter);
  const start: Doc =
    update !== undefined && isReplacement(update) ? new Map([...base].filter(([name]) => name === '_id')) : base;
  const after = withId(inserter(start).document);
  const value = returned?.(undefined, after);
  insertDocument(operation, writer, collection, after);
  outcome.value = value;
  outcome.upserted = after.get('_id') ?? null;
}
