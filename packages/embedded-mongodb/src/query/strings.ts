import { fail } from '../errors.js';
import { typeName } from '../values/types.js';
import { any, type Compute, type Operator } from './operands.js';

/** The largest length of a string that an expression returns (MongoDB: BufferMaxSize). */
const longest = 64 * 1024 * 1024;

/** From the left: the first null or missing operand ends it with null, an operand of another type before it is an error. */
const concat: Compute = (args) => {
  let result = '';
  for (const arg of args) {
    if (arg == null) return null;
    result += typeof arg === 'string' ? arg : fail(16702, `$concat only supports strings, not ${typeName(arg)}`);
    if (result.length > longest)
      fail(13548, `BufBuilder attempted to grow() to ${result.length} bytes, past the 64MB limit.`);
  }
  return result;
};

/** The operators on strings and types (manual: reference/operator/aggregation). */
export const stringOperators: Readonly<Record<string, Operator | undefined>> = {
  $concat: [0, any, concat],
  $type: [1, 1, ([value]) => typeName(value)],
};
