import {
  coinbaseChargeRule,
  createCoinbaseCheckout,
  fetchCoinbaseCheckout,
  refundCoinbaseCheckout,
  verifyCoinbaseKey,
} from './coinbase-api.js';
import { readCoinbaseCheckout, readCoinbaseEvent } from './coinbase-events.js';
import { verifyCoinbaseRequest } from './coinbase-signature.js';
import { type PaymentProvider } from '../provider.js';
import { modeAt } from '../provider-fields.js';
import { readResponse } from '../provider-http.js';

/** Coinbase Business: Checkouts, which buyers pay in USDC, and their refunds. There are no disputes. */
export const coinbaseProvider: PaymentProvider = {
  name: 'coinbase',
  title: 'Coinbase',
  brand: 'Coinbase',
  keyName: 'API key',
  credentials: [
    {
      name: 'apiKeyId',
      pattern: /^(?:organizations\/[0-9a-f-]{36}\/apiKeys\/)?[0-9a-f-]{36}$/,
      says: 'must be the id of a Secret API Key: a UUID, or organizations/.../apiKeys/...',
    },
    {
      name: 'apiKeySecret',
      pattern:
        /^(?:[A-Za-z0-9+/]{86}==|-----BEGIN (EC )?PRIVATE KEY-----\n[A-Za-z0-9+/=\n]{60,300}-----END \1PRIVATE KEY-----\n?)$/,
      says: 'must be the secret of the Secret API Key: 64 bytes in base64, or a private key in PEM',
    },
    {
      name: 'webhookSecret',
      pattern: /^[\x21-\x7e]{16,200}$/,
      says: 'must be the secret of the webhook subscription',
      // Coinbase makes it for a subscription with the address of the webhook, and the first configuration returns the address.
      optional: true,
      // Without its secret we would reject the report that a buyer has paid.
      paymentsNeedIt: true,
    },
  ],
  events: [
    'checkout.payment.success',
    'checkout.payment.failed',
    'checkout.payment.expired',
    'checkout.refund.success',
    'checkout.refund.failed',
  ],
  // A transfer takes minutes.
  confirmationDays: 1,
  read: (request, { credentials: { webhookSecret } }) => {
    verifyCoinbaseRequest(request, webhookSecret);
    return readCoinbaseEvent(request.body);
  },
  chargeRule: coinbaseChargeRule,
  modeOf: ({ apiUrl }) => modeAt(apiUrl),
  verify: verifyCoinbaseKey,
  create: createCoinbaseCheckout,
  refund: refundCoinbaseCheckout,
  fetch: async ({ paymentId }, account) => {
    const checkout = await fetchCoinbaseCheckout(paymentId, account);
    return checkout === null ? [] : readResponse('coinbase', () => readCoinbaseCheckout(checkout));
  },
};
