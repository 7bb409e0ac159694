import { toMajor } from '../../lib/money/money.js';
import { type MovementDto } from './dto/movement.dto.js';
import { netMinorOf } from './movement-rules.js';
import { type Movement } from './movement.types.js';

export function toMovementDto(movement: Movement): MovementDto {
  const { id, orderId, orderNumber, kind, state, provider, paymentId, refundId, disputeId, amountMinor, currency } =
    movement;
  return {
    ...{ id, orderId, orderNumber, kind, state, provider, paymentId, refundId, disputeId },
    amount: toMajor(amountMinor, currency),
    netAmount: toMajor(netMinorOf(movement), currency),
    currency,
    startedAt: movement.startedAt.toISOString(),
    occurredAt: movement.occurredAt.toISOString(),
  };
}
