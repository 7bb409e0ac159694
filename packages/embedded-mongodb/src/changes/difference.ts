import { isReplacement } from '../query/update.js';
import { encode } from '../values/bson.js';
import { split } from '../values/paths.js';
import { type Doc, doc, isDoc, type Maybe, type Value } from '../values/types.js';

/** A path that a modifier names; what it gives there is told as a whole, but for what `$push` puts at an array's end. */
interface Named {
  readonly parts: readonly string[];
  readonly pushes: boolean;
}

const identical = (a: Maybe, b: Maybe): boolean =>
  a !== undefined && b !== undefined && encode(doc({ v: a })).equals(encode(doc({ v: b })));

function namedBy(update: Value): Named[] {
  if (!isDoc(update) || isReplacement(update)) return [];
  return [...update].flatMap(([modifier, operand]) =>
    [...(isDoc(operand) ? operand : [])].flatMap(([path, value]) =>
      [path, ...(modifier === '$rename' && typeof value === 'string' ? [value] : [])].map((name) => ({
        parts: split(name),
        pushes: modifier === '$push',
      })),
    ),
  );
}

const isAt = (path: readonly string[], parts: readonly string[]): boolean =>
  path.length === parts.length &&
  parts.every((part, index) => part === path[index] || (part.startsWith('$') && /^\d+$/.test(path[index] ?? '')));

/** What an update changed, as change events say it (manual: reference/change-events/update, `updateDescription`). */
export function describeUpdate(before: Doc, after: Doc, update: Value): Doc {
  const named = namedBy(update);
  const updatedFields: Doc = new Map();
  const removedFields: string[] = [];
  const truncatedArrays: Doc[] = [];
  const elements = (path: readonly string[], old: readonly Value[], now: readonly Value[]): void => {
    if (now.length < old.length) truncatedArrays.push(doc({ field: path.join('.'), newSize: now.length }));
    for (const [index, value] of now.entries()) visit([...path, String(index)], old[index], value);
  };
  const fields = (path: readonly string[], old: Doc, now: Doc): void => {
    for (const name of old.keys()) if (!now.has(name)) removedFields.push([...path, name].join('.'));
    for (const [name, value] of now) visit([...path, name], old.get(name), value);
  };
  const visit = (path: readonly string[], old: Maybe, now: Value): void => {
    if (identical(old, now)) return;
    const rule = named.find(({ parts }) => isAt(path, parts));
    if (Array.isArray(old) && Array.isArray(now)) {
      const appended = rule?.pushes === true && old.every((element, index) => identical(element, now[index]));
      if (!rule || appended) elements(path, old, now);
      else updatedFields.set(path.join('.'), now);
    } else if (isDoc(old) && isDoc(now) && !rule) fields(path, old, now);
    else updatedFields.set(path.join('.'), now);
  };
  fields([], before, after);
  return doc({ updatedFields, removedFields, truncatedArrays });
}
