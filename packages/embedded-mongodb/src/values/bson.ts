import { isUtf8 } from 'node:buffer';
import { Binary, BSONRegExp, Code, Double, MaxKey, MinKey, ObjectId, Timestamp } from 'bson';
import { fail, StoreError } from '../errors.js';
import { type Doc, type Encodable, Raw, type Value } from './types.js';

/** Largest document that is stored, in bytes (manual: reference/limits). */
export const maxDocumentBytes = 16 * 1024 * 1024;
const maxDepth = 180;

// One document is read or written at a time and never across an await, so cursor and scratch buffer can be shared.
let at = 0;
let depth = 0;
let scratch = Buffer.allocUnsafe(64 * 1024);

/**
 * Reads one BSON document (bsonspec.org) that starts at `start`.
 * Throws 22 when the bytes are malformed, 15 when it nests too deep, 238 for types that this store doesn't offer.
 */
export function decode(bytes: Buffer, start = 0): Doc {
  at = start;
  depth = 0;
  try {
    return readDoc(bytes);
  } catch (error) {
    if (error instanceof StoreError) throw error;
    return fail(22, 'Invalid BSON');
  }
}

function open(bytes: Buffer): number {
  const end = at + bytes.readInt32LE(at);
  if (end > bytes.length || end < at + 5) fail(22, 'Invalid BSON length');
  if (++depth > maxDepth) fail(15, 'BSONObj exceeds maximum nested object depth');
  at += 4;
  return end;
}

function close(end: number): void {
  if (++at !== end) fail(22, 'Invalid BSON: a document does not end where it says');
  depth--;
}

function readDoc(bytes: Buffer): Doc {
  const end = open(bytes);
  const result: Doc = new Map();
  for (let type = bytes.readUInt8(at); type !== 0; type = bytes.readUInt8(at)) {
    at++;
    const name = readName(bytes);
    result.set(name, readValue(bytes, type));
  }
  close(end);
  return result;
}

function readArray(bytes: Buffer): Value[] {
  const end = open(bytes);
  const result: Value[] = [];
  for (let type = bytes.readUInt8(at); type !== 0; type = bytes.readUInt8(at)) {
    at = bytes.indexOf(0, at + 1) + 1;
    result.push(readValue(bytes, type));
  }
  close(end);
  return result;
}

function readName(bytes: Buffer): string {
  const end = bytes.indexOf(0, at);
  if (end < 0) fail(22, 'Invalid BSON: unterminated name');
  const name = textIn(bytes, at, end);
  at = end + 1;
  return name;
}

function readString(bytes: Buffer): string {
  const length = bytes.readInt32LE(at);
  const start = at + 4;
  at = start + length;
  if (length < 1 || at > bytes.length || bytes[at - 1] !== 0) fail(22, 'Invalid BSON string');
  return textIn(bytes, start, at - 1);
}

/** The string of these bytes. Bytes that are not UTF-8 are rejected, because it would be stored changed. */
function textIn(bytes: Buffer, start: number, end: number): string {
  const text = bytes.toString('utf8', start, end);
  if (text.includes('\ufffd') && !isUtf8(bytes.subarray(start, end))) fail(22, 'Invalid BSON: a string is not UTF-8');
  return text;
}

function readBinary(bytes: Buffer): Binary {
  const length = bytes.readInt32LE(at);
  const subtype = bytes.readUInt8(at + 4);
  at += 5 + length;
  if (length < 0 || at > bytes.length) fail(22, 'Invalid BSON binary');
  return new Binary(Buffer.from(bytes.subarray(at - length, at)), subtype);
}

function readValue(bytes: Buffer, type: number): Value {
  switch (type) {
    case 0x01:
      return new Double(bytes.readDoubleLE((at += 8) - 8));
    case 0x02:
      return readString(bytes);
    case 0x03:
      return readDoc(bytes);
    case 0x04:
      return readArray(bytes);
    case 0x05:
      return readBinary(bytes);
    case 0x07:
      return new ObjectId(Buffer.from(bytes.subarray(at, (at += 12))));
    case 0x08:
      return bytes.readUInt8(at++) === 1;
    case 0x09:
      return new Date(Number(bytes.readBigInt64LE((at += 8) - 8)));
    case 0x0a:
      return null;
    case 0x0b:
      return new BSONRegExp(readName(bytes), readName(bytes));
    case 0x0d:
      return new Code(readString(bytes));
    case 0x10:
      return bytes.readInt32LE((at += 4) - 4);
    case 0x11:
      return new Timestamp(bytes.readBigUInt64LE((at += 8) - 8));
    case 0x12:
      return bytes.readBigInt64LE((at += 8) - 8);
    case 0x7f:
      return new MaxKey();
    case 0xff:
      return new MinKey();
    default:
      return fail(
        238,
        `BSON type ${type} ${type === 0x13 ? '(Decimal128) ' : ''}is not supported by the embedded store`,
      );
  }
}

/** How large one message may become, except for its last string or document (MongoDB: BufferMaxSize). */
const largest = 64 * 1024 * 1024;

/** The BSON bytes of a document. Documents that are nested deeper than MongoDB allows and names with a zero byte are rejected. */
export function encode(source: ReadonlyMap<string, Encodable>): Buffer {
  at = 0;
  depth = 0;
  writeEntries(source);
  const bytes = Buffer.from(scratch.subarray(0, at));
  if (scratch.length > 4 * 1024 * 1024) scratch = Buffer.allocUnsafe(64 * 1024);
  return bytes;
}

function need(count: number): void {
  if (at + count <= scratch.length) return;
  if (at > largest) fail(13548, `BufBuilder attempted to grow() to ${at} bytes, past the 64MB limit.`);
  const larger = Buffer.allocUnsafe(Math.max(scratch.length * 2, at + count));
  scratch.copy(larger, 0, 0, at);
  scratch = larger;
}

function writeEntries(entries: Iterable<[string, Encodable]>): void {
  if (++depth > maxDepth) fail(15, 'BSONObj exceeds maximum nested object depth');
  const start = at;
  need(5);
  at += 4;
  for (const [name, value] of entries) {
    const typeAt = at;
    need(name.length * 3 + 16);
    at++;
    writeName(name);
    const type = writeValue(value); // may replace the scratch buffer, so it is not written in one expression
    scratch[typeAt] = type;
  }
  need(1);
  scratch[at++] = 0;
  scratch.writeInt32LE(at - start, start);
  depth--;
}

function writeName(name: string): void {
  if (name.includes('\0')) fail(2, 'a field name must not contain a null byte');
  need(name.length * 3 + 1);
  at += scratch.write(name, at, 'utf8');
  scratch[at++] = 0;
}

function writeString(text: string): void {
  need(text.length * 3 + 5);
  const length = scratch.write(text, at + 4, 'utf8');
  scratch.writeInt32LE(length + 1, at);
  at += length + 5;
  scratch[at - 1] = 0;
}

function writeBytes(bytes: Uint8Array): void {
  need(bytes.length);
  scratch.set(bytes, at);
  at += bytes.length;
}

function writeNumber(value: number | bigint | Double): number {
  if (typeof value === 'number') {
    at = scratch.writeInt32LE(value, at);
    return 0x10;
  }
  if (typeof value === 'bigint') {
    at = scratch.writeBigInt64LE(value, at);
    return 0x12;
  }
  at = scratch.writeDoubleLE(value.value, at);
  return 0x01;
}

/** Writes the value's bytes and returns its type byte. */
function writeValue(value: Encodable): number {
  need(16);
  if (typeof value === 'number' || typeof value === 'bigint' || value instanceof Double) return writeNumber(value);
  if (value === null) return 0x0a;
  if (typeof value === 'boolean') {
    scratch[at++] = value ? 1 : 0;
    return 0x08;
  }
  if (typeof value === 'string') {
    writeString(value);
    return 0x02;
  }
  if (value instanceof Map) {
    writeEntries(value);
    return 0x03;
  }
  if (value instanceof Raw) {
    writeBytes(value.bytes);
    return 0x03;
  }
  if (Array.isArray(value)) {
    writeEntries(value.map((element, index): [string, Encodable] => [String(index), element]));
    return 0x04;
  }
  return writeRare(value);
}

function writeRare(value: Date | ObjectId | Binary | Timestamp | BSONRegExp | Code | MinKey | MaxKey): number {
  if (value instanceof Date) {
    at = scratch.writeBigInt64LE(BigInt(value.getTime()), at);
    return 0x09;
  }
  if (value instanceof ObjectId) {
    writeBytes(value.id);
    return 0x07;
  }
  if (value instanceof Binary) {
    at = scratch.writeInt32LE(value.position, at);
    scratch[at++] = value.sub_type;
    writeBytes(value.buffer.subarray(0, value.position));
    return 0x05;
  }
  if (value instanceof Timestamp) {
    at = scratch.writeUInt32LE(value.i, at);
    at = scratch.writeUInt32LE(value.t, at);
    return 0x11;
  }
  if (value instanceof BSONRegExp) {
    writeName(value.pattern);
    writeName(value.options);
    return 0x0b;
  }
  if (value instanceof Code) {
    writeString(value.code);
    return 0x0d;
  }
  return value instanceof MinKey ? 0xff : 0x7f;
}
