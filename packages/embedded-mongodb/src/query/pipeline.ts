import { fail } from '../errors.js';
import { hashOf } from '../values/compare.js';
import { count, toNumber } from '../values/numbers.js';
import { type Doc, doc, isDoc, isNumber, type Maybe, typeName, type Value } from '../values/types.js';
import { type Accumulator, accumulators } from './accumulators.js';
import { compileExpression } from './expression.js';
import { lookup, unwind } from './joins.js';
import { compileFilter } from './matcher.js';
import { memoryLimit, parseSort, Sorter, sortKey } from './sorting.js';
import { type PipelineContext, type Stage } from './terms.js';
import { paced } from './paced.js';
import { compileTransform, isTransform, stageOf } from './transforms.js';
import { sizeOf } from './work.js';

/** Compiles the stages (manual: reference/operator/aggregation-pipeline); an unknown one is error 40324. */
export function compilePipeline(stages: Value, context: PipelineContext): Stage {
  if (!Array.isArray(stages)) fail(14, "'pipeline' option must be specified as an array");
  const compiled = stages.map((stage, at) => {
    const [name, spec] = stageOf(stage);
    return name === '$sort' ? sort(spec, stages[at + 1]) : compileStage(name, spec, context);
  });
  return (source) => compiled.reduce((stream, stage) => stage(stream), source);
}

function compileStage(name: string, spec: Value, context: PipelineContext): Stage {
  if (isTransform(name)) {
    const transform = compileTransform(name, spec, context.env);
    return function* (source) {
      for (const document of source) yield document && transform(document);
    };
  }
  if (name === '$collStats' || name === '$currentOp')
    fail(40602, `${name} is only valid as the first stage in a pipeline.`);
  const compile = stageTable[name] ?? fail(40324, `Unrecognized pipeline stage name: '${name}'`);
  return compile(spec, context);
}

function match(spec: Value, { env }: PipelineContext): Stage {
  const predicate = compileFilter(
    isDoc(spec) ? spec : fail(15959, 'the match filter must be an expression in an object'),
    env,
  );
  return function* (source) {
    for (const document of source) if (!document || predicate(document)) yield document;
  };
}

function whole(spec: Value, name: string, least: number, code: number): number {
  const value = isNumber(spec) ? toNumber(spec) : Number.NaN;
  return Number.isInteger(value) && value >= least
    ? value
    : fail(
        code,
        `invalid argument to ${name} stage: Expected a ${least > 0 ? 'positive' : 'non-negative'} number in: ${name}: ${isNumber(spec) ? value : typeName(spec)}`,
      );
}

function limit(spec: Value): Stage {
  const most = whole(spec, '$limit', 1, 15958);
  return function* (source) {
    let left = most;
    for (const document of source) {
      yield document;
      if (document && --left === 0) return;
    }
  };
}

function skip(spec: Value): Stage {
  const first = whole(spec, '$skip', 0, 5107200);
  return function* (source) {
    let left = first;
    for (const document of source) if (!document || left-- <= 0) yield document;
  };
}

/** Keeps no more than a `$limit` that follows lets through (manual: reference/operator/aggregation/sort). */
function sort(spec: Value, next: Maybe): Stage {
  const most = isDoc(next) ? next.get('$limit') : undefined;
  const pattern = parseSort(spec);
  if (pattern.length === 0) fail(15976, '$sort stage must have at least one sort key');
  return function* (source) {
    const sorter = new Sorter<Doc>(isNumber(most) ? toNumber(most) : undefined);
    for (const document of source) {
      if (document) sorter.add(sortKey(document, pattern), document, sizeOf(document));
      else yield undefined;
    }
    yield* paced(sorter.sorted());
  };
}

function group(spec: Value, { env }: PipelineContext): Stage {
  if (!isDoc(spec)) fail(15947, "a group's fields must be specified in an object");
  const id = compileExpression(
    spec.get('_id') ?? (spec.has('_id') ? null : fail(15955, 'a group specification must include an _id')),
    env,
  );
  const fields = [...spec]
    .filter(([name]) => name !== '_id')
    .map(([name, source]) => {
      if (name.includes('.')) fail(40235, `The field name '${name}' cannot contain '.'`);
      if (name.startsWith('$')) fail(40236, `The field name '${name}' cannot be an operator name`);
      const [entry] = isDoc(source) ? source : [];
      if (!isDoc(source) || !entry) return fail(40234, `The field '${name}' must be an accumulator object`);
      if (source.size !== 1) fail(40238, `The field '${name}' must specify one accumulator`);
      if (entry[0] === '$count' && !(isDoc(entry[1]) && entry[1].size === 0))
        fail(14, '$count takes no arguments, i.e. $count:{}');
      const make = accumulators[entry[0]] ?? fail(15952, `unknown group operator '${entry[0]}'`);
      return { name, make, evaluate: compileExpression(entry[0] === '$count' ? 1 : entry[1], env) };
    });
  return function* (source) {
    const groups = new Map<string, { id: Value; totals: Accumulator[] }>();
    let bytes = 0;
    for (const document of source) {
      if (!document) {
        yield undefined;
        continue;
      }
      const scope = { root: document, current: document, vars: env.vars };
      const key = id(scope) ?? null;
      const hash = hashOf(key);
      let found = groups.get(hash);
      if (!found) {
        groups.set(hash, (found = { id: key, totals: fields.map(({ make }) => make()) }));
        bytes += hash.length + sizeOf(key) + 96 * (fields.length + 1);
      }
      for (const [index, total] of found.totals.entries()) bytes += total.add(fields[index]?.evaluate(scope));
      if (bytes > memoryLimit)
        fail(
          292,
          "PlanExecutor error during aggregation :: caused by :: Exceeded memory limit for $group, but didn't allow external sort. Pass allowDiskUse:true to opt in.",
        );
    }
    for (const found of paced(groups.values())) {
      if (!found) {
        yield undefined;
        continue;
      }
      yield new Map<string, Value>([
        ['_id', found.id],
        ...fields.map(({ name }, index): [string, Value] => [name, found.totals[index]?.result() ?? null]),
      ]);
    }
  };
}

function counting(spec: Value): Stage {
  if (typeof spec !== 'string') return fail(40156, `the count field must be a non-empty string`);
  if (spec === '') fail(40157, 'the count field must be a non-empty string');
  if (spec.startsWith('$')) fail(40158, 'the count field cannot be a $-prefixed path');
  if (spec.includes('.')) fail(40160, `the count field cannot contain '.'`);
  return function* (source) {
    let total = 0;
    for (const document of source) {
      if (document) total++;
      else yield undefined;
    }
    if (total > 0) yield doc({ [spec]: count(total) });
  };
}

const stageTable: Readonly<Record<string, ((spec: Value, context: PipelineContext) => Stage) | undefined>> = {
  $match: match,
  $limit: limit,
  $skip: skip,
  $group: group,
  $unwind: unwind,
  $count: counting,
  $lookup: lookup,
};
