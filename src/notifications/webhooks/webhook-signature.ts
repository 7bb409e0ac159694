import { standardSignature } from '../../lib/crypto/standard-webhooks.js';
import { SECOND_MS } from '../../lib/time/durations.js';

/**
 * The headers that prove where a request comes from.
 * @param id the same in every repetition, so that the receiver can detect one
 * @param secrets one signature for each: during a rotation, the receiver may know either
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function signedHeaders(id: string, body: string, secrets: readonly string[], now: Date): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / SECOND_MS));
  const signatures = secrets.map((secret) => `v1,${standardSignature({ id, timestamp, body }, secret)}`);
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
