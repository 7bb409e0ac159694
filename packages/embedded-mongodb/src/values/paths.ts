import { isDoc, type Maybe, type Value } from './types.js';

const isIndex = (part: string): boolean => /^(0|[1-9]\d*)$/.test(part);

/** The parts of a dotted path. */
export const split = (path: string): string[] => path.split('.');

/** What is done with a value that a path reaches; `true` ends the walk. */
export type Visit = (leaf: Maybe, byPosition: boolean) => boolean;

/**
 * Visits what a query's path reaches (manual: tutorial/query-arrays): arrays on the way are entered, by position and into
 * each of their documents. The leaf is visited as it stands, `undefined` where it is missing, and with it whether the path's
 * last step was a position: an array that is found so is a value, its elements are not (src/mongo/db/matcher/path.cpp).
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

/** Stands for an empty array among an index's values: MongoDB orders it before null. */
export const emptyArray = Symbol('empty array');

/** The values that an index has of a path: of an array each element. `multikey` is whether there was an array. */
export function indexValues(
  value: Maybe,
  parts: readonly string[],
): { values: (Maybe | typeof emptyArray)[]; multikey: boolean } {
  const values: (Maybe | typeof emptyArray)[] = [];
  let multikey = false;
  const add = (leaf: Maybe): void => {
    if (!Array.isArray(leaf)) values.push(leaf);
    else {
      multikey = true;
      if (leaf.length === 0) values.push(emptyArray);
      else values.push(...leaf);
    }
  };
  const enter = (current: Maybe, from: number): void => {
    const part = parts[from];
    if (part === undefined) {
      add(current);
      return;
    }
    if (isDoc(current)) {
      enter(current.get(part), from + 1);
      return;
    }
    if (!Array.isArray(current)) {
      add(undefined);
      return;
    }
    multikey = true;
    if (isIndex(part) && Number(part) < current.length) {
      enter(current[Number(part)], from + 1);
      return;
    }
    const documents = current.filter(isDoc);
    if (documents.length < current.length || current.length === 0) add(undefined);
    for (const element of documents) enter(element, from);
  };
  enter(value, 0);
  return { values, multikey };
}

/** Whether one path is the other or lies below it. */
export const overlaps = (a: string, b: string): boolean => a === b || a.startsWith(`${b}.`) || b.startsWith(`${a}.`);
