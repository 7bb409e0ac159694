import { type Contribution, type Need } from '../../shops/overview/overview.types.js';
import { type DeliveryAttempt } from './delivery.types.js';

interface Grouped {
  readonly id: string;
  readonly serverId: string | null;
}

type ByServer = ReadonlyMap<string | null, readonly Grouped[]>;

export function byServer(deliveries: readonly Grouped[]): ByServer {
  const groups = new Map<string | null, Grouped[]>();
  for (const delivery of deliveries) {
    const group = groups.get(delivery.serverId);
    if (group === undefined) groups.set(delivery.serverId, [delivery]);
    else group.push(delivery);
  }
  return groups;
}

interface Facts {
  readonly waiting: ByServer;
  /** The latest one of each server comes first. */
  readonly failures: ByServer;
  readonly uncertain: ByServer;
  readonly names: ReadonlyMap<string, string>;
  /** The attempts of the latest failed delivery of each server, the first one first. */
  readonly attempts: readonly Pick<DeliveryAttempt, 'deliveryId' | 'output' | 'acknowledgedAt' | 'leasedAt'>[];
}

/** Counts by server, and one need for each server with failed and one with uncertain deliveries: the reason of the former is what the console printed at the last attempt. */
export function deliveriesPart({ waiting, failures, uncertain, names, attempts }: Facts): Contribution {
  const failedNeeds = [...failures].map(([serverId, failed]): Need => {
    const last = attempts.findLast(({ deliveryId }) => deliveryId === failed[0]?.id);
    const printed = last?.output ?? null;
    return {
      kind: 'delivery_failed',
      subject: serverId,
      name: serverId === null ? null : (names.get(serverId) ?? null),
      reason:
        printed === null ? 'The game server has not confirmed the last attempt' : `The console printed: ${printed}`,
      since: last === undefined ? null : (last.acknowledgedAt ?? last.leasedAt),
      count: failed.length,
    };
  });
  const uncertainNeeds = [...uncertain].map(([serverId, open]): Need => {
    return {
      ...{ kind: 'delivery_uncertain', subject: serverId, since: null, count: open.length },
      name: serverId === null ? null : (names.get(serverId) ?? null),
      reason: 'The game server got the commands, and nobody saw what became of them',
    };
  });
  const needs = [...failedNeeds, ...uncertainNeeds];
  const serverIds = new Set([...waiting.keys(), ...failures.keys()]);
  const counted = [...serverIds].map((serverId) => {
    return { serverId, waiting: waiting.get(serverId)?.length ?? 0, failed: failures.get(serverId)?.length ?? 0 };
  });
  return { needs, sections: { deliveries: counted } };
}
