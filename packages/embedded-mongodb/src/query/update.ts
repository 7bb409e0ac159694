import { fail, StoreError } from '../errors.js';
import { compare, keyOf, same } from '../values/compare.js';
import { fieldOf, split } from '../values/paths.js';
import { type Doc, isDoc, type Maybe, typeName, type Value, shown } from '../values/types.js';
import { isOperators } from './matcher.js';
import { type Change, modifiers, type UpdateContext } from './modifiers.js';
import { isPosition, matchedPosition, namedFilters, places, refuseConflicts } from './positions.js';
import { compileTransform, isTransform, stageOf } from './transforms.js';

/** A document after its update. */
export interface Updated {
  readonly document: Doc;
  /** Whether MongoDB counts it as modified (`nModified`) although its bytes are the same as before. */
  readonly counts: boolean;
}

/** Changes a document that was just decoded, in place where that is simpler, and returns the new one. */
export type Updater = (document: Doc) => Updated;

/** Whether the update replaces the document instead of changing fields of it. */
export const isReplacement = (update: Value): boolean =>
  isDoc(update) && [...update.keys()][0]?.startsWith('$') !== true;

/**
 * The fields of a document that the update can change; `undefined` when it can change any: a replacement or a pipeline. A modifier
 * changes only what is at its paths.
 */
export function changedFields(update: Value): ReadonlySet<string> | undefined {
  if (!isDoc(update) || isReplacement(update)) return undefined;
  const paths = [...update.values()].flatMap((operand) => (isDoc(operand) ? [...operand.keys()] : []));
  return new Set(paths.map(fieldOf));
}

/**
 * Compiles an update: a replacement, modifiers (manual: reference/operator/update) or a pipeline. The errors are MongoDB's:
 * 9 unknown modifier, 40 conflicting paths, 28 path not viable, 66 immutable `_id`, 14 and 2 for wrong types.
 */
export function compileUpdate(update: Value, context: UpdateContext): Updater {
  if (Array.isArray(update)) {
    const steps = update.map((stage) => {
      const [name, spec] = stageOf(stage);
      if (!isTransform(name)) fail(72, `${name} is not allowed to be used within an update`);
      return compileTransform(name, spec, context.env);
    });
    return keepingId((document) => steps.reduce((current, step) => step(current), document));
  }
  if (!isDoc(update)) return fail(9, 'Update argument must be either an object or an array');
  if (isReplacement(update)) return replacing(update);
  const changes = [...update].flatMap(([name, operand]) => changesOf(name, operand, context)).sort(byPath);
  const paths = changes.map(({ path }) => path);
  refuseConflicts(paths);
  const filters = namedFilters(context.arrayFilters, paths, context.env);
  const still = changes.map((change): Step => ({ change, parts: split(change.path) }));
  const moving = paths.some((path) => path.includes('$'));
  /** The changes with their paths in this document. Two changes of the same place are error 40. */
  const located = (steps: Step[], document: Doc): Step[] => {
    const matched = (): number | undefined => matchedPosition(context.query, document, context.env);
    const found = steps.flatMap((step): Step[] => {
      try {
        return places(step.parts, document, matched, filters).map((parts) => ({
          change: { ...step.change, path: parts.join('.') },
          parts,
        }));
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        return [{ ...step, refusal: error }];
      }
    });
    found.sort((a, b) => byPath(a.change, b.change));
    refuseConflicts(found.map(({ change }) => change.path));
    return found;
  };
  return (document) => {
    const id = document.get('_id');
    let counts = false;
    for (const { change, parts, refusal } of moving ? located(still, document) : still) {
      if (refusal !== undefined) throw refusal;
      if (edit(document, parts, 0, change)) counts = true;
    }
    if (id !== undefined && !same(id, document.get('_id'))) {
      fail(66, "Performing an update on the path '_id' would modify the immutable field '_id'");
    }
    return { document, counts };
  };
}

/** A replacement; 52 when one of its fields begins with `$`. */
function replacing(document: Doc): Updater {
  for (const name of document.keys())
    if (name.startsWith('$'))
      fail(
        52,
        `The dollar ($) prefixed field '${name}' is not allowed in the context of an update's replacement document.`,
      );
  return keepingId(() => new Map(document));
}

/** A change and its place. */
interface Step {
  readonly change: Change;
  readonly parts: readonly string[];
  /** The error of a path that this document does not have. It is thrown when the change is applied, so an error of an earlier change comes first. */
  readonly refusal?: StoreError;
}

/**
 * The result has the old `_id` as its first field. Another `_id` is error 66. MongoDB compares the new document with the old
 * one before it copies the `_id`, so a replacement without an `_id` always counts as a modification.
 */
const keepingId =
  (change: (document: Doc) => Doc): Updater =>
  (document) => {
    const id = document.get('_id');
    const result = change(document);
    const given = result.get('_id');
    if (id !== undefined && given !== undefined && !keyOf(id).equals(keyOf(given))) {
      fail(66, "After applying the update, the (immutable) field '_id' was found to have been altered");
    }
    const front = id ?? given;
    const complete: Doc =
      front === undefined ? result : new Map([['_id', front], ...[...result].filter(([name]) => name !== '_id')]);
    const [first] = result.keys();
    return { document: complete, counts: first !== '_id' };
  };

/** MongoDB applies changes, and so creates fields, in the order of their paths: names by text, array positions by number. */
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
    if (isPosition(parts[0]))
      fail(2, `Cannot have positional (i.e. '$') element in the first position in path '${path}'`);
    // Below another field, a name with a dollar sign is allowed (manual: core/dot-dollar-considerations/dollar-prefix).
    if (path.startsWith('$'))
      fail(
        52,
        `The dollar ($) prefixed field '${parts[0]}' in '${path}' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.`,
      );
    if (name === '$setOnInsert' && !context.inserting)
      return [{ path, creates: false, lenient: true, edit: (old) => old }];
    return modifier(path, argument, context);
  });
}

type Container = Doc | Value[];

/** Applies the change at the end of the path, and creates missing parts if the change does so. Returns whether that counts as a modification. */
function edit(container: Container, parts: readonly string[], at: number, change: Change): boolean {
  const part = parts[at] ?? '';
  if (Array.isArray(container) && !/^\d+$/.test(part)) return blocked(part, parts, at, container, change);
  const old = Array.isArray(container) ? container[Number(part)] : container.get(part);
  if (at === parts.length - 1) {
    put(container, part, old, change.edit(old), change);
    return old !== undefined && change.counts?.(old, Array.isArray(container)) === true;
  }
  if (isDoc(old) || Array.isArray(old)) return edit(old, parts, at + 1, change);
  if (old !== undefined) return blocked(parts[at + 1] ?? '', parts, at + 1, old, change);
  if (!change.creates) return false;
  const made: Doc = new Map();
  edit(made, parts, at + 1, change);
  put(container, part, undefined, made, change);
  return true;
}

/** The path goes through a value that is not a document, or by a name into an array. */
function blocked(part: string, parts: readonly string[], at: number, element: Value, { lenient }: Change): boolean {
  if (lenient) return false;
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
  container[index] = value ?? null; // a removed element becomes null, so that the others keep their positions
}

/** The document from which an upsert starts: the equalities of the filter (manual: reference/method/db.collection.update/#upsert-with-operator-expressions). */
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
    edit(base, parts, 0, {
      path,
      creates: true,
      edit: (old) =>
        old === undefined ? value : fail(54, `cannot infer query fields to set, path '${path}' is matched twice`),
    });
  }
  return base;
}

const soleElement = (value: Maybe): Maybe =>
  Array.isArray(value) && value.length === 1 && !isOperators(value[0]) ? value[0] : undefined;
