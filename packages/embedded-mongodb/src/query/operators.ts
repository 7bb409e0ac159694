import { Double } from 'bson';
import { fail } from '../errors.js';
import { compare } from '../values/compare.js';
import { arithmetic, double, integer, toNumber } from '../values/numbers.js';
import { isNumber, type Maybe, type Num, typeName } from '../values/types.js';
import { type Accumulator, average, extreme, Sum, summing } from './accumulators.js';
import { arrayOperators } from './arrays.js';
import { dateOperators } from './dates.js';
import { any, type Compute, type Operator, strict } from './operands.js';
import { stringOperators } from './strings.js';

const numbers = (compute: (args: Num[]) => Maybe): Compute =>
  strict((args, name) =>
    compute(
      args.map((arg) =>
        isNumber(arg)
          ? arg
          : fail(wrongType[name] ?? 28765, `${name} only supports numeric types, not ${typeName(arg)}`),
      ),
    ),
  );
const wrongType: Readonly<Record<string, number>> = { $divide: 14, $mod: 16611 };

/** From the left: the first null or missing operand ends it with null, an operand of another type before it is an error. */
const add: Compute = (args) => {
  const sum = new Sum();
  let date: Date | undefined;
  for (const arg of args) {
    if (arg == null) return null;
    if (isNumber(arg)) sum.add(arg);
    else if (!(arg instanceof Date)) fail(14, `$add only supports numeric or date types, not ${typeName(arg)}`);
    else if (date) fail(16612, 'only one date allowed in an $add expression');
    else date = arg;
  }
  return date ? new Date(date.getTime() + nearest(sum.total())) : sum.value();
};

/** As {@link add}: operand by operand. */
const multiply: Compute = (args) => {
  let product: Num = 1;
  for (const arg of args) {
    if (arg == null) return null;
    if (!isNumber(arg)) return fail(14, `$multiply only supports numeric types, not ${typeName(arg)}`);
    product = arithmetic('multiply', product, arg);
  }
  return product;
};

const subtract: Compute = strict(([a, b]) => {
  if (a instanceof Date && b instanceof Date) return BigInt(a.getTime() - b.getTime());
  if (a instanceof Date && isNumber(b)) return new Date(a.getTime() - nearest(toNumber(b)));
  if (!isNumber(a) || !isNumber(b)) fail(14, `can't $subtract ${typeName(b)} from ${typeName(a)}`);
  return arithmetic('subtract', a, b);
});

const divide: Compute = numbers(([a = 0, b = 0]) =>
  toNumber(b) === 0 ? fail(2, "can't $divide by zero") : double(toNumber(a) / toNumber(b)),
);

const modulo: Compute = numbers(([a = 0, b = 0]) => {
  if (toNumber(b) === 0) fail(16610, "can't $mod by zero");
  if (a instanceof Double || b instanceof Double) return double(toNumber(a) % toNumber(b));
  return integer(BigInt(a) % BigInt(b), typeof a === 'bigint' || typeof b === 'bigint');
});

/** The nearest whole number, half-way cases away from zero. MongoDB converts a double to milliseconds like this. */
const nearest = (value: number): number => Math.sign(value) * Math.round(Math.abs(value));

const comparison = (holds: (order: number) => boolean): Operator => [2, 2, ([a, b]) => holds(missingAware(a, b))];

/** As {@link compare}, but a missing value comes before null, as in expressions. */
const missingAware = (a: Maybe, b: Maybe): number =>
  a === undefined || b === undefined ? Number(a !== undefined) - Number(b !== undefined) || 0 : compare(a, b);

/** An accumulator of `$group` as an expression: over its arguments, or over the elements of the only one. */
const collecting = (accumulator: () => Accumulator): Operator => [
  0,
  any,
  (args) => {
    const total = accumulator();
    for (const value of args.length === 1 && Array.isArray(args[0]) ? args[0] : args) total.add(value);
    return total.result();
  },
];

/** The operators whose arguments are all evaluated first (manual: reference/operator/aggregation). */
export const operators: Readonly<Record<string, Operator | undefined>> = {
  ...arrayOperators,
  ...dateOperators,
  ...stringOperators,
  $add: [0, any, add],
  $subtract: [2, 2, subtract],
  $multiply: [0, any, multiply],
  $divide: [2, 2, divide],
  $mod: [2, 2, modulo],
  $eq: comparison((order) => order === 0),
  $ne: comparison((order) => order !== 0),
  $gt: comparison((order) => order > 0),
  $gte: comparison((order) => order >= 0),
  $lt: comparison((order) => order < 0),
  $lte: comparison((order) => order <= 0),
  $sum: collecting(summing),
  $avg: collecting(average),
  $min: collecting(() => extreme(-1)),
  $max: collecting(() => extreme(1)),
};
