import { verify, X509Certificate } from 'node:crypto';
import { type IncomingHttpHeaders } from 'node:http';
import { crc32 } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { DAY_MS } from '../../../lib/time/durations.js';
import { parseInstant } from '../../../lib/time/instant.js';
import { PAYPAL_API_URL } from './paypal-api.js';
import { providerUnavailable } from '../provider-errors.js';
import { sendToProvider } from '../provider-http.js';
import { type ProviderAccount, type WebhookRequest } from '../provider.js';
import { notAuthentic, requireNear } from '../signatures.js';

/** The addresses of PayPal's certificates differ from those of its API. Any other API has its certificates at its own address. */
const CERTIFICATE_ORIGINS: Readonly<Record<string, readonly string[]>> = {
  [PAYPAL_API_URL]: ['https://api.paypal.com', PAYPAL_API_URL],
  'https://api-m.sandbox.paypal.com': ['https://api.sandbox.paypal.com', 'https://api-m.sandbox.paypal.com'],
};
const CERTIFICATE_PATH = '/v1/notifications/certs/';
const CERTIFICATE_NAME = /^[\w-]{1,100}$/;
const TRANSMISSION_ID = /^[\w-]{1,50}$/;
const ALGORITHM = 'SHA256withRSA';

/** By address. PayPal uses one for months. */
const certificates = new LRUCache<string, X509Certificate>({ max: 50, ttl: DAY_MS, fetchMethod: fetchCertificate });

/** @throws AppError webhook_rejected when there is no such certificate; provider_unavailable */
async function fetchCertificate(url: string): Promise<X509Certificate> {
  const headers = { accept: '*/*' };
  const { status, bytes } = await sendToProvider({ provider: 'paypal', method: 'GET', url, headers });
  if (status !== 200) throw notAuthentic('PayPal has no certificate at PAYPAL-CERT-URL');
  try {
    return new X509Certificate(bytes);
  } catch {
    throw providerUnavailable('paypal', 'returned no certificate');
  }
}

/**
 * Whether an address is one of PayPal's certificates. The request names it, and whoever controls what is there can sign anything.
 * So the string itself must match; nothing is parsed or normalised.
 */
export function isCertificateUrl(url: string, apiUrl: string): boolean {
  const origins = CERTIFICATE_ORIGINS[apiUrl] ?? [new URL(apiUrl).origin];
  return origins
    .map((origin) => origin + CERTIFICATE_PATH)
    .some((start) => url.startsWith(start) && CERTIFICATE_NAME.test(url.slice(start.length)));
}

function isValidAt({ validFrom, validTo }: X509Certificate, instant: Date): boolean {
  return new Date(validFrom) <= instant && instant <= new Date(validTo);
}

/** The bytes of a base64 string; null for a string that is not the canonical form of its bytes. */
function bytesOf(base64: string): Buffer | null {
  const bytes = Buffer.from(base64, 'base64');
  return bytes.toString('base64') === base64 ? bytes : null;
}

function header(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[`paypal-${name}`];
  return typeof value === 'string' ? value : '';
}

/**
 * Checks a webhook request: RSA with SHA-256 over `transmission id|time|webhook id|CRC-32 of the body in decimal`.
 * @throws AppError webhook_rejected; provider_unavailable when the certificate cannot be fetched
 * @see https://developer.paypal.com/api/rest/webhooks/rest/#verify-messages
 */
export async function verifyPayPalRequest(
  { headers, body, receivedAt }: WebhookRequest,
  { credentials: { webhookId }, apiUrl = PAYPAL_API_URL }: ProviderAccount,
): Promise<void> {
  const [id, time, url] = [
    header(headers, 'transmission-id'),
    header(headers, 'transmission-time'),
    header(headers, 'cert-url'),
  ];
  const sentAt = parseInstant(time);
  const signature = bytesOf(header(headers, 'transmission-sig'));
  const isPlausible =
    header(headers, 'auth-algo') === ALGORITHM && TRANSMISSION_ID.test(id) && isCertificateUrl(url, apiUrl);
  if (webhookId === undefined) throw notAuthentic('the shop has not saved the webhookId of this provider');
  if (headers['paypal-transmission-sig'] === undefined) throw notAuthentic('it has no header PAYPAL-TRANSMISSION-SIG');
  if (!isPlausible || signature === null)
    throw notAuthentic('its PAYPAL-* headers do not have the form that PayPal sends');
  requireNear(sentAt, receivedAt);
  const certificate = await certificates.fetch(url);
  if (certificate === undefined) throw providerUnavailable('paypal', 'returned no certificate');
  const signed = Buffer.from([id, time, webhookId, crc32(body)].join('|'));
  const isAuthentic =
    isValidAt(certificate, receivedAt) && verify('RSA-SHA256', signed, certificate.publicKey, signature);
  if (!isAuthentic) throw notAuthentic('the signature does not match the body: check the webhookId');
}
