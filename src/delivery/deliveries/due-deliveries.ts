import { ageInSeconds, type Sample, type Totals } from '../../infrastructure/totals/totals.js';

/** How many game servers have a series of their own: those with the most deliveries. There is no limit to the number of servers. */
const SHOWN_SERVERS = 10;

export type DueTotal = 'deliveries_due' | 'deliveries_due_oldest_age_seconds' | 'deliveries_due_by_server';

export const DUE_TOTALS: Totals<DueTotal>['gauges'] = {
  deliveries_due: { help: 'Deliveries that game servers could take now', labels: [] },
  deliveries_due_oldest_age_seconds: {
    help: 'How long the oldest of these deliveries has been due',
    labels: [],
  },
  deliveries_due_by_server: {
    help: `Deliveries that are due, for the ${SHOWN_SERVERS} game servers with the most (any: each server of a shop)`,
    labels: ['server'],
  },
};

/** Deliveries that one game server could take now. */
export interface DueDeliveries {
  /** null: any server of the shop can take them. */
  readonly serverId: string | null;
  readonly due: number;
  readonly oldestAt: Date;
}

/** What the metrics show of them. Without a delivery that is due, the sum and the age are 0. */
export function dueTotals(servers: readonly DueDeliveries[], now: Date): Record<DueTotal, Sample[]> {
  const most = servers.toSorted((a, b) => b.due - a.due).slice(0, SHOWN_SERVERS);
  const total = (value: number): Sample[] => [{ labels: {}, value }];
  return {
    deliveries_due: total(servers.reduce((sum, { due }) => sum + due, 0)),
    deliveries_due_oldest_age_seconds: total(
      Math.max(0, ...servers.map(({ oldestAt }) => ageInSeconds(oldestAt, now))),
    ),
    deliveries_due_by_server: most.map(({ serverId, due }) => ({ labels: { server: serverId ?? 'any' }, value: due })),
  };
}
