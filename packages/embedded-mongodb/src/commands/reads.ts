import { fail } from '../errors.js';
import { type Query } from '../planner/plan.js';
import { type Effort, findRows } from '../planner/scan.js';
import { parseSort } from '../query/sorting.js';
import { compileProjection, type Transform } from '../query/transforms.js';
import { compileFilter } from '../query/matcher.js';
import { type Collection } from '../storage/catalogue.js';
import { after, recordIn, recordKey, recordsOf } from '../storage/keys.js';
import { maxDocumentBytes } from '../values/bson.js';
import { hashOf } from '../values/compare.js';
import { count as counted, toNumber } from '../values/numbers.js';
import { split, walk } from '../values/paths.js';
import { type Doc, isDoc, isNumber, type Maybe, noFields, type Num, Raw, reply, type Value } from '../values/types.js';
import { type Results } from './cursors.js';
import { eachOf, isArray, isLong, isString } from './arguments.js';
import { type Reply, type Operation } from './operation.js';

/** The parsed arguments of a `find`. */
export interface Find {
  readonly namespace: string;
  readonly query: Query;
  readonly projection: Transform | undefined;
  readonly skip: number;
  readonly limit: number;
}

/** Reads the arguments of `find`. */
export function findOf(operation: Operation): Find {
  const { body } = operation;
  const filter = operation.optional('filter', isDoc) ?? noFields();
  const fields = operation.optional('projection', isDoc);
  const hint = body.get('hint');
  return {
    namespace: operation.namespace(),
    query: { filter, sort: parseSort(body.get('sort') ?? undefined), hint },
    projection: fields && fields.size > 0 ? compileProjection(fields, operation.env) : undefined,
    skip: whole(operation.number('skip', 0)),
    limit: whole(operation.number('limit', 0)),
  };
}

/** The results of a find: stored bytes, or the results of the projection. */
export function* found(
  operation: Operation,
  { namespace, query, projection, skip, limit }: Find,
  effort?: Effort,
): Generator<Raw | Doc | undefined> {
  const collection = operation.collection(namespace);
  compileFilter(query.filter, operation.env);
  if (!collection) return;
  let [toSkip, left] = [skip, limit || Number.POSITIVE_INFINITY];
  const options = {
    ...(limit > 0 ? { keep: skip + limit } : {}),
    ...(effort ? { effort } : {}),
  };
  for (const row of findRows(operation.view, collection, query, operation.env, options)) {
    if (!row) yield undefined;
    else if (toSkip > 0) toSkip--;
    else {
      yield projection ? projection(row.document) : new Raw(row.bytes);
      if (--left <= 0) return;
    }
  }
}

/** MongoDB cuts off the fraction of a limit, a skip or a batch size. */
const whole = (value: Num): number => Math.trunc(toNumber(value)) || 0;

/** The batch size that a command or its cursor option requests. */
export const batchSize = (source: Doc): number | undefined => {
  const size = source.get('batchSize');
  return isNumber(size) ? whole(size) : undefined;
};

/** `find` (manual: reference/command/find). */
export function find(operation: Operation): Promise<Reply> {
  const wanted = findOf(operation);
  return operation.server.cursors.open(operation, wanted.namespace, found(operation, wanted), {
    batchSize: batchSize(operation.body),
    single: operation.flag('singleBatch'),
    patient: operation.flag('noCursorTimeout'),
  });
}

/** `getMore`; a zero batch size means the default. */
export function getMore(operation: Operation): Promise<Reply> {
  const id = operation.body.get('getMore');
  if (!isLong(id)) fail(14, "BSON field 'getMore.getMore' is the wrong type, expected type 'long'");
  const namespace = `${operation.database}.${operation.required('collection', isString)}`;
  const size = batchSize(operation.body) ?? 0;
  if (size < 0) fail(2, `Batch size for getMore must be nonnegative, but received: ${size}`);
  return operation.server.cursors.next(operation, id, namespace, size || undefined);
}

/** `killCursors`. */
export function killCursors(operation: Operation): Reply {
  const ids = eachOf(operation.required('cursors', isArray), isLong, 'killCursors.cursors');
  const killed = ids.filter((id) => operation.server.cursors.kill(id));
  return reply({
    cursorsKilled: killed,
    cursorsNotFound: ids.filter((id) => !killed.includes(id)),
    cursorsAlive: [],
    cursorsUnknown: [],
  });
}

/** Reads all results, with pauses. */
export async function drain(
  operation: Operation,
  results: Results,
  each: (document: Raw | Doc) => void,
): Promise<void> {
  for (let step = results.next(); step.done !== true; step = results.next()) {
    if (step.value) each(step.value);
    else await operation.pause();
  }
}

function simpleQuery(operation: Operation): Find {
  const query = {
    filter: operation.optional('query', isDoc) ?? noFields(),
    sort: [],
    hint: operation.body.get('hint'),
  };
  return {
    namespace: operation.namespace(),
    query,
    projection: undefined,
    skip: 0,
    limit: 0,
  };
}

/** A number of `count`: 2 for another type, 9 for one that is not whole. */
function countNumber({ body }: Operation, name: string): number {
  const value = body.get(name) ?? 0;
  if (!isNumber(value)) return fail(2, `${name} value is not a valid number`);
  return Number.isInteger(toNumber(value)) ? toNumber(value) : fail(9, `Expected an integer: ${name}`);
}

/** How many record numbers are counted without a pause; it takes a few milliseconds. */
const countedAtOnce = 20_000;

/** `count` (manual: reference/command/count). */
export async function count(operation: Operation): Promise<Reply> {
  const limit = Math.abs(countNumber(operation, 'limit'));
  const skip = countNumber(operation, 'skip');
  if (skip < 0) fail(9, `Expected a non-negative number in: skip: ${skip}`);
  const wanted = { ...simpleQuery(operation), skip };
  const collection = operation.collection(wanted.namespace);
  let total = 0;
  if (wanted.query.filter.size === 0 && collection && !operation.transaction && wanted.query.hint === undefined) {
    total = Math.max(0, (await countAll(operation, collection)) - wanted.skip);
    if (limit > 0) total = Math.min(total, limit);
  } else await drain(operation, found(operation, { ...wanted, limit }), () => total++);
  return reply({ n: counted(total) });
}

/** Counts the documents of a collection without reading them, with pauses. */
async function countAll(operation: Operation, { id }: Collection): Promise<number> {
  const { disk } = operation.engine;
  const [last] = disk.range(recordsOf(id), after(recordsOf(id)), true, 1);
  const end = last ? recordIn(last.key) + 1 : 0;
  let total = 0;
  for (let from = 0; from < end; from += countedAtOnce) {
    if (from > 0) await operation.pause();
    total += disk.count(recordKey(id, from), recordKey(id, Math.min(end, from + countedAtOnce)));
  }
  return total;
}

/** `distinct` (manual: reference/command/distinct): of an array, each element is a value. */
export async function distinct(operation: Operation): Promise<Reply> {
  const wanted = simpleQuery(operation);
  const parts = split(operation.required('key', isString));
  const values = new Map<string, Value>();
  let bytes = 0;
  const add = (leaf: Maybe): void => {
    for (const value of Array.isArray(leaf) ? leaf : [leaf]) {
      if (value === undefined) continue;
      const hash = hashOf(value);
      if (!values.has(hash)) bytes += hash.length;
      if (bytes > maxDocumentBytes) fail(17217, 'distinct too big, 16mb cap');
      values.set(hash, value);
    }
  };
  const visit: Transform = (document) => {
    walk(document, parts, (leaf) => (add(leaf), false));
    return document;
  };
  await drain(operation, found(operation, { ...wanted, projection: visit }), () => undefined);
  return reply({
    values: [...values]
      .sort(([a], [b]) => Buffer.compare(Buffer.from(a, 'latin1'), Buffer.from(b, 'latin1')))
      .map(([, value]) => value),
  });
}
