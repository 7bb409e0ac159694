import { describe, expect, it } from '@jest/globals';
import { dueTotals } from './due-deliveries.js';

const NOW = new Date('2026-11-28T12:00:00Z');
const ago = (seconds: number): Date => new Date(NOW.getTime() - seconds * 1000);

describe('dueTotals', () => {
  it('shows the ten game servers with the most deliveries, the sum of all, and the age of the oldest of all', () => {
    const servers = Array.from({ length: 14 }, (_, index) => ({
      serverId: index === 13 ? null : `server-${index}`,
      due: index + 1,
      oldestAt: ago(20 - index),
    }));
    const { deliveries_due_by_server: shown, ...sums } = dueTotals(servers, NOW);
    expect(shown).toEqual(
      servers
        .toReversed()
        .slice(0, 10)
        .map(({ serverId, due }) => ({ labels: { server: serverId ?? 'any' }, value: due })),
    );
    expect(sums).toEqual({
      deliveries_due: [{ labels: {}, value: 105 }],
      deliveries_due_oldest_age_seconds: [{ labels: {}, value: 20 }],
    });
  });

  it('shows 0 when nothing is due, or is due only for the clock of another process', () => {
    const none = { deliveries_due: [{ labels: {}, value: 0 }], deliveries_due_by_server: [] };
    const age = { deliveries_due_oldest_age_seconds: [{ labels: {}, value: 0 }] };
    expect(dueTotals([], NOW)).toEqual({ ...none, ...age });
    expect(dueTotals([{ serverId: null, due: 1, oldestAt: ago(-5) }], NOW)).toMatchObject(age);
  });
});
