const at = (value, [part, ...rest]) => (part === undefined ? value : at(value?.[part], rest));

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
    step: /"\$\w+":\{[^{}]*"(a|b|c|sub|arr|arr\.\d|items\.\d)\.[a-z]/,
    mine: /^error 28$/,
    theirs: /^error [29]$/,
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
    given: (step, documents) =>
      Object.keys(step.change?.$inc ?? step.change?.$mul ?? {}).some((path) =>
        documents.some((document) => typeof at(document, path.split('.')) === 'boolean'),
      ),
  },
];
