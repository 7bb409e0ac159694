import { toMajor } from '../common/money/money.js';
import { type CreatedOrderDto, type OrderDto } from './dto/order.dto.js';
import { type Order, type OrderSummary } from './order.types.js';

/** An order as its buyer may see it. */
export function toOrderDto(order: OrderSummary): OrderDto {
  const { currency } = order;
  return {
    id: order.id,
    shopId: order.shopId,
    serverId: order.serverId,
    nickname: order.nickname,
    status: order.status,
    paymentStatus: order.paymentStatus,
    deliveryStatus: order.deliveryStatus,
    items: order.items.map(({ productId, name, quantity, unitPriceMinor, totalMinor }) => ({
      productId,
      name,
      quantity,
      unitPrice: toMajor(unitPriceMinor, currency),
      total: toMajor(totalMinor, currency),
    })),
    subtotal: toMajor(order.subtotalMinor, currency),
    discountCode: order.discount?.code ?? null,
    discountAmount: toMajor(order.discount?.amountMinor ?? 0, currency),
    total: toMajor(order.totalMinor, currency),
    currency,
    createdAt: order.createdAt.toISOString(),
    paidAt: order.paidAt?.toISOString() ?? null,
    expiresAt: order.expiresAt.toISOString(),
  };
}

export function toCreatedOrderDto({ order, accessToken }: { order: Order; accessToken: string }): CreatedOrderDto {
  return { ...toOrderDto(order), accessToken };
}
