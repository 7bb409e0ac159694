import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ROLLUP_MODEL, type RollupRecord, rollupSchema } from '../../src/analytics/stats/rollups/rollup.schema.js';
import { type Rollup, RollupsRepository } from '../../src/analytics/stats/rollups/rollups.repository.js';
import { type CellRange } from '../../src/analytics/stats/rollups/time-cells.js';
import { DAY_MS, HOUR_MS } from '../../src/lib/time/durations.js';
import { OTHER_SHOP, SHOP } from '../support/contexts.js';
import { openModel, openTestStore, type TestStore } from '../support/store.js';

const SCOPE = { currency: 'EUR', serverId: null, productId: null };
const START = Date.UTC(2026, 0, 1);
/** An hour of each four. */
const HOURS = Array.from({ length: 1_500 }, (_, index) => START + index * 4 * HOUR_MS);
const DAYS = [START, START + DAY_MS];

let store: TestStore;
let rollups: RollupsRepository;

const changes = (sizeMs: number, beginnings: readonly number[], paidOrders: number) =>
  beginnings.map((atMs) => ({ scope: SCOPE, sizeMs, atMs, sums: { paidOrders }, buyers: null }));

beforeAll(async () => {
  store = await openTestStore();
  rollups = new RollupsRepository(await openModel<RollupRecord>(store.connection, ROLLUP_MODEL, rollupSchema));
  const others = { ...SCOPE, currency: 'USD' };
  await store.commit(async (transaction) => {
    await rollups.add(SHOP, [...changes(HOUR_MS, HOURS, 1), ...changes(DAY_MS, DAYS, 2)], transaction);
    await rollups.add(OTHER_SHOP, [...changes(HOUR_MS, HOURS, 4), ...changes(DAY_MS, DAYS, 4)], transaction);
    const ofOtherScope = changes(HOUR_MS, HOURS, 8).map((change) => ({ ...change, scope: others }));
    await rollups.add(SHOP, ofOtherScope, transaction);
  });
});
afterAll(() => store.close());

const read = (ranges: readonly CellRange[]): Promise<string[]> =>
  store.commit(async (transaction) => {
    const found: Rollup[] = [];
    for await (const rollup of rollups.sumsInRanges(SHOP, SCOPE, ranges, transaction)) found.push(rollup);
    return found.map(({ sizeMs, atMs, sums }) => `${sizeMs} ${atMs} ${sums.paidOrders}`).sort();
  });
const hoursAt = (beginnings: readonly number[]): CellRange[] =>
  beginnings.map((fromMs) => ({ sizeMs: HOUR_MS, fromMs, toMs: fromMs + HOUR_MS }));
const days: CellRange = { sizeMs: DAY_MS, fromMs: START, toMs: START + 2 * DAY_MS };
const [ofHours, ofDays] = [HOURS.map((at) => `${HOUR_MS} ${at} 1`), DAYS.map((at) => `${DAY_MS} ${at} 2`)];

it.each([
  ['in few ranges', 3],
  ['in more ranges than one query names', HOURS.length],
])('finds each rollup of the shop and the scope once, of several sizes, %s', async (_, count) => {
  expect(await read([...hoursAt(HOURS.slice(0, count)), days])).toEqual([...ofHours.slice(0, count), ...ofDays].sort());
});

it('finds nothing in no range, and nothing before and after a range', async () => {
  expect(await read([])).toEqual([]);
  expect(await read([{ sizeMs: HOUR_MS, fromMs: START + HOUR_MS, toMs: START + 4 * HOUR_MS }])).toEqual([]);
});
