import { type IncomingHttpHeaders } from 'node:http';
import { makeSigningSecret, SIGNING_SECRET, standardSignature } from '../../../lib/crypto/standard-webhooks.js';
import { isCurrency, toMinor } from '../../../lib/money/money.js';
import { isObjectId } from '../../../lib/ids/object-id.js';
import { PAYMENT_EVENT_TYPES, type PaymentEventType } from '../../../orders/order/payment-event.types.js';
import { IDENTIFIER, JsonFields, FormatError } from '../json-fields.js';
import { type CredentialRule, type PaymentDetails, type ProviderEvent, type WebhookRequest } from '../provider.js';
import { CURRENCY } from '../provider-fields.js';
import { anyMatches, instantOfSeconds, requireAuthentic, TOLERANCE_SECONDS } from '../signatures.js';

/** The credential that signs requests. */
export const SIGNING_SECRET_RULE: CredentialRule = {
  name: 'signingSecret',
  pattern: SIGNING_SECRET,
  says: 'must be whsec_ followed by 24 to 64 bytes in base64',
  generate: makeSigningSecret,
};

const FIELDS = ['type', 'orderId', 'paymentId', 'amount', 'currency', 'occurredAt'] as const;
/** The field with the sender's id of what an event is about besides its payment. */
const SUBJECT_IDS: Readonly<Record<string, 'refundId' | 'disputeId'>> = { refund: 'refundId', dispute: 'disputeId' };
const MAX_AMOUNT = 1_000_000_000;
const EARLIEST = Date.UTC(2000, 0, 1);

function header(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
}

/**
 * Checks the headers by the Standard Webhooks specification (symmetric signatures): HMAC-SHA-256 over
 * `id.timestamp.body`, base64, `v1,<signature>` once per key that the sender uses now.
 * @returns the id of the event
 * @throws AppError webhook_rejected
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
function verify({ headers, body, receivedAt }: WebhookRequest, signingSecret: string): string {
  const id = header(headers, 'webhook-id');
  const timestamp = header(headers, 'webhook-timestamp');
  const presented = header(headers, 'webhook-signature')
    .split(' ')
    .filter((part) => part.startsWith('v1,'))
    .map((part) => part.slice('v1,'.length));
  const expected = standardSignature({ id, timestamp, body }, signingSecret);
  const signature = {
    header: 'webhook-signature',
    isPresent: headers['webhook-signature'] !== undefined,
    matches: anyMatches(expected, presented),
    sentAt: instantOfSeconds(timestamp),
  };
  requireAuthentic(signature, receivedAt);
  if (!IDENTIFIER.pattern.test(id)) throw new FormatError(`webhook-id ${IDENTIFIER.says}`);
  // The dot separates the parts of what is signed: with a dot in the id, other parts could have the same signature.
  if (id.includes('.')) throw new FormatError('webhook-id must not contain a dot');
  return id;
}

function isEventType(kind: string): kind is PaymentEventType {
  return (PAYMENT_EVENT_TYPES as readonly string[]).includes(kind);
}

function instantOf(fields: JsonFields, receivedAt: Date): Date {
  const instant = fields.instant('occurredAt');
  const latest = receivedAt.getTime() + TOLERANCE_SECONDS * 1000;
  if (instant.getTime() < EARLIEST || instant.getTime() > latest) {
    throw fields.wrong('occurredAt', 'must not be in the future, nor before the year 2000');
  }
  return instant;
}

function detailsOf(fields: JsonFields, type: PaymentEventType, receivedAt: Date): PaymentDetails {
  const [subject = ''] = type.split('.');
  const idField = SUBJECT_IDS[subject];
  const [unknown] = fields.unknownNames(idField === undefined ? FIELDS : [...FIELDS, idField]);
  if (unknown !== undefined) throw new FormatError(`${unknown.slice(0, 100)} is not a known field`);
  const orderId = fields.string('orderId', { ...IDENTIFIER, says: 'must be an ObjectId' });
  if (!isObjectId(orderId)) throw fields.wrong('orderId', 'must be an ObjectId');
  const currency = fields.string('currency', CURRENCY);
  if (!isCurrency(currency)) throw fields.wrong('currency', CURRENCY.says);
  const amount = fields.number('amount');
  const amountMinor = amount >= 0 && amount <= MAX_AMOUNT ? toMinor(amount, currency) : null;
  if (amountMinor === null) {
    throw fields.wrong('amount', `must be from 0 to ${MAX_AMOUNT}, with no more decimals than ${currency} has`);
  }
  const subjectId = idField === undefined ? null : fields.optionalString(idField, IDENTIFIER);
  return {
    type,
    orderId: orderId.toLowerCase(),
    paymentId: fields.string('paymentId', IDENTIFIER),
    ...(idField === undefined || subjectId === null ? {} : { [idField]: subjectId }),
    amountMinor,
    currency,
    occurredAt: instantOf(fields, receivedAt),
    cumulative: false,
  };
}

/** Reads a body whose signature is valid: a normalised event with its amount in major units. */
export function readCustomEvent(eventId: string, body: Buffer, receivedAt: Date): ProviderEvent {
  const fields = JsonFields.parse(body);
  const kind = fields.string('type', IDENTIFIER);
  return { eventId, kind, payment: isEventType(kind) ? detailsOf(fields, kind, receivedAt) : null };
}

/** Reads a request that is signed by the Standard Webhooks specification. @throws AppError webhook_rejected */
export function readSignedEvent(request: WebhookRequest, signingSecret: string): ProviderEvent {
  return readCustomEvent(verify(request, signingSecret), request.body, request.receivedAt);
}
