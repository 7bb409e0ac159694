import { Binary, EJSON, Long } from 'bson';

/** A document of a test file or of the driver. */
export type Fields = Record<string, unknown>;

/** Looks up an entity's value, for `$$matchesEntity` and `$$sessionLsid`. */
export type Lookup = (id: string) => unknown;

/** A difference between what was expected and what came; its message says where. */
export class Mismatch extends Error {}

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !('_bsontype' in value) &&
  !(value instanceof Date);

/** A text of a test file; anything else as JSON. */
export const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const shown = (value: unknown): string =>
  (value === undefined ? 'nothing' : EJSON.stringify(value, { relaxed: true })).slice(0, 300);
const asNumber = (value: unknown): unknown =>
  typeof value === 'bigint' || Long.isLong(value)
    ? Number(value)
    : typeof value === 'object' &&
        value !== null &&
        '_bsontype' in value &&
        (value._bsontype === 'Int32' || value._bsontype === 'Double') &&
        'value' in value
      ? value.value
      : value;

const types: Readonly<Record<string, (value: unknown) => boolean>> = {
  int: (value) => Number.isInteger(asNumber(value)),
  long: (value) => Number.isInteger(asNumber(value)),
  double: (value) => typeof asNumber(value) === 'number',
  number: (value) => typeof asNumber(value) === 'number',
  string: (value) => typeof value === 'string',
  bool: (value) => typeof value === 'boolean',
  object: isFields,
  array: Array.isArray,
  date: (value) => value instanceof Date || (typeof value === 'object' && value !== null && 'toISOString' in value),
  objectId: (value) =>
    typeof value === 'object' && value !== null && '_bsontype' in value && value._bsontype === 'ObjectId',
  binData: (value) => value instanceof Binary || value instanceof Uint8Array,
  timestamp: (value) =>
    typeof value === 'object' && value !== null && '_bsontype' in value && value._bsontype === 'Timestamp',
  null: (value) => value === null,
};

/**
 * Compares by the rules of the Unified Test Format ("Evaluating Matches"): numbers by value whatever their type, documents
 * field by field (at the root further fields are allowed), special operators by their own rule. Throws {@link Mismatch}.
 */
export function match(expected: unknown, actual: unknown, lookup: Lookup, root = true, path = '$'): void {
  const differs = (): never => {
    throw new Mismatch(`${path}: expected ${shown(expected)}, got ${shown(actual)}`);
  };
  if (isFields(expected)) {
    const [operator] = Object.keys(expected);
    if (operator?.startsWith('$$')) {
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
  if (
    typeof a === 'object' &&
    a !== null &&
    typeof b === 'object' &&
    b !== null &&
    EJSON.stringify(a) === EJSON.stringify(b)
  )
    return;
  differs();
}

function allowOnly(expected: Fields, actual: Fields, name: string, path: string): void {
  if (name in expected || actual[name] === undefined) return;
  throw new Mismatch(`${path}: unexpected field ${name}: ${shown(actual[name])}`);
}

function matchField(expected: unknown, actual: Fields, name: string, lookup: Lookup, path: string): void {
  if (isFields(expected) && '$$exists' in expected) {
    if ((name in actual && actual[name] !== undefined) !== expected['$$exists'])
      throw new Mismatch(`${path}: expected $$exists ${String(expected['$$exists'])}`);
    return;
  }
  if (isFields(expected) && '$$unsetOrMatches' in expected && actual[name] === undefined) return;
  if (actual[name] === undefined && !(isFields(expected) && '$$matchesEntity' in expected))
    throw new Mismatch(`${path}: expected ${shown(expected)}, got nothing`);
  match(expected, actual[name], lookup, false, path);
}

function special(
  operator: string,
  operand: unknown,
  actual: unknown,
  lookup: Lookup,
  path: string,
  root: boolean,
): void {
  const check = (holds: boolean): void => {
    if (!holds) throw new Mismatch(`${path}: expected ${operator} ${shown(operand)}, got ${shown(actual)}`);
  };
  switch (operator) {
    case '$$unsetOrMatches':
      if (actual !== undefined) match(operand, actual, lookup, root, path);
      return;
    case '$$exists': {
      check((actual !== undefined) === operand);
      return;
    }
    case '$$type': {
      check((Array.isArray(operand) ? operand : [operand]).some((name) => types[String(name)]?.(actual)));
      return;
    }
    case '$$matchesEntity': {
      match(lookup(String(operand)), actual, lookup, false, path);
      return;
    }
    case '$$matchesHexBytes': {
      check(Buffer.from(actual as Uint8Array).toString('hex') === operand);
      return;
    }
    case '$$sessionLsid': {
      match(lookup(String(operand)), actual, lookup, false, path);
      return;
    }
    case '$$lte': {
      check(Number(asNumber(actual)) <= Number(asNumber(operand)));
      return;
    }
    case '$$matchAsRoot': {
      match(operand, actual, lookup, true, path);
      return;
    }
    case '$$matchAsDocument': {
      match(operand, EJSON.parse(String(actual)), lookup, false, path);
      return;
    }
    default:
      throw new Error(`unknown matching operator ${operator}`);
  }
}
