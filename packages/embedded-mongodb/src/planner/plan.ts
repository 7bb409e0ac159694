import { fail } from '../errors.js';
import { type SortPart } from '../query/sorting.js';
import { type Collection } from '../storage/catalogue.js';
import { type View } from '../storage/disk.js';
import { type Index, type IndexField, isMultikey } from '../storage/indexes.js';
import { after, clipped, entriesOf, entryBytes } from '../storage/keys.js';
import { same } from '../values/compare.js';
import { toNumber } from '../values/numbers.js';
import { type Doc, isDoc, isNumber, type Maybe } from '../values/types.js';
import {
  bytesOf,
  type Condition,
  type Conditions,
  conditionsOf,
  impliesPartial,
  intersect,
  type Interval,
  pointBytes,
} from './bounds.js';
import { type Candidate, type Plan, type KeyRange } from './candidate.js';
import { cheapest } from './cost.js';

const maxRanges = 5000;
/** MongoDB reads at most 200 ranges side by side. */
const maxSideBySide = 256;

/** The parts of a query that its plan depends on. */
export interface Query {
  readonly filter: Doc;
  readonly sort: readonly SortPart[];
  readonly hint: Maybe;
}

/**
 * Chooses how to find the documents. A whole key of a unique index needs no choice. Of the indexes that the filter or the sort
 * can use, and the union of the indexes that the clauses of an `$or` can use, it takes what reads the fewest entries. It counts
 * up to 101 entries of each; when all read more, it prefers an index that also sorts. A hint names the index instead. Error 2 for
 * an unknown hint.
 */
export function planQuery(view: View, collection: Collection, query: Query): Plan {
  const indexes = collection.indexes.filter(({ since }) => since <= view.version); // an old snapshot has only a part of the others
  const hinted = hintedIndex(indexes, query.hint);
  const conditions = conditionsOf(query.filter);
  if (hinted === 'natural') return scanAll(query.sort);
  const usable = (hinted ? [hinted] : indexes).filter((index) => hinted ?? isUsable(index, query.filter, conditions));
  // A whole key of a unique index is considered first, because then the other plans need not be counted.
  const unique = new Map<Index, Candidate>();
  for (const index of usable) {
    if (!index.unique || !index.fields.every(({ path }) => conditions.paths.has(path))) continue;
    const found = candidate(index, query, conditions);
    if (found.plan.lookup === true && found.plan.ranges.length === 1) return found.plan;
    unique.set(index, found);
  }
  const candidates = usable
    .map((index) => unique.get(index) ?? candidate(index, query, conditions))
    .filter(({ bounded, plan }) => hinted ?? (bounded > 0 || (plan.sorted && query.sort.length > 0)));
  const [only] = candidates;
  const union = hinted && only ? undefined : eitherPlan(view, collection, query);
  if (only && candidates.length === 1 && !union) return only.plan;
  return cheapest(view, union ? [...candidates, union] : candidates) ?? scanAll(query.sort);
}

const scanAll = (sort: readonly SortPart[]): Plan => ({
  ranges: [],
  reverse: false,
  sorted: sort.length === 0,
  exact: false,
});

function hintedIndex(indexes: readonly Index[], hint: Maybe): Index | 'natural' | undefined {
  if (hint === undefined || (isDoc(hint) && hint.size === 0)) return undefined;
  if (isDoc(hint) && hint.has('$natural')) return naturalHint(hint);
  const found = indexes.find((index) =>
    typeof hint === 'string' ? index.name === hint : same(index.spec.get('key'), hint),
  );
  return (
    found ??
    fail(
      2,
      'error processing query: planner returned error :: caused by :: hint provided does not correspond to an existing index',
    )
  );
}

function naturalHint(hint: Doc): 'natural' {
  const way = hint.get('$natural');
  if (hint.size > 1 || !isNumber(way) || Math.abs(toNumber(way)) !== 1)
    return fail(2, 'the hint $natural must be 1 or -1 and stand alone');
  return toNumber(way) === 1 ? 'natural' : fail(238, 'a reverse $natural hint is not supported by the embedded store');
}

/** Whether every document that matches has an entry in the index. */
function isUsable(index: Index, filter: Doc, conditions: Conditions): boolean {
  if (index.partial && !impliesPartial(filter, conditions, index.partial.filter)) return false;
  return (
    !index.sparse ||
    index.fields.some(({ path }) => conditions.paths.get(path)?.some(({ present }) => present) === true)
  );
}

/** The intervals that meet all of some conditions. */
function meeting([first, ...others]: readonly Condition[]): readonly Interval[] {
  const start = first?.intervals ?? [];
  return others.reduce<readonly Interval[]>((met, { intervals }) => intersect(met, intervals), start);
}

/**
 * The intervals of a field that meet all its conditions. On a field with arrays, different elements may meet different conditions,
 * so only one condition can be used, or those that one `$elemMatch` has for an element without arrays in it.
 */
function intervalsOf(conditions: readonly Condition[], { arrays }: IndexField): readonly Interval[] {
  if (arrays === 0) return meeting(conditions);
  const together = new Map<unknown, Condition[]>();
  for (const condition of conditions) {
    const { element } = condition;
    const key = element !== undefined && arrays >> element.depth === 0 ? element : condition;
    together.set(key, [...(together.get(key) ?? []), condition]);
  }
  const isPoints = (intervals: readonly Interval[]): number => Number(intervals.every(({ point }) => point));
  const [best = []] = [...together.values()]
    .sort((a, b) => b.length - a.length)
    .map(meeting)
    .sort((a, b) => isPoints(b) - isPoints(a));
  return best;
}

/**
 * Whether the condition on a field is one value and nothing more. Then a document with an entry for it matches, also when it has other
 * elements in an array.
 */
function isOnePoint(conditions: readonly Condition[] = []): boolean {
  const points = conditions.flatMap(({ intervals }) => intervals);
  const isPart = conditions.some(({ element }) => element !== undefined);
  return conditions.length === 1 && points.length === 1 && points.every(({ point }) => point) && !isPart;
}

function candidate(index: Index, query: Query, conditions: Conditions): Candidate {
  let prefixes = [[entriesOf(index.id)]];
  let last: KeyRange[] | undefined;
  const single = new Set<string>();
  const consumed = new Set<string>();
  const roots = new Set<string>();
  for (const field of index.fields) {
    const { path, parts, way } = field;
    const multikey = isMultikey(field);
    const required = conditions.paths.get(path);
    const root = parts[0] ?? '';
    if (!required || last || (multikey && roots.has(root))) break;
    if (multikey) roots.add(root);
    const intervals = intervalsOf(required, field);
    if (prefixes.length * intervals.length > maxRanges) break;
    consumed.add(path);
    if (intervals.every(({ point }) => point)) {
      if (intervals.length === 1 && !multikey) single.add(path);
      prefixes = prefixes.flatMap((prefix) => intervals.map((interval) => [...prefix, pointBytes(interval, way)]));
    } else {
      last = prefixes.flatMap((parts) => {
        const prefix = Buffer.concat(parts);
        return intervals.map((interval) => ({ ...bytesOf(prefix, interval, way), prefix: prefix.length }));
      });
    }
  }
  const wanted = last ?? prefixes.map((parts) => rangeAfter(Buffer.concat(parts)));
  const isCut = wanted.some(({ from, to }) => Math.max(from.length, to.length) > entryBytes);
  const ranges = merged(isCut ? wanted.map(({ from, to, prefix }) => ({ ...clipped(from, to), prefix })) : wanted);
  const inOrder = sortWay(index.fields, query.sort, single);
  // Fields with one value in each range do not count for the order inside it.
  const points = last ? consumed.size - 1 : consumed.size;
  const canMerge = !isCut && ranges.length <= maxSideBySide;
  const way = inOrder ?? (canMerge ? sortWay(index.fields.slice(points), query.sort, single) : undefined);
  const exact =
    conditions.complete &&
    !isCut &&
    [...conditions.paths.keys()].every((path) => consumed.has(path)) &&
    index.fields.every((field) => !isMultikey(field) || isOnePoint(conditions.paths.get(field.path)));
  const lookup = index.unique && !last && !isCut && consumed.size === index.fields.length;
  const plan: Plan = {
    index,
    ranges,
    reverse: way === -1,
    sorted: way !== undefined && !(index.long && query.sort.length > 0),
    sideBySide: inOrder === undefined && way !== undefined && ranges.length > 1,
    exact,
    lookup,
  };
  return { plan, bounded: consumed.size };
}

const rangeAfter = (prefix: Buffer): KeyRange => ({ from: prefix, to: after(prefix), prefix: prefix.length });

/** The ranges in the order of the index. Those that overlap are joined, so that no entry is read twice. */
function merged(ranges: KeyRange[]): KeyRange[] {
  const result: KeyRange[] = [];
  for (const range of ranges.sort((a, b) => Buffer.compare(a.from, b.from))) {
    const previous = result.at(-1);
    if (previous && Buffer.compare(range.from, previous.to) < 0) {
      result[result.length - 1] = {
        ...previous,
        to: Buffer.compare(range.to, previous.to) > 0 ? range.to : previous.to,
      };
    } else if (Buffer.compare(range.from, range.to) < 0) result.push(range);
  }
  return result;
}

/** The direction in which these fields of an index have the order of the sort; `undefined` when they do not have it. */
function sortWay(fields: Index['fields'], sort: readonly SortPart[], single: ReadonlySet<string>): 1 | -1 | undefined {
  const wanted = sort.filter(({ path }) => !single.has(path));
  if (wanted.length === 0) return 1;
  let way: number | undefined;
  let at = 0;
  for (const field of fields) {
    const part = wanted[at];
    if (!part) break;
    if (part.path !== field.path) {
      if (single.has(field.path)) continue;
      return undefined;
    }
    if (isMultikey(field) || (way !== undefined && way !== part.way * field.way)) return undefined;
    way = part.way * field.way;
    at++;
  }
  return at < wanted.length ? undefined : way === -1 ? -1 : 1;
}

/**
 * The plan of an `$or` of which every clause can use an index: all their plans together. When each is exact, it reads only what matches,
 * so every part of the filter bounds it.
 */
function eitherPlan(view: View, collection: Collection, { filter, sort, hint }: Query): Candidate | undefined {
  const clauses = filter.get('$or');
  if (!Array.isArray(clauses)) return undefined;
  const rest = new Map([...filter].filter(([name]) => name !== '$or'));
  const plans = clauses.filter(isDoc).map((clause) => {
    const both: Doc = rest.size === 0 ? clause : new Map([['$and', [rest, clause]]]);
    return planQuery(view, collection, { filter: both, sort: [], hint });
  });
  if (plans.length !== clauses.length || plans.some((plan) => !plan.index && !plan.either)) return undefined;
  const plan = { ranges: [], reverse: false, sorted: sort.length === 0, exact: false, either: plans };
  return { plan, bounded: plans.every(({ exact }) => exact) ? filter.size : 1 };
}
