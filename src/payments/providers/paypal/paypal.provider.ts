import {
  capturePayPalOrder,
  createPayPalOrder,
  fetchPayPalOrder,
  MERCHANT_ID,
  refundPayPalCapture,
  verifyPayPalApp,
} from './paypal-api.js';
import { PAYPAL_EVENTS, readPayPalEvent } from './paypal-events.js';
import { verifyPayPalRequest } from './paypal-signature.js';
import { paypalWebhooks, WEBHOOK_ID } from './paypal-webhooks.js';
import { type PaymentProvider } from '../provider.js';
import { modeAt } from '../provider-fields.js';
import { paypalChargeRule } from './paypal-captures.js';

const KEY = /^[A-Za-z0-9_-]{16,200}$/;

/** PayPal: orders (version 2), which we capture when the buyer has approved them, refunds and disputes. */
export const paypalProvider: PaymentProvider = {
  name: 'paypal',
  title: 'PayPal',
  brand: 'PayPal',
  keyName: 'client id or its secret',
  credentials: [
    { name: 'clientId', pattern: KEY, says: 'must be the client id of your app' },
    { name: 'clientSecret', pattern: KEY, says: 'must be the secret of your app' },
    {
      // Anybody can make PayPal's simulator sign events with the literal id WEBHOOK_ID. No real id has an underscore.
      name: 'webhookId',
      pattern: WEBHOOK_ID.pattern,
      says: 'must be the id of the webhook in your app, of letters and digits',
      // PayPal assigns the id when the address is registered: by the service, or with the address that the first configuration returns.
      optional: true,
      // Without its webhook, nothing reports that a buyer has approved an order.
      paymentsNeedIt: true,
    },
    {
      name: 'merchantId',
      pattern: MERCHANT_ID,
      says: 'must be the merchant id of your account: 13 letters and digits',
      optional: true,
      readWith: ['clientId', 'clientSecret'],
    },
  ],
  events: PAYPAL_EVENTS,
  // An eCheck clears within days, but a payment in another currency waits for the shop's decision: CaptureStatusDetails in
  // https://developer.paypal.com/docs/api/payments/v2/
  confirmationDays: 30,
  read: async (request, account) => {
    await verifyPayPalRequest(request, account);
    const { events, approvedOrder } = readPayPalEvent(request.body, account.credentials['merchantId']);
    return approvedOrder === null ? events : [...events, ...(await capturePayPalOrder(approvedOrder, account))];
  },
  chargeRule: paypalChargeRule,
  modeOf: ({ apiUrl }) => modeAt(apiUrl),
  verify: verifyPayPalApp,
  webhooks: paypalWebhooks,
  create: createPayPalOrder,
  refund: refundPayPalCapture,
  fetch: fetchPayPalOrder,
};
