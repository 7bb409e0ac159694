import { IDENTIFIER } from '../json-fields.js';
import { providerUnavailable } from '../provider-errors.js';
import { type RegisteredWebhook, type WebhookApi } from '../provider.js';
import { clientOf, failUnavailable } from './stripe-api.js';
import { STRIPE_EVENTS } from './stripe-events.js';
import type Stripe from 'stripe';

/** Stripe allows 16 endpoints for an account. */
const MAX_ENDPOINTS = 100;

const enabled_events = STRIPE_EVENTS as Stripe.WebhookEndpointCreateParams.EnabledEvent[];

function registered({ id, url, status, enabled_events: events }: Stripe.WebhookEndpoint): RegisteredWebhook {
  const isComplete = events.includes('*') || STRIPE_EVENTS.every((one) => events.includes(one));
  return { id, url, isComplete: isComplete && status === 'enabled' };
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
    return data.map(registered);
  },
  create: async (url, account) => {
    const client = await clientOf(account);
    const { secret } = await client.webhookEndpoints.create({ url, enabled_events }).catch(failUnavailable);
    if (typeof secret !== 'string' || !IDENTIFIER.pattern.test(secret))
      throw providerUnavailable('stripe', 'returned an endpoint without its secret');
    return secret;
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
