import { type DeliveryWithAttempts } from './deliveries.service.js';
import { shownState } from './delivery-rules.js';
import { type Failures } from './failed-deliveries.service.js';
import { type DeliveryAttempt } from './delivery.types.js';
import { type DeliveryAttemptDto, type DeliveryDto } from './dto/delivery.dto.js';
import { type FailuresDto } from './dto/failures.dto.js';

export function toDeliveryDto(delivery: DeliveryWithAttempts): DeliveryDto {
  const state = shownState(delivery, new Date());
  return {
    id: delivery.id,
    orderId: delivery.orderId,
    serverId: delivery.serverId,
    kind: delivery.kind,
    position: delivery.position,
    nickname: delivery.nickname,
    requiresOnline: delivery.requiresOnline,
    rehearsal: delivery.isRehearsal,
    state,
    dueAt: state === 'queued' ? delivery.dueAt.toISOString() : null,
    leaseUntil: state === 'leased' ? delivery.dueAt.toISOString() : null,
    commands: delivery.commands === null ? null : [...delivery.commands],
    attempts: delivery.attempts.map(toAttemptDto),
    createdAt: delivery.createdAt.toISOString(),
  };
}

function toAttemptDto(attempt: DeliveryAttempt): DeliveryAttemptDto {
  return {
    attempt: attempt.attempt,
    serverId: attempt.serverId,
    nickname: attempt.nickname,
    leasedBy: attempt.leasedBy,
    leasedAt: attempt.leasedAt.toISOString(),
    leaseUntil: attempt.leaseUntil.toISOString(),
    result: attempt.result,
    output: attempt.output,
    acknowledgedAt: attempt.acknowledgedAt?.toISOString() ?? null,
  };
}

export function toFailuresDto({ groups, counted, isComplete }: Failures): FailuresDto {
  const ofGroups = groups.map(({ key, cause, reason, count, serverIds, firstAt, lastAt, latest }) => ({
    key,
    cause,
    reason,
    count,
    serverIds: serverIds.flatMap((serverId) => serverId ?? []),
    firstAt: firstAt?.toISOString() ?? null,
    lastAt: lastAt?.toISOString() ?? null,
    latest: { deliveryId: latest.id, orderId: latest.orderId },
  }));
  return { groups: ofGroups, counted, isComplete };
}
