import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type IANAZone } from 'luxon';
import { instantOf, zoneOf } from '../../src/lib/time/local-time.js';
import { bucketsOf } from '../../src/analytics/stats/reports/stats-buckets.js';
import { type Interval } from '../../src/analytics/stats/rollups/sales.types.js';
import { DAY_MS } from '../../src/lib/time/durations.js';
import { newObjectId } from '../../src/lib/ids/object-id.js';
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

/** An alternative of a query for rollups: a range of days, or single ones. */
interface Alternative {
  readonly at: { readonly $in?: readonly Date[]; readonly $gte?: Date; readonly $lt?: Date };
}

function rollupsIn({ at: { $in, $gte, $lt } }: Alternative): number {
  return $in?.length ?? (Number($lt) - Number($gte)) / DAY_MS;
}

// What each alternative adds to the cost of every record made such a query take two seconds, and long lists let other requests wait.
it.each([
  ...['UTC', 'Europe/Berlin', 'America/New_York', 'Pacific/Auckland'],
  ...['Asia/Kolkata', 'Asia/Kathmandu', 'Australia/Adelaide', 'Pacific/Chatham'],
])(
  'queries few ranges and short lists of sums, and few sums for each day, for two years by day in %s',
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
    const read = store.commands.filter(({ find }) => find === 'stats_rollups' || find === 'stats_ledger');
    const batches = read.map(({ batchSize }) => Number(batchSize ?? Infinity));
    expect(Math.max(...batches)).toBeLessThanOrEqual(250);
    const queries = store.commands.filter(({ find }) => find === 'stats_rollups');
    const alternatives = queries.map(({ filter }) => (filter as { $or: Alternative[] }).$or);
    expect(Math.max(...alternatives.map(({ length }) => length))).toBeLessThanOrEqual(20);
    expect(Math.max(...alternatives.flat().map(({ at }) => at.$in?.length ?? 0))).toBeLessThanOrEqual(1_000);
    const rollups = alternatives.flat().reduce((sum, alternative) => sum + rollupsIn(alternative), 0);
    // The day itself and its quarters of an hour, and both days at each end.
    expect(rollups).toBeLessThanOrEqual(2 * (2 * 366 + 2));
  },
);

it('queries the ledger once for the time that two windows share', async () => {
  const month = { from: new Date('2026-03-01T00:00:00.000Z'), to: new Date('2026-04-01T00:00:00.000Z') };
  const windows = { current: month, previous: month };
  const buckets = { current: [month], previous: [month] };
  store.commands.length = 0;
  // A shop without rollups, so that all of both windows is read from the ledger.
  await store.sales.salesOf({ shopId: newObjectId(), currency: 'EUR', windows, buckets });
  const queries = store.commands.filter(({ find }) => find === 'stats_ledger');
  expect(queries.map(({ filter }) => (filter as { $or: unknown[] }).$or.length)).toEqual([1]);
});
