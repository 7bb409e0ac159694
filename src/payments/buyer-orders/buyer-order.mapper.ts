import { maskedEmail } from '../../domain/buyers/masked-email.js';
import { toMajor } from '../../lib/money/money.js';
import { toOrderDto } from '../../orders/order/order.mapper.js';
import { type Reversal } from '../../orders/order/order.types.js';
import { type BuyerOrder } from './buyer-orders.service.js';
import { type BuyerOrderDto, type BuyerOrderItemDto, type BuyerRefundDto } from './dto/buyer-order.dto.js';
import { type LineProgress } from './line-rules.js';

/** An order with everything that its buyer may see of it. */
export function toBuyerOrderDto({
  order,
  shop,
  deliveryStatus,
  lines,
  payment,
  right,
  server,
}: BuyerOrder): BuyerOrderDto {
  const { items, ...shown } = toOrderDto(order);
  return {
    ...shown,
    deliveryStatus,
    items: items.map((item, position) => ({ ...item, ...toLineDto(lines[position]) })),
    emailMasked: order.email === null ? null : maskedEmail(order.email),
    server: server && { name: server.name, address: server.address },
    payment: payment && { ...payment, until: payment.until?.toISOString() ?? null },
    refunds: order.reversals.map((reversal) => toRefundDto(reversal, order.currency)),
    seller: { ...shop.seller },
    consents: (order.consents ?? []).map(({ kind, version, at }) => ({ kind, version, at: at.toISOString() })),
    withdrawal: {
      until: right.until?.toISOString() ?? null,
      items: [...right.productIds],
      requestedAt: order.withdrawal?.at.toISOString() ?? null,
      requestedItems: [...(order.withdrawal?.productIds ?? [])],
    },
  };
}

function toLineDto(
  line: LineProgress | undefined,
): Omit<BuyerOrderItemDto, 'productId' | 'name' | 'quantity' | 'unitPrice' | 'total'> {
  return {
    state: line?.state ?? 'none',
    reason: line?.reason ?? null,
    deliveredAt: line?.deliveredAt?.toISOString() ?? null,
    lastCallAt: line?.lastCallAt?.toISOString() ?? null,
  };
}

function toRefundDto({ kind, amountMinor, at }: Reversal, currency: string): BuyerRefundDto {
  return { kind, amount: toMajor(amountMinor, currency), at: at.toISOString() };
}
