import { Binary, BSONRegExp, Code, Double, ObjectId, Timestamp } from 'bson';
import { fail } from '../errors.js';
import { emptyArray } from './paths.js';
import { isDoc, isNumber, type Maybe, type Num, Rank, rankOf } from './types.js';

/** The numeric value for comparing: JavaScript compares number and bigint with each other exactly. */
export const plain = (value: Num): number | bigint => (value instanceof Double ? value.value : value);

function comparePlain(a: number | bigint, b: number | bigint): number {
  if (a < b) return -1;
  if (a > b) return 1;
  const [nanA, nanB] = [Number.isNaN(a), Number.isNaN(b)];
  return nanA === nanB ? 0 : nanA ? -1 : 1;
}

/**
 * Compares two values in MongoDB's order (manual: reference/bson-type-comparison-order): negative, zero or positive.
 * Numbers of all types compare by value, with NaN before all of them; a missing value compares as null.
 */
export function compare(a: Maybe, b: Maybe): number {
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  const rank = rankOf(a);
  const difference = rank - rankOf(b);
  if (difference !== 0) return difference;
  if (isNumber(a) && isNumber(b)) return comparePlain(plain(a), plain(b));
  if (typeof a === 'boolean') return Number(a) - Number(b);
  if (a instanceof Date && b instanceof Date) return comparePlain(a.getTime(), b.getTime());
  if (a instanceof ObjectId && b instanceof ObjectId) return Buffer.compare(a.id, b.id); // often, so without making keys
  if (rank === Rank.null || rank === Rank.minKey || rank === Rank.maxKey) return 0;
  return Buffer.compare(keyOf(a), keyOf(b));
}

/** Whether the two are equal in MongoDB: the same type (all numbers are one type) and the same value, with the same order of fields. */
export const same = (a: Maybe, b: Maybe): boolean => compare(a, b) === 0;

// UTF-16 order and UTF-8 order differ between surrogates and the code units above them.
function compareText(a: string, b: string): number {
  if (a === b) return 0;
  for (let i = 0; ; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (x === y) continue;
    if (x >= 0xd800 && y >= 0xd800) return Buffer.compare(Buffer.from(a), Buffer.from(b));
    return Number.isNaN(x) || x < y ? -1 : 1;
  }
}

// Keys are built in one scratch buffer and copied out: no await happens while one is built.
let scratch = Buffer.allocUnsafe(4096);
let length = 0;

/** How many bytes a key may have: what expressions make of shared parts can be far larger than what is stored. */
const largest = 256 * 1024 * 1024;

function room(count: number): void {
  if (length + count <= scratch.length) return;
  if (length > largest) fail(146, 'a value is too large to be compared by the embedded store');
  scratch = Buffer.concat([scratch.subarray(0, length)], Math.max(scratch.length * 2, length + count));
}

function byte(value: number): void {
  room(1);
  scratch[length++] = value;
}

function uint32(value: number): void {
  room(4);
  length = scratch.writeUInt32BE(value >>> 0, length);
}

/** Zero bytes are escaped and the end is marked, so that a shorter string sorts first and keys can follow one another. */
function text(value: string): void {
  room(value.length * 3 + 2);
  const written = scratch.write(value, length, 'utf8');
  if (scratch.subarray(length, length + written).includes(0)) {
    for (const unit of Buffer.from(scratch.subarray(length, length + written))) {
      byte(unit);
      if (unit === 0) byte(0xff);
    }
  } else length += written;
  byte(0);
  byte(1);
}

/** A number as its double in sortable bytes; beyond 2^53 the distance to it follows, so that int64 stays exact. */
function numeric(value: number | bigint): void {
  const double = Number(value);
  room(10);
  scratch.writeDoubleBE(Number.isNaN(double) ? 0 : double === 0 ? 0 : double, length);
  if (Number.isNaN(double)) scratch.fill(0, length, length + 8);
  else if (double < 0) for (let i = length; i < length + 8; i++) scratch[i] = 255 - (scratch[i] ?? 0);
  else scratch[length] = (scratch[length] ?? 0) | 0x80;
  length += 8;
  if (Math.abs(double) < 2 ** 53 || !Number.isFinite(double)) return;
  const rest = typeof value === 'bigint' ? Number(value - BigInt(double)) : 0;
  length = scratch.writeUInt16BE(rest + 0x8000, length);
}

function body(value: Maybe): void {
  if (typeof value === 'string') text(value);
  else if (isNumber(value)) numeric(plain(value));
  else if (typeof value === 'boolean') byte(value ? 1 : 0);
  else if (value instanceof ObjectId) raw(value.id);
  else if (value instanceof Date) {
    room(8);
    length = scratch.writeBigUInt64BE(BigInt(value.getTime()) + (1n << 63n), length);
  } else if (isDoc(value)) {
    for (const [name, field] of value) {
      byte(rankOf(field));
      text(name);
      body(field);
    }
    byte(0);
  } else if (Array.isArray(value)) {
    for (const element of value) {
      byte(rankOf(element));
      body(element);
    }
    byte(0);
  } else if (value != null) rare(value);
}

function raw(bytes: Uint8Array): void {
  room(bytes.length);
  scratch.set(bytes, length);
  length += bytes.length;
}

function rare(value: object): void {
  if (value instanceof Binary) {
    uint32(value.position);
    byte(value.sub_type);
    raw(value.buffer.subarray(0, value.position));
  } else if (value instanceof Timestamp) {
    uint32(value.t);
    uint32(value.i);
  } else if (value instanceof BSONRegExp) {
    text(value.pattern);
    text(value.options);
  } else if (value instanceof Code) text(value.code);
}

/** Bytes whose order (memcmp) is MongoDB's order of the values; equal values, and only those, give equal bytes. */
export function keyOf(value: Maybe): Buffer {
  length = 0;
  byte(rankOf(value));
  body(value);
  return Buffer.from(scratch.subarray(0, length));
}

/** The key bytes as a string, for use in a Map or Set. */
export const hashOf = (value: Maybe): string => keyOf(value).toString('latin1');

/** The key of one of the values that an index has of a path. */
export const indexKeyOf = (value: Maybe | typeof emptyArray): Buffer =>
  value === emptyArray ? Buffer.of(Rank.emptyArray) : keyOf(value);

/** The same key for a descending field: the order of the inverted bytes is the inverted order. */
export const inverted = (key: Buffer): Buffer => Buffer.from(key.map((unit) => 255 - unit));
