import { fail } from '../errors.js';
import { type Plan } from '../planner/candidate.js';
import { planQuery, type Query } from '../planner/plan.js';
import { type Effort } from '../planner/scan.js';
import { parseSort } from '../query/sorting.js';
import { isMultikey } from '../storage/indexes.js';
import { type Doc, doc, isDoc, noFields, reply, type Value } from '../values/types.js';
import { aggregationOf } from './aggregate.js';
import { isString } from './arguments.js';
import { type Results } from './cursors.js';
import { type Answer, type Operation } from './operation.js';
import { drain, type Find, findOf, found } from './reads.js';

function stageOf(plan: Plan): Doc {
  if (plan.either) return doc({ stage: 'OR', inputStages: plan.either.map(stageOf) });
  if (!plan.index) return doc({ stage: 'COLLSCAN', direction: 'forward' });
  const { index } = plan;
  const paths = new Map(
    index.fields.filter(isMultikey).map(({ path, parts, arrays }): [string, Value] => {
      const isArray = (_part: string, at: number): boolean => ((arrays >> at) & 1) === 1;
      return [path, parts.map((_, at) => parts.slice(0, at + 1).join('.')).filter(isArray)];
    }),
  );
  const scan = doc({
    stage: 'IXSCAN',
    keyPattern: index.spec.get('key'),
    indexName: index.name,
    isMultiKey: paths.size > 0,
    multiKeyPaths: paths,
    isUnique: index.unique,
    isSparse: index.sparse,
    isPartial: index.partial !== undefined,
    direction: plan.reverse ? 'backward' : 'forward',
  });
  return doc({ stage: 'FETCH', inputStage: scan });
}

const verbosities = ['queryPlanner', 'executionStats', 'allPlansExecution'];

/** `explain`: the plan, and, unless only the plan is requested, what executing it as a find or aggregation reads. */
export async function explain(operation: Operation, make: (body: Doc, name: string) => Operation): Promise<Answer> {
  const command = operation.required('explain', isDoc);
  const [name = ''] = command.keys();
  const inner = make(command, name);
  const verbosity = operation.optional('verbosity', isString) ?? 'allPlansExecution';
  if (!verbosities.includes(verbosity))
    fail(2, `Enumeration value '${verbosity}' for field 'explain.verbosity' is not a valid value.`);
  const effort: Effort = { keys: 0, documents: 0 };
  const { namespace, query, run } = explained(inner, name, effort);
  const collection = inner.collection(namespace);
  const plan = collection ? planQuery(inner.view, collection, query) : undefined;
  const stage = plan ? stageOf(plan) : doc({ stage: 'EOF' });
  const winningPlan = plan && !plan.sorted ? doc({ stage: 'SORT', inputStage: stage }) : stage;
  const planner = doc({ namespace, parsedQuery: query.filter, winningPlan, rejectedPlans: [] });
  let returned = 0;
  if (verbosity !== 'queryPlanner') await drain(inner, run(), () => returned++);
  const stats = doc({
    executionSuccess: true,
    nReturned: returned,
    executionTimeMillis: 0,
    totalKeysExamined: effort.keys,
    totalDocsExamined: effort.documents,
    executionStages: winningPlan,
  });
  return reply({
    explainVersion: '1',
    queryPlanner: planner,
    ...(verbosity === 'queryPlanner' ? {} : { executionStats: stats }),
    command,
  });
}

function explained(
  inner: Operation,
  name: string,
  effort: Effort,
): { namespace: string; query: Query; run: () => Results } {
  if (name === 'aggregate') {
    const { namespace, query, results } = aggregationOf(inner);
    return { namespace, query, run: () => results(effort)[Symbol.iterator]() };
  }
  if (name === 'find') {
    const wanted = findOf(inner);
    return { namespace: wanted.namespace, query: wanted.query, run: () => found(inner, wanted, effort) };
  }
  const [first] = (inner.body.get(name === 'update' ? 'updates' : 'deletes') as Value[] | undefined) ?? [];
  const filter =
    name === 'update' || name === 'delete' ? (isDoc(first) ? first.get('q') : undefined) : inner.body.get('query');
  if (!['update', 'delete', 'count', 'distinct', 'findAndModify'].includes(name))
    fail(59, `Explain failed due to unknown command: ${name}`);
  const query = {
    filter: isDoc(filter) ? filter : noFields(),
    sort: parseSort(inner.body.get('sort')),
    hint: inner.body.get('hint'),
  };
  const wanted: Find = { namespace: inner.namespace(), query, projection: undefined, skip: 0, limit: 0 };
  return { namespace: wanted.namespace, query, run: () => found(inner, wanted, effort) };
}
