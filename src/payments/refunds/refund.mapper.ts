import { toMajor } from '../../lib/money/money.js';
import { type RefundDto } from './dto/refund.dto.js';
import { type Refund } from './refund.types.js';

export function toRefundDto(refund: Refund): RefundDto {
  const { id, orderId, provider, paymentId, refundId, amountMinor, currency, reason, state, failure, createdAt } =
    refund;
  const amount = toMajor(amountMinor, currency);
  return {
    ...{ id, orderId, provider, paymentId, refundId, amount, currency, reason, state, failure },
    createdAt: createdAt.toISOString(),
  };
}
