import { fail } from '../errors.js';
import { count } from '../values/numbers.js';
import { isNumber, type Maybe, typeName } from '../values/types.js';
import { toBool, toObjectId } from './convert.js';
import { any, type Compute, type Operator, strict } from './operands.js';
import { memoryLimit } from './sorting.js';
import { refuseMemory } from './work.js';

/** An operand as text. Doubles are rejected too: how MongoDB writes them is not documented. */
const text = (value: Maybe, name: string, code: number): string => {
  if (value == null) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  if (value instanceof Date) return value.toISOString();
  if (typeName(value) === 'timestamp') return fail(238, `${name} of a timestamp is not supported`);
  return fail(code, `${name} can't convert from BSON type ${typeName(value)} to String`);
};

/** The largest length of a text that an expression returns (MongoDB: BufferMaxSize). */
const longest = 64 * 1024 * 1024;

const bytes = (value: string): Buffer => Buffer.from(value, 'utf8');

/** How many code points the text has. */
function points(value: string): number {
  let total = 0;
  for (let at = 0; at < value.length; at += (value.codePointAt(at) ?? 0) > 0xffff ? 2 : 1) total++;
  return total;
}

/** About what one piece of a text takes in memory. */
const bytesOfPiece = 48;

function pieces(value: string, by: string): string[] {
  const most = Math.floor(memoryLimit / bytesOfPiece);
  const result = value.split(by, most + 1);
  return result.length > most ? refuseMemory('$split') : result;
}

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

/** The operators on strings, and the conversions between types (manual: reference/operator/aggregation). */
export const stringOperators: Readonly<Record<string, Operator | undefined>> = {
  $concat: [0, any, concat],
  $toLower: [1, 1, ([value]) => text(value, '$toLower', 16007).replace(/[A-Z]/g, (letter) => letter.toLowerCase())],
  $toUpper: [1, 1, ([value]) => text(value, '$toUpper', 16007).replace(/[a-z]/g, (letter) => letter.toUpperCase())],
  $strLenBytes: [
    1,
    1,
    ([value]) =>
      typeof value === 'string'
        ? count(bytes(value).length)
        : fail(34473, `$strLenBytes requires a string argument, found: ${typeName(value)}`),
  ],
  $strLenCP: [
    1,
    1,
    ([value]) =>
      typeof value === 'string'
        ? count(points(value))
        : fail(34471, `$strLenCP requires a string argument, found: ${typeName(value)}`),
  ],
  $split: [
    2,
    2,
    strict(([value, by]) =>
      typeof value === 'string' && typeof by === 'string' && by !== ''
        ? pieces(value, by)
        : fail(40085, '$split requires two strings, the second not empty'),
    ),
  ],
  $type: [1, 1, ([value]) => typeName(value)],
  $isNumber: [1, 1, ([value]) => isNumber(value)],
  $toBool: [1, 1, strict(([value = null]) => toBool(value))],
  $toObjectId: [1, 1, strict(([value = null]) => toObjectId(value))],
};
