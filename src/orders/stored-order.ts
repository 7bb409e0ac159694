import { type OrderRecord } from './order.schema.js';
import { type Order, type OrderSummary } from './order.types.js';

/** The stored fields of an order that lists read. */
export type OrderSummaryRecord = Omit<
  OrderRecord,
  'payments' | 'reversals' | 'review' | 'history' | 'places' | 'accessTokenHash'
>;

/** Part of each write that ends an order or completes it: the hash of the address is no longer needed. */
export const WITHOUT_PLACES = { $unset: { places: 1 } } as const;

export function toOrder(record: OrderRecord): Order {
  const { payments, reversals, review = null, history } = record;
  return { ...toOrderSummary(record), payments, reversals, review, history };
}

export function toOrderSummary(record: OrderSummaryRecord): OrderSummary {
  const { _id, shopId, serverId, items, discount } = record;
  return {
    id: _id.toHexString(),
    shopId: shopId.toHexString(),
    serverId: serverId?.toHexString() ?? null,
    nickname: record.nickname,
    email: record.email,
    buyerKey: record.buyerKey,
    nicknameKey: record.nicknameKey,
    status: record.status,
    paymentStatus: record.paymentStatus,
    deliveryStatus: record.deliveryStatus,
    items: items.map((item) => ({
      ...item,
      productId: item.productId.toHexString(),
      commandListId: item.commandListId.toHexString(),
    })),
    itemCount: record.itemCount,
    subtotalMinor: record.subtotalMinor,
    discount: discount && {
      discountId: discount.discountId.toHexString(),
      code: discount.code,
      amountMinor: discount.amountMinor,
    },
    totalMinor: record.totalMinor,
    currency: record.currency,
    createdAt: record.createdAt,
    paidAt: record.paidAt,
    expiresAt: record.expiresAt,
    isFirstPurchase: record.isFirstPurchase,
  };
}
