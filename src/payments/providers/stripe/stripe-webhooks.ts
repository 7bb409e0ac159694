import { IDENTIFIER } from '../json-fields.js';
import { providerUnavailable } from '../provider-errors.js';
import { type RegisteredWebhook, type WebhookApi } from '../provider.js';
import { clientOf, failUnavailable } from './stripe-api.js';
import { STRIPE_EVENTS } from './stripe-events.js';
import type Stripe from 'stripe';

/** Stripe allows 16 endpoints for an account. */
const MAX_ENDPOINTS = 100;

const enabled_events = STRIPE_EVENTS as Stripe.WebhookEndpointCreateParams.EnabledEvent[];

/**
 * Reads an endpoint. The types promise its fields, but a proxy in between can return anything.
 * @returns nothing for one without an id or an address: it cannot be the one of a shop
 */
function registered(endpoint: unknown): RegisteredWebhook[] {
  const { id, url, status, enabled_events: events } = (endpoint ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof id !== 'string' || !IDENTIFIER.pattern.test(id) || typeof url !== 'string') return [];
  const selected: readonly unknown[] = Array.isArray(events) ? events : [];
  const isComplete = selected.includes('*') || STRIPE_EVENTS.every((one) => selected.includes(one));
  return [{ id, url, isComplete: isComplete && status === 'enabled' }];
}

/**
 * The webhook endpoints of a Stripe account. Stripe shows the signing secret of an endpoint only when it creates it.
 * @see https://docs.stripe.com/api/webhook_endpoints
 */
export const stripeWebhooks: WebhookApi = {
  credential: 'signingSecret',
  credentialOf: () => null,
  list: async (account) => {
    const client = await clientOf(account);
    const { data } = await client.webhookEndpoints.list({ limit: MAX_ENDPOINTS }).catch(failUnavailable);
    // The types promise a list, but a proxy in between can return anything.
    if (!Array.isArray(data)) throw providerUnavailable('stripe', 'returned no list of endpoints');
    return data.flatMap(registered);
  },
  create: async (url, account) => {
    const client = await clientOf(account);
    const endpoint = await client.webhookEndpoints.create({ url, enabled_events }).catch(failUnavailable);
    const [{ id } = { id: null }] = registered(endpoint);
    const { secret } = endpoint;
    if (id === null || typeof secret !== 'string' || !IDENTIFIER.pattern.test(secret))
      throw providerUnavailable('stripe', 'returned an endpoint without its secret');
    return { id, credential: secret };
  },
  update: async (id, url, account) => {
    const client = await clientOf(account);
    await client.webhookEndpoints.update(id, { url, enabled_events, disabled: false }).catch(failUnavailable);
  },
  remove: async (id, account) => {
    const client = await clientOf(account);
    await client.webhookEndpoints.del(id).catch(failUnavailable);
  },
};
