import { randomBytes } from 'node:crypto';

/** A new secret that says nothing: a prefix that tells what it is for, and 256 random bits (43 characters of base64url). */
export function opaqueToken(prefix: string): string {
  return `${prefix}_${randomBytes(32).toString('base64url')}`;
}
