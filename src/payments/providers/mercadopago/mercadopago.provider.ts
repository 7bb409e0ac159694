import { IDENTIFIER, JsonFields, FormatError } from '../json-fields.js';
import {
  createPreference,
  fetchFromMercadoPago,
  findPaymentIds,
  type MercadoPagoObject,
  refundMercadoPagoPayment,
  verifyMercadoPagoToken,
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
import { modeIn, ourOrderId } from '../provider-fields.js';
import { readResponse } from '../provider-http.js';
import { readNamed, type References } from '../unreadable-event.js';
import { mercadoPagoChargeRule } from './mercadopago-api.js';

interface Topic {
  readonly kind: MercadoPagoObject;
  readonly read: (object: JsonFields, id: string, payments: ReadonlyMap<string, JsonFields>) => ProviderEvent[];
}

/** The kinds of webhooks that change an order. */
const TOPICS: ReadonlyMap<string, Topic> = new Map<string, Topic>([
  ['payment', { kind: 'payments', read: readMercadoPagoPayment }],
  ['topic_chargebacks_wh', { kind: 'chargebacks', read: readMercadoPagoChargeback }],
  ['stop_delivery_op_wh', { kind: 'payments', read: readMercadoPagoWarning }],
]);

/** What an object names, whatever its shape. Mercado Pago's ids are numbers. */
function referencesOf(kind: MercadoPagoObject, object: JsonFields, id: string): References {
  const payments = object.at('payments');
  const paymentIds = kind === 'payments' ? [id] : Array.isArray(payments) ? payments.map(String) : [];
  return { orderId: ourOrderId(object.at('external_reference')), paymentIds };
}

/**
 * The payments of a chargeback that has several: it says neither what each of them received, nor its order.
 * @throws AppError provider_unavailable
 */
async function fetchPaymentsOf(chargeback: JsonFields, account: ProviderAccount): Promise<Map<string, JsonFields>> {
  const payments = new Map<string, JsonFields>();
  const ids = chargeback.at('payments');
  if (!Array.isArray(ids) || ids.length === 1) return payments;
  for (const id of ids.filter(Number.isSafeInteger).map(String)) {
    const payment = await fetchFromMercadoPago('payments', id, account);
    if (payment !== null) payments.set(id, payment);
  }
  return payments;
}

/**
 * Reads a webhook: `data.id` in its address names an object, and `type` in its body the kind of object. A fraud warning names its
 * payment in the body. Nothing else of the body is used.
 * @throws AppError webhook_rejected, UnreadableEvent, provider_unavailable
 */
async function read(request: WebhookRequest, account: ProviderAccount): Promise<ProviderEvent[]> {
  const signedId = verifyMercadoPagoRequest(request, account.credentials['webhookSecret']);
  const body = JsonFields.parse(request.body);
  const type = body.string('type', IDENTIFIER);
  const topic = TOPICS.get(type);
  if (topic === undefined) return [{ eventId: `${type}-${signedId ?? 'none'}`, kind: type, payment: null }];
  const { kind } = topic;
  const id = type === 'stop_delivery_op_wh' ? idIn(body.child('data'), 'payment_id') : signedId;
  if (id === null) throw new FormatError('the address must have data.id');
  const object = await fetchFromMercadoPago(kind, id, account);
  // Mercado Pago's own simulation names objects that do not exist, and wants a 200.
  if (object === null) return [];
  const payments = kind === 'chargebacks' ? await fetchPaymentsOf(object, account) : new Map<string, JsonFields>();
  const unreadable = { eventId: `${type}-${id}-unreadable`, kind: type };
  return readNamed(
    unreadable,
    () => referencesOf(kind, object, id),
    () => topic.read(object, id, payments),
  );
}

/** Fetches all attempts to pay an order as events. @throws AppError provider_unavailable */
async function fetchAll({ orderId }: KnownPayment, account: ProviderAccount): Promise<ProviderEvent[]> {
  const events: ProviderEvent[] = [];
  for (const id of await findPaymentIds(orderId, account)) {
    const payment = await fetchFromMercadoPago('payments', id, account);
    if (payment !== null) events.push(...readResponse('mercadopago', () => readMercadoPagoPayment(payment, id)));
  }
  return events;
}

/**
 * Mercado Pago: Checkout Pro, with its payments, refunds and chargebacks. It signs only which object a webhook is about, so
 * everything else is what Mercado Pago itself returns for it.
 */
export const mercadopagoProvider: PaymentProvider = {
  name: 'mercadopago',
  title: 'Mercado Pago',
  brand: 'Mercado Pago',
  keyName: 'access token',
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
      // Without its secret we would reject the report that a buyer has paid.
      paymentsNeedIt: true,
    },
  ],
  events: ['payment', 'topic_chargebacks_wh', 'stop_delivery_op_wh'],
  // A voucher can be paid within 30 days: https://www.mercadopago.com.br/developers/en/docs/checkout-api/integration-configuration/other-payment-methods
  confirmationDays: 30,
  read,
  chargeRule: mercadoPagoChargeRule,
  // A token of a test user looks like one of a real account.
  modeOf: ({ credentials: { accessToken = '' } }) => modeIn(/^(TEST)-/, accessToken),
  verify: verifyMercadoPagoToken,
  create: createPreference,
  refund: refundMercadoPagoPayment,
  fetch: fetchAll,
};
