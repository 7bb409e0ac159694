import { byValue, text } from './perform.js';

/** What a path of an update reaches in a document; the positional `$` may mean each element. */
const reached = (value, [part, ...rest]) =>
  part === undefined
    ? [value]
    : part === '$'
      ? Object.values(value ?? []).flatMap((element) => reached(element, rest))
      : reached(value?.[part], rest);
/** What an operation's modifiers of these names do: what stands at their paths, and their operands. */
const modified = (step, documents, names) =>
  (step.steps ?? [step]).flatMap(({ change }) =>
    names.flatMap((name) =>
      Object.entries(change?.[name] ?? {}).flatMap(([path, operand]) =>
        documents.flatMap((document) => reached(document, path.split('.')).map((old) => [old, operand])),
      ),
    ),
  );
/** The fields that an operation or its stages sort by. */
const sortedBy = (step) =>
  [step.sort, ...(step.stages ?? []).map(({ $sort }) => $sort)].flatMap((sort) => Object.keys(sort ?? {}));
const onlyTypesDiffer = (old, to) => text(old) !== text(to) && text(byValue(old)) === text(byValue(to));

/**
 * The settled differences that the generators can't well leave out: of one operation, what the embedded store answers and
 * rightly so, and what the second engine answers. Those that they do leave out are said there; all of them are cases in
 * test/differential/settled. `given`, where it is there, is asked of the operation and the documents before it.
 */
export const differences = [
  {
    why: '$pop of what is no array is TypeMismatch (mongodb/mongo src/mongo/db/update/pop_node.cpp)',
    step: /"\$pop":\{"(arr|a|items)":/,
    mine: /^error 14$/,
    theirs: /^error 2$/,
  },
  {
    why: 'a path by a name into an array is PathNotViable (mongodb/mongo src/mongo/db/update/path_support.cpp)',
    step: /"\$\w+":\{[^{}]*"(a|b|c|sub|(arr|items)(\.(\d|\$|\$\[\w*\]))?)\.[a-z]/,
    mine: /^error 28$/,
    theirs: /^error [29]$/,
  },
  {
    why: '$[] of what is no array is BadValue (mongodb/mongo src/mongo/db/update/update_array_node.cpp)',
    step: /"\$\w+":\{[^{}]*"(arr|items)\.\$\[\]\./,
    mine: /^error 2$/,
    theirs: /^error 28$/,
  },
  {
    why: 'an empty array sorts before null and what is missing (manual: reference/bson-type-comparison-order, arrays); the second engine takes it for missing',
    step: /"\$?sort":/,
    mine: /^\[/,
    theirs: /^\[/,
    given: (step, documents) =>
      sortedBy(step).some((field) =>
        documents.some((document) => document[field]?.length === 0 && document[field] !== ''),
      ),
  },
  {
    why: 'the second engine refuses a range within $elemMatch that an index of it would serve (CommandNotSupported); it is an ordinary query (manual: reference/operator/query/elemMatch)',
    step: /"\$elemMatch":\{"\$g/,
    mine: /^[[{\dn]/,
    theirs: /^error 115$/,
  },
  {
    why: '$unset leaves a path alone that leads nowhere (mongodb/mongo src/mongo/db/update/unset_node.h, allowNonViablePath)',
    step: /"\$unset":\{"(arr|items|sub)\.\w+(\.\w+)?":""/,
    mine: /^(\{.*\}|null)$/,
    theirs: /^error 28$/,
  },
  {
    why: 'of several documents that cannot be updated the first one that is read names the error; no order is promised (manual: reference/method/cursor.sort)',
    step: /"kind":"updateMany"/,
    mine: /^error (2|14|28)$/,
    theirs: /^error (2|14|28)$/,
    given: (_step, documents) => documents.length > 1,
  },
  {
    why: '$inc and $mul of a boolean are TypeMismatch (manual: reference/operator/update/inc); the second engine takes it for 0 or 1',
    step: /"\$(inc|mul)":/,
    mine: /^error 14$/,
    theirs: /^(\{.*\}|null)$/,
    given: (step, documents) => modified(step, documents, ['$inc', '$mul']).some(([old]) => typeof old === 'boolean'),
  },
  {
    why: '$set changes what is not the same byte for byte (mongodb/mongo src/mongo/db/update/set_node.cpp); the second engine leaves a document or list be that differs in the types of its numbers alone',
    step: /"\$set":\{[^}]*":[{[]/,
    mine: /^\{.*\}$/,
    theirs: /^\{.*\}$/,
    given: (step, documents) =>
      modified(step, documents, ['$set']).some(
        ([old, to]) => typeof old === 'object' && typeof to === 'object' && onlyTypesDiffer(old, to),
      ),
  },
];
