import { fail } from '../errors.js';
import { toNumber } from '../values/numbers.js';
import { isDoc, isNumber, type Maybe, truthy, typeName, type Value } from '../values/types.js';
import { type CompileExpression, type Env, type Evaluate, type Scope } from './terms.js';

/** A call of an operator with what it stands in. */
export interface Call {
  readonly name: string;
  readonly argument: Value;
  readonly env: Env;
  readonly names: ReadonlySet<string>;
  readonly compile: CompileExpression;
}

const never: Evaluate = () => undefined;
function list({ argument, env, names, compile }: Call): Evaluate[] {
  return (Array.isArray(argument) ? argument : [argument]).map((part) => compile(part, env, names));
}

/** The codes of the manual's parser for a `$cond` that lacks one of its parts. */
const parts = { if: 17080, then: 17081, else: 17082 };

/** The condition and both results of a `$cond`, in either of its two forms. */
function partsOf({ argument }: Call): Value[] {
  if (isDoc(argument)) {
    for (const key of argument.keys()) if (!(key in parts)) fail(17083, `Unrecognized parameter to $cond: ${key}`);
    return Object.entries(parts).map(
      ([key, code]) => argument.get(key) ?? fail(code, `Missing '${key}' parameter to $cond`),
    );
  }
  const given = Array.isArray(argument) ? argument : [argument];
  return given.length === 3
    ? given
    : fail(16020, `Expression $cond takes exactly 3 arguments. ${given.length} were passed in.`);
}

function conditional(from: Call): Evaluate {
  const [test = never, yes = never, no = never] = list({ ...from, argument: partsOf(from) });
  return (scope) => (truthy(test(scope)) ? yes(scope) : no(scope));
}

/** `$map` and `$filter`: `input`, `as`, and the body that is evaluated for each element. */
function eachElement(from: Call, bodyName: 'in' | 'cond'): Evaluate {
  const { argument, env, names, name, compile } = from;
  const { work } = env;
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
    work.add(elements.length);
    const vars = new Map(scope.vars);
    const around: Scope = { ...scope, vars };
    const each = (element: Value): Maybe => (vars.set(as, element), inner(around));
    if (bodyName === 'in')
      return work.hold(
        elements.map((element) => each(element) ?? null),
        name,
      );
    const most = limit?.(scope);
    const kept = elements.filter((element) => truthy(each(element)));
    return isNumber(most) ? kept.slice(0, toNumber(most)) : kept;
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
  $ifNull: (from) => {
    const parts = list(from);
    if (parts.length < 2) fail(1257300, '$ifNull needs at least two arguments, had: 1');
    return (scope) => {
      let value: Maybe;
      for (const part of parts) if ((value = part(scope)) != null) break;
      return value;
    };
  },
  $map: (from) => eachElement(from, 'in'),
  $filter: (from) => eachElement(from, 'cond'),
};
