import { fail } from '../errors.js';
import { compare, hashOf, same } from '../values/compare.js';
import { type Doc, doc, isDoc, type Maybe, truthy, typeName, type Value } from '../values/types.js';
import { any, array, type Compute, type Operator, strict, whole } from './operands.js';
import { memoryLimit } from './sorting.js';
import { refuseMemory } from './work.js';

const at = (source: readonly Value[], index: number): Maybe => source[index < 0 ? source.length + index : index];

function slice([source, first, second]: Value[]): Value[] {
  const elements = array(source, '$slice', 28724);
  const start = whole(first, '$slice');
  if (second === undefined) return start >= 0 ? elements.slice(0, start) : elements.slice(start);
  const length = whole(second, '$slice');
  if (length <= 0) fail(28729, 'Third argument to $slice must be positive: ' + String(length));
  const from = start >= 0 ? start : Math.max(0, elements.length + start);
  return elements.slice(from, from + length);
}

const distinct = (elements: readonly Value[]): Map<string, Value> => {
  const found = new Map<string, Value>();
  for (const element of elements) if (!found.has(hashOf(element))) found.set(hashOf(element), element);
  return found;
};
const bySize = (found: Map<string, Value>): Value[] => [...found.values()].sort(compare);
const sets = (compute: (sets: Map<string, Value>[]) => Maybe, code: number): Compute =>
  strict((args, name) => compute(args.map((arg) => distinct(array(arg, name, code)))));

const bytesOfNumber = 24;

function range([from, to, step = 1]: Maybe[]): Value[] {
  const [start, end, by] = [whole(from, '$range'), whole(to, '$range'), whole(step, '$range')];
  if (by === 0) fail(34449, '$range requires a non-zero step value');
  if (((end - start) / by) * bytesOfNumber > memoryLimit) refuseMemory('$range');
  const result: Value[] = [];
  for (let value = start; by > 0 ? value < end : value > end; value += by) result.push(value);
  return result;
}

function merge(args: Maybe[]): Doc {
  const result: Doc = new Map();
  for (const arg of args.flatMap((part) => (args.length === 1 && Array.isArray(part) ? part : [part]))) {
    if (arg != null && !isDoc(arg))
      fail(40400, `$mergeObjects requires object inputs, but input is of type ${typeName(arg)}`);
    for (const [name, value] of arg ?? []) result.set(name, value);
  }
  return result;
}

/** The operators on arrays, sets and documents (manual: reference/operator/aggregation). */
export const arrayOperators: Readonly<Record<string, Operator | undefined>> = {
  $size: [
    1,
    1,
    ([value]) =>
      Array.isArray(value)
        ? value.length
        : fail(17124, `The argument to $size must be an array, but was of type: ${typeName(value)}`),
  ],
  $isArray: [1, 1, ([value]) => Array.isArray(value)],
  $arrayElemAt: [
    2,
    2,
    strict(([source, index]) => at(array(source, '$arrayElemAt', 28689), whole(index, '$arrayElemAt'))),
  ],
  $first: [1, 1, strict(([source]) => at(array(source, '$first', 28689), 0))],
  $last: [1, 1, strict(([source]) => at(array(source, '$last', 28689), -1))],
  $concatArrays: [0, any, strict((args) => args.flatMap((arg) => array(arg, '$concatArrays', 28664)))],
  $in: [
    2,
    2,
    ([value, source]) => array(source, '$in', 40081).some((element) => same(element, value) && value !== undefined),
  ],
  $slice: [2, 3, strict(slice)],
  $reverseArray: [1, 1, strict(([source]) => array(source, '$reverseArray', 34435).toReversed())],
  $range: [2, 3, range],
  $objectToArray: [
    1,
    1,
    strict(([value]) =>
      isDoc(value)
        ? [...value].map(([k, v]) => doc({ k, v }))
        : fail(40390, `$objectToArray requires a document input, found: ${typeName(value)}`),
    ),
  ],
  $mergeObjects: [0, any, merge],
  $setUnion: [0, any, sets((all) => bySize(distinct(all.flatMap((set) => [...set.values()]))), 17043)],
  $setIntersection: [
    0,
    any,
    sets((all) => bySize(new Map([...(all[0] ?? [])].filter(([hash]) => all.every((set) => set.has(hash))))), 17047),
  ],
  $setDifference: [
    2,
    2,
    sets(
      ([a = new Map<string, Value>(), b = a]) => [...a].filter(([hash]) => !b.has(hash)).map(([, value]) => value),
      17048,
    ),
  ],
  $setEquals: [
    2,
    any,
    sets(
      (all) => all.every((set) => set.size === all[0]?.size && [...set.keys()].every((hash) => all[0]?.has(hash))),
      17044,
    ),
  ],
  $setIsSubset: [2, 2, sets(([a = new Map(), b = new Map()]) => [...a.keys()].every((hash) => b.has(hash)), 17046)],
  $anyElementTrue: [1, 1, ([source]) => array(source, '$anyElementTrue', 17041).some(truthy)],
  $allElementsTrue: [1, 1, ([source]) => array(source, '$allElementsTrue', 17040).every(truthy)],
};
