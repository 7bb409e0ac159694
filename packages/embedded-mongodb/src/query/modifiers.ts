import { Double, Timestamp } from 'bson';
import { fail } from '../errors.js';
import { compare, same } from '../values/compare.js';
import { arithmetic, toNumber } from '../values/numbers.js';
import { overlaps, split } from '../values/paths.js';
import { type Doc, isDoc, isNumber, type Maybe, type Num, typeName, type Value } from '../values/types.js';
import { compileFilter, isOperators } from './matcher.js';
import { byPattern } from './arrays.js';
import { type Env } from './terms.js';

/** What an update is compiled with. */
export interface UpdateContext {
  readonly env: Env;
  /** The statement's filter: tells which element the positional `$` means. */
  readonly query: Doc;
  readonly arrayFilters: readonly Doc[];
  /** Whether the update makes a new document (an upsert): only then `$setOnInsert` counts. */
  readonly inserting: boolean;
}

/** What one modifier does to one path. */
export interface Change {
  readonly path: string;
  /** Gives the new value; `undefined` removes the field. It throws when the old value is of a wrong type. */
  readonly edit: (old: Maybe) => Maybe;
  /** Looks at the document before any change is made to it; `false` leaves this change out. */
  readonly applies?: (document: Doc) => boolean;
  /** Whether the path is made when it is missing. */
  readonly creates: boolean;
  /** Whether a path that leads through what is no container is left alone; else that is error 28. */
  readonly lenient?: boolean;
  /** Whether MongoDB counts the change of a value even where it leaves the bytes as they were; it did not notice that. */
  readonly counts?: (old: Value, inArray: boolean) => boolean;
}

type Modifier = (path: string, operand: Value, context: UpdateContext) => Change[];
type Edit = Change['edit'];

const creating = (path: string, edit: Edit): Change[] => [{ path, edit, creates: true }];
const existing = (path: string, edit: Edit): Change[] => [
  { path, creates: false, edit: (old) => (old === undefined ? undefined : edit(old)) },
];

function arithmeticModifier(name: '$inc' | '$mul'): Modifier {
  return (path, operand) => {
    if (!isNumber(operand))
      fail(
        14,
        `Cannot ${name === '$inc' ? 'increment' : 'multiply'} with non-numeric argument: {${path}: ${typeName(operand)}}`,
      );
    const compute = (old: Num): Num => {
      const result = arithmetic(name === '$inc' ? 'add' : 'multiply', old, operand);
      const whole = !(old instanceof Double) && !(operand instanceof Double);
      return whole && result instanceof Double
        ? fail(2, `Failed to apply ${name} operations to current value: int64 overflow at '${path}'`)
        : result;
    };
    return creating(path, (old) => {
      if (old === undefined) return name === '$inc' ? operand : arithmetic('multiply', operand, 0);
      if (!isNumber(old))
        fail(
          14,
          `Cannot apply ${name} to a value of non-numeric type. The field '${path}' is of non-numeric type ${typeName(old)}`,
        );
      return compute(old);
    });
  };
}

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
    : fail(14, `The argument to $each in ${name} must be an array but it was of type ${typeName(values)}`);
};

const push: Modifier = (path, operand) => {
  const values = each(operand, '$push');
  if (!values || !isDoc(operand)) return creating(path, (old) => [...arrayAt(old, path, '$push'), operand]);
  for (const key of operand.keys()) {
    if (!['$each', '$slice', '$sort', '$position'].includes(key)) fail(2, `Unrecognized clause in $push: ${key}`);
  }
  const [slice, position, sort] = [
    modifierNumber(operand, '$slice'),
    modifierNumber(operand, '$position'),
    operand.get('$sort'),
  ];
  const order = sort === undefined ? undefined : byPattern(sort);
  const change = (old: Maybe): Value[] => {
    const result = [...arrayAt(old, path, '$push')];
    result.splice(position ?? result.length, 0, ...values);
    if (order) result.sort(order);
    return slice === undefined ? result : slice < 0 ? result.slice(slice) : result.slice(0, slice);
  };
  // What is pushed and cut away again, or sorted as it was, is written anew and counts.
  const counts = (old: Value): boolean => values.length > 0 || (!!order && Array.isArray(old) && old.length > 0);
  return [{ path, creates: true, edit: change, counts }];
};

const addToSet: Modifier = (path, operand) => {
  const values = each(operand, '$addToSet') ?? [operand];
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
  return existing(path, (old) => arrayAt(old, path, '$pull').filter((element) => !matches(element)));
};

const currentDate: Modifier = (path, operand, { env }) => {
  const type = isDoc(operand) ? operand.get('$type') : 'date';
  if (typeof operand !== 'boolean' && !isDoc(operand))
    fail(
      2,
      `${typeName(operand)} is not valid type for $currentDate. Please use a boolean ('true') or a $type expression`,
    );
  if (type !== 'date' && type !== 'timestamp')
    fail(2, "The '$type' string field is required to be 'date' or 'timestamp'");
  const now = type === 'date' ? env.now : new Timestamp({ t: Math.floor(env.now.getTime() / 1000), i: 1 });
  return [{ path, creates: true, edit: () => now, counts: () => true }];
};

const rename: Modifier = (path, operand) => {
  if (typeof operand !== 'string') fail(2, `The 'to' field for $rename must be a string: ${path}`);
  if (overlaps(path, operand)) fail(2, `The source and target field for $rename must differ: ${path}: "${operand}"`);
  if (/\$/.test(path + operand)) fail(2, `The source and destination fields of $rename may not be dynamic: ${path}`);
  const [source, target] = [split(path), split(operand)];
  // The value is read before any change is made: the source may sort, and so be removed, before the target.
  let taken: Maybe;
  const applies = (document: Doc): boolean => {
    taken = source.reduce<Maybe>((value, part) => named(value, part, path), document);
    if (taken !== undefined)
      target.reduce<Maybe>((value, part) => (isDoc(value) ? value.get(part) : unlisted(value, operand)), document);
    return taken !== undefined;
  };
  return [
    { path: operand, creates: true, applies, edit: () => taken },
    { path, creates: false, lenient: true, edit: () => undefined },
  ];
};

/** What a rename's source has under a name; 28 where it is no document, 2 for an element of an array. */
function named(value: Maybe, part: string, path: string): Maybe {
  if (value === undefined || isDoc(value)) return value?.get(part);
  if (!Array.isArray(value) || !/^\d+$/.test(part))
    return fail(28, `cannot use the part (${part} of ${path}) to traverse the element`);
  return value[Number(part)] === undefined
    ? undefined
    : fail(2, `The source field cannot be an array element, '${path}'`);
}

const unlisted = (value: Maybe, path: string): Maybe =>
  Array.isArray(value) ? fail(2, `The destination field cannot be an array element, '${path}'`) : undefined;

const bit: Modifier = (path, operand) => {
  const [entry] = isDoc(operand) && operand.size === 1 ? operand : [];
  const [operation, mask] = entry ?? [];
  if ((operation !== 'and' && operation !== 'or' && operation !== 'xor') || !isNumber(mask) || mask instanceof Double) {
    return fail(
      2,
      `The $bit modifier is not compatible with this operand: ${path}. It must be like {and|or|xor: <int>}`,
    );
  }
  return creating(path, (old = typeof mask === 'bigint' ? 0n : 0) => {
    if (!isNumber(old) || old instanceof Double)
      return fail(2, `Cannot apply $bit to a value of non-integral type at '${path}'`);
    const [a, b] = [BigInt(old), BigInt(mask)];
    const result = operation === 'and' ? a & b : operation === 'or' ? a | b : a ^ b;
    return typeof old === 'bigint' || typeof mask === 'bigint' ? result : Number(result);
  });
};

/** The update modifiers (manual: reference/operator/update); each compiles to what it does at its path. */
export const modifiers: Readonly<Record<string, Modifier | undefined>> = {
  $set: (path, operand) => creating(path, () => operand),
  $setOnInsert: (path, operand) => creating(path, () => operand),
  $unset: (path) => [
    { path, creates: false, lenient: true, edit: () => undefined, counts: (_old, inArray) => inArray },
  ],
  $inc: arithmeticModifier('$inc'),
  $mul: arithmeticModifier('$mul'),
  $min: extreme(-1),
  $max: extreme(1),
  $currentDate: currentDate,
  $rename: rename,
  $push: push,
  $addToSet: addToSet,
  $pop: (path, operand) => {
    const way = isNumber(operand) ? toNumber(operand) : 0;
    if (way !== 1 && way !== -1) fail(9, `$pop expects 1 or -1, found: ${typeName(operand)}`);
    return existing(path, (old) => {
      if (!Array.isArray(old)) fail(14, `Path '${path}' contains an element of non-array type '${typeName(old)}'`);
      return way === 1 ? old.slice(0, -1) : old.slice(1);
    });
  },
  $pull: pull,
  $pullAll: (path, operand) => {
    if (!Array.isArray(operand))
      return fail(2, `$pullAll requires an array argument but was given a ${typeName(operand)}`);
    return existing(path, (old) =>
      arrayAt(old, path, '$pullAll').filter((element) => !operand.some((value) => same(value, element))),
    );
  },
  $bit: bit,
};
