import { Binary, EJSON, Long } from 'bson';
import { type Fields, isFields, Mismatch, RunnerError } from './format.js';

/** Looks up an entity's value, for `$$matchesEntity` and `$$sessionLsid`. */
export type Lookup = (id: string) => unknown;

const shown = (value: unknown): string =>
  (value === undefined ? 'nothing' : EJSON.stringify(value, { relaxed: true })).slice(0, 300);
const bsonType = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && '_bsontype' in value ? value._bsontype : undefined;
const asNumber = (value: unknown): unknown =>
  typeof value === 'bigint' || Long.isLong(value)
    ? Number(value)
    : typeof value === 'object' &&
        value !== null &&
        'value' in value &&
        ['Int32', 'Double'].includes(String(bsonType(value)))
      ? value.value
      : value;
const isNumeric = (value: unknown): boolean => typeof asNumber(value) === 'number' || bsonType(value) === 'Decimal128';
const ofType =
  (name: string) =>
  (value: unknown): boolean =>
    bsonType(value) === name;

const types: Readonly<Record<string, (value: unknown) => boolean>> = {
  int: (value) => Number.isInteger(asNumber(value)),
  long: (value) => Number.isInteger(asNumber(value)),
  double: (value) => typeof asNumber(value) === 'number',
  decimal: ofType('Decimal128'),
  number: isNumeric,
  string: (value) => typeof value === 'string',
  bool: (value) => typeof value === 'boolean',
  object: isFields,
  array: Array.isArray,
  date: (value) => value instanceof Date || (typeof value === 'object' && value !== null && 'toISOString' in value),
  objectId: ofType('ObjectId'),
  binData: (value) => value instanceof Binary || value instanceof Uint8Array,
  timestamp: ofType('Timestamp'),
  regex: (value) => value instanceof RegExp || ofType('BSONRegExp')(value),
  javascript: ofType('Code'),
  minKey: ofType('MinKey'),
  maxKey: ofType('MaxKey'),
  null: (value) => value === null,
};

function isOfType(name: unknown, value: unknown): boolean {
  const test = types[String(name)];
  if (!test) throw new RunnerError(`the runner does not know the type ${String(name)}`);
  return test(value);
}

/**
 * Compares by the rules of the Unified Test Format ("Evaluating Matches"): numbers of all types by value, documents
 * field by field (at the root further fields are allowed), special operators by their own rule. Throws {@link Mismatch}.
 */
export function match(expected: unknown, actual: unknown, lookup: Lookup, root = true, path = '$'): void {
  const differs = (): never => {
    throw new Mismatch(`${path}: expected ${shown(expected)}, got ${shown(actual)}`);
  };
  if (isFields(expected)) {
    const names = Object.keys(expected);
    const operator = names.find((name) => name.startsWith('$$'));
    if (operator !== undefined) {
      if (names.length > 1) throw new RunnerError(`${path}: ${operator} next to other fields`);
      special(operator, expected[operator], actual, lookup, path, root);
      return;
    }
    if (!isFields(actual)) return differs();
    for (const [name, value] of Object.entries(expected)) matchField(value, actual, name, lookup, `${path}.${name}`);
    if (!root) for (const name of Object.keys(actual)) allowOnly(expected, actual, name, path);
    return;
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return differs();
    expected.forEach((value, index) => match(value, actual[index], lookup, root, `${path}[${index}]`));
    return;
  }
  const [a, b] = [asNumber(expected), asNumber(actual)];
  if (a === b) return;
  const areObjects = typeof a === 'object' && a !== null && typeof b === 'object' && b !== null;
  if (areObjects && EJSON.stringify(a) === EJSON.stringify(b)) return;
  differs();
}

function allowOnly(expected: Fields, actual: Fields, name: string, path: string): void {
  if (name in expected || actual[name] === undefined) return;
  throw new Mismatch(`${path}: unexpected field ${name}: ${shown(actual[name])}`);
}

function matchField(expected: unknown, actual: Fields, name: string, lookup: Lookup, path: string): void {
  const value = actual[name];
  const allowsNothing = isFields(expected) && ('$$exists' in expected || '$$unsetOrMatches' in expected);
  if (value === undefined && !allowsNothing) throw new Mismatch(`${path}: expected ${shown(expected)}, got nothing`);
  match(expected, value, lookup, false, path);
}

function special(
  operator: string,
  operand: unknown,
  actual: unknown,
  lookup: Lookup,
  path: string,
  root: boolean,
): void {
  const check = (isMet: boolean): void => {
    if (!isMet) throw new Mismatch(`${path}: expected ${operator} ${shown(operand)}, got ${shown(actual)}`);
  };
  switch (operator) {
    case '$$unsetOrMatches':
      if (actual !== undefined) match(operand, actual, lookup, root, path);
      return;
    case '$$exists':
      check((actual !== undefined) === operand);
      return;
    case '$$type':
      check((Array.isArray(operand) ? operand : [operand]).some((name) => isOfType(name, actual)));
      return;
    case '$$matchesEntity':
    case '$$sessionLsid':
      match(lookup(`${operator === '$$sessionLsid' ? 'lsid:' : ''}${String(operand)}`), actual, lookup, false, path);
      return;
    case '$$matchesHexBytes':
      check(actual instanceof Uint8Array && Buffer.from(actual).toString('hex') === operand);
      return;
    case '$$lte':
      check(isNumeric(actual) && Number(asNumber(actual)) <= Number(asNumber(operand)));
      return;
    case '$$matchAsRoot':
      match(operand, actual, lookup, true, path);
      return;
    case '$$matchAsDocument':
      check(typeof actual === 'string');
      match(operand, EJSON.parse(String(actual)), lookup, false, path);
      return;
    default:
      throw new RunnerError(`the runner does not know the matching operator ${operator}`);
  }
}
