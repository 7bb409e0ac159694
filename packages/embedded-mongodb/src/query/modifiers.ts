import { Double } from 'bson';
import { fail } from '../errors.js';
import { compare, same } from '../values/compare.js';
import { arithmetic, toNumber } from '../values/numbers.js';
import { type Doc, isDoc, isNumber, type Maybe, typeName, type Value } from '../values/types.js';
import { compileFilter, isOperators } from './matcher.js';
import { type Env } from './terms.js';

/** What an update is compiled with. */
export interface UpdateContext {
  readonly env: Env;
  /** The statement's filter. It determines the element that the positional `$` means. */
  readonly query: Doc;
  readonly arrayFilters: readonly Doc[];
  /** Whether the update makes a new document (an upsert). Only then `$setOnInsert` has an effect. */
  readonly inserting: boolean;
}

/** What one modifier does to one path. */
export interface Change {
  readonly path: string;
  /** Returns the new value. `undefined` removes the field. Throws when the old value has a wrong type. */
  readonly edit: (old: Maybe) => Maybe;
  /** Whether a missing path is created. */
  readonly creates: boolean;
  /** Whether nothing happens when the path goes through a value that is neither a document nor an array. Otherwise that is error 28. */
  readonly lenient?: boolean;
  /** Whether MongoDB counts the document as modified although its bytes are the same as before. */
  readonly counts?: (old: Value, inArray: boolean) => boolean;
}

type Modifier = (path: string, operand: Value, context: UpdateContext) => Change[];
type Edit = Change['edit'];

const creating = (path: string, edit: Edit): Change[] => [{ path, edit, creates: true }];

const increment: Modifier = (path, operand) => {
  if (!isNumber(operand)) fail(14, `Cannot increment with non-numeric argument: {${path}: ${typeName(operand)}}`);
  return creating(path, (old) => {
    if (old === undefined) return operand;
    if (!isNumber(old))
      fail(
        14,
        `Cannot apply $inc to a value of non-numeric type. The field '${path}' is of non-numeric type ${typeName(old)}`,
      );
    const sum = arithmetic('add', old, operand);
    const isOverflow = sum instanceof Double && !(old instanceof Double || operand instanceof Double);
    return isOverflow ? fail(2, `Failed to apply $inc operations to current value: int64 overflow at '${path}'`) : sum;
  });
};

const extreme =
  (way: 1 | -1): Modifier =>
  (path, operand) =>
    creating(path, (old) => (old === undefined || compare(operand, old) * way > 0 ? operand : old));

function arrayAt(old: Maybe, path: string, name: string): Value[] {
  if (old === undefined) return [];
  if (Array.isArray(old)) return old;
  const article =
    name === '$push'
      ? `The field '${path}' must be an array but is of type ${typeName(old)}`
      : `Cannot apply ${name} to a non-array value at '${path}' of type ${typeName(old)}`;
  return fail(2, article);
}

function modifierNumber(spec: Doc, name: string): number | undefined {
  const value = spec.get(name);
  if (value === undefined) return undefined;
  return isNumber(value) && Number.isInteger(toNumber(value))
    ? toNumber(value)
    : fail(2, `The value for ${name} must be an integer value`);
}

const each = (operand: Value, name: string): Value[] | undefined => {
  if (!isDoc(operand) || !operand.has('$each')) return undefined;
  const values = operand.get('$each');
  return Array.isArray(values)
    ? values
    : fail(
        name === '$push' ? 2 : 14,
        `The argument to $each in ${name} must be an array but it was of type ${typeName(values)}`,
      );
};

const push: Modifier = (path, operand) => {
  const values = each(operand, '$push');
  if (!values || !isDoc(operand)) return creating(path, (old) => [...arrayAt(old, path, '$push'), operand]);
  for (const key of operand.keys()) {
    if (!['$each', '$slice', '$position'].includes(key)) fail(2, `Unrecognized clause in $push: ${key}`);
  }
  const [slice, position] = [modifierNumber(operand, '$slice'), modifierNumber(operand, '$position')];
  const change = (old: Maybe): Value[] => {
    const result = [...arrayAt(old, path, '$push')];
    result.splice(position ?? result.length, 0, ...values);
    return slice === undefined ? result : slice < 0 ? result.slice(slice) : result.slice(0, slice);
  };
  // MongoDB counts a push even when $slice removes the new elements again.
  return [{ path, creates: true, edit: change, counts: () => values.length > 0 }];
};

const addToSet: Modifier = (path, operand) => {
  const values = each(operand, '$addToSet') ?? [operand];
  const clause =
    isDoc(operand) && operand.has('$each') ? [...operand.keys()].find((key) => key !== '$each') : undefined;
  if (clause !== undefined) fail(2, `Found unexpected fields after $each in $addToSet: ${clause}`);
  return creating(path, (old) => {
    const result = [...arrayAt(old, path, '$addToSet')];
    for (const value of values) if (!result.some((element) => same(element, value))) result.push(value);
    return result;
  });
};

const pull: Modifier = (path, operand, { env }) => {
  let matches = (element: Value): boolean => same(element, operand);
  const [first] = isDoc(operand) ? operand.keys() : [];
  if ((isOperators(operand) && !['$and', '$or', '$nor'].includes(first ?? '')) || typeName(operand) === 'regex') {
    const predicate = compileFilter(new Map([['element', operand]]), env);
    matches = (element) => predicate(new Map([['element', element]]));
  } else if (isDoc(operand)) {
    const predicate = compileFilter(operand, env);
    matches = (element) => isDoc(element) && predicate(element);
  }
  const edit = (old: Maybe): Maybe => old && arrayAt(old, path, '$pull').filter((element) => !matches(element));
  return [{ path, creates: false, edit }];
};

/** The update modifiers (manual: reference/operator/update). Each compiles to the changes that it makes at its path. */
export const modifiers: Readonly<Record<string, Modifier | undefined>> = {
  $set: (path, operand) => creating(path, () => operand),
  $setOnInsert: (path, operand) => creating(path, () => operand),
  $unset: (path) => [
    { path, creates: false, lenient: true, edit: () => undefined, counts: (_old, inArray) => inArray },
  ],
  $inc: increment,
  $min: extreme(-1),
  $max: extreme(1),
  $push: push,
  $addToSet: addToSet,
  $pull: pull,
};
