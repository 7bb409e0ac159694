import { BSONRegExp } from 'bson';
import { isOperators } from '../query/matcher.js';
import { after } from '../storage/keys.js';
import { inverted, keyOf, same } from '../values/compare.js';
import { type Doc, isDoc, Rank, rankOf, type Value, noFields } from '../values/types.js';

/** The keys of one field between two bounds. A bound is a prefix; the keys that begin with it are included or not. */
export interface Interval {
  readonly low: Buffer;
  readonly withLow: boolean;
  readonly high: Buffer;
  readonly withHigh: boolean;
  /** Whether it is one value. Only then the bounds of the next field can be appended. */
  readonly point: boolean;
}

/** The condition of a filter on one path: the value is in one of the intervals. */
export interface Condition {
  readonly intervals: readonly Interval[];
  /** Whether a value without arrays meets the condition exactly when its key is in one of the intervals. */
  readonly exact: boolean;
  /** Whether null and missing values fail, so that a sparse index has all documents that match. */
  readonly present: boolean;
  /** The `$elemMatch` that it is part of: its conditions are about the same element. */
  readonly element?: ArrayElement;
}

/** An element of the array to which the first parts of a path lead. */
interface ArrayElement {
  /** How many parts these are. */
  readonly depth: number;
}

/** The conditions of a filter by path. `complete` means that the filter has no other condition. */
export interface Conditions {
  readonly paths: Map<string, Condition[]>;
  complete: boolean;
}

const prefix = (key: Buffer): Interval => ({ low: key, withLow: true, high: key, withHigh: true, point: false });
const point = (key: Buffer): Interval => ({ ...prefix(key), point: true });
const bracket = (rank: number): Buffer => Buffer.of(rank);
const rangeRanks: readonly number[] = [
  Rank.number,
  Rank.string,
  Rank.objectId,
  Rank.boolean,
  Rank.date,
  Rank.timestamp,
  Rank.binary,
];

/** The keys of the index entries of a document that equals the value. An array has one entry for each element. */
function equality(value: Value): Condition {
  const points = Array.isArray(value)
    ? [point(value.length > 0 ? keyOf(value[0]) : Buffer.of(Rank.emptyArray)), point(keyOf(value))]
    : [point(keyOf(value))];
  return { intervals: points, exact: !Array.isArray(value) && value !== null, present: value !== null };
}

/** Values of these kinds are compared with one another as their keys are. */
const plainRanks: readonly number[] = [Rank.string, Rank.objectId, Rank.date];

/** The key of NaN. It sorts before all numbers, but a comparison with another number is false in both directions. */
const nan = keyOf(Number.NaN);

function range(name: string, value: Value): Condition | undefined {
  const rank = rankOf(value);
  if (!rangeRanks.includes(rank)) return undefined;
  const [key, type] = [keyOf(value), bracket(rank)];
  const inclusive = name.endsWith('e');
  if (key.equals(nan)) return inclusive ? { ...equality(value), exact: false } : undefined;
  const lowest = rank === Rank.number ? { low: nan, withLow: false } : { low: type, withLow: true };
  const interval = name.startsWith('$gt')
    ? { low: key, withLow: inclusive, high: type, withHigh: true, point: false }
    : { ...lowest, high: key, withHigh: inclusive, point: false };
  return { intervals: [interval], exact: plainRanks.includes(rank), present: true };
}

function membership(values: Value): Condition | undefined {
  if (!Array.isArray(values) || values.some((value) => value instanceof BSONRegExp)) return undefined;
  const parts = values.map(equality);
  return {
    intervals: parts.flatMap(({ intervals }) => intervals),
    exact: parts.every(({ exact }) => exact),
    present: parts.every(({ present }) => present),
  };
}

/** The conditions that a filter sets on each path. What they do not express, the filter itself checks later. */
export function conditionsOf(filter: Doc, found: Conditions = { paths: new Map(), complete: true }): Conditions {
  const add = (path: string, condition: Condition | undefined): void => {
    // A position can also be the name of a field. An index has no entry for a missing position.
    const positional = /\.\d+(\.|$)/.test(path);
    if (positional || !condition?.exact) found.complete = false;
    if (!condition || (positional && !condition.present)) return;
    found.paths.set(path, [...(found.paths.get(path) ?? []), positional ? { ...condition, exact: false } : condition]);
  };
  for (const [name, operand] of filter) {
    if (name === '$and' && Array.isArray(operand))
      for (const part of operand) conditionsOf(isDoc(part) ? part : noFields(), found);
    else if (name.startsWith('$')) found.complete = false;
    else if (!isOperators(operand)) add(name, operand instanceof BSONRegExp ? undefined : equality(operand));
    else
      for (const [operator, argument] of operand) {
        if (operator === '$elemMatch' && isDoc(argument)) elementConditions(argument, found, name);
        add(name, operatorCondition(operator, argument));
      }
  }
  return found;
}

function operatorCondition(operator: string, argument: Value): Condition | undefined {
  switch (operator) {
    case '$eq':
      return equality(argument);
    case '$in':
      return membership(argument);
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      return argument === null && operator.endsWith('e')
        ? { ...equality(null), exact: false }
        : range(operator, argument);
    default:
      return undefined;
  }
}

/**
 * The conditions of `$elemMatch` as conditions on the paths below the array, so that these can use their indexes. This is
 * not possible for null and for positions: `$elemMatch` treats an element that is an array as a document, but an index does
 * not enter it.
 */
function elementConditions(filter: Doc, found: Conditions, path: string): void {
  const inner = conditionsOf(filter);
  const element: ArrayElement = { depth: path.split('.').length };
  for (const [name, conditions] of inner.paths) {
    // Those of an `$elemMatch` inside are about an element of another array.
    const present = conditions
      .filter((condition) => condition.present)
      .map((condition) => ({ ...condition, element: condition.element ?? element }));
    if (present.length === 0 || /^\d+(\.|$)/.test(name)) continue;
    const whole = `${path}.${name}`;
    found.paths.set(whole, [...(found.paths.get(whole) ?? []), ...present]);
  }
}

const start = ({ low, withLow }: Interval): Buffer => (withLow ? low : after(low));
const end = ({ high, withHigh }: Interval): Buffer => (withHigh ? after(high) : high);

/** The intersection of two conditions. */
export function intersect(a: readonly Interval[], b: readonly Interval[]): Interval[] {
  return a.flatMap((x) =>
    b.flatMap((y) => {
      const [low, high] = [
        Buffer.compare(start(x), start(y)) >= 0 ? x : y,
        Buffer.compare(end(x), end(y)) <= 0 ? x : y,
      ];
      const both = {
        low: low.low,
        withLow: low.withLow,
        high: high.high,
        withHigh: high.withHigh,
        point: x.point || y.point,
      };
      return Buffer.compare(start(both), end(both)) < 0 ? [both] : [];
    }),
  );
}

const turned = ({ low, withLow, high, withHigh, point: single }: Interval): Interval => ({
  low: inverted(high),
  withLow: withHigh,
  high: inverted(low),
  withHigh: withLow,
  point: single,
});

/** The bytes between which the keys of the interval are, after the prefix `before`, in the direction of the index field. */
export function bytesOf(before: Buffer, interval: Interval, way: 1 | -1): { from: Buffer; to: Buffer } {
  const directed = way === 1 ? interval : turned(interval);
  return { from: Buffer.concat([before, start(directed)]), to: Buffer.concat([before, end(directed)]) };
}

/** The bytes of the one value of the interval in a key. */
export const pointBytes = (interval: Interval, way: 1 | -1): Buffer => start(way === 1 ? interval : turned(interval));

const within = (inner: Interval, outer: Interval): boolean =>
  Buffer.compare(start(inner), start(outer)) >= 0 && Buffer.compare(end(inner), end(outer)) <= 0;

/**
 * Whether a partial index with the filter `partial` has every document that the query's filter matches (manual:
 * core/index-partial). So it is when each clause of the index is a clause of the query, or is true for all values that pass
 * the query.
 */
export function impliesPartial(filter: Doc, { paths }: Pick<Conditions, 'paths'>, partial: Doc): boolean {
  return [...partial].every(([path, operand]) => {
    if (path === '$and')
      return Array.isArray(operand) && operand.every((part) => isDoc(part) && impliesPartial(filter, { paths }, part));
    if (filter.has(path) && same(filter.get(path), operand)) return true;
    const given = paths.get(path) ?? [];
    const clauses: [string, Value][] = isOperators(operand) ? [...operand] : [['$eq', operand]];
    return clauses.every(([operator, argument]) => {
      if (operator === '$exists') return argument === true && given.some(({ present }) => present);
      // The bounds of an array are those of one element. A value within them need not be equal to the array.
      const values = operator === '$in' && Array.isArray(argument) ? argument : [argument];
      if (values.some((value) => Array.isArray(value))) return false;
      const rank = operator === '$type' && typeof argument === 'string' ? typeRanks[argument] : undefined;
      const wanted = rank ? { intervals: [prefix(bracket(rank))] } : operatorCondition(operator, argument);
      return (
        wanted !== undefined &&
        given.some(({ intervals }) =>
          intervals.every((inner) => wanted.intervals.some((outer) => within(inner, outer))),
        )
      );
    });
  });
}
const typeRanks: Readonly<Record<string, number>> = {
  string: Rank.string,
  number: Rank.number,
  date: Rank.date,
  objectId: Rank.objectId,
  bool: Rank.boolean,
  object: Rank.object,
};
