import { randomBytes } from 'node:crypto';
import { SECOND_MS } from '../time/durations.js';

/** An ObjectId in upper or lower case, as a JSON Schema pattern. */
export const OBJECT_ID_PATTERN = '^[0-9a-fA-F]{24}$';
export const OBJECT_ID = new RegExp(OBJECT_ID_PATTERN);

/** Whether a value is an ObjectId as a string: 24 hexadecimal digits. */
export function isObjectId(value: unknown): value is string {
  return typeof value === 'string' && OBJECT_ID.test(value);
}

/** The second of the newest id. */
let newestSecond = 0;
/** How many ids this process has created in that second. */
let earlier = 0;

/**
 * A new ObjectId: 4 bytes of seconds, 2 bytes that count the ids of this process in that second, 6 random bytes. So lists can be
 * sorted by id, and nobody can guess the ids of others.
 */
export function newObjectId(at: Date = new Date()): string {
  const second = Math.floor(at.getTime() / SECOND_MS);
  earlier = second === newestSecond ? earlier + 1 : 0;
  newestSecond = second;
  const id = Buffer.concat([Buffer.alloc(6), randomBytes(6)]);
  id.writeUInt32BE(second);
  // After 65,535 ids in one second, the order of the next ones is random.
  id.writeUInt16BE(Math.min(earlier, 0xffff), 4);
  return id.toString('hex');
}
