import { EJSON } from 'bson';
import { byValue, text } from './perform.js';

/** What a path of an update reaches in a document; the positional `$` may mean each element. */
const reached = (value, [part, ...rest]) =>
  part === undefined
    ? [value]
    : part === '$'
      ? Object.values(value ?? []).flatMap((element) => reached(element, rest))
      : reached(value?.[part], rest);
/** For an operation's modifiers of these names: each value at their paths, with the operand. */
const modified = (step, documents, names) =>
  (step.steps ?? [step]).flatMap(({ change }) =>
    names.flatMap((name) =>
      Object.entries(change?.[name] ?? {}).flatMap(([path, operand]) =>
        documents.flatMap((document) => reached(document, path.split('.')).map((old) => [old, operand])),
      ),
    ),
  );
/** The fields that an operation, its steps or its stages sort by. */
const sortedBy = (step) =>
  (step.steps ?? [step])
    .flatMap(({ sort, stages = [] }) => [sort, ...stages.map(({ $sort }) => $sort)])
    .flatMap((sort) => Object.keys(sort ?? {}));
/** The result of an update without the number of modified documents. */
const unmodified = (result) => result.replace(/"modified(Count)?":\{"\$numberInt":"\d+"\}/, '');
/** The documents of a result with their numbers alone, without the types of these. */
const withoutTypes = (result) =>
  JSON.parse(result)
    .map((document) => text(EJSON.parse(document)))
    .sort()
    .join();
const onlyTypesDiffer = (old, to) => text(old) !== text(to) && text(byValue(old)) === text(byValue(to));

/**
 * The settled differences that the generators cannot leave out easily: for one operation, the result of the embedded store,
 * which is right, and the result of the second engine. A comment in the generators names each difference that they leave
 * out. All of them are cases in test/differential/settled. `given`, where it is there, gets the operation, the documents before it and both results.
 */
export const differences = [
  {
    why: 'a path by a name into an array is PathNotViable (mongodb/mongo src/mongo/db/update/path_support.cpp)',
    step: /"\$\w+":\{(?:[^{}]|\{[^{}]*\})*"(a|b|c|sub|(arr|items)(\.(\d|\$|\$\[\w*\]))?)\.[a-z]/,
    mine: /^error 28$/,
    theirs: /^error [29]$/,
  },
  {
    why: '$[] and $[name] of a value that is not an array are BadValue (mongodb/mongo src/mongo/db/update/update_array_node.cpp)',
    step: /"\$\w+":\{[^{}]*"(arr|items)\.\$\[\w*\][."]/,
    mine: /^error 2$/,
    theirs: /^error 28$/,
  },
  {
    why: 'an empty array sorts before null and missing fields (manual: reference/bson-type-comparison-order, arrays); the second engine sorts it as a missing field',
    step: /"\$?sort":/,
    mine: /^\[/,
    theirs: /^\[/,
    given: (step, documents) =>
      sortedBy(step).some((field) =>
        documents.some((document) => document[field]?.length === 0 && document[field] !== ''),
      ),
  },
  {
    why: 'the second engine rejects a range in $elemMatch when it has an index for it (CommandNotSupported); it is an ordinary query (manual: reference/operator/query/elemMatch)',
    step: /"\$elemMatch":\{"\$g/,
    mine: /^[[{\dn]/,
    theirs: /^error 115$/,
  },
  {
    why: '$unset does nothing for a path that does not exist (mongodb/mongo src/mongo/db/update/unset_node.h, allowNonViablePath)',
    step: /"\$unset":\{"(arr|items|sub)\.(\w+|\$\[\w+\])(\.\w+)?":""/,
    mine: /^(\{.*\}|null)$/,
    theirs: /^(error (2|28)|.*"errors":\[\{"index":\{"\$numberInt":"\d+"\},"code":\{"\$numberInt":"(2|28)"\}\}\]\})$/,
  },
  {
    why: 'when several documents cannot be updated, the error is that of the first one that is read; their order is not defined (manual: reference/method/cursor.sort)',
    step: /"kind":"updateMany"/,
    mine: /^error (2|14|28)$/,
    theirs: /^error (2|14|28)$/,
    given: (_step, documents) => documents.length > 1,
  },
  {
    why: 'when two paths of an update cannot be changed, the error is that of the first one by name (manual: reference/operator/update, the fields are processed in lexicographic order)',
    step: /"kind":"(updateOne|findOneAndUpdate)"/,
    mine: /^error (2|14|28)$/,
    theirs: /^error (2|14|28)$/,
    given: ({ change }) => Object.values(change).flatMap((paths) => Object.keys(paths)).length > 1,
  },
  {
    why: '$inc of a boolean is TypeMismatch (manual: reference/operator/update/inc); the second engine reads it as 0 or 1',
    step: /"\$inc":/,
    mine: /^error 14$/,
    theirs: /^(\{.*\}|null)$/,
    given: (step, documents) => modified(step, documents, ['$inc']).some(([old]) => typeof old === 'boolean'),
  },
  {
    why: '$set changes a value that is not the same byte for byte (mongodb/mongo src/mongo/db/update/set_node.cpp); the second engine keeps a document or array when only the types of its numbers differ',
    step: /"\$set":\{[^}]*":[{[]/,
    mine: /^\{.*\}$/,
    theirs: /^\{.*\}$/,
    given: (step, documents) =>
      modified(step, documents, ['$set']).some(
        ([old, to]) => typeof old === 'object' && typeof to === 'object' && onlyTypesDiffer(old, to),
      ),
  },
  {
    why: 'a sort by two different arrays is BadValue, also when one is empty (mongodb/mongo src/mongo/db/index/sort_key_generator.cpp, and GetKeysParallelEmptyArrays in btree_key_generator_test.cpp); the second engine sorts, and may then fail to update',
    step: /"\$?sort":/,
    mine: /^(\[")?error 2( transient)?("\])?$/,
    theirs: /^([[{n]|error 14$)/,
    given: (step, documents) => {
      const fields = new Set(sortedBy(step).map((path) => path.split('.')[0]));
      const arrays = (document) => [...fields].filter((field) => Array.isArray(document[field]));
      return (
        fields.size > 1 &&
        (step.kind === 'transaction' || step.inTransaction || documents.some((document) => arrays(document).length > 1))
      );
    },
  },
  {
    why: 'when an expression fails on several documents, the error is that of the first one that is read; their order is not defined (manual: reference/method/cursor.sort)',
    step: /"kind":"aggregate".*"\$divide":\[/,
    mine: /^error (2|14)$/,
    theirs: /^error (2|14)$/,
    given: (_step, documents) => documents.length > 1,
  },
  {
    why: '$avg of one number is a double (mongodb/mongo src/mongo/db/pipeline/accumulator_avg.cpp, getValue); the second engine keeps the type of that number',
    step: /"\$unwind":.*"\$avg":"\$(arr|items\.q)"/,
    mine: /^\[/,
    theirs: /^\[/,
    given: (_step, _documents, mine, theirs) => withoutTypes(mine) === withoutTypes(theirs),
  },
  {
    why: '$elemMatch with $lte: null finds null among the elements (manual: reference/operator/query/elemMatch); the second engine has an internal error (UnknownError) for some documents',
    step: /"\$elemMatch":\{"\$lte":null\}/,
    mine: /^[[{\dn]/,
    theirs: /^error 8$/,
  },
  {
    why: 'a stage computes each of its fields, also those that a later $group does not read (manual: core/aggregation-pipeline-optimization lists no such removal); the second engine leaves them out',
    step: /"\$(addFields|set|project)":.*"\$map":.*"\$(group|count|sortByCount)":/,
    mine: /^error 16883$/,
    theirs: /^\[/,
  },
  {
    why: '$push of nothing is a modification only when $slice shortens the array (mongodb/mongo src/mongo/db/update/push_node.cpp); the second engine counts it always',
    step: /"\$push":\{"arr":\{"\$each":\[\][,}]/,
    mine: /"modified(Count)?":/,
    theirs: /"modified(Count)?":/,
    given: (_step, _documents, mine, theirs) => unmodified(mine) === unmodified(theirs),
  },
];
