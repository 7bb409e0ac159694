import { randomBytes } from 'node:crypto';
import { hmacSha256 } from './keyed-hash.js';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/**
 * A signing secret: `whsec_` and 24 to 64 bytes in base64, as the tools of senders show it: also after `v1,`, and without the `=` at
 * the end.
 */
export const SIGNING_SECRET =
  /^(?:v1,)?whsec_(?:(?:[A-Za-z0-9+/]{4}){8,20}(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=?|[A-Za-z0-9+/]{2}(?:==)?)?|[A-Za-z0-9+/]{86}(?:==)?)$/;

/** A new signing secret of 32 random bytes. */
export function makeSigningSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** What is signed: the headers `webhook-id` and `webhook-timestamp` (seconds since 1970), and the bytes of the body. */
export interface SignedParts {
  readonly id: string;
  readonly timestamp: string;
  readonly body: string | Buffer;
}

/**
 * The signature of a webhook request in base64: HMAC-SHA-256 over `id.timestamp.body`. The header `webhook-signature` has `v1,`
 * before each signature.
 * @throws Error for an empty secret: it would accept forged requests
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function standardSignature({ id, timestamp, body }: SignedParts, signingSecret: string): string {
  const key = Buffer.from(signingSecret.slice(signingSecret.indexOf(PREFIX) + PREFIX.length), 'base64');
  return hmacSha256(key, [`${id}.${timestamp}.`, body], 'base64');
}
