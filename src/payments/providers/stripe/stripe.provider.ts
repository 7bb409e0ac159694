import { hmacSha256 } from '../../../lib/crypto/keyed-hash.js';
import { createStripeSession, fetchStripeSession, refundStripePayment, verifyStripeKey } from './stripe-api.js';
import { type PaymentProvider, type WebhookRequest } from '../provider.js';
import { modeIn } from '../provider-fields.js';
import { anyMatches, instantOfSeconds, notAuthentic, requireAuthentic } from '../signatures.js';
import { STRIPE_EVENTS, readStripeEvent } from './stripe-events.js';
import { stripeChargeRule } from './stripe-charges.js';
import { stripeWebhooks } from './stripe-webhooks.js';

/**
 * Checks `Stripe-Signature: t=<seconds>,v1=<hex>[,v1=...]`: HMAC-SHA-256 over `t.body` with the endpoint's signing secret.
 * There are several `v1` while a secret is rolled. Other schemes (`v0`) are ignored.
 * @throws AppError webhook_rejected
 * @see https://docs.stripe.com/webhooks#verify-manually
 */
function verify({ headers, body, receivedAt }: WebhookRequest, signingSecret: string): void {
  const header = headers['stripe-signature'];
  const parts = typeof header === 'string' ? header.split(',') : [];
  const valuesOf = (scheme: string): string[] =>
    parts.filter((part) => part.startsWith(`${scheme}=`)).map((part) => part.slice(scheme.length + 1));
  const [timestamp = '', ...furtherTimestamps] = valuesOf('t');
  const expected = hmacSha256(signingSecret, [`${timestamp}.`, body], 'hex');
  const signature = {
    header: 'Stripe-Signature',
    isPresent: header !== undefined,
    matches: anyMatches(expected, valuesOf('v1')) && furtherTimestamps.length === 0,
    sentAt: instantOfSeconds(timestamp),
  };
  requireAuthentic(signature, receivedAt);
}

const modeOf: PaymentProvider['modeOf'] = ({ credentials: { secretKey = '' } }) =>
  modeIn(/^[sr]k_(live|test)_/, secretKey);

/** Stripe: payment intents, checkout sessions, refunds and disputes. */
export const stripeProvider: PaymentProvider = {
  name: 'stripe',
  title: 'Stripe',
  brand: 'Stripe',
  keyName: 'secret key',
  credentials: [
    {
      name: 'signingSecret',
      pattern: /^whsec_[\x21-\x7e]{8,200}$/,
      says: "must be the endpoint's signing secret, whsec_...",
      // Stripe makes it for an endpoint, and the first configuration returns its address, or registers the endpoint itself.
      optional: true,
      // Without it, the service rejects the report that a buyer has paid.
      paymentsNeedIt: true,
    },
    {
      name: 'secretKey',
      pattern: /^(?:sk|rk)_[\x21-\x7e]{8,250}$/,
      says: 'must be a secret or restricted key, sk_... or rk_...',
      optional: true,
      paymentsNeedIt: true,
    },
  ],
  events: STRIPE_EVENTS,
  // A SEPA debit takes up to 14 business days: https://docs.stripe.com/payments/sepa-debit
  confirmationDays: 21,
  read: (request, account) => {
    const { signingSecret } = account.credentials;
    if (signingSecret === undefined) throw notAuthentic('the shop has not saved the signingSecret of this provider');
    verify(request, signingSecret);
    return [readStripeEvent(request.body, modeOf(account) === 'live')];
  },
  chargeRule: stripeChargeRule,
  modeOf,
  verify: verifyStripeKey,
  webhooks: stripeWebhooks,
  create: createStripeSession,
  refund: refundStripePayment,
  fetch: fetchStripeSession,
};
