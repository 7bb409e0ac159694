import { describe, expect, it } from '@jest/globals';
import { zoneOf } from '../../../lib/time/local-time.js';
import { NO_SALES, type SalesSums } from '../rollups/sale-sums.js';
import { type Interval } from '../rollups/sales.types.js';
import { type Granularity } from './stats-buckets.js';
import { comparePeriods, type NamedPeriod } from './stats-periods.js';
import { planSeries, seriesOf, type SeriesPlan } from './stats-series.js';

function plan(period: NamedPeriod | Interval, granularity: Granularity, now: string): SeriesPlan {
  const zone = zoneOf('Europe/Berlin');
  const planned = zone && planSeries(granularity, comparePeriods(period, 'previous_period', zone, new Date(now)), zone);
  if (planned === null) throw new Error('nothing planned');
  return planned;
}
const sums = (...grossMinor: number[]): SalesSums[] => grossMinor.map((gross) => ({ ...NO_SALES, grossMinor: gross }));
const gross = (points: ReturnType<typeof seriesOf>, side: 'current' | 'previous'): (number | null)[] =>
  points.map((point) => point[side]?.grossRevenue ?? null);

describe('planSeries', () => {
  it('plans nothing when no series is requested', () => {
    const zone = zoneOf('UTC');
    const periods = zone && comparePeriods('30d', 'previous_period', zone, new Date('2026-11-18T15:30Z'));
    expect(zone && periods && planSeries('none', periods, zone)).toBeNull();
  });

  it('leaves out the buckets of a running period that are in the future', () => {
    const { current, previous } = plan('month', 'day', '2026-11-18T15:30+01:00');
    expect(current).toHaveLength(18);
    expect(current.at(-1)).toEqual({
      from: new Date('2026-11-18T00:00+01:00'),
      to: new Date('2026-11-19T00:00+01:00'),
    });
    expect(previous).toHaveLength(18);
    expect(previous.at(-1)).toEqual({
      from: new Date('2026-10-18T00:00+02:00'),
      to: new Date('2026-10-18T15:30+02:00'),
    });
  });

  it('plans no buckets at the first moment of a period', () => {
    expect(seriesOf(plan('today', 'hour', '2026-11-18T00:00+01:00'), { current: [], previous: [] })).toEqual([]);
  });
});

describe('seriesOf', () => {
  it('pairs the buckets of both periods', () => {
    const points = seriesOf(plan('7d', 'day', '2026-11-18T15:30+01:00'), {
      current: sums(100, 0, 20, 0, 0, 0, 3),
      previous: sums(7, 0, 0, 0, 0, 0, 5),
    });
    expect(gross(points, 'current')).toEqual([100, 0, 20, 0, 0, 0, 3]);
    expect(gross(points, 'previous')).toEqual([7, 0, 0, 0, 0, 0, 5]);
    expect(points[0]).toEqual({
      bucket: { from: new Date('2026-11-12T00:00+01:00'), to: new Date('2026-11-13T00:00+01:00') },
      previousBucket: { from: new Date('2026-11-05T00:00+01:00'), to: new Date('2026-11-06T00:00+01:00') },
      current: {
        grossRevenue: 100,
        refunds: 0,
        chargebacks: 0,
        netRevenue: 100,
        orders: 0,
        paidOrders: 0,
        newBuyers: 0,
        discountTotal: 0,
        itemsSold: 0,
      },
      previous: {
        grossRevenue: 7,
        refunds: 0,
        chargebacks: 0,
        netRevenue: 7,
        orders: 0,
        paidOrders: 0,
        newBuyers: 0,
        discountTotal: 0,
        itemsSold: 0,
      },
    });
  });

  it('returns as many points as the longer period has buckets, so that each side adds up to its figures', () => {
    const april: Interval = { from: new Date('2026-04-01T00:00+02:00'), to: new Date('2026-04-03T00:00+02:00') };
    const zone = zoneOf('Europe/Berlin');
    const earlier: Interval = { from: new Date('2026-03-28T00:00+01:00'), to: new Date('2026-03-31T00:00+02:00') };
    const periods = zone && comparePeriods(april, earlier, zone, new Date('2026-11-18T15:30Z'));
    const planned = zone && periods && planSeries('day', periods, zone);
    const points = planned ? seriesOf(planned, { current: sums(0, 0), previous: sums(0, 0, 9) }) : [];
    expect(points).toHaveLength(3);
    expect(points[2]).toMatchObject({ bucket: null, current: null, previous: { grossRevenue: 9 } });
  });
});
