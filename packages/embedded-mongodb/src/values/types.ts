import { Binary, BSONRegExp, Code, Double, type MaxKey, MinKey, ObjectId, Timestamp } from 'bson';

/** A document with its field order kept (a plain object would move integer-like names to the front). */
export type Doc = Map<string, Value>;

/** A BSON value: `number` is int32, `bigint` is int64, `Double` is double, so no operation can lose the type. */
export type Value =
  | null
  | boolean
  | string
  | number
  | bigint
  | Double
  | Date
  | ObjectId
  | Binary
  | Timestamp
  | BSONRegExp
  | Code
  | MinKey
  | MaxKey
  | Value[]
  | Doc;

/** A value, or `undefined` where a path leads to nothing. */
export type Maybe = Value | undefined;

/** One of the three numeric BSON types. */
export type Num = number | bigint | Double;

/** The bytes of a stored document. They are sent without being decoded. */
export class Raw {
  constructor(readonly bytes: Buffer) {}
}

/** A value in a reply: also a raw document. */
export type Encodable = Value | Raw | Encodable[] | Map<string, Encodable>;

/** Position of a type in MongoDB's comparison order (manual: reference/bson-type-comparison-order); also its key byte. */
export const Rank = {
  minKey: 1,
  emptyArray: 2,
  null: 3,
  number: 4,
  string: 5,
  object: 6,
  array: 7,
  binary: 8,
  objectId: 9,
  boolean: 10,
  date: 11,
  timestamp: 12,
  regex: 13,
  code: 14,
  maxKey: 127,
} as const;

/** The {@link Rank} of a value; a missing one ranks as null. */
export function rankOf(value: Maybe): number {
  switch (typeof value) {
    case 'number':
    case 'bigint':
      return Rank.number;
    case 'string':
      return Rank.string;
    case 'boolean':
      return Rank.boolean;
    default:
  }
  if (value == null) return Rank.null;
  if (value instanceof Map) return Rank.object;
  if (Array.isArray(value)) return Rank.array;
  if (value instanceof ObjectId) return Rank.objectId;
  if (value instanceof Date) return Rank.date;
  if (value instanceof Double) return Rank.number;
  if (value instanceof Binary) return Rank.binary;
  if (value instanceof Timestamp) return Rank.timestamp;
  if (value instanceof BSONRegExp) return Rank.regex;
  if (value instanceof Code) return Rank.code;
  return value instanceof MinKey ? Rank.minKey : Rank.maxKey;
}

/** MongoDB's name of the value's type, as `$type` returns it. */
export function typeName(value: Maybe): string {
  if (value === undefined) return 'missing';
  if (typeof value === 'number') return 'int';
  if (typeof value === 'bigint') return 'long';
  if (value instanceof Double) return 'double';
  return rankNames[rankOf(value)] ?? 'null';
}
const rankNames: Readonly<Record<number, string>> = {
  1: 'minKey',
  3: 'null',
  5: 'string',
  6: 'object',
  7: 'array',
  8: 'binData',
  9: 'objectId',
  10: 'bool',
  11: 'date',
  12: 'timestamp',
  13: 'regex',
  14: 'javascript',
  127: 'maxKey',
};

/** The number that `$type` and index internals give to a type's name (manual: reference/bson-types). */
export const typeNumbers: Readonly<Record<string, number>> = {
  double: 1,
  string: 2,
  object: 3,
  array: 4,
  binData: 5,
  undefined: 6,
  objectId: 7,
  bool: 8,
  date: 9,
  null: 10,
  regex: 11,
  dbPointer: 12,
  javascript: 13,
  symbol: 14,
  javascriptWithScope: 15,
  int: 16,
  timestamp: 17,
  long: 18,
  decimal: 19,
  minKey: -1,
  maxKey: 127,
};

/** A document without fields. */
export const noFields = (): Doc => new Map();

/** Whether the value is of a numeric type. */
export const isNumber = (value: unknown): value is Num =>
  typeof value === 'number' || typeof value === 'bigint' || value instanceof Double;

/** Whether the value is a document. */
export const isDoc = (value: unknown): value is Doc => value instanceof Map;

/** Builds a document from an object literal (only for names that are not integer-like: those would change places). */
export const doc = (fields: Readonly<Record<string, Value | undefined>>): Doc =>
  new Map(Object.entries(fields).filter((entry): entry is [string, Value] => entry[1] !== undefined));

/** As {@link doc}, for replies: the values may be raw documents. */
export const reply = (fields: Readonly<Record<string, Encodable | undefined>>): Map<string, Encodable> =>
  new Map(Object.entries(fields).filter((entry): entry is [string, Encodable] => entry[1] !== undefined));

/** Truth as `$cond`, `$and` and `$expr` see it: false, null, missing and every zero are false. */
export const truthy = (value: Maybe): boolean =>
  !(
    value == null ||
    value === false ||
    (isNumber(value) && Number(value instanceof Double ? value.value : value) === 0)
  );

/** A value as an error message shows it. */
export function shown(value: Maybe): string {
  if (typeof value === 'string') return `"${value}"`;
  if (value instanceof Map) return `{ ${[...value].map(([name, field]) => `${name}: ${shown(field)}`).join(', ')} }`;
  if (Array.isArray(value)) return `[ ${value.map(shown).join(', ')} ]`;
  if (value instanceof ObjectId) return `ObjectId('${value.toHexString()}')`;
  if (value instanceof Date) return `new Date(${value.getTime()})`;
  if (isNumber(value)) return String(value instanceof Double ? value.value : value);
  return typeof value === 'boolean' || value === null ? String(value) : typeName(value);
}
