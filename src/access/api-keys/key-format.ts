import { createHmac, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE = ALPHABET.length;
const PREFIX = 'shp_';
const RANDOM_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
const SHAPE = /^shp_[0-9A-Za-z]{36}$/;
const PREVIEW_LENGTH = PREFIX.length + 6;

function base62(value: number, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest = Math.floor(rest / BASE))
    text = (ALPHABET[rest % BASE] ?? '') + text;
  return text;
}

function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      // 248 = 4 * 62. Larger bytes are skipped, because they would make the first letters more likely.
      if (byte < 248 && text.length < length) text += ALPHABET[byte % BASE] ?? '';
    }
  }
  return text;
}

function checksum(text: string): string {
  return base62(crc32(text), CHECKSUM_LENGTH);
}

/** A new key: `shp_`, 30 random base62 characters (178 bits), and the CRC-32 of both in base62, like GitHub's tokens. */
export function generateKey(): string {
  const body = PREFIX + randomBase62(RANDOM_LENGTH);
  return body + checksum(body);
}

/** The key that belongs to a secret of at least 128 bits: always the same one. */
export function derivedKey(secret: string): string {
  let random = '';
  for (let block = 0; random.length < RANDOM_LENGTH; block++) {
    for (const byte of createHmac('sha256', secret).update(`agent key ${block}`).digest()) {
      if (byte < 248 && random.length < RANDOM_LENGTH) random += ALPHABET[byte % BASE] ?? '';
    }
  }
  const body = PREFIX + random;
  return body + checksum(body);
}

/**
 * Whether a string has the form of a key, with a correct checksum. A key with a typing error fails here, without a
 * database read.
 */
export function isWellFormedKey(text: string): boolean {
  return SHAPE.test(text) && checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

/** The part of a key that may be shown: the prefix and 6 characters. */
export function keyPreview(key: string): string {
  return `${key.slice(0, PREVIEW_LENGTH)}...`;
}
