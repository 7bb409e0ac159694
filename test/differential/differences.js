/**
 * The settled differences that the generators can't well leave out: of one operation, what the embedded store answers and
 * rightly so, and what the second engine answers. Those that they do leave out are said there; all of them are cases in
 * test/differential/settled.
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
];
