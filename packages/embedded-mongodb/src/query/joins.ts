import { BSONRegExp } from 'bson';
import { fail } from '../errors.js';
import { fieldAt, fieldParts } from '../values/paths.js';
import { type Doc, doc, isDoc, type Maybe, typeName, type Value, noFields } from '../values/types.js';
import { memoryLimit } from './sorting.js';
import { type PipelineContext, type Stage, type Stream } from './terms.js';
import { paced } from './paced.js';
import { compileTransform } from './transforms.js';
import { sizeOf } from './work.js';

/** A document of one field, as stages and operators are written. */
const stage = (name: string, spec: Value): Doc => new Map([[name, spec]]);

/** The options of `$unwind`, checked as MongoDB's parser does (src/mongo/db/pipeline/document_source_unwind.cpp). */
function unwindOptions(spec: Value): { path: string; keep: boolean } {
  if (typeof spec !== 'string' && !isDoc(spec))
    return fail(15981, `expected either a string or an object for $unwind stage, got ${typeName(spec)}`);
  const options = isDoc(spec) ? spec : doc({ path: spec });
  for (const key of options.keys())
    if (!['path', 'preserveNullAndEmptyArrays'].includes(key))
      fail(28811, `unrecognized option to $unwind stage: ${key}`);
  const path = options.get('path') ?? fail(28812, 'no path specified to $unwind stage');
  const keep = options.get('preserveNullAndEmptyArrays') ?? false;
  if (typeof path !== 'string') return fail(28808, 'expected a string as the path for $unwind stage');
  if (!path.startsWith('$')) fail(28818, `path option to $unwind stage should be prefixed with a '$': ${path}`);
  if (typeof keep !== 'boolean') return fail(28809, 'expected a boolean for preserveNullAndEmptyArrays of $unwind');
  return { path, keep };
}

/** `$unwind`: a document for each element of an array (manual: reference/operator/aggregation/unwind). */
export function unwind(spec: Value): Stage {
  const { path, keep } = unwindOptions(spec);
  const parts = fieldParts(path.slice(1));
  return function* (source) {
    for (const document of source) {
      if (!document) {
        yield undefined;
        continue;
      }
      const value = fieldAt(document, parts);
      if (!Array.isArray(value)) {
        if (value != null || keep) yield document;
      } else if (value.length === 0) {
        if (keep) yield withField(document, parts, undefined);
      } else
        for (const element of paced(value.values()))
          yield element === undefined ? undefined : withField(document, parts, element);
    }
  };
}

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

/** `$lookup` by a field: with each document, those of another collection with the same value (manual: reference/operator/aggregation/lookup). */
export function lookup(spec: Value, context: PipelineContext): Stage {
  if (!isDoc(spec)) return fail(9, 'the $lookup specification must be an object');
  for (const key of spec.keys()) {
    if (['let', 'pipeline'].includes(key)) fail(238, `$lookup: '${key}' is not supported by the embedded store`);
    if (!['from', 'as', 'localField', 'foreignField'].includes(key)) fail(9, `unknown argument to $lookup: ${key}`);
  }
  const argument = (key: string): string => {
    const value = spec.get(key);
    return typeof value === 'string' ? value : fail(9, `$lookup argument '${key}' must be a string`);
  };
  const [from, as, foreignField] = [argument('from'), argument('as'), argument('foreignField')];
  const local = fieldParts(argument('localField'));
  for (const path of [as, foreignField]) fieldParts(path);
  return function* (source) {
    for (const document of source) {
      if (!document) {
        yield undefined;
        continue;
      }
      const values = valuesAt(document, local);
      // In $in a regular expression is a pattern. $lookup compares it as a value.
      const filter = values.some((value) => value instanceof BSONRegExp)
        ? stage(
            '$or',
            values.map((value) => stage(foreignField, stage('$eq', value))),
          )
        : stage(foreignField, stage('$in', values.length > 0 ? values : [null]));
      const found = yield* gather(context.find(from, filter));
      yield compileTransform('$addFields', stage(as, stage('$literal', found)), context.env)(document);
    }
  };
}

/** The values that a path reaches, also through arrays. Of an array at its end these are the elements. */
function valuesAt(value: Maybe, parts: readonly string[], from = 0): Value[] {
  const part = parts[from];
  if (part === undefined) return Array.isArray(value) ? value : value === undefined ? [] : [value];
  if (isDoc(value)) return valuesAt(value.get(part), parts, from + 1);
  return Array.isArray(value) ? value.filter(isDoc).flatMap((element) => valuesAt(element, parts, from)) : [];
}
