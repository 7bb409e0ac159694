import { fail } from '../errors.js';
import { type Plan } from '../planner/candidate.js';
import { planQuery, type Query } from '../planner/plan.js';
import { type Effort } from '../planner/scan.js';
import { parseSort } from '../query/sorting.js';
import { type Doc, doc, isDoc, noFields, reply, type Value } from '../values/types.js';
import { aggregationOf } from './aggregate.js';
import { isString } from './arguments.js';
import { type Results } from './cursors.js';
import { type Reply, type Operation } from './operation.js';
import { drain, type Find, findOf, found } from './reads.js';

function stageOf(plan: Plan): Doc {
  if (plan.either) return doc({ stage: 'OR', inputStages: plan.either.map(stageOf) });
  if (!plan.index) return doc({ stage: 'COLLSCAN' });
  const { name, spec } = plan.index;
  const direction = plan.reverse ? 'backward' : 'forward';
  const scan = doc({ stage: 'IXSCAN', keyPattern: spec.get('key'), indexName: name, direction });
  return doc({ stage: 'FETCH', inputStage: scan });
}

const verbosities = ['queryPlanner', 'executionStats', 'allPlansExecution'];

/** `explain`: which index is used, and, unless only the plan is requested, how much executing it as a find or aggregation reads. */
export async function explain(operation: Operation, make: (body: Doc, name: string) => Operation): Promise<Reply> {
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
  const queryPlanner = doc({ namespace, winningPlan, rejectedPlans: [] });
  if (verbosity === 'queryPlanner') return reply({ explainVersion: '1', queryPlanner, command });
  let nReturned = 0;
  await drain(inner, run(), () => nReturned++);
  const executionStats = doc({
    executionSuccess: true,
    nReturned,
    totalKeysExamined: effort.keys,
    totalDocsExamined: effort.documents,
  });
  return reply({ explainVersion: '1', queryPlanner, executionStats, command });
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
