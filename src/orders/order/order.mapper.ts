import { toMajor } from '../../lib/money/money.js';
import { type OrderDto, type OrderItemDto } from './dto/order.dto.js';
import { type OrderItem, type OrderSummary } from './order.types.js';

export function toItemDto(item: OrderItem, currency: string): OrderItemDto {
  const { productId, name, quantity, unitPriceMinor, totalMinor } = item;
  return {
    productId,
    name,
    quantity,
    unitPrice: toMajor(unitPriceMinor, currency),
    total: toMajor(totalMinor, currency),
  };
}

/** An order as its buyer may see it. */
export function toOrderDto(order: OrderSummary): OrderDto {
  const { currency } = order;
  return {
    id: order.id,
    number: order.number,
    shopId: order.shopId,
    origin: order.origin,
    serverId: order.serverId,
    nickname: order.nickname,
    status: order.status,
    paymentStatus: order.paymentStatus,
    deliveryStatus: order.deliveryStatus,
    items: order.items.map((item) => toItemDto(item, currency)),
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
