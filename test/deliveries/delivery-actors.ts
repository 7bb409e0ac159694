import { type Response } from 'supertest';
import { aWebhook, payment, sendCustom, type TestWebhook } from '../payments/senders.js';
import { aKey, anOrder, aProduct, aServer, aShop, type TestOrder, type TestShop } from '../support/actors.js';
import { type Client } from '../support/client.js';
import { expectSuccess } from '../support/envelope.js';

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
  readonly leaseUntil: string;
  readonly kind: string;
  readonly nickname: string;
  readonly requiresOnline: boolean;
  readonly commands: readonly string[];
  readonly possiblyExecuted: boolean;
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

/** An order whose goods wait for the plugin. */
export async function aPaidOrder(api: Client, shop: DeliveringShop, body: object = {}): Promise<TestOrder> {
  const { shopId, productId, serverId, webhook } = shop;
  const order = await anOrder(api, shopId, { productId, serverId, ...body });
  expectSuccess(await sendCustom(api, webhook, payment(order)));
  return order;
}

export const askLease = (api: Client, shop: DeliveringShop, body: object = {}): Promise<Response> =>
  api.post(`/deliveries/${shop.shopId}/lease`, { serverId: shop.serverId, ...body }, { key: shop.pluginKey });

export async function lease(api: Client, shop: DeliveringShop, body: object = {}): Promise<readonly Leased[]> {
  return expectSuccess<{ deliveries: Leased[] }>(await askLease(api, shop, body)).deliveries;
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

/** What the buyer sees of the goods. */
export async function goodsOf(api: Client, { id, accessToken }: TestOrder): Promise<string> {
  const seen = await api.get(`/orders/public/${id}`, { headers: { 'X-Order-Token': accessToken } });
  return expectSuccess<{ deliveryStatus: string }>(seen).deliveryStatus;
}
