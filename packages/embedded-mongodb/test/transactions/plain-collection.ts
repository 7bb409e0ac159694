import { type Document } from 'mongodb';

/** A document of the collections that are compared with an array. */
export interface Item extends Document {
  _id: number;
  a?: number;
  b?: number;
  tags?: number[];
  /** Unique where it exists. */
  u?: number;
}

type ItemValue = number | readonly number[] | undefined;

/** The fields of a sort, and 1 or -1 for each. */
export type Sort = readonly [field: string, way: 1 | -1][];

/** What a query requests: the documents that match, in this order, without the first `skip`, at most `limit` (0: all). */
export interface Page {
  readonly filter: Document;
  readonly sort: Sort;
  readonly skip: number;
  readonly limit: number;
}

/**
 * The documents of a collection in a plain array, with the few parts of the query language that the steps use. A document is
 * never changed, only replaced: one that is the same object as before was not written.
 */
export class PlainCollection {
  constructor(private items: readonly Item[] = []) {}

  copy(): PlainCollection {
    return new PlainCollection(this.items);
  }

  find(filter: Document = {}): Item[] {
    return this.items.filter((item) => matches(item, filter));
  }

  page({ filter, sort, skip, limit }: Page): Item[] {
    const sorted = this.find(filter).sort((left, right) => compareKeys(sortKey(left, sort), sortKey(right, sort)));
    return sorted.slice(skip, limit > 0 ? skip + limit : undefined);
  }

  /** Adds documents. Each takes the position of the document with its `_id`, if there is one. */
  put(...added: readonly Item[]): void {
    const byId = new Map([...this.items, ...added].map((item) => [item._id, item]));
    this.items = [...byId.values()];
  }

  remove(...removed: readonly Item[]): void {
    this.items = this.items.filter((item) => !removed.includes(item));
  }

  /** The first value from `least` on that no document has in the field. */
  free(field: '_id' | 'u', least: number): number {
    const taken = new Set(this.items.map((item) => item[field]));
    let value = least;
    while (taken.has(value)) value++;
    return value;
  }
}

function matches(item: Item, filter: Document): boolean {
  return Object.entries(filter).every(([name, operand]) =>
    name === '$or'
      ? (operand as Document[]).some((clause) => matches(item, clause))
      : meets(item[name] as ItemValue, operand as number | Document),
  );
}

/** Whether a value meets a condition. Of an array, one element must meet each part of it. */
function meets(value: ItemValue, condition: number | Document): boolean {
  if (typeof condition === 'number') return meets(value, { $in: [condition] });
  const elements = [value ?? []].flat();
  return Object.entries(condition).every(([operator, operand]) => {
    switch (operator) {
      case '$exists':
        return (value !== undefined) === operand;
      case '$in':
        return elements.some((element) => (operand as number[]).includes(element));
      case '$gte':
        return elements.some((element) => element >= (operand as number));
      case '$lt':
        return elements.some((element) => element < (operand as number));
      default:
        throw new Error(`no meaning of ${operator}`);
    }
  });
}

/** The ranks of what comes before every number, also before a negative one: an empty array, and then a missing value. */
const EMPTY = -Infinity;
const MISSING = -Number.MAX_VALUE;

/** The numbers by which a document is sorted. */
export function sortKey(item: Item, sort: Sort): number[] {
  return sort.map(([field, way]) => {
    const value = item[field] as ItemValue;
    const ranks = Array.isArray(value) && value.length === 0 ? [EMPTY] : [value ?? MISSING].flat();
    return way === 1 ? Math.min(...ranks) : -Math.max(...ranks);
  });
}

function compareKeys(left: readonly number[], right: readonly number[]): number {
  const at = left.findIndex((rank, position) => rank !== right[position]);
  return (left[at] ?? 0) - (right[at] ?? 0);
}

const operators: Readonly<Record<string, (value: ItemValue, operand: number) => ItemValue>> = {
  $set: (_, operand) => operand,
  $unset: () => undefined,
  $inc: (value, operand) => Number(value ?? 0) + operand,
  $push: (value, operand) => [value ?? [], operand].flat(),
  $pull: (value, operand) => (Array.isArray(value) ? value.filter((element) => element !== operand) : value),
};

/** The document after an update, or after its replacement. */
export function updated(item: Item, update: Document): Item {
  const { _id, ...fields } = item;
  const changes = Object.entries(update).filter(([name]) => name.startsWith('$'));
  if (changes.length === 0) return { _id, ...update };
  for (const [operator, operands] of changes)
    for (const [field, operand] of Object.entries(operands as Record<string, number>))
      fields[field] = operators[operator]?.(fields[field] as ItemValue, operand);
  return { _id, ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) };
}
