import { capturePayPalOrder, createPayPalOrder, fetchPayPalOrder, refundPayPalCapture } from './paypal-api.js';
import { PAYPAL_EVENTS, readPayPalEvent } from './paypal-events.js';
import { verifyPayPalRequest } from './paypal-signature.js';
import { type PaymentProvider } from '../provider.js';
import { paypalChargeRule } from './paypal-captures.js';

const KEY = /^[A-Za-z0-9_-]{16,200}$/;

/** PayPal: orders (version 2), which we capture when the buyer has approved them, refunds and disputes. */
export const paypalProvider: PaymentProvider = {
  name: 'paypal',
  title: 'PayPal',
  credentials: [
    { name: 'clientId', pattern: KEY, says: 'must be the client id of your app' },
    { name: 'clientSecret', pattern: KEY, says: 'must be the secret of your app' },
    {
      // Anybody can make PayPal's simulator sign events with the literal id WEBHOOK_ID. No real id has an underscore.
      name: 'webhookId',
      pattern: /^[A-Za-z0-9]{8,50}$/,
      says: 'must be the id of the webhook in your app, of letters and digits',
      // PayPal assigns the id when the address is registered, and the first configuration returns the address.
      optional: true,
    },
  ],
  events: PAYPAL_EVENTS,
  // An eCheck clears within days, but a payment in another currency waits for the shop's decision: CaptureStatusDetails in
  // https://developer.paypal.com/docs/api/payments/v2/
  confirmationDays: 30,
  read: async (request, account) => {
    await verifyPayPalRequest(request, account);
    const { events, approvedOrder } = readPayPalEvent(request.body);
    return approvedOrder === null ? events : [...events, ...(await capturePayPalOrder(approvedOrder, account))];
  },
  chargeRule: paypalChargeRule,
  // Without its webhook, nothing reports that a buyer has approved an order.
  canCreate: ({ webhookId }) => webhookId !== undefined,
  create: createPayPalOrder,
  refund: refundPayPalCapture,
  fetch: fetchPayPalOrder,
};
