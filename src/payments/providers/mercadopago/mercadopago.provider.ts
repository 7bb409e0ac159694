import { IDENTIFIER, JsonFields, FormatError } from '../json-fields.js';
import {
  createPreference,
  fetchFromMercadoPago,
  findPaymentIds,
  type MercadoPagoObject,
  refundMercadoPagoPayment,
} from './mercadopago-api.js';
import {
  idIn,
  readMercadoPagoChargeback,
  readMercadoPagoPayment,
  readMercadoPagoWarning,
} from './mercadopago-events.js';
import { verifyMercadoPagoRequest } from './mercadopago-signature.js';
import {
  type KnownPayment,
  type PaymentProvider,
  type ProviderAccount,
  type ProviderEvent,
  type WebhookRequest,
} from '../provider.js';
import { readResponse } from '../provider-http.js';

interface Topic {
  readonly kind: MercadoPagoObject;
  readonly read: (object: JsonFields, id: string) => ProviderEvent[];
}

const PAYMENTS: Topic = { kind: 'payments', read: readMercadoPagoPayment };

/** The kinds of webhooks that change an order. */
const TOPICS: ReadonlyMap<string, Topic> = new Map<string, Topic>([
  ['payment', PAYMENTS],
  ['topic_chargebacks_wh', { kind: 'chargebacks', read: readMercadoPagoChargeback }],
  ['stop_delivery_op_wh', { kind: 'payments', read: readMercadoPagoWarning }],
]);

/** @throws AppError provider_unavailable */
async function eventsOf({ kind, read }: Topic, id: string, account: ProviderAccount): Promise<ProviderEvent[]> {
  const object = await fetchFromMercadoPago(kind, id, account);
  // Mercado Pago's own simulation names objects that do not exist, and wants a 200.
  return object === null ? [] : readResponse('mercadopago', () => read(object, id));
}

/**
 * Reads a webhook: `data.id` in its address names an object, and `type` in its body the kind of object. A fraud warning names its
 * payment in the body. Nothing else of the body is used.
 * @throws AppError webhook_rejected, body_too_complex, provider_unavailable
 */
async function read(request: WebhookRequest, account: ProviderAccount): Promise<ProviderEvent[]> {
  const signedId = verifyMercadoPagoRequest(request, account.credentials['webhookSecret']);
  const body = JsonFields.parse(request.body);
  const type = body.string('type', IDENTIFIER);
  const topic = TOPICS.get(type);
  if (topic === undefined) return [];
  const id = type === 'stop_delivery_op_wh' ? idIn(body.child('data'), 'payment_id') : signedId;
  if (id === null) throw new FormatError('the address must have data.id');
  return eventsOf(topic, id, account);
}

/** Fetches all attempts to pay an order as events. @throws AppError provider_unavailable */
async function fetchAll({ orderId }: KnownPayment, account: ProviderAccount): Promise<ProviderEvent[]> {
  const events: ProviderEvent[] = [];
  for (const id of await findPaymentIds(orderId, account)) events.push(...(await eventsOf(PAYMENTS, id, account)));
  return events;
}

/**
 * Mercado Pago: Checkout Pro, with its payments, refunds and chargebacks. It signs only which object a webhook is about, so
 * everything else is what Mercado Pago itself returns for it.
 */
export const mercadopagoProvider: PaymentProvider = {
  name: 'mercadopago',
  title: 'Mercado Pago',
  credentials: [
    {
      name: 'accessToken',
      pattern: /^(?:APP_USR|TEST)-[A-Za-z0-9_-]{20,250}$/,
      says: 'must be an access token, APP_USR-... or TEST-...',
    },
    {
      name: 'webhookSecret',
      pattern: /^[\x21-\x7e]{16,200}$/,
      says: 'must be the secret of the webhook in your application',
      // Mercado Pago makes it when it knows the address of the webhook, and the first configuration returns the address.
      optional: true,
    },
  ],
  events: ['payment', 'topic_chargebacks_wh', 'stop_delivery_op_wh'],
  read,
  // Without its secret we would reject the report that a buyer has paid.
  canCreate: ({ webhookSecret }) => webhookSecret !== undefined,
  create: createPreference,
  refund: refundMercadoPagoPayment,
  fetch: fetchAll,
};
