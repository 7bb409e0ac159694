import { Double } from 'bson';
import { plain } from './compare.js';
import { type Num } from './types.js';

const int64 = 1n << 63n;
const isInt32 = (value: number): boolean => (value | 0) === value;

/** A double, also for a whole number. */
export const double = (value: number): Double => new Double(value);

/** The whole number as int32 if it fits, else as int64; beyond int64 as a double. */
export function integer(value: bigint, atLeastLong = false): Num {
  if (value < -int64 || value >= int64) return new Double(Number(value));
  const small = Number(value);
  return !atLeastLong && isInt32(small) ? small : value;
}

/** A count in a reply: int32 if it fits, else int64. */
export const count = (value: number): Num => (isInt32(value) ? value : BigInt(Math.trunc(value)));

/** The value as a JavaScript number (an int64 beyond 2^53 is rounded). */
export const toNumber = (value: Num): number => Number(plain(value));

/**
 * Computes with MongoDB's promotion of types: with a double the result is a double, with an int64 an int64, two int32
 * give an int32 that grows into an int64; what exceeds int64 becomes a double (manual: reference/operator/aggregation/add).
 */
export function arithmetic(operation: 'add' | 'subtract' | 'multiply', a: Num, b: Num): Num {
  if (a instanceof Double || b instanceof Double) {
    const [x, y] = [toNumber(a), toNumber(b)];
    return new Double(operation === 'add' ? x + y : operation === 'subtract' ? x - y : x * y);
  }
  if (typeof a === 'number' && typeof b === 'number') {
    const quick = operation === 'add' ? a + b : operation === 'subtract' ? a - b : a * b;
    if (isInt32(quick)) return quick;
  }
  const [x, y] = [BigInt(a), BigInt(b)];
  return integer(
    operation === 'add' ? x + y : operation === 'subtract' ? x - y : x * y,
    typeof a === 'bigint' || typeof b === 'bigint',
  );
}
