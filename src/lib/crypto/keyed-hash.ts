import { createHash, createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';

/** SHA-256 in hex. Secrets that nobody can guess (keys, tokens) are stored this way. */
export function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex');
}

/** A key for one purpose, derived from the service's encryption key (HKDF-SHA-256, RFC 5869). */
export function deriveKey(master: Buffer, purpose: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', master, Buffer.alloc(0), `shop-platform/${purpose}`, 32)));
}

/** HMAC-SHA-256 in hex. Secrets that are short enough to guess (codes) are stored this way. */
export function keyedHash(key: KeyObject, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex');
}

/** HMAC-SHA-256 over the parts, one after the other. An empty key throws: it would accept forged requests. */
export function hmacSha256(
  key: string | Buffer,
  parts: readonly (string | Buffer)[],
  encoding: 'hex' | 'base64' | 'base64url',
): string {
  if (key.length === 0) throw new Error('a signing secret is missing');
  const hmac = createHmac('sha256', key);
  for (const part of parts) hmac.update(part);
  return hmac.digest(encoding);
}

/** Compares in constant time, so that the time does not show how much was equal. */
export function equalInConstantTime(left: string, right: string): boolean {
  const a = createHash('sha256').update(left).digest();
  const b = createHash('sha256').update(right).digest();
  return timingSafeEqual(a, b);
}
