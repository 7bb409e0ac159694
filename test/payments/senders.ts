import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { type Response } from 'supertest';
import { anOrder, aProduct, aServer, aShop, type TestOrder, type TestShop } from '../support/actors.js';
import { type Client } from '../support/client.js';
import { expectSuccess } from '../support/envelope.js';

/** The webhook of a provider: its URL and its signing secret. */
export interface TestWebhook {
  readonly provider: string;
  /** Path below `/api/v2`, with the secret. */
  readonly path: string;
  readonly secret: string;
  readonly signingSecret: string;
}

interface Configured {
  readonly webhookUrl: string;
  readonly signingSecret: string | null;
}

/** Configures a provider as the shop's owner. */
export async function aWebhook(
  api: Client,
  { shopId, owner }: TestShop,
  provider: string,
  credentials: Readonly<Record<string, string>> = {},
): Promise<TestWebhook> {
  const { webhookUrl, signingSecret } = expectSuccess<Configured>(
    await api.put(`/payments/${shopId}/providers/${provider}`, { enabled: true, credentials }, { token: owner.token }),
  );
  const path = new URL(webhookUrl).pathname.replace('/api/v2', '');
  const secret = path.split('/').at(-1) ?? '';
  return { provider, path, secret, signingSecret: signingSecret ?? credentials['signingSecret'] ?? '' };
}

/** A shop that sells a product for 19.99 EUR, and its webhooks of two providers. */
export interface SellingShop extends TestShop {
  readonly orderRequest: { readonly productId: string; readonly serverId: string };
  readonly custom: TestWebhook;
  readonly stripe: TestWebhook;
  /** A new order of the product. */
  anOrder(): Promise<TestOrder>;
}

export async function aSellingShop(api: Client): Promise<SellingShop> {
  const shop = await aShop(api);
  const orderRequest = { productId: await aProduct(api, shop, { price: 19.99 }), serverId: await aServer(api, shop) };
  return {
    ...shop,
    orderRequest,
    custom: await aWebhook(api, shop, 'custom'),
    stripe: await aWebhook(api, shop, 'stripe', { signingSecret: 'whsec_test_secret_of_an_endpoint' }),
    anOrder: () => anOrder(api, shop.shopId, orderRequest),
  };
}

export interface Sent {
  readonly eventId?: string;
  readonly at?: Date;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends bytes as they are. */
export function sendRaw(
  api: Client,
  path: string,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return api.post(path, body, { headers: { 'Content-Type': 'application/json', ...headers } });
}

/** Sends a notification signed by the reference library of Standard Webhooks. */
export function sendCustom(
  api: Client,
  webhook: TestWebhook,
  body: object | string,
  { eventId = `msg_${randomUUID()}`, at = new Date(), headers = {} }: Sent = {},
): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return sendRaw(api, webhook.path, text, {
    'webhook-id': eventId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(webhook.signingSecret).sign(eventId, at, text),
    ...headers,
  });
}

/** Sends an event signed by Stripe's own library. */
export function sendStripe(
  api: Client,
  webhook: TestWebhook,
  type: string,
  object: object,
  { eventId = `evt_${randomUUID()}`, at = new Date(), more = {} }: Sent & { readonly more?: object } = {},
): Promise<Response> {
  const created = Math.floor(at.getTime() / 1000);
  const payload = JSON.stringify({ id: eventId, object: 'event', type, created, data: { object }, ...more });
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: webhook.signingSecret });
  return sendRaw(api, webhook.path, payload, { 'Stripe-Signature': signature });
}

/** The event that a shop's own payment system sends for a paid order. */
export function payment({ id, total }: TestOrder, changes: object = {}): Record<string, unknown> {
  return {
    type: 'payment.succeeded',
    orderId: id,
    paymentId: `pay_${id}`,
    amount: total,
    currency: 'EUR',
    occurredAt: '2026-11-21T08:00:00.000Z',
    ...changes,
  };
}
