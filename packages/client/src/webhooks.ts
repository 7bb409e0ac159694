import { type WebhookEvent } from './types.js';

export interface SignedRequest {
  /** The bytes of the body as they came, before anything has parsed them. */
  readonly body: string | Uint8Array<ArrayBuffer>;
  /** `Headers`, or those of a request of Node. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The signing secret (`whsec_...`). While a rotation lasts, both. */
  readonly secret: string | readonly string[];
  /** How far the time of sending may be from now. */
  readonly toleranceSeconds?: number;
}

export interface ReceivedEvent {
  /** The same in every repetition and replay: remember it, and do nothing the second time. */
  readonly id: string;
  readonly event: WebhookEvent;
}

/** The request does not come from the service, or not now. Respond with 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

const SIGNATURE = { name: 'HMAC', hash: 'SHA-256' };
const TOLERANCE_SECONDS = 300;

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

function decode(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function headerOf(headers: SignedRequest['headers'], name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  if (typeof value !== 'string' || value === '') throw new WebhookVerificationError(`${name} is missing`);
  return value;
}

async function isSigned(secret: string, signatures: string, content: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const decoded = decode(secret.replace(/^whsec_/, ''));
  if (decoded === null) throw new TypeError('The signing secret must be whsec_ with base64');
  const key = await crypto.subtle.importKey('raw', decoded, SIGNATURE, false, ['verify']);
  for (const signature of signatures.split(' ')) {
    const given = signature.startsWith('v1,') ? decode(signature.slice(3)) : null;
    if (given !== null && (await crypto.subtle.verify(SIGNATURE, key, given, content))) return true;
  }
  return false;
}

/**
 * Verifies a request of a webhook (https://www.standardwebhooks.com), and reads its event.
 * @throws WebhookVerificationError when the signature is wrong or the time of sending is too far away
 */
export async function verifyWebhook(request: SignedRequest): Promise<ReceivedEvent> {
  const { body, headers, secret, toleranceSeconds = TOLERANCE_SECONDS } = request;
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= toleranceSeconds)) {
    throw new WebhookVerificationError('webhook-timestamp is too far from now');
  }
  const head = bytesOf(`${id}.${timestamp}.`);
  const bytes = typeof body === 'string' ? bytesOf(body) : body;
  const content = new Uint8Array(head.length + bytes.length);
  content.set(head);
  content.set(bytes, head.length);
  for (const each of typeof secret === 'string' ? [secret] : secret) {
    if (await isSigned(each, signatures, content)) {
      return { id, event: JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent };
    }
  }
  throw new WebhookVerificationError('webhook-signature is wrong');
}
