import { fail } from '../errors.js';
import { fieldParts } from '../values/paths.js';
import { type Doc, isDoc, isNumber, type Maybe, truthy, typeName, type Value, noFields } from '../values/types.js';
import { compileExpression } from './expression.js';
import { type Env, type Evaluate } from './terms.js';

/** Converts one document into another, without reading any other document. */
export type Transform = (document: Doc) => Doc;

/** What is done with one field: kept, dropped, or computed anew. */
type Action = 'include' | 'exclude' | { compute: Evaluate };

interface Node {
  action?: Action;
  readonly children: Map<string, Node>;
}

function insert(root: Node, path: string, action: Action): void {
  let node = root;
  for (const part of fieldParts(path)) {
    if (node.action) fail(31249, `Path collision at ${path}`);
    const next = node.children.get(part) ?? { children: new Map<string, Node>() };
    node.children.set(part, next);
    node = next;
  }
  if (node.action ?? node.children.size > 0) fail(31250, `Path collision at ${path}`);
  node.action = action;
}

const computes = (node: Node): boolean => typeof node.action === 'object' || [...node.children.values()].some(computes);

/** Applies the tree; `keep` says what happens to fields that the tree does not name. */
function apply(node: Node, value: Maybe, document: Doc, env: Env, keep: boolean): Maybe {
  if (Array.isArray(value)) {
    return value
      .map((element) => apply(node, element, document, env, keep))
      .filter((element): element is Value => element !== undefined);
  }
  if (!isDoc(value) && !computes(node)) return keep ? value : undefined;
  const source: Doc = isDoc(value) ? value : noFields();
  const result: Doc = new Map();
  const set = (name: string, field: Maybe): void => {
    if (field !== undefined) result.set(name, field);
  };
  for (const [name, field] of source) {
    const child = node.children.get(name);
    if (!child) set(name, keep ? field : undefined);
    else if (child.action === 'include') result.set(name, field);
    else if (child.action === undefined) set(name, apply(child, field, document, env, keep));
    else if (typeof child.action === 'object' && keep)
      set(name, child.action.compute({ root: document, current: document, vars: env.vars }));
  }
  for (const [name, child] of node.children) {
    if (result.has(name)) continue;
    if (typeof child.action === 'object' && !(keep && source.has(name))) {
      set(name, child.action.compute({ root: document, current: document, vars: env.vars }));
    } else if (!child.action && !source.has(name) && computes(child))
      set(name, apply(child, undefined, document, env, keep));
  }
  return result;
}

const asDoc = (value: Maybe): Doc => (isDoc(value) ? value : noFields());
const isFlag = (value: Value): boolean => typeof value === 'boolean' || isNumber(value);

/** The projection's leaves, each with its dotted path: `{ a: { b: 1 } }` is `{ 'a.b': 1 }`. */
function* leaves(spec: Doc, prefix = ''): Generator<[string, Value]> {
  for (const [name, value] of spec) {
    const [first] = isDoc(value) ? value.keys() : [];
    if (isDoc(value) && value.size === 0)
      fail(51270, 'An empty sub-projection is not a valid value. Found empty object at path');
    if (isDoc(value) && !first?.startsWith('$')) yield* leaves(value, `${prefix}${name}.`);
    else yield [prefix + name, value];
  }
}

/** Compiles the projection of `find` or of `$project` (manual: reference/operator/aggregation/project). */
export function compileProjection(spec: Doc, env: Env): Transform {
  if (spec.size === 0) return fail(51272, 'projection specification must have at least one field');
  const root: Node = { children: new Map() };
  let mode: 'include' | 'exclude' | undefined;
  let idKept: boolean | undefined;
  const become = (wanted: 'include' | 'exclude', path: string): void => {
    if (mode !== undefined && mode !== wanted) {
      const [does, other] = wanted === 'include' ? ['inclusion', 'exclusion'] : ['exclusion', 'inclusion'];
      fail(wanted === 'include' ? 31253 : 31254, `Cannot do ${does} on field ${path} in ${other} projection`);
    }
    mode = wanted;
  };
  for (const [path, value] of leaves(spec)) {
    if (path === '_id' && isFlag(value)) {
      idKept = truthy(value);
      continue;
    }
    if (isFlag(value)) {
      become(truthy(value) ? 'include' : 'exclude', path);
      insert(root, path, truthy(value) ? 'include' : 'exclude');
    } else {
      become('include', path);
      insert(root, path, { compute: compileExpression(value, env) });
    }
  }
  const including = mode === 'include' || (mode === undefined && idKept === true && root.children.size === 0);
  if (including && idKept !== false && !root.children.has('_id'))
    root.children.set('_id', { action: 'include', children: new Map() });
  if (!including && idKept === false) insert(root, '_id', 'exclude');
  const made = computes(root);
  return (document) => {
    const result = asDoc(apply(root, document, document, env, !including));
    return made ? env.work.hold(result, '$project') : result;
  };
}

function addFields(name: string, spec: Value, env: Env): Transform {
  if (!isDoc(spec)) return fail(40272, `${name} specification stage must be an object, got ${typeName(spec)}`);
  const root: Node = { children: new Map() };
  const add = (fields: Doc, prefix: string): void => {
    for (const [key, value] of fields) {
      const [first] = isDoc(value) ? value.keys() : [];
      if (isDoc(value) && first !== undefined && !first.startsWith('$')) add(value, `${prefix}${key}.`);
      else insert(root, prefix + key, { compute: compileExpression(value, env) });
    }
  };
  add(spec, '');
  return (document) => env.work.hold(asDoc(apply(root, document, document, env, true)), name);
}

function unset(spec: Value, env: Env): Transform {
  const paths = Array.isArray(spec) ? spec : [spec];
  if (paths.length === 0) fail(31119, '$unset specification must be a string or an array with at least one field');
  const root: Node = { children: new Map() };
  for (const path of paths)
    insert(
      root,
      typeof path === 'string'
        ? path
        : fail(Array.isArray(spec) ? 31120 : 31002, '$unset specification must be a string or an array of strings'),
      'exclude',
    );
  return (document) => asDoc(apply(root, document, document, env, true));
}

function newRoot(spec: Value): Value {
  if (!isDoc(spec)) return fail(40229, `expected an object as specification for $replaceRoot, got ${typeName(spec)}`);
  for (const name of spec.keys())
    if (name !== 'newRoot') fail(40415, `BSON field '$replaceRoot.${name}' is an unknown field.`);
  return spec.get('newRoot') ?? fail(40414, "BSON field '$replaceRoot.newRoot' is missing but a required field");
}

function replaceRoot(name: string, spec: Value, env: Env): Transform {
  const evaluate = compileExpression(name === '$replaceWith' ? spec : newRoot(spec), env);
  return (document) => {
    const value = evaluate({ root: document, current: document, vars: env.vars });
    return isDoc(value)
      ? value
      : fail(
          40228,
          `'newRoot' expression must evaluate to an object, but resulting value was of type: ${typeName(value)}`,
        );
  };
}

/** The name and the specification of a stage; 14 and 40323 for a value that is no stage. */
export function stageOf(stage: Value): [name: string, spec: Value] {
  if (!isDoc(stage)) return fail(14, "Each element of the 'pipeline' array must be an object");
  const [entry] = stage;
  return entry && stage.size === 1
    ? entry
    : fail(40323, 'A pipeline stage specification object must contain exactly one field.');
}

/** Whether the stage converts one document into one, so that {@link compileTransform} supports it. */
export const isTransform = (name: string): boolean =>
  ['$project', '$addFields', '$set', '$unset', '$replaceRoot', '$replaceWith'].includes(name);

/** Compiles such a stage (manual: reference/operator/aggregation-pipeline). */
export function compileTransform(name: string, spec: Value, env: Env): Transform {
  switch (name) {
    case '$project':
      return isDoc(spec) ? compileProjection(spec, env) : fail(15969, '$project specification must be an object');
    case '$addFields':
    case '$set':
      return addFields(name, spec, env);
    case '$unset':
      return unset(spec, env);
    default:
      return replaceRoot(name, spec, env);
  }
}
