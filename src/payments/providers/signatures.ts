import { createHmac } from 'node:crypto';
import { equalInConstantTime } from '../../common/crypto/keyed-hash.js';

/** How far the time of a signature may be from ours, in either direction. */
export const TOLERANCE_SECONDS = 300;
/** More signatures than keys during a rotation are somebody's attempt. */
const MAX_SIGNATURES = 16;
/** The range in which seconds since the epoch are meant; milliseconds have more digits. */
const SECONDS = /^[1-9]\d{8,10}$/;

/** Whether the text of a timestamp (seconds since the epoch) is within the tolerance of `now`. */
export function isRecent(timestamp: string, now: Date): boolean {
  return SECONDS.test(timestamp) && Math.abs(now.getTime() / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS;
}

/** HMAC-SHA-256 over parts, one after the other. A configuration without a key is a mistake of ours, not an open door. */
export function hmacSha256(
  key: string | Buffer,
  parts: readonly (string | Buffer)[],
  encoding: 'hex' | 'base64',
): string {
  if (key.length === 0) throw new Error('a signing secret is missing');
  const hmac = createHmac('sha256', key);
  for (const part of parts) hmac.update(part);
  return hmac.digest(encoding);
}

/**
 * Whether one of the presented signatures is the expected one. Compares texts, not decoded bytes (several texts decode to
 * the same bytes, and only one of them was sent), each in constant time.
 */
export function anyMatches(expected: string, presented: readonly string[]): boolean {
  if (presented.length > MAX_SIGNATURES) return false;
  return presented.map((signature) => equalInConstantTime(signature, expected)).includes(true);
}
