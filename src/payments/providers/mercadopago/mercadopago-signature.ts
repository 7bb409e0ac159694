import { hmacSha256 } from '../../../lib/crypto/keyed-hash.js';
import { MERCADO_PAGO_ID } from './mercadopago-events.js';
import { type WebhookRequest } from '../provider.js';
import { anyMatches, instantOfSeconds, notAuthentic, requireAuthentic } from '../signatures.js';

const MILLISECONDS = /^[1-9]\d{12}$/;

/** Mercado Pago's examples have seconds, and its documentation says milliseconds. */
const instantOf = (timestamp: string): Date | null =>
  MILLISECONDS.test(timestamp) ? new Date(Number(timestamp)) : instantOfSeconds(timestamp);

/**
 * Checks `x-signature: ts=<time>,v1=<hex>`: HMAC-SHA-256 over `id:<data.id>;request-id:<x-request-id>;ts:<time>;`. `data.id` is in
 * the address and counts as it was sent, in upper and lower case. What a request does not have is left out.
 * @returns `data.id`, the only signed part of the payload; null when it is absent
 * @throws AppError webhook_rejected
 * @see https://www.mercadopago.com.br/developers/en/docs/your-integrations/notifications/webhooks
 */
export function verifyMercadoPagoRequest(
  { headers, query, receivedAt }: WebhookRequest,
  webhookSecret: string | undefined,
): string | null {
  const id = query['data.id'] ?? null;
  const { 'x-signature': signature, 'x-request-id': requestId } = headers;
  const parts = typeof signature === 'string' ? signature.split(',') : [];
  const valuesOf = (name: string): string[] =>
    parts.filter((part) => part.startsWith(`${name}=`)).map((part) => part.slice(name.length + 1));
  const [timestamp = '', ...furtherTimestamps] = valuesOf('ts');
  const isId = id === null || (typeof id === 'string' && MERCADO_PAGO_ID.pattern.test(id));
  if (!isId) throw notAuthentic(`data.id in the address ${MERCADO_PAGO_ID.says}`);
  if (webhookSecret === undefined) throw notAuthentic('the shop has not saved the webhookSecret of this provider');
  const manifest = [
    ...(id === null ? [] : [`id:${id};`]),
    ...(typeof requestId === 'string' ? [`request-id:${requestId};`] : []),
    `ts:${timestamp};`,
  ];
  const matches =
    anyMatches(hmacSha256(webhookSecret, manifest, 'hex'), valuesOf('v1')) && furtherTimestamps.length === 0;
  const isPresent = signature !== undefined;
  requireAuthentic({ header: 'x-signature', isPresent, matches, sentAt: instantOf(timestamp) }, receivedAt);
  return id;
}
