import { fail } from '../errors.js';
import { same } from '../values/compare.js';
import { type Doc, isDoc, type Maybe, typeName, type Value } from '../values/types.js';
import { any, array, type Operator, strict, whole } from './operands.js';

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

function merge(args: Maybe[]): Doc {
  const result: Doc = new Map();
  for (const arg of args.flatMap((part) => (args.length === 1 && Array.isArray(part) ? part : [part]))) {
    if (arg != null && !isDoc(arg))
      fail(40400, `$mergeObjects requires object inputs, but input is of type ${typeName(arg)}`);
    for (const [name, value] of arg ?? []) result.set(name, value);
  }
  return result;
}

/** The operators on arrays and documents (manual: reference/operator/aggregation). */
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
  $mergeObjects: [0, any, merge],
};
