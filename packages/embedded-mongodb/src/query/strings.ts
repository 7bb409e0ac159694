import { ObjectId } from 'bson';
import { fail } from '../errors.js';
import { typeName, type Value } from '../values/types.js';
import { any, type Compute, type Operator, strict } from './operands.js';

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

/** A value as `$toObjectId` returns it; 241 for a string that is not an ObjectId, and for other types. */
function toObjectId(value: Value): ObjectId {
  if (value instanceof ObjectId) return value;
  if (typeof value !== 'string') return unsupported(value, 'objectId');
  return /^[0-9a-f]{24}$/i.test(value)
    ? new ObjectId(value)
    : fail(241, `Failed to parse objectId '${value}' in $convert with no onError value`);
}

const unsupported = (value: Value, target: string): never =>
  fail(241, `Unsupported conversion from ${typeName(value)} to ${target} in $convert with no onError value`);

/** The operators on strings and types (manual: reference/operator/aggregation). */
export const stringOperators: Readonly<Record<string, Operator | undefined>> = {
  $concat: [0, any, concat],
  $type: [1, 1, ([value]) => typeName(value)],
  $toObjectId: [1, 1, strict(([value = null]) => toObjectId(value))],
};
