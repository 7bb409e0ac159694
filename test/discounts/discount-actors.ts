import { type Response } from 'supertest';
import { aDiscount, aKey, aProduct, aServer, aShop, type TestShop } from '../support/actors.js';
import { type Client } from '../support/client.js';
import { expectSuccess } from '../support/envelope.js';

/** A shop that has something to sell, and the calls of its discounts with a key of the shop. */
export interface DiscountingShop extends TestShop {
  readonly key: string;
  readonly productId: string;
  readonly serverId: string;
  path(discountId?: string): string;
  create(body: object): Promise<Response>;
  read(id: string): Promise<Response>;
  update(id: string, body: object): Promise<Response>;
  remove(id: string): Promise<Response>;
  /** A new code, made by the owner. */
  aCode(body?: object): Promise<{ id: string; code: string }>;
  lastAudit(): Promise<Record<string, unknown> | undefined>;
}

export async function aDiscountingShop(api: Client): Promise<DiscountingShop> {
  const shop = await aShop(api);
  const { shopId } = shop;
  const { key } = await aKey(api, shop);
  const path = (discountId?: string): string =>
    `/discounts/${shopId}${discountId === undefined ? '' : `/${discountId}`}`;
  return {
    ...shop,
    key,
    productId: await aProduct(api, shop),
    serverId: await aServer(api, shop),
    path,
    create: (body) => api.post(path(), body, { key }),
    read: (id) => api.get(path(id), { key }),
    update: (id, body) => api.patch(path(id), body, { key }),
    remove: (id) => api.delete(path(id), { key }),
    aCode: (body) => aDiscount(api, shop, body),
    lastAudit: async () =>
      expectSuccess<Record<string, unknown>[]>(await api.get(`/shops/${shopId}/audit?limit=1`, { key }))[0],
  };
}
