import { type Response } from 'supertest';
import { aWebhook, payment, sendCustom, type TestWebhook } from '../payments/senders.js';
import { aKey, anOrder, aProduct, aServer, aShop, type TestOrder, type TestShop } from '../support/actors.js';
import { type Client } from '../support/client.js';
import { expectSuccess } from '../support/envelope.js';
import { inDatabase } from '../support/in-database.js';
import { idOf } from '../support/records.js';
import { type TestApp } from '../support/test-app.js';

/** A shop whose plugin can fetch deliveries. */
export interface DeliveringShop extends TestShop {
  readonly serverId: string;
  readonly productId: string;
  /** A plugin key with nothing but `deliveries:write`. */
  readonly pluginKey: string;
  readonly pluginKeyId: string;
  readonly webhook: TestWebhook;
}

/** A delivery as a plugin gets it. */
export interface Leased {
  readonly deliveryId: string;
  readonly orderId: string;
  readonly attempt: number;
  readonly run: number;
  readonly leaseUntil: string;
  readonly kind: string;
  readonly nickname: string;
  readonly requiresOnline: boolean;
  readonly commands: readonly string[];
  readonly possiblyExecuted: boolean;
}

/** A delivery as staff see it. */
export interface ListedDelivery {
  readonly orderId: string;
  readonly kind: string;
  readonly state: string;
  readonly dueAt: string | null;
  readonly leaseUntil: string | null;
  readonly attempts: readonly { readonly output: string; readonly acknowledgedAt: string | null }[];
}

export interface Outcome {
  readonly deliveryId: string;
  readonly attempt: number;
  readonly status: string;
  readonly accepted: boolean;
}

export async function aDeliveringShop(api: Client, product: object = {}): Promise<DeliveringShop> {
  const shop = await aShop(api);
  const [serverId, productId] = [await aServer(api, shop), await aProduct(api, shop, product)];
  const { key: pluginKey, id: pluginKeyId } = await aKey(api, shop, 'plugin', ['deliveries:write']);
  const webhook = await aWebhook(api, shop, 'custom');
  return { ...shop, serverId, productId, pluginKey, pluginKeyId, webhook };
}

/** An order whose deliveries wait for the plugin. */
export async function aPaidOrder(api: Client, shop: DeliveringShop, body: object = {}): Promise<TestOrder> {
  const { shopId, productId, serverId, webhook } = shop;
  const order = await anOrder(api, shopId, { productId, serverId, ...body });
  expectSuccess(await sendCustom(api, webhook, payment(order)));
  return order;
}

/** The payment provider reports what happened to the payment of an order. */
export async function reportPayment(
  api: Client,
  { webhook }: DeliveringShop,
  order: TestOrder,
  type: string,
  changes: object = {},
): Promise<void> {
  expectSuccess(await sendCustom(api, webhook, payment(order, { type, ...changes })));
}

export const requestLease = (api: Client, shop: DeliveringShop, body: object = {}): Promise<Response> =>
  api.post(`/deliveries/${shop.shopId}/lease`, { serverId: shop.serverId, ...body }, { key: shop.pluginKey });

export async function lease(api: Client, shop: DeliveringShop, body: object = {}): Promise<readonly Leased[]> {
  return expectSuccess<{ deliveries: Leased[] }>(await requestLease(api, shop, body)).deliveries;
}

export const sendAck = (api: Client, shop: DeliveringShop, results: readonly object[]): Promise<Response> =>
  api.post(`/deliveries/${shop.shopId}/ack`, { results }, { key: shop.pluginKey });

export async function acknowledge(
  api: Client,
  shop: DeliveringShop,
  { deliveryId, attempt }: Pick<Leased, 'deliveryId' | 'attempt'>,
  status = 'delivered',
  output?: string,
): Promise<Outcome | undefined> {
  const sent = { deliveryId, attempt, status, ...(output === undefined ? {} : { output }) };
  return expectSuccess<{ results: Outcome[] }>(await sendAck(api, shop, [sent])).results[0];
}

/** The delivery status that the buyer sees. */
export async function deliveryStatusOf(api: Client, { id, accessToken }: TestOrder): Promise<string> {
  const seen = await api.get(`/orders/public/${id}`, { headers: { 'X-Order-Token': accessToken } });
  return expectSuccess<{ deliveryStatus: string }>(seen).deliveryStatus;
}

/** The deliveries of the shop, as its owner lists them. */
export async function listed(api: Client, { shopId, owner }: TestShop, query = ''): Promise<readonly ListedDelivery[]> {
  return expectSuccess<ListedDelivery[]>(await api.get(`/deliveries/${shopId}${query}`, { token: owner.token }));
}

/** The deliveries of an order: each as its kind and its state (`purchase delivered`), sorted. */
export async function kindsOf(api: Client, shop: TestShop, { id }: TestOrder): Promise<string[]> {
  return (await listed(api, shop, `?orderId=${id}`)).map(({ kind, state }) => `${kind} ${state}`).sort();
}

/** The owner queues the deliveries of an order again. */
export const redeliver = (
  api: Client,
  { shopId, owner }: TestShop,
  { id }: TestOrder,
  reason = 'The server had crashed',
): Promise<Response> => api.post(`/orders/${shopId}/${id}/redeliver`, { reason }, { token: owner.token });

/** Ends the leases of an order, as if their time had passed. */
export const endLeases = (app: TestApp, { id }: TestOrder): Promise<unknown> =>
  inDatabase(app, (db) =>
    db.collection('deliveries').updateMany({ orderId: idOf(id) }, { $set: { dueAt: new Date(0) } }),
  );
