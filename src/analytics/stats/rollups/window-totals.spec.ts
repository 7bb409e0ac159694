import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../lib/time/durations.js';
import { type StoredLedgerEntry } from '../../../orders/ledger/ledger.types.js';
import { type SaleEvent } from '../../../orders/ledger/sale-events.js';
import { packed } from './buyer-counts.js';
import { changesOf } from './rollup-changes.js';
import { type Rollup } from './rollups.repository.js';
import { type SalesSums } from './sale-sums.js';
import { WindowTotals } from './window-totals.js';

const START = Date.UTC(2026, 2, 1);

const paid = (atMs: number, count = 1): SaleEvent => {
  return { kind: 'paid', at: new Date(atMs), amountMinor: 0, lines: [], count, provider: 'stripe' };
};
const entry = (buyer: number, events: readonly SaleEvent[], pending: boolean): StoredLedgerEntry => ({
  ...{
    id: 'entry',
    orderId: 'order',
    serverId: null,
    currency: 'EUR',
    buyerKey: String(buyer),
    nicknameKey: 'steve',
    pending,
  },
  ...{ items: [], itemCount: 1, subtotalMinor: 100, discountCode: null, discountMinor: 0, totalMinor: 100, events },
});

/** The rollups of all sales to which these entries were added. A buyer's number is the buyer's key. */
function rollupsOf(entries: readonly StoredLedgerEntry[]): Rollup[] {
  return changesOf(entries)
    .filter(({ by }) => by === 'shop')
    .map(({ per, key, atMs, increments, payments }) => {
      const quarters: Record<string, Partial<SalesSums>> = {};
      for (const [path, by] of per === 'quarter' ? increments : []) {
        const [, index = '', sum = ''] = path.split('.');
        quarters[index] = { ...quarters[index], [sum]: by };
      }
      const buyers = [...payments].map(([time, counts]) => {
        return [time, packed(new Map([...counts].map(([buyer, count]) => [Number(buyer), count])))] as const;
      });
      return { per, key, atMs, sums: Object.fromEntries(increments), quarters, buyers: Object.fromEntries(buyers) };
    });
}

/** The edges of buckets as they come from time zones: steps of minutes, hours or days, in whole quarters of an hour. */
const innerEdges = fc
  .tuple(
    fc.integer({ min: 1, max: 200 }),
    fc.array(fc.constantFrom(MINUTE_MS * 15, HOUR_MS, 23 * HOUR_MS, DAY_MS, 25 * HOUR_MS, 31 * DAY_MS), {
      minLength: 1,
      maxLength: 12,
    }),
  )
  .map(([quarters, steps]) => {
    let at = START + quarters * 15 * MINUTE_MS;
    return [at, ...steps.map((step) => (at += step))];
  });
const ends = fc.tuple(fc.integer({ min: 1, max: 40 * HOUR_MS }), fc.integer({ min: 1, max: 40 * HOUR_MS }));
/** When an order was paid, before and within and after the window, by whom, and whether the rollups lack it. */
const payments = fc.array(fc.tuple(fc.integer({ min: -200, max: 1_200 }), fc.nat(5), fc.boolean(), fc.boolean()), {
  minLength: 1,
  maxLength: 20,
});

it('counts each payment in the bucket of its time, and each buyer once, wherever the edges of the buckets are in days of UTC', () => {
  fc.assert(
    fc.property(innerEdges, ends, payments, (inner, [before, after], drawn) => {
      const edges = [(inner[0] ?? 0) - before, ...inner, (inner.at(-1) ?? 0) + after];
      const [from, to] = [edges[0] ?? 0, edges.at(-1) ?? 0];
      const buckets = edges.slice(1).map((end, index) => ({ from: new Date(edges[index] ?? 0), to: new Date(end) }));
      const sold = drawn.map(([share, buyer, pending, isMoved]) => {
        return { atMs: from + Math.floor((share * (to - from)) / 1_000), buyer, pending, isMoved };
      });
      const entries = sold.map(({ atMs, buyer, pending }) => entry(buyer, [paid(atMs)], pending));
      // A late report, not folded yet: the payment was of another time, outside of the window.
      const moves = sold
        .filter(({ isMoved }) => isMoved)
        .map(({ atMs, buyer }) => entry(buyer, [paid(atMs, -1), paid(to + DAY_MS)], true));
      const totals = new WindowTotals({ from: new Date(from), to: new Date(to) }, buckets, null);
      for (const one of [...entries, ...moves]) totals.addEntry(one);
      totals.identify(Number);
      for (const rollup of rollupsOf(entries.filter(({ pending }) => !pending))) {
        totals.addRollup(rollup);
        if (rollup.per === 'quarter') totals.addSplitDay(rollup);
      }
      const kept = sold.filter(({ isMoved }) => !isMoved);
      const countIn = (begin: number, end: number): number =>
        kept.filter(({ atMs }) => atMs >= begin && atMs < end).length;
      const { buckets: sums, uniqueBuyers } = totals.result();
      expect(sums.map(({ paidOrders }) => paidOrders)).toEqual(
        buckets.map((bucket) => countIn(bucket.from.getTime(), bucket.to.getTime())),
      );
      const buyers = kept.filter(({ atMs }) => atMs >= from && atMs < to).map(({ buyer }) => buyer);
      expect(uniqueBuyers).toBe(new Set(buyers).size);
    }),
    { numRuns: 500 },
  );
});
