import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type IANAZone } from 'luxon';
import { instantOf, zoneOf } from '../../src/platform/time/local-time.js';
import { bucketsOf } from '../../src/analytics/stats/reports/stats-buckets.js';
import { type Interval } from '../../src/analytics/stats/rollups/sales.types.js';
import { newObjectId } from '../../src/platform/validation/object-id.js';
import { openRollups, type RollupStore } from './rollup-store.js';

let store: RollupStore;
const shopId = newObjectId();

beforeAll(async () => {
  store = await openRollups(undefined, { watchCommands: true });
  const at = new Date('2026-03-01T12:00:00.000Z');
  await store.place({
    ...{ id: newObjectId(), shopId, serverId: newObjectId(), buyerKey: 'steve@example.com', discountMinor: 0 },
    items: [{ productId: newObjectId(), quantity: 1, unitPriceMinor: 500 }],
    ...{ currency: 'EUR', createdAt: at, paidAt: at, isFirstPurchase: true, reversals: [] },
  });
  await store.fold();
});
afterAll(() => store.close());

const yearOf = (year: number, zone: IANAZone): Interval => ({
  from: new Date(instantOf(Date.UTC(year, 0, 1), zone)),
  to: new Date(instantOf(Date.UTC(year + 1, 0, 1), zone)),
});

/** An alternative of a query for rollups: a range of cells, or single ones. */
interface Alternative {
  readonly at: { readonly $in?: readonly Date[] };
}

// What each alternative adds to the cost of every record made such a query take two seconds.
it.each(['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'Asia/Kathmandu', 'Australia/Adelaide', 'Pacific/Chatham'])(
  'queries few ranges of sums and few single sums for two years by day in %s',
  async (name) => {
    const zone = zoneOf(name) as IANAZone;
    const windows = { current: yearOf(2026, zone), previous: yearOf(2025, zone) };
    const buckets = {
      current: bucketsOf(windows.current, 'day', zone),
      previous: bucketsOf(windows.previous, 'day', zone),
    };
    store.commands.length = 0;
    const { current } = await store.sales.salesOf({ shopId, currency: 'EUR', windows, buckets });
    expect(current.buckets.reduce((sum, { paidOrders }) => sum + paidOrders, 0)).toBe(1);
    const queries = store.commands.filter(({ find }) => find === 'stats_rollups');
    const alternatives = queries.map(({ filter }) => (filter as { $or: Alternative[] }).$or);
    expect(Math.max(...alternatives.map(({ length }) => length))).toBeLessThanOrEqual(20);
    const cells = alternatives.flat().reduce((sum, { at }) => sum + (at.$in?.length ?? 0), 0);
    // A local day has at most 3 quarters of an hour at each end that are not in whole hours.
    expect(cells).toBeLessThanOrEqual(2 * 366 * 6);
  },
);
