import { fail } from '../errors.js';
import { compare, keyOf, same } from '../values/compare.js';
import { overlaps, split } from '../values/paths.js';
import { type Doc, doc, isDoc, type Maybe, typeName, type Value, shown } from '../values/types.js';
import { compileFilter, isOperators, type Predicate } from './matcher.js';
import { type Change, modifiers, type UpdateContext } from './modifiers.js';
import { matchedPosition } from './positions.js';
import { compileTransform } from './transforms.js';

/** Changes a freshly decoded document (in place, where that is simpler) and answers the new one. */
export type Updater = (document: Doc) => Doc;

/** Whether the update replaces the document instead of changing fields of it. */
export const isReplacement = (update: Value): boolean =>
  isDoc(update) && ![...update.keys()].some((name) => name.startsWith('$'));

/**
 * Compiles an update: a replacement, modifiers (manual: reference/operator/update) or a pipeline. Errors as MongoDB's:
 * 9 unknown modifier, 40 conflicting paths, 28 path not viable, 66 immutable `_id`, 14 and 2 for wrong types.
 */
export function compileUpdate(update: Value, context: UpdateContext): Updater {
  if (Array.isArray(update)) {
    const allowed = ['$addFields', '$set', '$project', '$unset', '$replaceRoot', '$replaceWith'];
    const steps = update.map((stage) => {
      const [entry] = isDoc(stage) && stage.size === 1 ? stage : [];
      if (!entry || !allowed.includes(entry[0]))
        return fail(72, `${entry?.[0] ?? 'this'} is not allowed to be used within an update`);
      return compileTransform(entry[0], entry[1], context.env);
    });
    return keepingId((document) => steps.reduce((current, step) => step(current), document));
  }
  if (!isDoc(update)) return fail(9, 'Update argument must be either an object or an array');
  if (isReplacement(update)) return keepingId(() => new Map(update));
  const changes = [...update].flatMap(([name, operand]) => changesOf(name, operand, context)).sort(byPath);
  changes.forEach(({ path }, index) => {
    const other = changes.find((change, at) => at < index && overlaps(change.path, path));
    if (other) fail(40, `Updating the path '${path}' would create a conflict at '${other.path}'`);
  });
  const filters = namedFilters(context, changes);
  return (document) => {
    const id = document.get('_id');
    const planned = changes
      .filter((change) => change.applies?.(document) !== false)
      .map((change) => ({ change, parts: positioned(change.path, document, context) }));
    for (const { change, parts } of planned) edit(document, parts, 0, change, filters);
    if (id !== undefined && !same(id, document.get('_id'))) {
      fail(66, "Performing an update on the path '_id' would modify the immutable field '_id'");
    }
    return document;
  };
}

/** The result has the old `_id`, in front; to give another is error 66. */
const keepingId =
  (change: Updater): Updater =>
  (document) => {
    const id = document.get('_id');
    const result = change(document);
    const given = result.get('_id');
    if (id !== undefined && given !== undefined && !keyOf(id).equals(keyOf(given))) {
      fail(66, "After applying the update, the (immutable) field '_id' was found to have been altered");
    }
    const front = id ?? given;
    return front === undefined ? result : new Map([['_id', front], ...[...result].filter(([name]) => name !== '_id')]);
  };

/** MongoDB applies changes, and so makes new fields, in the order of their paths: by name, array positions by number. */
function byPath(a: Change, b: Change): number {
  const [x, y] = [split(a.path), split(b.path)];
  for (let i = 0; i < Math.min(x.length, y.length); i++) {
    const [p = '', q = ''] = [x[i], y[i]];
    const numeric = /^\d+$/.test(p) && /^\d+$/.test(q);
    const order = numeric ? Number(p) - Number(q) : compare(p, q);
    if (order !== 0) return order;
  }
  return x.length - y.length;
}

function changesOf(name: string, operand: Value, context: UpdateContext): Change[] {
  const modifier = modifiers[name];
  if (!modifier)
    fail(
      9,
      `Unknown modifier: ${name}. Expected a valid update modifier or pipeline-style update specified as an array`,
    );
  if (!isDoc(operand)) {
    fail(
      9,
      `Modifiers operate on fields but we found type ${typeName(operand)} instead. For example: {$mod: {<field>: ...}} not {${name}: ...}`,
    );
  }
  return [...operand].flatMap(([path, argument]) => {
    const parts = split(path);
    if (parts.includes('')) fail(56, `The update path '${path}' contains an empty field name, which is not allowed.`);
    const dollar = parts.find((part) => part.startsWith('$') && !/^\$(\[.*\])?$/.test(part));
    if (dollar)
      fail(
        52,
        `The dollar ($) prefixed field '${dollar}' in '${path}' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.`,
      );
    if (name === '$setOnInsert' && !context.inserting) return [{ path, creates: false, edit: (old) => old }];
    return modifier(path, argument, context);
  });
}

/** Compiles the array filters by the identifier that each one speaks of; an unused one is error 9. */
function namedFilters(context: UpdateContext, changes: readonly Change[]): Map<string, Predicate> {
  const found = new Map<string, Predicate>();
  for (const filter of context.arrayFilters) {
    const name =
      identifier(filter) ?? fail(9, 'Cannot use an expression without a top-level field name in arrayFilters');
    if (found.has(name)) fail(9, `Found multiple array filters with the same top-level field name ${name}`);
    if (!changes.some(({ path }) => path.includes(`$[${name}]`)))
      fail(9, `The array filter for identifier '${name}' was not used in the update`);
    found.set(name, compileFilter(filter, context.env));
  }
  return found;
}

function identifier(filter: Doc): string | undefined {
  for (const [name, operand] of filter) {
    if (!name.startsWith('$')) return split(name)[0];
    for (const part of Array.isArray(operand) ? operand : []) if (isDoc(part)) return identifier(part);
  }
  return undefined;
}

/** The path's parts, with the positional `$` replaced by the position that the filter matched. */
function positioned(path: string, document: Doc, context: UpdateContext): string[] {
  const parts = split(path);
  const at = parts.indexOf('$');
  if (at < 0) return parts;
  if (at === 0) fail(2, `Cannot have positional (i.e. '$') element in the first position in path '${path}'`);
  const position = matchedPosition(context.query, document, context.env);
  if (position === undefined) fail(2, 'The positional operator did not find the match needed from the query.');
  return parts.map((part, index) => (index === at ? String(position) : part));
}

type Container = Doc | Value[];

/** Walks to the path's end, makes what is missing there (if the change creates) and applies the change. */
function edit(
  container: Container,
  parts: readonly string[],
  at: number,
  change: Change,
  filters: Map<string, Predicate>,
): void {
  const part = parts[at] ?? '';
  const array = /^\$\[(.*)\]$/.exec(part);
  if (array) {
    editElements(container, parts, at, change, filters, array[1] ?? '');
    return;
  }
  if (Array.isArray(container) && !/^\d+$/.test(part)) {
    if (!change.creates) return;
    notViable(part, parts, at, container);
  }
  const old = Array.isArray(container) ? container[Number(part)] : container.get(part);
  if (at === parts.length - 1) {
    put(container, part, old, change.edit(old), change);
    return;
  }
  if (isDoc(old) || Array.isArray(old)) {
    edit(old, parts, at + 1, change, filters);
    return;
  }
  if (old !== undefined) {
    if (change.creates) notViable(parts[at + 1] ?? '', parts, at + 1, old);
    return;
  }
  if (parts.slice(at + 1).some((rest) => rest.startsWith('$['))) {
    fail(
      2,
      `The path '${parts.slice(0, at + 1).join('.')}' must exist in the document in order to apply array updates.`,
    );
  }
  if (!change.creates) return;
  const made: Doc = new Map();
  edit(made, parts, at + 1, change, filters);
  put(container, part, undefined, made, change);
}

function notViable(part: string, parts: readonly string[], at: number, element: Value): never {
  return fail(28, `Cannot create field '${part}' in element {${parts[at - 1] ?? ''}: ${shown(element)}}`);
}

function put(container: Container, part: string, old: Maybe, value: Maybe, change: Change): void {
  if (!Array.isArray(container)) {
    if (value === undefined) container.delete(part);
    else if (old !== undefined || change.creates) container.set(part, value);
    return;
  }
  const index = Number(part);
  if (value === undefined && index >= container.length) return;
  if (index > container.length + 1_500_000) fail(2, `can't backfill more than 1500000 elements`);
  while (container.length < index) container.push(null);
  container[index] = value ?? null; // an element that is removed leaves null, so that the others keep their places
}

function editElements(
  container: Container,
  parts: readonly string[],
  at: number,
  change: Change,
  filters: Map<string, Predicate>,
  name: string,
): void {
  if (!Array.isArray(container)) fail(2, `Cannot apply array updates to non-array element ${parts[at - 1] ?? ''}`);
  const filter =
    name === ''
      ? undefined
      : (filters.get(name) ?? fail(2, `No array filter found for identifier '${name}' in path '${parts.join('.')}'`));
  container.forEach((element, index) => {
    if (filter && !filter(doc({ [name]: element }))) return;
    if (at === parts.length - 1) put(container, String(index), element, change.edit(element), change);
    else if (isDoc(element) || Array.isArray(element)) edit(element, parts, at + 1, change, filters);
    else if (change.creates) notViable(parts[at + 1] ?? '', parts, at + 1, element);
  });
}

/** The document that an upsert starts from: the filter's equalities (manual: reference/method/db.collection.update/#upsert-with-operator-expressions). */
export function upsertBase(query: Doc, base: Doc = new Map()): Doc {
  for (const [path, operand] of query) {
    if (path === '$and' && Array.isArray(operand)) for (const part of operand) if (isDoc(part)) upsertBase(part, base);
    if (path === '$or' && Array.isArray(operand) && operand.length === 1 && isDoc(operand[0]))
      upsertBase(operand[0], base);
    if (path.startsWith('$')) continue;
    const value = isOperators(operand)
      ? (operand.get('$eq') ?? soleElement(operand.get('$in')) ?? soleElement(operand.get('$all')))
      : operand;
    if (value === undefined || typeName(value) === 'regex') continue;
    const parts = split(path);
    edit(
      base,
      parts,
      0,
      {
        path,
        creates: true,
        edit: (old) =>
          old === undefined ? value : fail(54, `cannot infer query fields to set, path '${path}' is matched twice`),
      },
      new Map(),
    );
  }
  return base;
}

const soleElement = (value: Maybe): Maybe =>
  Array.isArray(value) && value.length === 1 && !isOperators(value[0]) ? value[0] : undefined;
