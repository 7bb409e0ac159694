import { fail } from '../errors.js';
import { isDoc, type Maybe, truthy, typeName, type Value } from '../values/types.js';
import { type CompileExpression, type Env, type Evaluate, type Scope } from './terms.js';

/** A call of an operator with its environment. */
export interface Call {
  readonly name: string;
  readonly argument: Value;
  readonly env: Env;
  readonly names: ReadonlySet<string>;
  readonly compile: CompileExpression;
}

/** The name of a variable; 9 for one that MongoDB does not allow. */
export const variableName = (name: string): string =>
  /^[a-z\u0080-\uffff][\w\u0080-\uffff]*$/.test(name)
    ? name
    : fail(9, `'${name}' is not a valid name of a user variable`);

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

/** The codes of MongoDB's parsers of `$map` and `$filter`: no object, unknown parameter, no input, no body, input is no array. */
const elementCodes = { in: [16878, 16879, 16880, 16882, 16883], cond: [28646, 28647, 28648, 28650, 28651] } as const;

/** `$map` and `$filter`: `input`, `as`, and the body that is evaluated for each element. */
function eachElement(from: Call, bodyName: 'in' | 'cond'): Evaluate {
  const { argument, env, names, name, compile } = from;
  const { work } = env;
  const [noObject, unknown, noInput, noBody, noArray] = elementCodes[bodyName];
  if (!isDoc(argument)) fail(noObject, `${name} only supports an object as its argument`);
  const given = argument.get('as') ?? 'this';
  const as = typeof given === 'string' ? variableName(given) : fail(9, `'as' of ${name} must be a string`);
  const input = argument.get('input') ?? fail(noInput, `Missing 'input' parameter to ${name}`);
  const body = argument.get(bodyName) ?? fail(noBody, `Missing '${bodyName}' parameter to ${name}`);
  for (const key of argument.keys()) {
    if (!['input', 'as', bodyName].includes(key)) fail(unknown, `Unrecognized parameter to ${name}: ${key}`);
  }
  const source = compile(input, env, names);
  const inner = compile(body, env, new Set([...names, as]));
  return (scope) => {
    const elements = source(scope);
    if (elements == null) return null;
    if (!Array.isArray(elements)) fail(noArray, `input to ${name} must be an array not ${typeName(elements)}`);
    work.add(elements.length);
    const vars = new Map(scope.vars);
    const around: Scope = { ...scope, vars };
    const each = (element: Value): Maybe => (vars.set(as, element), inner(around));
    if (bodyName === 'in')
      return work.hold(
        elements.map((element) => each(element) ?? null),
        name,
      );
    return elements.filter((element) => truthy(each(element)));
  };
}

/** The operators that do not simply evaluate all their arguments first. */
export const forms: Readonly<Record<string, ((call: Call) => Evaluate) | undefined>> = {
  $literal:
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
