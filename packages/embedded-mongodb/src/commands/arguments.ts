import { fail } from '../errors.js';
import { idIndexSpec } from '../storage/indexes.js';
import { same } from '../values/compare.js';
import { toNumber } from '../values/numbers.js';
import { type Doc, isDoc, isNumber, typeName, type Value } from '../values/types.js';

/** Whether the value is a string. */
export const isString = (value: unknown): value is string => typeof value === 'string';
/** Whether the value is an array. */
export const isArray = (value: unknown): value is Value[] => Array.isArray(value);
/** Whether the value is an int64. */
export const isLong = (value: unknown): value is bigint => typeof value === 'bigint';
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';

/** Fails unless the value is of the expected type: 14. */
const must =
  (is: (value: Value) => boolean, expected: string) =>
  (value: Value, path: string): void => {
    if (!is(value))
      fail(14, `BSON field '${path}' is the wrong type '${typeName(value)}', expected type '${expected}'`);
  };

/** The checks of a field's value. Each throws MongoDB's error for a wrong one. */
const checks = {
  any: () => undefined,
  boolean: must(isBoolean, 'bool'),
  /** A boolean, or a number that counts as one. */
  flag: must((value) => isBoolean(value) || isNumber(value), '[bool, long, int, decimal, double]'),
  string: must(isString, 'string'),
  object: must(isDoc, 'object'),
  array: must(isArray, 'array'),
  number: must(isNumber, 'number'),
  long: must(isLong, 'long'),
  /** A number that is not negative; else 51024. */
  size: (value: Value, path: string) => {
    checks.number(value, path);
    const number = isNumber(value) ? toNumber(value) : 0;
    if (number <= -1) fail(51024, `BSON field '${path}' value must be >= 0, actual value '${number}'`);
  },
  hint: (value: Value) => {
    if (!isString(value) && !isDoc(value)) fail(9, 'Hint must be a string or an object');
  },
  /** Only the simple (binary) collation; else 238. */
  collation: (value: Value, path: string) => {
    checks.object(value, path);
    if (isDoc(value) && value.size > 0 && !(value.size === 1 && value.get('locale') === 'simple'))
      fail(238, 'collations other than { locale: "simple" } are not supported by the embedded store');
  },
  /** Only the index on `_id` that every collection has, as mongorestore describes it: with `ns`, and without `v`; else 238. */
  idIndex: (value: Value, path: string) => {
    checks.object(value, path);
    const expected = idIndexSpec();
    const given: Doc = new Map<string, Value>([['v', 2], ...(isDoc(value) ? value : [])]);
    const hasDefaults = [...expected].every(([name, field]) => same(given.get(name), field));
    const others = [...given].filter(([name, field]) => !expected.has(name) && !(name === 'ns' && isString(field)));
    if (!hasDefaults || others.length > 0)
      fail(
        238,
        "an 'idIndex' other than { v: 2, key: { _id: 1 }, name: '_id_' } is not supported by the embedded store",
      );
  },
  cursor: (value: Value, path: string) => {
    checks.object(value, path);
    if (isDoc(value)) checkFields(value, { batchSize: 'size' }, path);
  },
  /** A feature of MongoDB that this store does not have: 238, unless the value is false or 0. */
  notOffered: (value: Value, path: string) => {
    if (value === false || (isNumber(value) && toNumber(value) === 0)) return;
    const [command, option] = path.split('.');
    fail(238, `${command} option '${option}' is not supported by the embedded store`);
  },
};

/** The allowed values of a field. */
export type Kind = keyof typeof checks;
/** The known fields of a command or of a part of it. */
export type Fields = Readonly<Record<string, Kind>>;

/** Checks the value of one field; `path` names it in the error. */
export const checkValue = (kind: Kind, value: Value, path: string): void => checks[kind](value, path);

/** Rejects unknown fields (40415) and values of a wrong type. As in MongoDB's parser, a null counts as absent, except as a hint. */
export function checkFields(source: Doc, fields: Fields, where: string): void {
  for (const [name, value] of source) {
    const kind = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (kind === undefined) fail(40415, `BSON field '${where}.${name}' is an unknown field.`);
    if (value !== null || kind === 'hint') checkValue(kind, value, `${where}.${name}`);
  }
}

/** An array of values of one type; 14 when one is of another. */
export const eachOf = <T extends Value>(
  values: readonly Value[],
  is: (value: Value) => value is T,
  path: string,
): T[] =>
  values.map((value, index) =>
    is(value) ? value : fail(14, `BSON field '${path}.${index}' is the wrong type '${typeName(value)}'`),
  );
