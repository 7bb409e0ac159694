import { IDENTIFIER, JsonFields } from '../json-fields.js';
import {
  type KnownPayment,
  type PaymentProvider,
  type ProviderAccount,
  type ProviderEvent,
  type WebhookRequest,
} from '../provider.js';
import { modeIn, ourOrderId } from '../provider-fields.js';
import { readResponse } from '../provider-http.js';
import { readNamed } from '../unreadable-event.js';
import {
  createYookassaPayment,
  fetchFromYookassa,
  fetchYookassaRefunds,
  refundYookassaPayment,
  verifyYookassaKey,
  YOOKASSA_ID,
  yookassaChargeRule,
} from './yookassa-api.js';
import { readYookassaPayment, readYookassaRefund } from './yookassa-events.js';

/**
 * Reads a webhook: `event` names the kind of object, `object.id` the object. Nothing else of the body is used.
 * @throws AppError webhook_rejected, UnreadableEvent, provider_unavailable
 */
async function read({ body, receivedAt }: WebhookRequest, account: ProviderAccount): Promise<ProviderEvent[]> {
  const notification = JsonFields.parse(body);
  const [kind] = notification.string('event', IDENTIFIER).split('.');
  // Payouts and deals are not about a buyer's payment.
  if (kind !== 'payment' && kind !== 'refund') return [];
  const id = notification.child('object').string('id', YOOKASSA_ID);
  const object = await fetchFromYookassa(`${kind}s`, id, account);
  // 200 also for an unknown object, so that a caller cannot find out which objects exist.
  if (object === null) return [];
  const references = {
    orderId: ourOrderId(object.at('metadata', 'orderId')),
    paymentIds: [kind === 'payment' ? id : object.at('payment_id')],
  };
  return readNamed(
    { eventId: `${id}-unreadable`, kind },
    () => references,
    () => [kind === 'payment' ? readYookassaPayment(object, id, receivedAt) : readYookassaRefund(object, id)],
  );
}

/** Fetches a payment and its refunds as events. @throws AppError provider_unavailable */
async function fetchAll({ paymentId }: KnownPayment, account: ProviderAccount): Promise<ProviderEvent[]> {
  const payment = await fetchFromYookassa('payments', paymentId, account);
  if (payment === null) return [];
  // Not by `refunded_amount`: it does not count a refund that is still pending.
  const refunds = payment.value('status') === 'succeeded' ? await fetchYookassaRefunds(paymentId, account) : [];
  return readResponse('yookassa', () => [
    readYookassaPayment(payment, paymentId, new Date()),
    ...refunds.map((refund) => readYookassaRefund(refund, refund.string('id', YOOKASSA_ID))),
  ]);
}

/**
 * YooKassa: payments and refunds; it reports no disputes. It does not sign its webhooks: a request only names an object, and
 * everything else is what YooKassa itself returns for it.
 * @see https://yookassa.ru/developers/using-api/webhooks
 */
export const yookassaProvider: PaymentProvider = {
  name: 'yookassa',
  title: 'YooKassa',
  brand: 'YooKassa',
  keyName: 'shop id or secret key',
  credentials: [
    { name: 'shopId', pattern: /^\d{1,20}$/, says: 'must be the id of your shop at YooKassa: digits' },
    {
      name: 'secretKey',
      pattern: /^(?:live|test)_[A-Za-z0-9_-]{20,200}$/,
      says: 'must be a secret key, live_... or test_...',
    },
  ],
  events: ['payment.waiting_for_capture', 'payment.succeeded', 'payment.canceled', 'refund.succeeded'],
  // A held payment must be captured within 7 days: https://yookassa.ru/developers/payment-acceptance/getting-started/payment-process
  confirmationDays: 7,
  read,
  chargeRule: yookassaChargeRule,
  modeOf: ({ credentials: { secretKey = '' } }) => modeIn(/^(live|test)_/, secretKey),
  verify: verifyYookassaKey,
  create: createYookassaPayment,
  refund: refundYookassaPayment,
  fetch: fetchAll,
};
