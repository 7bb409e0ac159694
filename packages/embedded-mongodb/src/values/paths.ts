import { fail } from '../errors.js';
import { isDoc, type Maybe, type Value } from './types.js';

const isIndex = (part: string): boolean => /^(0|[1-9]\d*)$/.test(part);

/** The parts of a dotted path. */
export const split = (path: string): string[] => (path.includes('.') ? path.split('.') : [path]);

/** The field of the document that a dotted path begins with. */
export const fieldOf = (path: string): string => split(path)[0] ?? '';

/**
 * The parts of the path of an expression, a projection, a sort or a stage. Errors as of MongoDB's FieldPath: 40352, 40353 and
 * 15998 for empty parts, 16410 for one that begins with `$`.
 */
export function fieldParts(path: string): string[] {
  if (path === '') fail(40352, 'FieldPath cannot be constructed with empty string');
  if (path.endsWith('.')) fail(40353, `FieldPath must not end with a '.'.`);
  const parts = split(path);
  for (const part of parts) {
    if (part === '') fail(15998, 'FieldPath field names may not be empty strings.');
    if (part.startsWith('$') && !['$db', '$id', '$ref'].includes(part))
      fail(16410, `FieldPath field names may not start with '$'. Consider using $getField or $setField.`);
  }
  return parts;
}

/** The value at a path through documents. A path through an array reaches nothing. */
export const fieldAt = (document: Maybe, parts: readonly string[]): Maybe =>
  parts.reduce((value, part) => (isDoc(value) ? value.get(part) : undefined), document);

/** Called with each value that a path reaches. `true` ends the walk. */
export type Visit = (leaf: Maybe, byPosition: boolean) => boolean;

/**
 * Visits the values that a query's path reaches (manual: tutorial/query-arrays). It enters arrays on the way, by position and
 * into each of their documents. A missing value is visited as `undefined`. `byPosition` shows whether the last part of the
 * path was a position in an array: the elements of an array that is found so do not count (src/mongo/db/matcher/path.cpp).
 */
export function walk(value: Maybe, parts: readonly string[], visit: Visit, from = 0, byPosition = false): boolean {
  const part = parts[from];
  if (part === undefined) return visit(value, byPosition);
  if (isDoc(value)) return walk(value.get(part), parts, visit, from + 1);
  if (!Array.isArray(value)) return visit(undefined, false);
  const there = isIndex(part) ? value[Number(part)] : undefined;
  const leads = isDoc(there) || Array.isArray(there) || from + 1 === parts.length;
  if (there !== undefined && leads && walk(there, parts, visit, from + 1, true)) return true;
  return value.some((element) => isDoc(element) && walk(element, parts, visit, from));
}

/** The value of an aggregation's field path. Through an array it is the array of the values in its documents; arrays in that array are skipped. */
export function fieldPath(value: Maybe, parts: readonly string[], from = 0): Maybe {
  const part = parts[from];
  if (part === undefined) return value;
  if (isDoc(value)) return fieldPath(value.get(part), parts, from + 1);
  if (!Array.isArray(value)) return undefined;
  return value
    .map((element) => (isDoc(element) ? fieldPath(element, parts, from) : undefined))
    .filter((found): found is Value => found !== undefined);
}

/** Represents an empty array among an index's values: MongoDB orders it before null. */
export const emptyArray = Symbol('empty array');

/** How far one of several paths was followed: a value, and the number of parts up to it. */
interface Place {
  readonly value: Maybe | typeof emptyArray;
  readonly from: number;
  /** Whether an array here is the value itself and is not entered. */
  readonly whole: boolean;
}

/** Follows a path through documents, to its end or to the first array. */
function descend(start: Maybe, parts: readonly string[], first: number): Place {
  let [value, from] = [start, first];
  for (let part = parts[from]; part !== undefined && isDoc(value); part = parts[from]) {
    value = value.get(part);
    from++;
  }
  if (from < parts.length && !Array.isArray(value)) value = undefined;
  return { value, from, whole: false };
}

/** Follows a path that has reached `array` into one of the elements. */
function inElement({ from }: Place, parts: readonly string[], array: readonly Value[], element: Value): Place {
  const part = parts[from];
  if (part === undefined) return { value: element, from, whole: true };
  const isPosition = isIndex(part) && Number(part) < array.length;
  if (isPosition && isDoc(element) && element.has(part))
    fail(
      16746,
      `Ambiguous field name found in array (do not use numeric field names in embedded elements in an array), field: '${part}'`,
    );
  if (!isPosition) return descend(isDoc(element) ? element : undefined, parts, from);
  const place = descend(array[Number(part)], parts, from + 1);
  return { ...place, whole: from + 1 === parts.length };
}

/** One value for each path. */
export type Row = readonly (Maybe | typeof emptyArray)[];

/**
 * The rows of values that several paths of a document give to an index or a sort
 * (manual: core/indexes/index-types/index-multikey): one row for each element of an array on the way. All paths through
 * this array take their values from the same element, except that a position (`a.0`) always takes that one element.
 * `onArray` is called with the number of each path that meets an array, and how many parts of it lead there; `onParallel` with the numbers of two paths that
 * meet different arrays at once, which have no common rows. Error 16746 when a part of a path is both a position in an
 * array and a field of a document in it.
 */
export function indexRows(
  document: Maybe,
  paths: readonly (readonly string[])[],
  onArray: (path: number, parts: number) => void,
  onParallel: (first: number, second: number) => never,
): Row[] {
  const expand = (places: readonly Place[]): Row[] => {
    const met = places.flatMap(({ value, whole, from }, path) =>
      Array.isArray(value) && !whole ? [{ path, array: value, from }] : [],
    );
    const [first] = met;
    if (!first) return [places.map(({ value }) => value)];
    for (const { path, array, from } of met) {
      if (array !== first.array) onParallel(first.path, path);
      onArray(path, from);
    }
    const step = (next: (place: Place, parts: readonly string[]) => Place): Row[] =>
      expand(
        places.map((place, path) =>
          place.value === first.array && !place.whole ? next(place, paths[path] ?? []) : place,
        ),
      );
    if (first.array.length === 0)
      return step(({ from }, parts) => ({ value: from < parts.length ? undefined : emptyArray, from, whole: true }));
    return first.array.flatMap((element) => step((place, parts) => inElement(place, parts, first.array, element)));
  };
  return expand(paths.map((parts) => descend(document, parts, 0)));
}

/** Whether one path is the other or lies below it. */
export const overlaps = (a: string, b: string): boolean => a === b || a.startsWith(`${b}.`) || b.startsWith(`${a}.`);
