import { randomBytes } from 'node:crypto';
import { equalInConstantTime, sha256 } from '../../platform/crypto/keyed-hash.js';
import { API_PREFIX } from '../../platform/http/api-prefix.js';

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

/** The secrets that one webhook accepts. */
export interface LiveSecrets {
  readonly secretHash: string;
  /** The secret before the last rotation, and until when it is accepted. */
  readonly previousSecretHash: string | null;
  readonly previousSecretUntil: Date | null;
}

/** The hash of no secret. It replaces an absent hash, so that every check makes the same two comparisons. */
const NO_HASH = '';

/** Whether a webhook accepts a secret now. `null` (no such webhook) takes as long as a wrong secret. */
export function opensWebhook(secret: string, live: LiveSecrets | null, now: Date): boolean {
  const hash = sha256(secret);
  const previous = live?.previousSecretUntil != null && live.previousSecretUntil > now ? live.previousSecretHash : null;
  return [live?.secretHash, previous].map((one) => equalInConstantTime(hash, one ?? NO_HASH)).includes(true);
}
