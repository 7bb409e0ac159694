import { type KeyObject, randomBytes } from 'node:crypto';
import { keyedHash } from './keyed-hash.js';

/** A new random secret: 256 bits, as 43 characters of base64url. */
export function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** A secret of the same form that is derived from a key and a string, so that it needs no storage. */
export function derivedSecret(key: KeyObject, text: string): string {
  return Buffer.from(keyedHash(key, text), 'hex').toString('base64url');
}

/** A new token: a prefix that names its purpose, and a random secret. */
export function opaqueToken(prefix: string): string {
  return `${prefix}_${randomSecret()}`;
}
