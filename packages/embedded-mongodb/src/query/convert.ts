import { ObjectId } from 'bson';
import { fail } from '../errors.js';
import { toNumber } from '../values/numbers.js';
import { isNumber, typeName, type Value } from '../values/types.js';

/** A value as `$toBool` returns it: only zero and `false` are false. */
export const toBool = (value: Value): boolean => (isNumber(value) ? toNumber(value) !== 0 : value !== false);

/** A value as `$toObjectId` returns it; 241 for a text that is not an ObjectId, and for other types. */
export function toObjectId(value: Value): ObjectId {
  if (value instanceof ObjectId) return value;
  if (typeof value !== 'string') return unsupported(value, 'objectId');
  return /^[0-9a-f]{24}$/i.test(value)
    ? new ObjectId(value)
    : fail(241, `Failed to parse objectId '${value}' in $convert with no onError value`);
}

const unsupported = (value: Value, target: string): never =>
  fail(241, `Unsupported conversion from ${typeName(value)} to ${target} in $convert with no onError value`);
