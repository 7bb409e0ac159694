import { toMajor } from '../../lib/money/money.js';
import { type RefundDto } from './dto/refund.dto.js';
import { type Refund } from './refund.types.js';

export function toRefundDto(refund: Refund): RefundDto {
  const { id, orderId, provider, paymentId, refundId, amountMinor, currency, reason, state, failure, createdAt } =
    refund;
  const { items = [], takeBack = false } = refund;
  const amount = toMajor(amountMinor, currency);
  return {
    ...{ id, orderId, provider, paymentId, refundId, amount, currency, reason, state, failure },
    items: items.map((item) => ({ productId: item.productId, amount: toMajor(item.amountMinor, currency) })),
    takeBack,
    createdAt: createdAt.toISOString(),
  };
}
