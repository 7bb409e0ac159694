import { fail } from '../errors.js';
import { toNumber } from '../values/numbers.js';
import { isNumber, type Maybe, typeName, typeNumbers, type Value } from '../values/types.js';

/** A test of one value that a filter's path reaches. The value is `undefined` when the path reaches nothing. */
export type Leaf = (leaf: Maybe) => boolean;

/** The test of `$size`. Error 2 for an operand that is not a whole number, or is negative. */
export function size(operand: Value): Leaf {
  if (!isNumber(operand)) fail(2, `Failed to parse $size. Expected a number in: $size: ${typeName(operand)}`);
  const wanted = toNumber(operand);
  if (!Number.isInteger(wanted)) fail(2, `Failed to parse $size. Expected an integer: $size: ${wanted}`);
  if (wanted < 0) fail(2, `Failed to parse $size. Expected a non-negative number in: $size: ${wanted}`);
  return (leaf) => Array.isArray(leaf) && leaf.length === wanted;
}

/** The test of `$type`. Its names and numbers are those of the manual (reference/operator/query/type). */
export function ofType(operand: Value): Leaf {
  const wanted = (Array.isArray(operand) ? operand : [operand]).map((entry): string => {
    if (typeof entry === 'string')
      return entry === 'number' || entry in typeNumbers ? entry : fail(2, `Unknown type name alias: ${entry}`);
    if (!isNumber(entry)) fail(14, 'type must be represented as a number or a string');
    const found = Object.entries(typeNumbers).find(([, number]) => number === toNumber(entry));
    return found?.[0] ?? fail(2, `Invalid numerical type code: ${toNumber(entry)}`);
  });
  if (wanted.length === 0) fail(9, '$type must match at least one type');
  return (leaf) =>
    leaf !== undefined && (wanted.includes(typeName(leaf)) || (isNumber(leaf) && wanted.includes('number')));
}
