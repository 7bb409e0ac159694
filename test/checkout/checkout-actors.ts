import { type Response } from 'supertest';
import { aProduct, aServer, aShop, type TestShop, unique } from '../support/actors.js';
import { type Client } from '../support/client.js';

/** A shop that sells one product for one server. */
export interface CheckoutShop extends TestShop {
  readonly productId: string;
  readonly serverId: string;
  /** The path of the checkout. */
  readonly path: string;
  /** The body of a checkout: one unit of the product, by a buyer with an address of their own. */
  basket(body?: object): Record<string, unknown>;
  checkout(body?: object): Promise<Response>;
}

export async function aCheckoutShop(
  api: Client,
  { product = {}, settings = {} }: { product?: object; settings?: Record<string, unknown> } = {},
): Promise<CheckoutShop> {
  const shop = await aShop(api, settings);
  const [productId, serverId] = [await aProduct(api, shop, product), await aServer(api, shop)];
  const path = `/checkout/${shop.shopId}/orders`;
  const basket = (body: object = {}): Record<string, unknown> => ({
    items: [{ productId, quantity: 1 }],
    serverId,
    nickname: 'Steve_42',
    email: `buyer-${unique()}@example.com`,
    ...body,
  });
  return { ...shop, productId, serverId, path, basket, checkout: (body) => api.post(path, basket(body)) };
}
