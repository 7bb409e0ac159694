import { fail } from '../errors.js';
import { fieldAt, overlaps, split } from '../values/paths.js';
import { type Doc, doc, isDoc, type Maybe, type Value } from '../values/types.js';
import { compileFilter, type Predicate } from './matcher.js';
import { type Env } from './terms.js';

/** The array filters of an update, by their identifiers. */
export type ArrayFilters = ReadonlyMap<string, Predicate>;

/** Whether a part of a path is a position: `$`, `$[]` or `$[id]`. */
export const isPosition = (part: string | undefined): boolean => part !== undefined && /^\$(\[.*\])?$/.test(part);

const isArrayPart = (part: string | undefined): boolean => part?.startsWith('$[') === true;
const identifierOf = (part: string): string => part.slice(2, -1);

/**
 * Compiles the array filters. Error 9 for two filters with the same identifier and for a filter that is not used, 2 for an
 * identifier without a filter.
 */
export function namedFilters(filters: readonly Doc[], paths: readonly string[], env: Env): ArrayFilters {
  const found = new Map<string, Predicate>();
  for (const filter of filters) {
    const [name, other] = identifiers(filter);
    if (name === undefined) return fail(9, 'Cannot use an expression without a top-level field name in arrayFilters');
    if (other !== undefined)
      fail(9, `Error parsing array filter: Expected a single top-level field name, found '${name}' and '${other}'`);
    if (!/^[a-z][a-zA-Z0-9]*$/.test(name))
      fail(
        2,
        `The top-level field name must be an alphanumeric string beginning with a lowercase letter, found '${name}'`,
      );
    if (found.has(name)) fail(9, `Found multiple array filters with the same top-level field name ${name}`);
    if (!paths.some((path) => path.includes(`$[${name}]`)))
      fail(9, `The array filter for identifier '${name}' was not used in the update`);
    found.set(name, compileFilter(filter, env));
  }
  for (const path of paths) {
    const unknown = split(path).find((part) => isArrayPart(part) && part !== '$[]' && !found.has(identifierOf(part)));
    if (unknown) fail(2, `No array filter found for identifier '${identifierOf(unknown)}' in path '${path}'`);
  }
  return found;
}

/** The names of the elements that an array filter is about. Only one is allowed. */
function identifiers(filter: Doc): string[] {
  const found = [...filter].flatMap(([name, operand]) =>
    !name.startsWith('$')
      ? split(name).slice(0, 1)
      : Array.isArray(operand)
        ? operand.filter(isDoc).flatMap(identifiers)
        : [],
  );
  return [...new Set(found)];
}

/**
 * Rejects paths that are in conflict (40): two equal paths, a path below another one, and two paths of which only one goes
 * through an array.
 */
export function refuseConflicts(paths: readonly string[]): void {
  const earlier: { path: string; parts: readonly string[] }[] = [];
  for (const path of paths) {
    const parts = split(path);
    const other = earlier.find((one) => overlaps(one.path, path) || divided(one.parts, parts));
    if (other) fail(40, `Updating the path '${path}' would create a conflict at '${other.path}'`);
    earlier.push({ path, parts });
  }
}

/** Whether one of the two paths enters an array (`$[]`, `$[id]`) at the first part that differs, and the other does not. */
function divided(a: readonly string[], b: readonly string[]): boolean {
  const at = a.findIndex((part, index) => part !== b[index]);
  return at >= 0 && isArrayPart(a[at]) !== isArrayPart(b[at]);
}

/**
 * The positions in the document, as it is before the update, that a path names. `$` is the element that the query matched, `$[]`
 * is every element, `$[id]` is each element that passes the filter (manual: reference/operator/update-array). Error 2 when
 * there is no such place.
 */
export function places(
  parts: readonly string[],
  document: Doc,
  matched: () => number | undefined,
  filters: ArrayFilters,
): string[][] {
  const at = parts.findIndex(isPosition);
  const part = parts[at];
  if (part === undefined) return [[...parts]];
  const [before, after] = [parts.slice(0, at), parts.slice(at + 1)];
  const rest = (position: number): string[][] =>
    places([...before, String(position), ...after], document, matched, filters);
  if (part === '$')
    return rest(matched() ?? fail(2, 'The positional operator did not find the match needed from the query.'));
  const array = before.reduce<Maybe>(child, document);
  if (array === undefined)
    fail(2, `The path '${before.join('.')}' must exist in the document in order to apply array updates.`);
  if (!Array.isArray(array)) fail(2, `Cannot apply array updates to non-array element ${before.at(-1) ?? ''}`);
  const name = identifierOf(part);
  const filter = name === '' ? undefined : filters.get(name);
  return array.flatMap((element, index) => (!filter || filter(doc({ [name]: element })) ? rest(index) : []));
}

function child(value: Maybe, part: string): Maybe {
  if (isDoc(value)) return value.get(part);
  return Array.isArray(value) && /^\d+$/.test(part) ? value[Number(part)] : undefined;
}

/** The position of the first array element that matches the filter. Of several clauses on arrays the last one counts. */
export function matchedPosition(query: Doc, document: Doc, env: Env): number | undefined {
  let found: number | undefined;
  for (const [path, operand] of query) {
    if (path === '$and' && Array.isArray(operand))
      for (const part of operand) found = (isDoc(part) ? matchedPosition(part, document, env) : undefined) ?? found;
    if (path.startsWith('$')) continue;
    const parts = split(path);
    const predicate = compileFilter(new Map([[path, operand]]), env);
    for (let length = 1; length <= parts.length; length++) {
      const array = fieldAt(document, parts.slice(0, length));
      if (!Array.isArray(array)) continue;
      const index = array.findIndex((element) => predicate(nested(parts.slice(0, length), [element])));
      if (index >= 0) found = index;
      break;
    }
  }
  return found;
}

const nested = (parts: readonly string[], value: Value): Value =>
  parts.reduceRight<Value>((inner, part) => new Map([[part, inner]]), value);
