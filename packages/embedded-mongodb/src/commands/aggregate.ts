import { fail } from '../errors.js';
import { planQuery, type Query } from '../planner/plan.js';
import { type Effort, findRows } from '../planner/scan.js';
import { compileFilter } from '../query/matcher.js';
import { compilePipeline } from '../query/pipeline.js';
import { type PipelineContext, type Stream } from '../query/terms.js';
import { parseSort, type SortPart } from '../query/sorting.js';
import { type Collection } from '../storage/catalogue.js';
import { type Doc, isDoc, isNumber, type Maybe, noFields } from '../values/types.js';
import { toNumber } from '../values/numbers.js';
import { isArray } from './arguments.js';
import { currentOpStage } from './current-operations.js';
import { type Reply, type Operation } from './operation.js';
import { batchSize } from './reads.js';
import { collStatsStage } from './statistics.js';

/** The documents of a query as a stream for the stages of an aggregation. With `countOnly`, they have no fields. */
function* documentsOf(
  operation: Operation,
  collection: Collection | undefined,
  query: Query,
  options: { readonly effort?: Effort; readonly countOnly?: boolean } = {},
): Generator<Doc | undefined> {
  compileFilter(query.filter, operation.env);
  if (!collection) return;
  for (const row of findRows(operation.view, collection, query, operation.env, options))
    yield row && options.countOnly === true ? noFields() : row?.document;
}

/** Whether stages only count their input, as those of a driver's `countDocuments` do. */
function onlyCount([stage, ...others]: readonly Maybe[]): boolean {
  if (!isDoc(stage) || stage.size !== 1) return false;
  if (stage.has('$limit') || stage.has('$skip')) return onlyCount(others);
  const group = stage.get('$group');
  if (!isDoc(group)) return stage.has('$count');
  return [...group].every(([name, value]) => {
    const counted = isDoc(value) && value.size === 1 ? value.get('$sum') : undefined;
    return isNumber(name === '_id' ? value : counted);
  });
}

function contextOf(operation: Operation, effort?: Effort): PipelineContext {
  return {
    env: operation.env,
    find: (name, filter) => {
      const query = { filter, sort: [], hint: undefined };
      const joined = operation.collection(`${operation.database}.${name}`);
      return documentsOf(operation, joined, query, effort && { effort });
    },
  };
}

/** A parsed aggregation: the query that reads its input, and its results. */
export interface Aggregation {
  readonly namespace: string;
  readonly query: Query;
  readonly results: (effort?: Effort) => Stream;
}

/** The leading `$match` and `$sort` become a query that can use an index; the other stages work on what it finds. */
export function aggregationOf(operation: Operation, source?: readonly Doc[]): Aggregation {
  const { body } = operation;
  const given = operation.required('pipeline', isArray);
  const stages = source ? given.slice(1) : given;
  const target = body.get('aggregate');
  if (isNumber(target) && toNumber(target) !== 1) fail(9, "the 'aggregate' field must specify a collection name or 1");
  if (isNumber(target) && !source) {
    compilePipeline(stages, contextOf(operation)); // a stage that is not known is rejected by its name
    fail(73, '{ aggregate: 1 } needs a first stage that reads no collection: $currentOp');
  }
  const namespace = isNumber(target) ? `${operation.database}.$cmd.aggregate` : operation.namespace();
  const at = (index: number, name: string): Maybe =>
    ((stage) => (isDoc(stage) && stage.size === 1 ? stage.get(name) : undefined))(stages[index]);
  const match = at(0, '$match');
  const filter = isDoc(match) ? match : undefined;
  const sort = filter ? at(1, '$sort') : at(0, '$sort');
  const query: Query = { filter: filter ?? noFields(), sort: [], hint: body.get('hint') };
  const collection = operation.collection(namespace);
  const sorted: SortPart[] = isDoc(sort) && sort.size > 0 ? parseSort(sort) : [];
  const indexed =
    sorted.length > 0 && collection && planQuery(operation.view, collection, { ...query, sort: sorted }).sorted;
  const consumed = source ? 0 : (filter ? 1 : 0) + (indexed ? 1 : 0);
  compilePipeline(stages, contextOf(operation)); // rejects what is wrong anywhere in it
  const planned = { ...query, sort: indexed ? sorted : [] };
  return {
    namespace,
    query: planned,
    results: (effort) => {
      const rest = stages.slice(consumed);
      const run = compilePipeline(rest, contextOf(operation, effort));
      const options = { ...(effort && { effort }), countOnly: onlyCount(rest) };
      return run(source ?? documentsOf(operation, collection, planned, options));
    },
  };
}

/** The result of a first stage that reads no documents (`$collStats`, `$currentOp`); `undefined` for every other one. */
async function sourceOf(operation: Operation): Promise<Doc[] | undefined> {
  const [first] = operation.required('pipeline', isArray);
  const [entry] = isDoc(first) && first.size === 1 ? first : [];
  if (entry?.[0] === '$collStats') return [await collStatsStage(operation, entry[1])];
  return entry?.[0] === '$currentOp' ? currentOpStage(operation, entry[1]) : undefined;
}

/** `aggregate` (manual: reference/command/aggregate). */
export async function aggregate(operation: Operation): Promise<Reply> {
  if (operation.flag('explain'))
    fail(238, 'the explain option is not supported by the embedded store; use the explain command');
  const cursor =
    operation.optional('cursor', isDoc) ??
    fail(9, "The 'cursor' option is required, except for aggregate with the explain argument");
  const options = { batchSize: batchSize(cursor) };
  const { namespace, results } = aggregationOf(operation, await sourceOf(operation));
  return operation.server.cursors.open(operation, namespace, results()[Symbol.iterator](), options);
}
