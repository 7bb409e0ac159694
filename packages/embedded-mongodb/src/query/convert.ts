import { Double, ObjectId } from 'bson';
import { fail } from '../errors.js';
import { plain } from '../values/compare.js';
import { double, toNumber } from '../values/numbers.js';
import { isNumber, typeName, type Value } from '../values/types.js';

/** The types that `$toInt` and its kin convert to. */
export type Target = 'string' | 'int' | 'long' | 'double' | 'bool' | 'date' | 'objectId';

/** A double as MongoDB prints it: 15 significant digits are not enough to tell all apart, so the shortest exact form. */
const printed = (value: Double): string => {
  const number = value.value;
  if (Number.isFinite(number)) return Object.is(number, -0) ? '-0' : String(number).replace('e+', 'e+');
  return Number.isNaN(number) ? 'NaN' : number > 0 ? 'Infinity' : '-Infinity';
};

function toInteger(value: Value, target: 'int' | 'long'): Value {
  let result: bigint;
  if (typeof value === 'boolean') result = value ? 1n : 0n;
  else if (value instanceof Date && target === 'long') result = BigInt(value.getTime());
  else if (isNumber(value)) {
    const number = plain(value);
    if (typeof number !== 'bigint' && !Number.isFinite(number))
      return fail(241, `Attempt to convert ${number} value to integer type in $convert with no onError value`);
    result = typeof number === 'bigint' ? number : BigInt(Math.trunc(number));
  } else if (typeof value === 'string') {
    result = /^[+-]?\d+$/.test(value)
      ? BigInt(value.replace('+', ''))
      : fail(241, `Failed to parse number '${value}' in $convert with no onError value`);
  } else return unsupported(value, target);
  const limit = target === 'int' ? 1n << 31n : 1n << 63n;
  if (result < -limit || result >= limit)
    fail(241, `Conversion would overflow target type in $convert with no onError value: ${result.toString()}`);
  return target === 'int' ? Number(result) : result;
}

function toDouble(value: Value): Value {
  if (isNumber(value)) return double(toNumber(value));
  if (typeof value === 'boolean') return double(value ? 1 : 0);
  if (value instanceof Date) return double(value.getTime());
  if (typeof value !== 'string') return unsupported(value, 'double');
  const number = value.trim() === value && value !== '' ? Number(value) : Number.NaN;
  return Number.isNaN(number) && value !== 'NaN'
    ? fail(241, `Failed to parse number '${value}' in $convert with no onError value`)
    : double(number);
}

function toDate(value: Value): Value {
  if (value instanceof Date) return value;
  if (value instanceof ObjectId) return value.getTimestamp();
  if (typeof value === 'bigint' || value instanceof Double) return new Date(Math.trunc(toNumber(value)));
  if (typeof value !== 'string') return unsupported(value, 'date');
  const zoned = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:?\d{2})?)?$/.test(value);
  const local = zoned && value.length > 10 && !/(Z|[+-]\d{2}:?\d{2})$/.test(value);
  const date = new Date(zoned ? value.replace(' ', 'T') + (local ? 'Z' : '') : Number.NaN);
  return Number.isNaN(date.getTime())
    ? fail(241, `Error parsing date string '${value}' in $convert with no onError value`)
    : date;
}

/** A value as `$toString` gives it; 241 for types that have no such form. */
export function toText(value: Value): string {
  if (typeof value === 'string') return value;
  if (value instanceof Double) return printed(value);
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (value instanceof Date) return value.toISOString();
  return value instanceof ObjectId ? value.toHexString() : unsupported(value, 'string');
}

const unsupported = (value: Value, target: string): never =>
  fail(241, `Unsupported conversion from ${typeName(value)} to ${target} in $convert with no onError value`);

/** Converts a value (manual: reference/operator/aggregation/convert); 241 where MongoDB can't. */
export function convert(value: Value, target: Target): Value {
  switch (target) {
    case 'string':
      return toText(value);
    case 'int':
    case 'long':
      return toInteger(value, target);
    case 'double':
      return toDouble(value);
    case 'bool':
      return isNumber(value) ? toNumber(value) !== 0 : value !== false;
    case 'date':
      return toDate(value);
    case 'objectId':
      if (value instanceof ObjectId) return value;
      if (typeof value !== 'string') return unsupported(value, 'objectId');
      return /^[0-9a-f]{24}$/i.test(value)
        ? new ObjectId(value)
        : fail(241, `Failed to parse objectId '${value}' in $convert with no onError value`);
  }
}
