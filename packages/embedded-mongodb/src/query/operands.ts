import { fail } from '../errors.js';
import { toNumber } from '../values/numbers.js';
import { isNumber, type Maybe, typeName, type Value } from '../values/types.js';

/** An operator over values that are all evaluated first: fewest and most arguments, and what it computes. */
export type Operator = readonly [
  least: number,
  most: number,
  /** `sources` are the arguments as they are written, for operators whose argument may be a document of options. */
  compute: (args: Maybe[], name: string, sources: readonly Value[]) => Maybe,
];

/** What an operator computes. */
export type Compute = Operator[2];

/** As many arguments as there are. */
export const any = Number.POSITIVE_INFINITY;

/** Null when an argument is null or missing, else what `compute` gives. */
export const strict =
  (compute: (args: Value[], name: string) => Maybe): Compute =>
  (args, name) => {
    const given = args.filter((arg): arg is Value => arg != null);
    return given.length < args.length ? null : compute(given, name);
  };

/** The operand as an array, or the operator's own error. */
export const array = (value: Maybe, name: string, code: number): Value[] =>
  Array.isArray(value) ? value : fail(code, `${name} requires an array, found: ${typeName(value)}`);

/** The operand as a whole number; 28691 for another value. */
export function whole(value: Maybe, name: string): number {
  const number = isNumber(value) ? toNumber(value) : Number.NaN;
  return Number.isInteger(number)
    ? number
    : fail(28691, `${name} requires an integral value, found: ${typeName(value)}`);
}
