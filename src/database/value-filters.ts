import { type mongo, Types } from 'mongoose';

/** An id or a text. Only these are merged: JavaScript and the database compare them in the same way. */
type Value = Types.ObjectId | string;

/** A filter that only asks for values. */
export interface ValueFilter {
  /** Fields that must have one of some ids or texts, which are listed by their `keyOf`. */
  readonly wanted: ReadonlyMap<string, ReadonlyMap<string, Value>>;
  /** Fields that must have another value. */
  readonly fixed: Readonly<Record<string, boolean | null>>;
}

const isValue = (value: unknown): value is Value => typeof value === 'string' || value instanceof Types.ObjectId;

/** Differs for an id and a text with the same characters. */
const keyOf = (value: Value): string => (typeof value === 'string' ? `text ${value}` : `id ${value.toHexString()}`);

/** The ids or texts that a condition allows; null: it is another condition. */
function valuesOf(condition: unknown): readonly Value[] | null {
  if (isValue(condition)) return [condition];
  const { $in: list, ...others } = (condition ?? {}) as { readonly $in?: unknown };
  return Array.isArray(list) && list.every(isValue) && Object.keys(others).length === 0 ? list : null;
}

/** @returns null when a filter asks for something other than values */
export function valueFilterOf(filter: mongo.Filter<object>): ValueFilter | null {
  const wanted = new Map<string, ReadonlyMap<string, Value>>();
  const fixed: Record<string, boolean | null> = {};
  for (const [field, condition] of Object.entries(filter) as [string, unknown][]) {
    if (/[.$]/.test(field)) return null;
    const values = valuesOf(condition);
    if (values !== null) wanted.set(field, new Map(values.map((value) => [keyOf(value), value])));
    else if (condition === null || typeof condition === 'boolean') fixed[field] = condition;
    else return null;
  }
  return wanted.size === 0 ? null : { wanted, fixed };
}

/** What filters must have in common to be merged. */
export function shapeOf({ wanted, fixed }: ValueFilter): string {
  return JSON.stringify([[...wanted.keys()], fixed]);
}

/** The values of a field that at least one of the filters allows. */
function union(filters: readonly ValueFilter[], field: string): Map<string, Value> {
  return new Map(filters.flatMap(({ wanted }) => [...(wanted.get(field) ?? [])]));
}

function conditionOf(values: ReadonlyMap<string, Value>): Value | { readonly $in: Value[] } {
  const [first, ...others] = values.values();
  return first !== undefined && others.length === 0 ? first : { $in: [...values.values()] };
}

/** The filter that finds what at least one of some filters of one shape finds. @param filters at least one */
export function merge(filters: readonly ValueFilter[]): mongo.Filter<object> {
  const { wanted, fixed } = filters[0] as ValueFilter;
  const unions = new Map([...wanted.keys()].map((field) => [field, union(filters, field)]));
  const differing = [...unions.keys()].filter((field) =>
    filters.some((filter) => filter.wanted.get(field)?.size !== unions.get(field)?.size),
  );
  const conditions = (of: ReadonlyMap<string, ReadonlyMap<string, Value>>, fields: readonly string[]) =>
    Object.fromEntries(fields.map((field) => [field, conditionOf(of.get(field) ?? new Map())]));
  if (differing.length < 2) return { ...conditions(unions, [...unions.keys()]), ...fixed };
  const common = [...unions.keys()].filter((field) => !differing.includes(field));
  const alternatives = new Map(
    filters.map((filter) => {
      const keys = differing.map((field) => [...(filter.wanted.get(field)?.keys() ?? [])]);
      return [JSON.stringify(keys), conditions(filter.wanted, differing)];
    }),
  );
  return { ...conditions(unions, common), ...fixed, $or: [...alternatives.values()] };
}

/** The keys of the ids and texts that a field of a record has. */
function keysIn(record: object, field: string): string[] {
  const stored = (record as Readonly<Record<string, unknown>>)[field];
  return (Array.isArray(stored) ? stored : [stored]).filter(isValue).map(keyOf);
}

/** Whether a record that a merged filter has found is one of a single filter. */
export function matches({ wanted }: ValueFilter, record: object): boolean {
  return [...wanted].every(([field, values]) => keysIn(record, field).some((key) => values.has(key)));
}

/**
 * Gives each of some filters of one shape the records that it finds itself, in their order.
 * @param records what the merged filter has found
 */
export function distribute<Stored extends object>(
  filters: readonly ValueFilter[],
  records: readonly Stored[],
): (readonly Stored[])[] {
  if (filters.length === 1) return [records];
  const fields = [...(filters[0]?.wanted.keys() ?? [])];
  const sizes = new Map(fields.map((field) => [field, union(filters, field).size]));
  // The field that tells the filters apart best.
  const [best = ''] = fields.sort((one, other) => (sizes.get(other) ?? 0) - (sizes.get(one) ?? 0));
  const byKey = new Map<string, number[]>();
  for (const [place, { wanted }] of filters.entries()) {
    for (const key of wanted.get(best)?.keys() ?? []) {
      const places = byKey.get(key);
      if (places === undefined) byKey.set(key, [place]);
      else places.push(place);
    }
  }
  const found = filters.map((): Stored[] => []);
  for (const record of records) {
    const places = new Set(keysIn(record, best).flatMap((key) => byKey.get(key) ?? []));
    for (const place of places) if (matches(filters[place] as ValueFilter, record)) found[place]?.push(record);
  }
  return found;
}
