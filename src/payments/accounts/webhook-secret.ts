import { randomBytes } from 'node:crypto';
import { equalInConstantTime, sha256 } from '../../lib/crypto/keyed-hash.js';
import { API_PREFIX } from '../../http/addresses/api-prefix.js';

const SECRET_BYTES = 32;

/** The secret segment of a webhook's path: shown once, stored as its SHA-256. */
export interface WebhookSecret {
  readonly secret: string;
  readonly hash: string;
}

/** A new secret: 256 random bits in base64url. */
export function makeWebhookSecret(): WebhookSecret {
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  return { secret, hash: sha256(secret) };
}

/** The address of a webhook. @param baseUrl the address of this service for its clients, without a trailing slash */
export function webhookUrl(baseUrl: string, provider: string, shopId: string, secret: string): string {
  return `${baseUrl}/${API_PREFIX}/payments/webhooks/${provider}/${shopId}/${secret}`;
}

/** The secrets that one webhook accepts, and those that it accepted before. */
export interface LiveSecrets {
  readonly secretHash: string;
  /** The secret before the last rotation, and until when it is accepted. */
  readonly previousSecretHash: string | null;
  readonly previousSecretUntil: Date | null;
  /** The secrets before the last rotations, with that of the last one. The latest are at the end. */
  readonly formerSecretHashes: readonly string[];
}

/** How many former secrets a webhook remembers. */
export const MAX_FORMER_SECRETS = 10;

/** What a path secret is to a webhook: accepted now, accepted before a rotation, or wrong. */
export type SecretMatch = 'live' | 'former' | 'wrong';

/** The hash of no secret. It replaces an absent hash, so that every check makes the same comparisons. */
const NO_HASH = '';

/** Compares a secret with those of a webhook. `null` (no such webhook) takes as long as a wrong secret. */
export function matchSecret(secret: string, live: LiveSecrets | null, now: Date): SecretMatch {
  const hash = sha256(secret);
  const isIn = (hashes: readonly (string | null | undefined)[], count: number): boolean =>
    Array.from({ length: count }, (_, index) => equalInConstantTime(hash, hashes[index] ?? NO_HASH)).includes(true);
  const previous = live?.previousSecretUntil != null && live.previousSecretUntil > now ? live.previousSecretHash : null;
  const isLive = isIn([live?.secretHash, previous], 2);
  // A webhook that was rotated before the service remembered more than one secret has only the previous one.
  const isFormer = isIn([live?.previousSecretHash, ...(live?.formerSecretHashes ?? [])], 1 + MAX_FORMER_SECRETS);
  if (isLive) return 'live';
  return isFormer ? 'former' : 'wrong';
}
