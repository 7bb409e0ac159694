import { type LeasedDelivery } from '../../delivery/deliveries/delivery.types.js';
import { type LeaseDto } from './dto/lease.dto.js';

/** When a plugin sends the next request: soon after a full lease, because more may wait. */
const NEXT_POLL_SECONDS = { afterFull: 1, usually: 10 } as const;

export function toLeaseDto(deliveries: readonly LeasedDelivery[], limit: number): LeaseDto {
  return {
    deliveries: deliveries.map((delivery) => ({
      deliveryId: delivery.id,
      orderId: delivery.orderId,
      attempt: delivery.attempt,
      run: delivery.run ?? 1,
      leaseUntil: delivery.dueAt.toISOString(),
      kind: delivery.kind,
      nickname: delivery.nickname,
      requiresOnline: delivery.requiresOnline,
      rehearsal: delivery.isRehearsal,
      commands: [...delivery.commands],
      possiblyExecuted: delivery.possiblyExecuted,
    })),
    nextPollSeconds: deliveries.length === limit ? NEXT_POLL_SECONDS.afterFull : NEXT_POLL_SECONDS.usually,
  };
}
