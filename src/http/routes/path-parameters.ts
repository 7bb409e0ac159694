import { IMAGE_ID_PATTERN } from '../../lib/ids/image-id.js';
import { IMAGE_ID_EXAMPLE } from '../validation/image-id.field.js';
import { type ApiParamOptions } from '@nestjs/swagger';
import { type Request } from 'express';
import { isObjectId, OBJECT_ID_PATTERN } from '../../lib/ids/object-id.js';

const OBJECT_ID_SCHEMA = { type: 'string', pattern: OBJECT_ID_PATTERN } as const;

function objectIdParameter(name: string, description: string, example: string): ApiParamOptions {
  return { name, description, schema: { ...OBJECT_ID_SCHEMA, example } };
}

export const SHOP_ID = objectIdParameter('shopId', 'The shop.', '655f1c2ab1e4a9d3f0c81234');
export const MEMBER_ID = objectIdParameter('memberId', 'The membership.', '655f1c2ab1e4a9d3f0c81235');
export const INVITATION_ID = objectIdParameter('invitationId', 'The invitation.', '655f1c2ab1e4a9d3f0c81236');
export const KEY_ID = objectIdParameter('keyId', 'The API key.', '655f1c2ab1e4a9d3f0c81240');
export const ORDER_ID = objectIdParameter('orderId', 'The order.', '655f1c2ab1e4a9d3f0c81250');
export const ENTITLEMENT_ID = objectIdParameter('entitlementId', 'The entitlement.', '655f1c2ab1e4a9d3f0c812e0');
export const DELIVERY_ID = objectIdParameter('deliveryId', 'The delivery.', '655f1c2ab1e4a9d3f0c812a0');
export const BAN_ID = objectIdParameter('banId', 'The ban.', '655f1c2ab1e4a9d3f0c812b0');
export const BUYER_ADDRESS = objectIdParameter(
  'key',
  'The buyer: `key` in the list of buyers.',
  '5d1f0c3b7a9e2468ace01357',
);
export const SERVER_ID = objectIdParameter('serverId', 'The game server.', '655f1c2ab1e4a9d3f0c81260');
export const PRODUCT_ID = objectIdParameter('productId', 'The product.', '655f1c2ab1e4a9d3f0c81270');
export const CATEGORY_ID = objectIdParameter('categoryId', 'The category.', '655f1c2ab1e4a9d3f0c81290');
export const IMAGE_ID: ApiParamOptions = {
  name: 'imageId',
  description: 'The image.',
  schema: { type: 'string', pattern: IMAGE_ID_PATTERN, example: IMAGE_ID_EXAMPLE },
};
export const SALE_ID = objectIdParameter('saleId', 'The sale.', '655f1c2ab1e4a9d3f0c812a0');
export const TIER_GROUP_ID = objectIdParameter('groupId', 'The group of tiers.', '655f1c2ab1e4a9d3f0c812b0');
export const DISCOUNT_ID = objectIdParameter('discountId', 'The discount.', '655f1c2ab1e4a9d3f0c81280');
export const EVENT_ID = objectIdParameter('eventId', 'The event.', '655f1c2ab1e4a9d3f0c812c0');
export const WEBHOOK_ID = objectIdParameter('webhookId', 'The webhook.', '655f1c2ab1e4a9d3f0c812d0');
export const WEBHOOK_DELIVERY_ID = objectIdParameter('deliveryId', 'The delivery.', '655f1c2ab1e4a9d3f0c812d1');
export const SESSION_ID = objectIdParameter('sessionId', 'The session.', '655f1c2ab1e4a9d3f0c81235');

/** The id of the shop in the path of a request, in lower case; null when it does not exist, or it is malformed. */
export function namedShop({ params }: Request): string | null {
  const named = params['shopId'];
  return isObjectId(named) ? named.toLowerCase() : null;
}
