import { Binary, BSONRegExp } from 'bson';
import { fail } from '../errors.js';
import { compare, plain, same } from '../values/compare.js';
import { toNumber } from '../values/numbers.js';
import { split, walk } from '../values/paths.js';
import {
  type Doc,
  isDoc,
  isNumber,
  type Maybe,
  Rank,
  rankOf,
  truthy,
  typeName,
  typeNumbers,
  type Value,
} from '../values/types.js';
import { compileExpression } from './expression.js';
import { type Env } from './terms.js';
import { regexOf } from './regex.js';

/** Whether a document (or, under `$elemMatch`, an array's element) is what the filter asks for. */
export type Predicate = (value: Value) => boolean;

type Leaf = (leaf: Maybe) => boolean;

/**
 * Compiles a filter of the query language (manual: reference/operator/query). What is malformed or not offered is refused
 * here, before any document is seen: 2 for unknown operators and bad operands, as MongoDB answers.
 */
export function compileFilter(filter: Doc, env: Env): Predicate {
  const tests = [...filter].map(([name, operand]) =>
    name.startsWith('$') ? logical(name, operand, env) : field(name, operand, env),
  );
  const [only] = tests;
  if (only && tests.length === 1) return only;
  return (value) => tests.every((test) => test(value));
}

/** Whether a filter's operand is a document of operators (`{ $gt: 1 }`) and not a value to be equal to. */
export function isOperators(operand: Maybe): operand is Doc {
  if (!isDoc(operand)) return false;
  const [first] = operand.keys();
  return first?.startsWith('$') === true && !['$ref', '$id', '$db'].includes(first);
}

function logical(name: string, operand: Value, env: Env): Predicate {
  switch (name) {
    case '$and': {
      const parts = clauses(name, operand, env);
      return (value) => parts.every((part) => part(value));
    }
    case '$or': {
      const parts = clauses(name, operand, env);
      return (value) => parts.some((part) => part(value));
    }
    case '$nor': {
      const parts = clauses(name, operand, env);
      return (value) => !parts.some((part) => part(value));
    }
    case '$expr': {
      const evaluate = compileExpression(operand, env);
      return (value) => truthy(evaluate({ root: value, current: value, vars: env.vars }));
    }
    case '$comment':
      return () => true;
    default:
      return fail(
        2,
        `unknown top level operator: ${name}. If you have a field name that starts with a '$' symbol, consider using $getField or $setField.`,
      );
  }
}

function clauses(name: string, operand: Value, env: Env): Predicate[] {
  if (!Array.isArray(operand)) fail(2, `${name} must be an array`);
  if (operand.length === 0) fail(2, '$and/$or/$nor must be a nonempty array');
  return operand.map((part) =>
    isDoc(part) ? compileFilter(part, env) : fail(2, '$or/$and/$nor entries need to be full objects'),
  );
}

function field(path: string, operand: Value, env: Env): Predicate {
  const parts = split(path);
  if (!isOperators(operand)) {
    const leaf = operand instanceof BSONRegExp ? anyOf(regexTest(operand)) : equality(operand);
    return (value) => walk(value, parts, leaf);
  }
  const tests = [...operand].map(([name, argument]): Predicate => {
    const test = operator(name, argument, operand, env);
    if (test.negated) return (value) => !walk(value, parts, test.leaf);
    return (value) => walk(value, parts, test.leaf);
  });
  return (value) => tests.every((test) => test(value));
}

/** The leaf itself or, where it is an array, one of its elements. */
const anyOf =
  (test: Leaf): Leaf =>
  (leaf) =>
    test(leaf) || (Array.isArray(leaf) && leaf.some(test));

function equality(operand: Value): Leaf {
  if (operand === null) return anyOf((leaf) => leaf == null);
  return anyOf((leaf) => leaf !== undefined && same(leaf, operand));
}

function ordering(name: string, operand: Value): Leaf {
  const inclusive = name.endsWith('e');
  const [rank, sign] = [rankOf(operand), name.startsWith('$gt') ? 1 : -1];
  if (operand === null) return inclusive ? equality(null) : () => false;
  const bracketed = rank !== Rank.minKey && rank !== Rank.maxKey; // the two bounds compare with every type
  const nan = isNumber(operand) && Number.isNaN(toNumber(operand));
  return anyOf((leaf) => {
    if (leaf === undefined || (bracketed && rankOf(leaf) !== rank)) return false;
    const order = compare(leaf, operand) * sign;
    if (nan || (isNumber(leaf) && Number.isNaN(plain(leaf)))) return inclusive && order === 0;
    return order > 0 || (inclusive && order === 0);
  });
}

function membership(name: string, operand: Value): Leaf {
  if (!Array.isArray(operand)) fail(2, `${name} needs an array`);
  const tests = operand.map((entry) => {
    if (isOperators(entry)) fail(2, `cannot nest $ under ${name}`);
    return entry instanceof BSONRegExp ? anyOf(regexTest(entry)) : equality(entry);
  });
  return (leaf) => tests.some((test) => test(leaf));
}

function regexTest(source: BSONRegExp): Leaf {
  const pattern = regexOf(source.pattern, source.options);
  return (leaf) => (typeof leaf === 'string' ? pattern.test(leaf) : leaf instanceof BSONRegExp && same(leaf, source));
}

function elementMatch(operand: Value, env: Env): Leaf {
  if (!isDoc(operand)) fail(2, '$elemMatch needs an Object');
  const [first] = operand.keys();
  if (isOperators(operand) && !['$and', '$or', '$nor', '$expr'].includes(first ?? '')) {
    const tests = [...operand].map(([name, argument]) => operator(name, argument, operand, env));
    return (leaf) =>
      Array.isArray(leaf) && leaf.some((element) => tests.every((test) => test.leaf(element) !== test.negated));
  }
  const predicate = compileFilter(operand, env);
  return (leaf) =>
    Array.isArray(leaf) && leaf.some((element) => (isDoc(element) || Array.isArray(element)) && predicate(element));
}

function all(operand: Value, env: Env): Leaf {
  if (!Array.isArray(operand)) fail(2, '$all needs an array');
  const tests = operand.map((entry) => {
    if (isOperators(entry)) {
      const match = entry.get('$elemMatch') ?? fail(2, 'no $ expressions in $all');
      return elementMatch(match, env);
    }
    return entry instanceof BSONRegExp ? anyOf(regexTest(entry)) : equality(entry);
  });
  return (leaf) => tests.length > 0 && tests.every((test) => test(leaf));
}

function whole(operand: Maybe, message: string): bigint {
  if (!isNumber(operand)) fail(2, message);
  const value = plain(operand);
  return typeof value === 'bigint' ? value : Number.isFinite(value) ? BigInt(Math.trunc(value)) : fail(2, message);
}

function size(operand: Value): Leaf {
  if (!isNumber(operand)) fail(2, `Failed to parse $size. Expected a number in: $size: ${typeName(operand)}`);
  const wanted = toNumber(operand);
  if (!Number.isInteger(wanted)) fail(2, `Failed to parse $size. Expected an integer: $size: ${wanted}`);
  if (wanted < 0) fail(2, `Failed to parse $size. Expected a non-negative number in: $size: ${wanted}`);
  return (leaf) => Array.isArray(leaf) && leaf.length === wanted;
}

function modulo(operand: Value): Leaf {
  if (!Array.isArray(operand)) fail(2, 'malformed mod, needs to be an array');
  if (operand.length < 2) fail(2, 'malformed mod, not enough elements');
  if (operand.length > 2) fail(2, 'malformed mod, too many elements');
  const divisor = whole(operand[0], 'malformed mod, divisor not a number');
  const remainder = whole(operand[1], 'malformed mod, remainder not a number');
  if (divisor === 0n) fail(2, 'divisor cannot be 0');
  return anyOf((leaf) => isNumber(leaf) && Number.isFinite(toNumber(leaf)) && whole(leaf, '') % divisor === remainder);
}

/** The test that `$type` asks for; its names and numbers are those of the manual's page reference/operator/query/type. */
function ofType(operand: Value): Leaf {
  const wanted = (Array.isArray(operand) ? operand : [operand]).map((entry): string => {
    if (typeof entry === 'string')
      return entry === 'number' || entry in typeNumbers ? entry : fail(2, `Unknown type name alias: ${entry}`);
    if (!isNumber(entry)) fail(14, 'type must be represented as a number or a string');
    const found = Object.entries(typeNumbers).find(([, number]) => number === toNumber(entry));
    return found?.[0] ?? fail(2, `Invalid numerical type code: ${toNumber(entry)}`);
  });
  if (wanted.length === 0) fail(9, '$type must match at least one type');
  return anyOf(
    (leaf) => leaf !== undefined && (wanted.includes(typeName(leaf)) || (isNumber(leaf) && wanted.includes('number'))),
  );
}

function bits(name: string, operand: Value): Leaf {
  let mask = 0n;
  if (Array.isArray(operand))
    for (const position of operand) mask |= 1n << whole(position, 'bit positions must be an integer');
  else if (operand instanceof Binary) mask = bitsOf(operand);
  else mask = whole(operand, `${name} takes an Array, a number, or a BinData but received: ${typeName(operand)}`);
  if (mask < 0n) fail(2, `Cannot represent a negative number in ${name}`);
  return anyOf((leaf) => {
    if (!(leaf instanceof Binary) && !(isNumber(leaf) && Number.isInteger(toNumber(leaf)))) return false;
    const set = (leaf instanceof Binary ? bitsOf(leaf) : whole(leaf, '')) & mask;
    if (name === '$bitsAllSet') return set === mask;
    if (name === '$bitsAllClear') return set === 0n;
    return name === '$bitsAnySet' ? set !== 0n : set !== mask;
  });
}

const bitsOf = (value: Binary): bigint =>
  value.buffer.subarray(0, value.position).reduceRight((sum, unit) => (sum << 8n) | BigInt(unit), 0n);

function regexOperator(operand: Value, options: Maybe): Leaf {
  if (options !== undefined && typeof options !== 'string') fail(2, '$options has to be a string');
  if (typeof operand === 'string') return anyOf(regexTest(new BSONRegExp(operand, options ?? '')));
  if (!(operand instanceof BSONRegExp)) fail(2, '$regex has to be a string');
  if (operand.options && options) fail(51074, 'options set in both $regex and $options');
  return anyOf(regexTest(options ? new BSONRegExp(operand.pattern, options) : operand));
}

interface Test {
  leaf: Leaf;
  /** The document matches when *no* leaf passes. */
  negated: boolean;
}

function operator(name: string, operand: Value, siblings: Doc, env: Env): Test {
  const plainTest = (leaf: Leaf): Test => ({ leaf, negated: false });
  switch (name) {
    case '$eq':
      return plainTest(equality(operand));
    case '$ne':
      if (operand instanceof BSONRegExp) fail(2, "Can't have regex as arg to $ne.");
      return { leaf: equality(operand), negated: true };
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      if (operand instanceof BSONRegExp) fail(2, `Can't have RegEx as arg to predicate over field.`);
      return plainTest(ordering(name, operand));
    case '$in':
      return plainTest(membership(name, operand));
    case '$nin':
      return { leaf: membership(name, operand), negated: true };
    case '$exists':
      return { leaf: (leaf) => leaf !== undefined, negated: !truthy(operand) };
    case '$type':
      return plainTest(ofType(operand));
    case '$all':
      return plainTest(all(operand, env));
    case '$elemMatch':
      return plainTest(elementMatch(operand, env));
    case '$size':
      return plainTest(size(operand));
    case '$mod':
      return plainTest(modulo(operand));
    case '$bitsAllSet':
    case '$bitsAllClear':
    case '$bitsAnySet':
    case '$bitsAnyClear':
      return plainTest(bits(name, operand));
    case '$regex':
      return plainTest(regexOperator(operand, siblings.get('$options')));
    case '$options':
      return siblings.has('$regex') ? plainTest(() => true) : fail(2, '$options needs a $regex');
    case '$not':
      return negation(operand, env);
    default:
      return fail(2, `unknown operator: ${name}`);
  }
}

function negation(operand: Value, env: Env): Test {
  if (operand instanceof BSONRegExp) return { leaf: anyOf(regexTest(operand)), negated: true };
  if (!isDoc(operand)) fail(2, '$not needs a regex or a document');
  if (operand.size === 0) fail(2, '$not cannot be empty');
  const tests = [...operand].map(([name, argument]) => operator(name, argument, operand, env));
  // Each operator speaks of all leaves of the path; here it sees one leaf, so several are joined per leaf.
  return { leaf: (leaf) => tests.every((test) => test.leaf(leaf) !== test.negated), negated: true };
}
