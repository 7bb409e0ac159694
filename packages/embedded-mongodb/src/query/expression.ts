import { fail } from '../errors.js';
import { fieldParts, fieldPath, split } from '../values/paths.js';
import { type Doc, isDoc, type Maybe, type Value } from '../values/types.js';
import { forms, variableName } from './forms.js';
import { operators } from './operators.js';
import { type Env, type Evaluate, type Scope } from './terms.js';
import { costOf } from './work.js';

/** The environment with further variables, whose values are expressions themselves (a command's or statement's `let`). */
export function withVariables(env: Env, source: Doc | undefined): Env {
  if (!source || source.size === 0) return env;
  const scope: Scope = { root: undefined, current: undefined, vars: env.vars };
  const added = [...source].map(([name, value]): [string, Maybe] => [
    variableName(name),
    compileExpression(value, env)(scope),
  ]);
  return { ...env, vars: new Map([...env.vars, ...added]) };
}

/**
 * Compiles an aggregation expression (manual: reference/operator/aggregation). Unknown operators (168), wrong numbers of
 * arguments (16020) and undefined variables (17276) are errors here; wrong types are errors when the expression is evaluated.
 */
export function compileExpression(source: Value, env: Env): Evaluate {
  const evaluate = compile(source, env, new Set(env.vars.keys()));
  if (!isDoc(source) && !Array.isArray(source)) return evaluate;
  return (scope) => {
    env.work.begin();
    return evaluate(scope);
  };
}

/** Compiles an expression or a part of one, in which the variables with these names are defined. */
function compile(source: Value, env: Env, names: ReadonlySet<string>): Evaluate {
  if (typeof source === 'string' && source.startsWith('$')) return path(source, env, names);
  if (Array.isArray(source)) {
    const parts = source.map((part) => compile(part, env, names));
    return (scope) =>
      env.work.hold(
        parts.map((part) => part(scope) ?? null),
        'an array',
      );
  }
  if (!isDoc(source)) return () => source;
  const [first] = source;
  if (first?.[0].startsWith('$')) {
    if (source.size > 1) {
      fail(15983, 'an object representing an expression must have exactly one field: ' + [...source.keys()].join(', '));
    }
    return call(first[0], first[1], env, names);
  }
  const fields = [...source].map(([name, part]): [string, Evaluate] => {
    if (name.includes('.'))
      fail(16412, `FieldPath field names may not contain '.'. Consider using $getField or $setField.`);
    return [name, compile(part, env, names)];
  });
  return (scope) => {
    const result: Doc = new Map();
    for (const [name, part] of fields) {
      const value = part(scope);
      if (value !== undefined) result.set(name, value);
    }
    return env.work.hold(result, 'an object');
  };
}

function path(source: string, env: Env, names: ReadonlySet<string>): Evaluate {
  if (!source.startsWith('$$')) {
    if (source === '$') fail(16872, "'$' by itself is not a valid FieldPath");
    const parts = fieldParts(source.slice(1));
    return (scope) => fieldPath(scope.current, parts);
  }
  const [name = '', ...rest] = split(source.slice(2));
  if (rest.length > 0) fieldParts(rest.join('.'));
  if (name === 'ROOT') return (scope) => fieldPath(scope.root, rest);
  if (name === 'CURRENT') return (scope) => fieldPath(scope.current, rest);
  if (name === 'NOW') return () => env.now;
  if (name === 'REMOVE') return () => undefined;
  if (!names.has(name)) fail(17276, `Use of undefined variable: ${name}`);
  return (scope) => fieldPath(scope.vars.get(name), rest);
}

function call(name: string, argument: Value, env: Env, names: ReadonlySet<string>): Evaluate {
  const form = forms[name];
  if (form) return form({ name, argument, env, names, compile });
  const known = operators[name] ?? fail(168, `Unrecognized expression '${name}'`);
  const sources = Array.isArray(argument) ? argument : [argument];
  const [least, most, compute] = known;
  if (sources.length < least || sources.length > most) {
    const wanted = least === most ? `exactly ${least}` : `at least ${least} arguments, and at most ${most}`;
    fail(16020, `Expression ${name} takes ${wanted} arguments. ${sources.length} were passed in.`);
  }
  const parts = sources.map((part) => compile(part, env, names));
  return (scope) => {
    const args = parts.map((part) => part(scope));
    env.work.add(costOf(name, args));
    return compute(args, name, sources);
  };
}
