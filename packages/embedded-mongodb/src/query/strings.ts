import { fail } from '../errors.js';
import { compare } from '../values/compare.js';
import { count } from '../values/numbers.js';
import { isDoc, isNumber, type Maybe, typeName } from '../values/types.js';
import { convert, toText } from './convert.js';
import { any, type Compute, type Operator, strict, whole } from './operands.js';

const text = (value: Maybe, name: string, code: number): string => {
  if (value == null) return '';
  if (typeof value === 'string') return value;
  if (isNumber(value) || value instanceof Date) return toText(value);
  return fail(code, `${name} can't convert from BSON type ${typeName(value)} to String`);
};

const trim =
  (which: 'both' | 'start' | 'end'): Compute =>
  ([spec], name) => {
    const [input, chars] = isDoc(spec)
      ? [spec.get('input'), spec.get('chars')]
      : fail(50696, `${name} only supports an object as an argument`);
    if (input == null || chars === null) return null;
    if (typeof input !== 'string' || (chars !== undefined && typeof chars !== 'string'))
      fail(50699, `${name} requires its input to be a string, got ${typeName(input)}`);
    const points = [...input];
    const cut =
      chars === undefined
        ? (point: string): boolean => /[\s\0]/.test(point)
        : (point: string): boolean => chars.includes(point);
    let [from, to] = [0, points.length];
    if (which !== 'end') while (from < to && cut(points[from] ?? '')) from++;
    if (which !== 'start') while (to > from && cut(points[to - 1] ?? '')) to--;
    return points.slice(from, to).join('');
  };

const bytes = (value: string): Buffer => Buffer.from(value, 'utf8');
const substring =
  (cut: (value: string, from: number, length: number) => string): Compute =>
  (args, name) =>
    cut(text(args[0], name, 16034), whole(args[1], name), whole(args[2], name));
const upTo = (from: number, length: number): number | undefined => (length < 0 ? undefined : from + length);

function replacing(all: boolean): Compute {
  return ([spec], name) => {
    const parts = isDoc(spec)
      ? ['input', 'find', 'replacement'].map((key) => spec.get(key))
      : fail(51751, `${name} requires an object as an argument`);
    if (parts.some((part) => part == null)) return null;
    const [input, find, replacement] = parts;
    if (typeof input !== 'string' || typeof find !== 'string' || typeof replacement !== 'string')
      fail(51746, `${name} requires strings`);
    return all ? input.replaceAll(find, () => replacement) : input.replace(find, () => replacement);
  };
}

const indexIn = (args: Maybe[], units: (value: string) => readonly unknown[]): Maybe => {
  const [source, find, from, to] = args;
  if (source == null) return null;
  if (typeof source !== 'string' || typeof find !== 'string')
    fail(40091, `$indexOf requires strings, found: ${typeName(source)}, ${typeName(find)}`);
  const haystack = units(source);
  const needle = units(find);
  for (
    let i = from === undefined ? 0 : whole(from, '$indexOf');
    i + needle.length <= Math.min(haystack.length, to === undefined ? any : whole(to, '$indexOf'));
    i++
  ) {
    if (needle.every((unit, j) => unit === haystack[i + j])) return i;
  }
  return -1;
};

/** From the left: the first null or missing operand ends it with null, an operand of another type before it is an error. */
const concat: Compute = (args) => {
  let result = '';
  for (const arg of args) {
    if (arg == null) return null;
    result += typeof arg === 'string' ? arg : fail(16702, `$concat only supports strings, not ${typeName(arg)}`);
  }
  return result;
};

/** The operators on strings, and the conversions between types (manual: reference/operator/aggregation). */
export const stringOperators: Readonly<Record<string, Operator | undefined>> = {
  $concat: [0, any, concat],
  $toLower: [1, 1, ([value]) => text(value, '$toLower', 16007).replace(/[A-Z]/g, (letter) => letter.toLowerCase())],
  $toUpper: [1, 1, ([value]) => text(value, '$toUpper', 16007).replace(/[a-z]/g, (letter) => letter.toUpperCase())],
  $strcasecmp: [
    2,
    2,
    ([a, b]) =>
      Math.sign(compare(text(a, '$strcasecmp', 16007).toUpperCase(), text(b, '$strcasecmp', 16007).toUpperCase())),
  ],
  $substr: [3, 3, substring((value, from, length) => bytes(value).subarray(from, upTo(from, length)).toString())],
  $substrBytes: [3, 3, substring((value, from, length) => bytes(value).subarray(from, upTo(from, length)).toString())],
  $substrCP: [3, 3, substring((value, from, length) => [...value].slice(from, upTo(from, length)).join(''))],
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
        ? count([...value].length)
        : fail(34471, `$strLenCP requires a string argument, found: ${typeName(value)}`),
  ],
  $indexOfBytes: [2, 4, (args) => indexIn(args, (value) => [...bytes(value)])],
  $indexOfCP: [2, 4, (args) => indexIn(args, (value) => [...value])],
  $split: [
    2,
    2,
    strict(([value, by]) =>
      typeof value === 'string' && typeof by === 'string' && by !== ''
        ? value.split(by)
        : fail(40085, '$split requires two strings, the second not empty'),
    ),
  ],
  $trim: [1, 1, trim('both')],
  $ltrim: [1, 1, trim('start')],
  $rtrim: [1, 1, trim('end')],
  $replaceOne: [1, 1, replacing(false)],
  $replaceAll: [1, 1, replacing(true)],
  $type: [1, 1, ([value]) => typeName(value)],
  $isNumber: [1, 1, ([value]) => isNumber(value)],
  $toString: [1, 1, strict(([value = null]) => convert(value, 'string'))],
  $toInt: [1, 1, strict(([value = null]) => convert(value, 'int'))],
  $toLong: [1, 1, strict(([value = null]) => convert(value, 'long'))],
  $toDouble: [1, 1, strict(([value = null]) => convert(value, 'double'))],
  $toBool: [1, 1, strict(([value = null]) => convert(value, 'bool'))],
  $toDate: [1, 1, strict(([value = null]) => convert(value, 'date'))],
  $toObjectId: [1, 1, strict(([value = null]) => convert(value, 'objectId'))],
};
