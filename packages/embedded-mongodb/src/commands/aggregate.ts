import { ChangeStream } from '../changes/stream.js';
import { fail } from '../errors.js';
import { planQuery, type Query } from '../planner/plan.js';
import { type Effort, findRows } from '../planner/scan.js';
import { compileFilter } from '../query/matcher.js';
import { compilePipeline } from '../query/pipeline.js';
import { type PipelineContext, type Stream } from '../query/terms.js';
import { parseSort, type SortPart } from '../query/sorting.js';
import { type Collection } from '../storage/catalogue.js';
import { type Doc, doc, isDoc, isNumber, type Maybe, noFields, reply } from '../values/types.js';
import { isArray } from './arguments.js';
import { type Answer, type Operation } from './operation.js';
import { writeOutput } from './output.js';
import { batchSize } from './reads.js';
import { collStatsStage } from './statistics.js';

/** The documents of a query as a stream for the stages of an aggregation. */
function* documentsOf(
  operation: Operation,
  collection: Collection | undefined,
  query: Query,
  effort?: Effort,
): Generator<Doc | undefined> {
  compileFilter(query.filter, operation.env);
  if (!collection) return;
  for (const row of findRows(operation.view, collection, query, operation.env, effort ? { effort } : {}))
    yield row?.document;
}

function contextOf(operation: Operation): PipelineContext {
  return {
    env: operation.env,
    find: (name, filter) =>
      documentsOf(operation, operation.collection(`${operation.database}.${name}`), {
        filter,
        sort: [],
        hint: undefined,
      }),
  };
}

/** An aggregation, taken apart: the query that feeds it, and what comes of it. */
export interface Aggregation {
  readonly namespace: string;
  readonly query: Query;
  readonly results: (effort?: Effort) => Stream;
  readonly output: Doc | undefined;
}

/** The leading `$match` and `$sort` become a query that can use an index; the other stages work on what it finds. */
export function aggregationOf(operation: Operation, source?: readonly Doc[]): Aggregation {
  const { body } = operation;
  const given = operation.required('pipeline', isArray);
  const stages = source ? given.slice(1) : given;
  const wholeDatabase = isNumber(body.get('aggregate'));
  const namespace = wholeDatabase ? `${operation.database}.$cmd.aggregate` : operation.namespace();
  const at = (index: number, name: string): Maybe =>
    ((stage) => (isDoc(stage) && stage.size === 1 ? stage.get(name) : undefined))(stages[index]);
  const last = stages.at(-1);
  const output = isDoc(last) && (last.has('$out') || last.has('$merge')) ? last : undefined;
  const match = at(0, '$match');
  const filter = isDoc(match) ? match : undefined;
  const sort = filter ? at(1, '$sort') : at(0, '$sort');
  const query: Query = { filter: filter ?? noFields(), sort: [], hint: body.get('hint') };
  const collection = operation.collection(namespace);
  const sorted: SortPart[] = isDoc(sort) && sort.size > 0 ? parseSort(sort) : [];
  const indexed =
    sorted.length > 0 && collection && planQuery(operation.view, collection, { ...query, sort: sorted }).sorted;
  const consumed = (filter ? 1 : 0) + (indexed ? 1 : 0);
  compilePipeline(stages.slice(0, output ? -1 : undefined), contextOf(operation)); // refuses what is wrong anywhere in it
  const run = compilePipeline(stages.slice(consumed, output ? -1 : undefined), contextOf(operation));
  const planned = { ...query, sort: indexed ? sorted : [] };
  return {
    namespace,
    query: planned,
    output,
    results: (effort) => run(source ?? documentsOf(operation, collection, planned, effort)),
  };
}

/** The change stream that the aggregation opens, where its first stage is `$changeStream`. */
function changeStreamOf(operation: Operation): { namespace: string; stream: ChangeStream } | undefined {
  const { body, database, engine } = operation;
  const [first, ...rest] = operation.required('pipeline', isArray);
  const spec = isDoc(first) && first.size === 1 ? first.get('$changeStream') : undefined;
  if (spec === undefined) return undefined;
  if (operation.transaction) fail(263, 'Stage not supported inside of a multi-document transaction: $changeStream');
  const whole = isNumber(body.get('aggregate'));
  const everything = isDoc(spec) && spec.get('allChangesForCluster') === true;
  if (everything && (!whole || database !== 'admin'))
    fail(
      72,
      "A $changeStream with 'allChangesForCluster:true' may only be opened on the 'admin' database, and with no collection name",
    );
  if (!everything && ['admin', 'config', 'local'].includes(database))
    fail(73, `$changeStream may not be opened on the internal ${database} database`);
  const namespace = whole ? `${database}.$cmd.aggregate` : operation.namespace();
  const collection = whole ? undefined : namespace.slice(database.length + 1);
  const find = (name: string, filter: Doc): Doc | undefined => {
    const known = engine.catalogue.get(name);
    const query = { filter, sort: [], hint: undefined };
    for (const row of known ? findRows(engine.disk, known, query, operation.env) : []) if (row) return row.document;
    return undefined;
  };
  const around = { feed: engine.changes, context: contextOf(operation), find };
  return { namespace, stream: new ChangeStream(spec, rest, everything ? {} : { database, collection }, around) };
}

/** What a first stage gives that reads no collection: `$collStats`, or `$listLocalSessions` (of a store without users: who asks). */
async function sourceOf(operation: Operation): Promise<Doc[] | undefined> {
  const [first] = operation.required('pipeline', isArray);
  const [name] = isDoc(first) ? first.keys() : [];
  if (name === '$listLocalSessions') return [doc({ _id: operation.body.get('lsid'), lastUse: new Date() })];
  return name === '$collStats' && isDoc(first) ? [await collStatsStage(operation, first.get(name))] : undefined;
}

/** `aggregate` (manual: reference/command/aggregate). */
export async function aggregate(operation: Operation): Promise<Answer> {
  if (operation.flag('explain'))
    fail(238, 'the explain option is not supported by the embedded store; use the explain command');
  const cursor =
    operation.optional('cursor', isDoc) ??
    fail(9, "The 'cursor' option is required, except for aggregate with the explain argument");
  const options = { batchSize: batchSize(operation, cursor) };
  const watching = changeStreamOf(operation);
  if (watching) return operation.server.cursors.open(operation, watching.namespace, watching.stream, options);
  const { namespace, results, output } = aggregationOf(operation, await sourceOf(operation));
  const stream = results()[Symbol.iterator]();
  if (!output) return operation.server.cursors.open(operation, namespace, stream, options);
  await writeOutput(operation, output, stream);
  return reply({ cursor: reply({ firstBatch: [], id: 0n, ns: namespace }) });
}
