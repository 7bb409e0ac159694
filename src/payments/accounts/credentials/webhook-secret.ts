import { randomBytes } from 'node:crypto';
import { equalInConstantTime, sha256 } from '../../../lib/crypto/keyed-hash.js';
import { API_PREFIX } from '../../../http/addresses/api-prefix.js';

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
  /** Until when the secret before the last rotation is accepted; null without a rotation. */
  readonly previousSecretUntil: Date | null;
  /** The secrets before the last rotations, the latest at the end. */
  readonly formerSecretHashes: readonly string[];
}

/** How many former secrets a webhook remembers. */
export const MAX_FORMER_SECRETS = 10;

/** The secrets after a rotation. @param secretHash of the new one */
export function rotatedSecrets(before: LiveSecrets, secretHash: string, previousSecretUntil: Date): LiveSecrets {
  const formerSecretHashes = [...before.formerSecretHashes, before.secretHash].slice(-MAX_FORMER_SECRETS);
  return { secretHash, previousSecretUntil, formerSecretHashes };
}

/** What a path secret is to a webhook: accepted now, accepted before a rotation, or wrong. */
export type SecretMatch = 'live' | 'former' | 'wrong';

/** The hash of no secret. It replaces an absent hash, so that every check makes the same comparisons. */
const NO_HASH = '';

/** Compares a secret with those of a webhook. `null` (no such webhook) takes as long as a wrong secret. */
export function matchSecret(secret: string, live: LiveSecrets | null, now: Date): SecretMatch {
  const hash = sha256(secret);
  const former = live?.formerSecretHashes ?? [];
  const matches = Array.from({ length: MAX_FORMER_SECRETS }, (_, index) =>
    equalInConstantTime(hash, former[index] ?? NO_HASH),
  );
  const isCurrent = equalInConstantTime(hash, live?.secretHash ?? NO_HASH);
  const isPrevious =
    matches[former.length - 1] === true && live?.previousSecretUntil != null && live.previousSecretUntil > now;
  if (isCurrent || isPrevious) return 'live';
  return matches.includes(true) ? 'former' : 'wrong';
}
