import { BSONRegExp } from 'bson';
import { fail } from '../errors.js';
import { fieldParts, split } from '../values/paths.js';
import { type Doc, doc, isDoc, type Maybe, typeName, type Value, noFields } from '../values/types.js';
import { compileExpression } from './expression.js';
import { variableName } from './forms.js';
import { memoryLimit } from './sorting.js';
import { type CompilePipeline, type PipelineContext, type Stage, type Stream } from './terms.js';
import { paced } from './paced.js';
import { compileTransform } from './transforms.js';
import { sizeOf } from './work.js';

/** A document of one field, as stages and operators are written. */
const stage = (name: string, spec: Value): Doc => new Map([[name, spec]]);

/** The options of `$unwind`, checked as MongoDB's parser does (src/mongo/db/pipeline/document_source_unwind.cpp). */
function unwindOptions(spec: Value): { path: string; index: string | undefined; keep: boolean } {
  if (typeof spec !== 'string' && !isDoc(spec))
    return fail(15981, `expected either a string or an object for $unwind stage, got ${typeName(spec)}`);
  const options = isDoc(spec) ? spec : doc({ path: spec });
  for (const key of options.keys())
    if (!['path', 'includeArrayIndex', 'preserveNullAndEmptyArrays'].includes(key))
      fail(28811, `unrecognized option to $unwind stage: ${key}`);
  const path = options.get('path') ?? fail(28812, 'no path specified to $unwind stage');
  const [index, keep = false] = [options.get('includeArrayIndex'), options.get('preserveNullAndEmptyArrays')];
  if (typeof path !== 'string') return fail(28808, 'expected a string as the path for $unwind stage');
  if (!path.startsWith('$')) fail(28818, `path option to $unwind stage should be prefixed with a '$': ${path}`);
  if (typeof keep !== 'boolean') return fail(28809, 'expected a boolean for preserveNullAndEmptyArrays of $unwind');
  if (index !== undefined && (typeof index !== 'string' || index === ''))
    return fail(28810, 'expected a non-empty string for includeArrayIndex of $unwind');
  if (index?.startsWith('$')) fail(28822, `includeArrayIndex of $unwind should not be prefixed with a '$'`);
  return { path, index, keep };
}

/** `$unwind`: a document for each element of an array (manual: reference/operator/aggregation/unwind). */
export function unwind(spec: Value): Stage {
  const { path, index, keep } = unwindOptions(spec);
  const parts = fieldParts(path.slice(1));
  const indexParts = index === undefined ? undefined : fieldParts(index);
  const made = (document: Doc, element: Maybe, position: Value): Doc => {
    const result = withField(document, parts, element);
    return indexParts ? withField(result, indexParts, position) : result;
  };
  return function* (source) {
    for (const document of source) {
      if (!document) {
        yield undefined;
        continue;
      }
      const value = fieldAt(document, parts);
      if (!Array.isArray(value)) {
        if (value != null || keep) yield made(document, value, null);
      } else if (value.length === 0) {
        if (keep) yield made(document, undefined, null);
      } else for (const entry of paced(value.entries())) yield entry && made(document, entry[1], BigInt(entry[0]));
    }
  };
}

/** The field at a path through documents. A path through an array has no field. */
const fieldAt = (document: Doc, parts: readonly string[]): Maybe =>
  parts.reduce<Maybe>((value, part) => (isDoc(value) ? value.get(part) : undefined), document);

/** The document with another value of the field at the path, or without the field when there is no value. A value on the way that is not a document is replaced. */
function withField(document: Doc, [name = '', ...rest]: readonly string[], value: Maybe): Doc {
  const result = new Map(document);
  const inner = document.get(name);
  if (rest.length > 0 && (isDoc(inner) || value !== undefined))
    result.set(name, withField(isDoc(inner) ? inner : noFields(), rest, value));
  else if (value !== undefined) result.set(name, value);
  else if (rest.length === 0) result.delete(name);
  return result;
}

/** All documents of a stream, held at once; 292 when they exceed the memory that a stage may take. */
function* gather(source: Stream): Generator<undefined, Doc[]> {
  const documents: Doc[] = [];
  let bytes = 0;
  for (const document of source) {
    if (!document) yield undefined;
    else if ((bytes += sizeOf(document)) > memoryLimit)
      fail(292, 'Exceeded memory limit of 100 MB for a stage that holds its input');
    else documents.push(document);
  }
  return documents;
}

/** `$lookup`: with each document, those of another collection that belong to it (manual: reference/operator/aggregation/lookup). */
export function lookup(spec: Value, context: PipelineContext, compile: CompilePipeline): Stage {
  if (!isDoc(spec)) return fail(9, 'the $lookup specification must be an object');
  const [from, as, local, foreign, stages] = ['from', 'as', 'localField', 'foreignField', 'pipeline'].map((key) =>
    spec.get(key),
  );
  for (const key of spec.keys())
    if (!['from', 'as', 'localField', 'foreignField', 'pipeline', 'let'].includes(key))
      fail(9, `unknown argument to $lookup: ${key}`);
  if (typeof from !== 'string' || typeof as !== 'string') fail(9, "$lookup needs 'from' and 'as' as strings");
  if ((local === undefined) !== (foreign === undefined))
    fail(9, "$lookup requires both or neither of 'localField' and 'foreignField' to be specified");
  if (stages === undefined && (typeof local !== 'string' || typeof foreign !== 'string'))
    fail(9, '$lookup requires either localField and foreignField, or a pipeline');
  for (const path of [as, local, foreign]) if (typeof path === 'string') fieldParts(path);
  const lets = spec.get('let') ?? noFields();
  if (!isDoc(lets)) return fail(9, `$lookup argument 'let' must be an object, is type ${typeName(lets)}`);
  if (spec.has('let') && stages === undefined) fail(9, "$lookup with a 'let' argument must also specify 'pipeline'");
  const bound = [...lets].map(([name, source]) => ({
    name: variableName(name),
    evaluate: compileExpression(source, context.env),
  }));
  // Compiled once before any document is read, so that an error in it is reported even when there are no documents.
  const names = new Map([...context.env.vars, ...bound.map(({ name }): [string, Maybe] => [name, undefined])]);
  const alike = compile(stages ?? [], { ...context, env: { ...context.env, vars: names } });
  const conditions = leadingConditions(stages);
  return function* (source) {
    for (const document of source) {
      if (!document) {
        yield undefined;
        continue;
      }
      const scope = { root: document, current: document, vars: context.env.vars };
      const vars = new Map([
        ...context.env.vars,
        ...bound.map(({ name, evaluate }): [string, Maybe] => [name, evaluate(scope)]),
      ]);
      const filter: Doc = new Map();
      if (typeof local === 'string' && typeof foreign === 'string') {
        const values = valuesAt(document, split(local));
        // In $in a regular expression is a pattern. $lookup compares it as a value.
        if (values.some((value) => value instanceof BSONRegExp))
          filter.set(
            '$or',
            values.map((value) => stage(foreign, stage('$eq', value))),
          );
        else filter.set(foreign, stage('$in', values.length > 0 ? values : [null]));
      }
      const run = bound.length === 0 ? alike : compile(stages ?? [], { ...context, env: { ...context.env, vars } });
      const wanted = conditions.size === 0 ? filter : stage('$and', [filter, conditions]);
      const found = yield* gather(run(context.find(from, wanted)));
      yield compileTransform('$addFields', stage(as, stage('$literal', found)), context.env)(document);
    }
  };
}

/**
 * The conditions on fields of a `$match` at the start of a pipeline. They also decide which index is used. `$expr` is left out,
 * because it may use variables of the `$lookup`.
 */
function leadingConditions(stages: Maybe): Doc {
  const [first] = Array.isArray(stages) ? stages : [];
  const match = isDoc(first) ? first.get('$match') : undefined;
  return new Map(isDoc(match) ? [...match].filter(([name]) => !name.startsWith('$')) : []);
}

/** The values that a path reaches, also through arrays. Of an array at its end these are the elements. */
function valuesAt(value: Maybe, parts: readonly string[], from = 0): Value[] {
  const part = parts[from];
  if (part === undefined) return Array.isArray(value) ? value : value === undefined ? [] : [value];
  if (isDoc(value)) return valuesAt(value.get(part), parts, from + 1);
  return Array.isArray(value) ? value.filter(isDoc).flatMap((element) => valuesAt(element, parts, from)) : [];
}
