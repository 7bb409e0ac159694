import { HOUR_MS, SECOND_MS } from '../../../lib/time/durations.js';
import { IDENTIFIER } from '../json-fields.js';
import { isPermanent, providerUnavailable, requireAccepted } from '../provider-errors.js';
import { PROVIDER_TIMEOUT_MS, readResponse, rejectedRefund } from '../provider-http.js';
import { paymentError } from '../refusals.js';
import {
  type CreatedPayment,
  type Credentials,
  type KnownPayment,
  type NewPayment,
  type NewRefund,
  type ProviderAccount,
  type ProviderEvent,
  type StartedRefund,
} from '../provider.js';
import { readStripeRefunds, readStripeSession, stripeRefundState, toStripeAmount } from './stripe-events.js';
import type Stripe from 'stripe';

/** Stripe rejects sessions that end in less than 30 minutes. */
const SHORTEST_SESSION_MS = HOUR_MS;

/** The SDK needs 20 MiB, so it is loaded only by a service that uses it. */
export async function clientOf({ credentials: { secretKey = '' }, apiUrl }: ProviderAccount): Promise<Stripe> {
  const { default: Client } = await import('stripe');
  const options = { maxNetworkRetries: 0, timeout: PROVIDER_TIMEOUT_MS, telemetry: false };
  if (apiUrl === undefined) return new Client(secretKey, options);
  const { hostname: host, port, protocol } = new URL(apiUrl);
  const isPlain = protocol === 'http:';
  return new Client(secretKey, {
    ...options,
    host,
    protocol: isPlain ? 'http' : 'https',
    port: port === '' ? (isPlain ? 80 : 443) : port,
  });
}

/** What a checkout session sells: the whole order in one line, so that the amount is ours. */
function sessionOf(payment: NewPayment, unitAmount: number): Stripe.Checkout.SessionCreateParams {
  const { orderId, currency, successUrl, cancelUrl, createdAt, expiresAt } = payment;
  // A session's metadata is not copied to its payment intent, and refunds and disputes only know the intent.
  const metadata = { orderId };
  const end = Math.max(expiresAt.getTime(), createdAt.getTime() + SHORTEST_SESSION_MS);
  return {
    mode: 'payment',
    client_reference_id: orderId,
    metadata,
    payment_intent_data: { metadata },
    success_url: successUrl,
    cancel_url: cancelUrl,
    expires_at: Math.floor(end / SECOND_MS),
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: currency.toLowerCase(),
          unit_amount: unitAmount,
          product_data: { name: payment.description },
        },
      },
    ],
  };
}

/**
 * Creates a checkout session. The id of the payment is the idempotency key, and every parameter depends on the payment alone, so a
 * repetition returns the same session.
 * @throws AppError provider_credentials_rejected, provider_refused, provider_unavailable
 * @see https://docs.stripe.com/api/checkout/sessions/create
 */
export async function createStripeSession(payment: NewPayment, account: ProviderAccount): Promise<CreatedPayment> {
  const unitAmount = toStripeAmount(payment.amountMinor, payment.currency);
  if (unitAmount === null) throw providerUnavailable('stripe', `cannot charge the amount in ${payment.currency}`);
  const client = await clientOf(account);
  const session = await client.checkout.sessions
    .create(sessionOf(payment, unitAmount), { idempotencyKey: payment.id })
    .catch((error: unknown) => failToPay(error, account));
  // The types promise these fields, but a proxy in between can return anything.
  const { id, url, expires_at: end } = session as { id?: unknown; url?: unknown; expires_at?: unknown };
  if (typeof id !== 'string' || typeof url !== 'string' || !/^https?:\/\//.test(url) || typeof end !== 'number') {
    throw providerUnavailable('stripe', 'returned a session without an address');
  }
  return { paymentId: id, url, expiresAt: new Date(end * SECOND_MS) };
}

/**
 * Gives money back. The id of the refund is the idempotency key.
 * @throws AppError provider_unavailable
 * @see https://docs.stripe.com/api/refunds/create
 */
export async function refundStripePayment(refund: NewRefund, account: ProviderAccount): Promise<StartedRefund> {
  const { id, orderId, paymentId, amountMinor, currency } = refund;
  const amount = toStripeAmount(amountMinor, currency);
  if (amount === null) return { refundId: null, state: 'failed', failure: 'amount_too_precise' };
  const of = paymentId.startsWith('pi_') ? { payment_intent: paymentId } : { charge: paymentId };
  const client = await clientOf(account);
  const request = { ...of, amount, metadata: { orderId } };
  let made: unknown;
  try {
    made = await client.refunds.create(request, { idempotencyKey: id });
  } catch (error) {
    const { code, statusCode } = error as { code?: unknown; statusCode?: unknown };
    const isRejection = typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500;
    return isRejection ? rejectedRefund('stripe', statusCode, code) : failUnavailable(error);
  }
  return startedRefundOf(made);
}

/**
 * Lists one checkout session, which a key needs to create others.
 * @throws AppError provider_credentials_rejected, provider_unavailable
 * @see https://docs.stripe.com/api/checkout/sessions/list
 */
export async function verifyStripeKey(account: ProviderAccount): Promise<Credentials | null> {
  // Receiving webhooks needs no key.
  if (account.credentials['secretKey'] === undefined) return null;
  const client = await clientOf(account);
  await client.checkout.sessions.list({ limit: 1 }).catch(failUnavailable);
  return {};
}

/** Reads a refund. The types promise these fields, but a proxy in between can return anything. */
function startedRefundOf(refund: unknown): StartedRefund {
  const { id, status, failure_reason: reason } = refund as { id?: unknown; status?: unknown; failure_reason?: unknown };
  const state = stripeRefundState(status);
  if (typeof id !== 'string' || !IDENTIFIER.pattern.test(id) || state === null) {
    throw providerUnavailable('stripe', 'returned a refund that cannot be read');
  }
  return { refundId: id, state, failure: state === 'failed' ? (typeof reason === 'string' ? reason : 'failed') : null };
}

/**
 * What Stripe knows of a checkout session and, once it is paid, its refunds. The events have the ids of the objects and their states.
 * @throws AppError provider_unavailable
 * @see https://docs.stripe.com/api/checkout/sessions/retrieve
 */
export async function fetchStripeSession(payment: KnownPayment, account: ProviderAccount): Promise<ProviderEvent[]> {
  const client = await clientOf(account);
  const expand = ['payment_intent'];
  const session = await client.checkout.sessions
    .retrieve(payment.paymentId, { expand })
    .catch((error: unknown) =>
      (error as { statusCode?: unknown }).statusCode === 404 ? null : failUnavailable(error),
    );
  if (session === null) return [];
  const event = readResponse('stripe', () => readStripeSession(session, payment.paymentId));
  if (event?.payment?.type !== 'payment.succeeded') return event === null ? [] : [event];
  const refunds = await client.refunds
    .list({ payment_intent: event.payment.paymentId, limit: 100 })
    .catch(failUnavailable);
  return [event, ...readResponse('stripe', () => readStripeRefunds(refunds))];
}

/** Throws the error for one of the SDK when a payment is started. @throws AppError also provider_refused */
function failToPay(error: unknown, account: ProviderAccount): never {
  const { statusCode, message } = error as { statusCode?: unknown; message?: unknown };
  if (typeof statusCode === 'number' && isPermanent(statusCode))
    throw paymentError('stripe', statusCode, message, account);
  return failUnavailable(error);
}

/** Throws the error for one of the SDK. @throws AppError provider_credentials_rejected, provider_unavailable */
export function failUnavailable(error: unknown): never {
  requireAccepted('stripe', (error as { statusCode?: unknown }).statusCode);
  throw providerUnavailable('stripe', reasonOf(error));
}

/** The kind of an error of the SDK. Its message can contain a part of the key. */
function reasonOf(error: unknown): string {
  const { type, code, statusCode } = error as { type?: unknown; code?: unknown; statusCode?: unknown };
  return [type, code, statusCode]
    .filter((part) => part !== undefined)
    .map(String)
    .join(' ');
}
