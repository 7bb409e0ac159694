import { BSONRegExp } from 'bson';
import { fail } from '../errors.js';
import { compare, hashOf, plain, same } from '../values/compare.js';
import { toNumber } from '../values/numbers.js';
import { split, type Visit, walk } from '../values/paths.js';
import { type Doc, isDoc, isNumber, type Maybe, Rank, rankOf, truthy, type Value } from '../values/types.js';
import { compileExpression } from './expression.js';
import { type Leaf, ofType, size } from './leaves.js';
import { Regex } from './regex.js';
import { type Env } from './terms.js';

/** Whether a document (or, under `$elemMatch`, an array's element) matches the filter. */
export type Predicate = (value: Value) => boolean;

/**
 * Compiles a filter of the query language (manual: reference/operator/query). A malformed or unsupported filter is rejected
 * here, before any document is read: error 2 for unknown operators and wrong operands, as in MongoDB.
 */
export function compileFilter(filter: Doc, env: Env): Predicate {
  const tests = [...filter].map(([name, operand]) =>
    name.startsWith('$') ? logical(name, operand, env) : field(name, operand, env),
  );
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
    const leaf = anyOf(operand instanceof BSONRegExp ? regexTest(operand, env) : equality(operand));
    return (value) => walk(value, parts, leaf);
  }
  const tests = [...operand].map(([name, argument]) => onPath(operator(name, argument, operand, env), parts));
  return (value) => tests.every((test) => test(value));
}

/** The test of one operator: of one value that the path reaches, or several tests that can be passed by different values. */
type Test =
  | {
      readonly leaf: Leaf;
      /** Whether an array that is reached passes with one of its elements, too. */
      readonly enters: boolean;
    }
  | { readonly every: readonly Test[]; readonly negated: boolean };

/** The test of the values that a path reaches. Different values may pass the parts of a compound test. */
function onPath(test: Test, parts: readonly string[]): Predicate {
  if ('every' in test) {
    const tests = test.every.map((one) => onPath(one, parts));
    return (value) => tests.every((one) => one(value)) !== test.negated;
  }
  const leaf = test.enters ? anyOf(test.leaf) : test.leaf;
  return (value) => walk(value, parts, leaf);
}

/** The same test of one array element under `$elemMatch`: an array that is an element is not entered. */
function onElement(test: Test): Leaf {
  if (!('every' in test)) return test.leaf;
  const tests = test.every.map(onElement);
  return (element) => tests.every((one) => one(element)) !== test.negated;
}

/** Tests the leaf itself and, when it is an array that was not found by a position, its elements. */
const anyOf =
  (test: Leaf): Visit =>
  (leaf, byPosition) =>
    test(leaf) || (!byPosition && Array.isArray(leaf) && leaf.some(test));

function equality(operand: Value): Leaf {
  if (operand === null) return (leaf) => leaf == null;
  return (leaf) => leaf !== undefined && same(leaf, operand);
}

function ordering(name: string, operand: Value): Leaf {
  const inclusive = name.endsWith('e');
  const [rank, sign] = [rankOf(operand), name.startsWith('$gt') ? 1 : -1];
  if (operand === null) return inclusive ? equality(null) : () => false;
  const bracketed = rank !== Rank.minKey && rank !== Rank.maxKey; // the two bounds compare with every type
  const nan = isNumber(operand) && Number.isNaN(toNumber(operand));
  return (leaf) => {
    if (leaf === undefined || (bracketed && rankOf(leaf) !== rank)) return false;
    const order = compare(leaf, operand) * sign;
    if (nan || (isNumber(leaf) && Number.isNaN(plain(leaf)))) return inclusive && order === 0;
    return order > 0 || (inclusive && order === 0);
  };
}

function membership(name: string, operand: Value, env: Env): Leaf {
  if (!Array.isArray(operand)) fail(2, `${name} needs an array`);
  // Looked up by their keys, because a list may have thousands of values.
  const keys = new Set<string>();
  const ranks = new Set<number>();
  const others: Leaf[] = [];
  for (const entry of operand) {
    if (isOperators(entry)) fail(2, `cannot nest $ under ${name}`);
    if (entry instanceof BSONRegExp) others.push(regexTest(entry, env));
    else if (entry === null) others.push(equality(null));
    else {
      keys.add(hashOf(entry));
      ranks.add(rankOf(entry));
    }
  }
  const isListed = (leaf: Maybe): boolean => ranks.has(rankOf(leaf)) && keys.has(hashOf(leaf));
  return (leaf) => isListed(leaf) || others.some((test) => test(leaf));
}

function regexTest(source: BSONRegExp, env: Env): Leaf {
  const pattern = new Regex(source.pattern, source.options, env.work);
  return (leaf) => (typeof leaf === 'string' ? pattern.test(leaf) : leaf instanceof BSONRegExp && same(leaf, source));
}

function elementMatch(operand: Value, env: Env): Leaf {
  if (!isDoc(operand)) fail(2, '$elemMatch needs an Object');
  const [first] = operand.keys();
  if (isOperators(operand) && !['$and', '$or', '$nor', '$expr'].includes(first ?? '')) {
    const tests = [...operand].map(([name, argument]) => onElement(operator(name, argument, operand, env)));
    return (leaf) => Array.isArray(leaf) && leaf.some((element) => tests.every((test) => test(element)));
  }
  const predicate = compileFilter(operand, env);
  // An element that is an array is treated as a document whose fields are the positions.
  const matches = (element: Value): boolean =>
    Array.isArray(element)
      ? predicate(new Map(element.map((each, index) => [String(index), each])))
      : isDoc(element) && predicate(element);
  return (leaf) => Array.isArray(leaf) && leaf.some(matches);
}

function all(operand: Value, env: Env): Test {
  if (!Array.isArray(operand)) fail(2, '$all needs an array');
  const tests = operand.map((entry): Test => {
    if (isOperators(entry)) {
      const match = entry.get('$elemMatch') ?? fail(2, 'no $ expressions in $all');
      return whole(elementMatch(match, env));
    }
    return one(entry instanceof BSONRegExp ? regexTest(entry, env) : equality(entry));
  });
  return tests.length > 0 ? { every: tests, negated: false } : whole(() => false);
}

function regexOperator(operand: Value, options: Maybe, env: Env): Leaf {
  if (options !== undefined && typeof options !== 'string') fail(2, '$options has to be a string');
  for (const option of options ?? '')
    if (!'imsxu'.includes(option)) fail(51108, `invalid flag in regex options: ${option}`);
  if (typeof operand === 'string') return regexTest(new BSONRegExp(operand, options ?? ''), env);
  if (!(operand instanceof BSONRegExp)) fail(2, '$regex has to be a string');
  if (operand.options && options) fail(51074, 'options set in both $regex and $options');
  return regexTest(options ? new BSONRegExp(operand.pattern, options) : operand, env);
}

/** A test that an array passes with one of its elements. */
const one = (leaf: Leaf): Test => ({ leaf, enters: true });
/** A test of the value itself; the elements of an array are not tested. */
const whole = (leaf: Leaf): Test => ({ leaf, enters: false });
/** Passed when not all the others are. */
const not = (...every: Test[]): Test => ({ every, negated: true });

function operator(name: string, operand: Value, siblings: Doc, env: Env): Test {
  switch (name) {
    case '$eq':
      return one(equality(operand));
    case '$ne':
      if (operand instanceof BSONRegExp) fail(2, "Can't have regex as arg to $ne.");
      return not(one(equality(operand)));
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      if (operand instanceof BSONRegExp) fail(2, `Can't have RegEx as arg to predicate over field.`);
      return one(ordering(name, operand));
    case '$in':
      return one(membership(name, operand, env));
    case '$nin':
      return not(one(membership(name, operand, env)));
    case '$exists': {
      const exists = whole((leaf) => leaf !== undefined);
      return truthy(operand) ? exists : not(exists);
    }
    case '$type':
      return one(ofType(operand));
    case '$all':
      return all(operand, env);
    case '$elemMatch':
      return whole(elementMatch(operand, env));
    case '$size':
      return whole(size(operand));
    case '$regex':
      return one(regexOperator(operand, siblings.get('$options'), env));
    case '$options':
      return siblings.has('$regex') ? { every: [], negated: false } : fail(2, '$options needs a $regex');
    case '$not':
      return negation(operand, env);
    default:
      return fail(2, `unknown operator: ${name}`);
  }
}

function negation(operand: Value, env: Env): Test {
  if (operand instanceof BSONRegExp) return not(one(regexTest(operand, env)));
  if (!isDoc(operand)) fail(2, '$not needs a regex or a document');
  if (operand.size === 0) fail(2, '$not cannot be empty');
  return not(...[...operand].map(([name, argument]) => operator(name, argument, operand, env)));
}
