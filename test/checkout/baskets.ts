import { unique } from '../support/actors.js';

/** The body of a checkout: one piece of a product, by a buyer with an address of their own. */
export const aBasket = (
  { productId, serverId }: { readonly productId: string; readonly serverId: string },
  body: object = {},
): Record<string, unknown> => ({
  items: [{ productId, quantity: 1 }],
  serverId,
  nickname: 'Steve_42',
  email: `buyer-${unique()}@example.com`,
  ...body,
});
