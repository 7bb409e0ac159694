import { BSONRegExp } from 'bson';
import { fail } from '../errors.js';
import { toNumber } from '../values/numbers.js';
import { isDoc, isNumber, type Maybe, truthy, typeName, type Value } from '../values/types.js';
import { byPattern } from './arrays.js';
import { regexOf } from './regex.js';
import { type CompileExpression, type Env, type Evaluate, type Scope } from './terms.js';

/** A call of an operator with what it stands in. */
export interface Call {
  readonly name: string;
  readonly argument: Value;
  readonly env: Env;
  readonly names: ReadonlySet<string>;
  readonly compile: CompileExpression;
}

/** The named arguments of a call, compiled; unknown and missing ones are refused as the manual's parser does. */
function named(
  from: Call,
  required: readonly string[],
  optional: readonly string[] = [],
): Record<string, Evaluate | undefined> {
  const { name, argument, env, names, compile } = from;
  if (!isDoc(argument)) fail(9, `${name} only supports an object as its argument`);
  for (const key of argument.keys()) {
    if (!required.includes(key) && !optional.includes(key)) fail(9, `Unrecognized argument to ${name}: ${key}`);
  }
  for (const key of required) if (!argument.has(key)) fail(9, `Missing '${key}' parameter to ${name}`);
  return Object.fromEntries([...argument].map(([key, part]) => [key, compile(part, env, names)]));
}

const never: Evaluate = () => undefined;
const bind = (scope: Scope, entries: Iterable<[string, Maybe]>): Scope => ({
  ...scope,
  vars: new Map([...scope.vars, ...entries]),
});

function list({ argument, env, names, compile }: Call): Evaluate[] {
  return (Array.isArray(argument) ? argument : [argument]).map((part) => compile(part, env, names));
}

function conditional(from: Call): Evaluate {
  if (Array.isArray(from.argument) && from.argument.length !== 3) {
    fail(16020, `Expression $cond takes exactly 3 arguments. ${from.argument.length} were passed in.`);
  }
  const [test = never, yes = never, no = never] = Array.isArray(from.argument)
    ? list(from)
    : ((parts) => [parts['if'], parts['then'], parts['else']])(named(from, ['if', 'then', 'else']));
  return (scope) => (truthy(test(scope)) ? yes(scope) : no(scope));
}

function switching({ argument, env, names, compile }: Call): Evaluate {
  if (!isDoc(argument)) fail(40060, '$switch requires an object as an argument, found: ' + typeName(argument));
  const branches = argument.get('branches');
  if (!Array.isArray(branches) || branches.length === 0) fail(40068, '$switch requires at least one branch.');
  const cases = branches.map((branch) => {
    if (!isDoc(branch)) fail(40062, '$switch expected each branch to be an object');
    const test = branch.get('case') ?? fail(40066, "$switch requires each branch have a 'case' expression");
    const then = branch.get('then') ?? fail(40067, "$switch requires each branch have a 'then' expression.");
    return { test: compile(test, env, names), then: compile(then, env, names) };
  });
  const other = argument.get('default');
  const otherwise = other === undefined ? undefined : compile(other, env, names);
  return (scope) => {
    const hit = cases.find(({ test }) => truthy(test(scope)))?.then ?? otherwise;
    return (hit ?? fail(40069, '$switch could not find a matching branch for an input, and no default was specified.'))(
      scope,
    );
  };
}

function letting({ argument, env, names, compile }: Call): Evaluate {
  const vars = isDoc(argument) ? argument.get('vars') : undefined;
  const body = isDoc(argument) ? argument.get('in') : undefined;
  if (!isDoc(vars) || body === undefined) fail(16874, "$let needs an object with 'vars' and 'in'");
  const bound = [...vars].map(([name, part]): [string, Evaluate] => [name, compile(part, env, names)]);
  const inner = compile(body, env, new Set([...names, ...vars.keys()]));
  return (scope) =>
    inner(
      bind(
        scope,
        bound.map(([name, part]): [string, Maybe] => [name, part(scope)]),
      ),
    );
}

/** `$map` and `$filter`: `input`, `as`, and the body that is evaluated for each element. */
function eachElement(from: Call, bodyName: 'in' | 'cond'): Evaluate {
  const { argument, env, names, name, compile } = from;
  if (!isDoc(argument)) fail(16878, `${name} only supports an object as its argument`);
  const as = argument.get('as') ?? 'this';
  const [input, body] = [argument.get('input'), argument.get(bodyName)];
  if (typeof as !== 'string' || input === undefined || body === undefined)
    fail(16880, `Missing 'input', 'as' or '${bodyName}' parameter to ${name}`);
  for (const key of argument.keys()) {
    if (!['input', 'as', bodyName, ...(bodyName === 'cond' ? ['limit'] : [])].includes(key))
      fail(16879, `Unrecognized parameter to ${name}: ${key}`);
  }
  const source = compile(input, env, names);
  const inner = compile(body, env, new Set([...names, as]));
  const limit = argument.has('limit') ? compile(argument.get('limit') ?? null, env, names) : undefined;
  return (scope) => {
    const elements = source(scope);
    if (elements == null) return null;
    if (!Array.isArray(elements))
      fail(bodyName === 'in' ? 16883 : 28651, `input to ${name} must be an array not ${typeName(elements)}`);
    if (bodyName === 'in') return elements.map((element) => inner(bind(scope, [[as, element]])) ?? null);
    const most = limit?.(scope);
    const kept = elements.filter((element) => truthy(inner(bind(scope, [[as, element]]))));
    return isNumber(most) ? kept.slice(0, toNumber(most)) : kept;
  };
}

function reduce(from: Call): Evaluate {
  const inside: Call = { ...from, names: new Set([...from.names, 'this', 'value']) };
  const { input = never, initialValue = never } = named(inside, ['input', 'initialValue', 'in']);
  const { in: body = never } = named(inside, ['input', 'initialValue', 'in']);
  return (scope) => {
    const elements = input(scope);
    if (elements == null) return null;
    if (!Array.isArray(elements))
      fail(40080, `$reduce requires that 'input' be an array, found: ${typeName(elements)}`);
    return elements.reduce<Maybe>(
      (value, element) =>
        body(
          bind(scope, [
            ['this', element],
            ['value', value],
          ]),
        ),
      initialValue(scope),
    );
  };
}

function regexMatch(from: Call): Evaluate {
  const { input = never, regex = never, options = never } = named(from, ['input', 'regex'], ['options']);
  return (scope) => {
    const [text, pattern, flags] = [input(scope), regex(scope), options(scope)];
    if (text == null || pattern == null) return false;
    if (typeof text !== 'string') fail(51104, `${from.name} needs 'input' to be of type string`);
    if (typeof pattern === 'string') return regexOf(pattern, typeof flags === 'string' ? flags : '').test(text);
    if (!(pattern instanceof BSONRegExp)) fail(51105, `${from.name} needs 'regex' to be of type string or regex`);
    return regexOf(pattern.pattern, pattern.options || (typeof flags === 'string' ? flags : '')).test(text);
  };
}
/** A field's name, which must be a constant (manual: reference/operator/aggregation/getField, setField). */
function fieldName(source: Maybe, name: string): string {
  const literal = isDoc(source) ? (source.get('$literal') ?? source.get('$const')) : source;
  if (typeof literal !== 'string' || literal.startsWith('$') !== isDoc(source)) {
    if (!(typeof literal === 'string' && isDoc(source)))
      fail(5654600, `${name} requires 'field' to evaluate to a constant string`);
  }
  return literal;
}

function getField({ argument, name, env, names, compile }: Call): Evaluate {
  const [field, input] =
    isDoc(argument) && argument.has('field') ? [argument.get('field'), argument.get('input')] : [argument];
  const key = fieldName(field, name);
  const source = compile(input ?? '$$CURRENT', env, names);
  return (scope) => {
    const value = source(scope);
    return isDoc(value) ? value.get(key) : value === null ? null : undefined;
  };
}

/** `$setField` and `$unsetField`: the names may hold dots and dollars, which paths can't. */
function setField(from: Call): Evaluate {
  const { argument, name, env, names, compile } = from;
  if (!isDoc(argument)) fail(4161100, `${name} only supports an object as its argument`);
  const key = fieldName(argument.get('field'), name);
  const input = compile(argument.get('input') ?? fail(4161109, `${name} requires 'input'`), env, names);
  const to = name === '$unsetField' ? '$$REMOVE' : (argument.get('value') ?? fail(4161103, `${name} requires 'value'`));
  const value = compile(to, env, names);
  return (scope) => {
    const source = input(scope);
    if (source == null) return null;
    if (!isDoc(source)) fail(4161105, `${name} requires 'input' to evaluate to type Object`);
    const result = new Map(source);
    const set = value(scope);
    if (set === undefined) result.delete(key);
    else result.set(key, set);
    return result;
  };
}

function sortArray({ argument, env, names, compile }: Call): Evaluate {
  const [input, pattern] = isDoc(argument) ? [argument.get('input'), argument.get('sortBy')] : [];
  if (input === undefined || pattern === undefined) fail(2942502, '$sortArray requires "input" and "sortBy"');
  const [source, order] = [compile(input, env, names), byPattern(pattern)];
  return (scope) => {
    const elements = source(scope) ?? null;
    if (elements === null) return null;
    return Array.isArray(elements)
      ? elements.toSorted(order)
      : fail(2942504, `The input argument to $sortArray must be an array, but was of type: ${typeName(elements)}`);
  };
}

/** The operators that do not simply evaluate all their arguments first. */
export const forms: Readonly<Record<string, ((call: Call) => Evaluate) | undefined>> = {
  $literal:
    ({ argument }) =>
    () =>
      argument,
  $const:
    ({ argument }) =>
    () =>
      argument,
  $and: (from) =>
    (
      (parts) => (scope) =>
        parts.every((part) => truthy(part(scope)))
    )(list(from)),
  $or: (from) =>
    (
      (parts) => (scope) =>
        parts.some((part) => truthy(part(scope)))
    )(list(from)),
  $not: (from) =>
    (
      (parts) => (scope) =>
        !truthy(parts[0]?.(scope))
    )(list(from)),
  $cond: conditional,
  $switch: switching,
  $ifNull: (from) => {
    const parts = list(from);
    if (parts.length < 2) fail(1257300, '$ifNull needs at least two arguments, had: 1');
    return (scope) => {
      let value: Maybe;
      for (const part of parts) if ((value = part(scope)) != null) break;
      return value;
    };
  },
  $let: letting,
  $map: (from) => eachElement(from, 'in'),
  $filter: (from) => eachElement(from, 'cond'),
  $reduce: reduce,
  $regexMatch: regexMatch,
  $getField: getField,
  $setField: setField,
  $unsetField: setField,
  $sortArray: sortArray,
};
