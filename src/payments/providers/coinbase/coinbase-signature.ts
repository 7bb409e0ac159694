import { hmacSha256 } from '../../../lib/crypto/keyed-hash.js';
import { type WebhookRequest } from '../provider.js';
import { anyMatches, instantOfSeconds, notAuthentic, requireAuthentic } from '../signatures.js';

/**
 * Checks `X-Hook0-Signature: t=<seconds>,v0=<hex>,h=<names of headers>,v1=<hex>`. `v1` is HMAC-SHA-256 over
 * `t.h.<values of the headers, with dots between them>.body`. The weaker `v0`, without headers, is ignored.
 * @throws AppError webhook_rejected
 * @see https://docs.cdp.coinbase.com/webhooks/verify-signatures
 */
export function verifyCoinbaseRequest(
  { headers, body, receivedAt }: WebhookRequest,
  webhookSecret: string | undefined,
): void {
  const header = headers['x-hook0-signature'];
  const parts = typeof header === 'string' ? header.split(',') : [];
  const valuesOf = (name: string): string[] =>
    parts.filter((part) => part.startsWith(`${name}=`)).map((part) => part.slice(name.length + 1));
  const [times, names] = [valuesOf('t'), valuesOf('h')];
  const [timestamp = '', signedNames = ''] = [times[0], names[0]];
  const isPlausible = times.length === 1 && names.length === 1;
  if (webhookSecret === undefined) throw notAuthentic('the shop has not saved the webhookSecret of this provider');
  const values = signedNames.split(' ').map((name) => headers[name]);
  const expected = hmacSha256(webhookSecret, [`${timestamp}.${signedNames}.${values.join('.')}.`, body], 'hex');
  const signature = {
    header: 'X-Hook0-Signature',
    isPresent: header !== undefined,
    matches: isPlausible && anyMatches(expected, valuesOf('v1')),
    sentAt: instantOfSeconds(timestamp),
  };
  requireAuthentic(signature, receivedAt);
}
