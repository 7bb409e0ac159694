import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../lib/time/durations.js';
import { bucketOf, cellsAt, coverOf, isInOneOf } from './time-cells.js';
import { coversOf, WindowTotals } from './window-totals.js';

const START = Date.UTC(2026, 2, 1);
const SCOPE = { currency: 'EUR', serverId: null, productId: null };

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

it('counts what rollups contain in the bucket of its time, wherever the edges of the buckets are in days of UTC', () => {
  fc.assert(
    fc.property(
      innerEdges,
      fc.tuple(fc.integer({ min: 1, max: 40 * HOUR_MS }), fc.integer({ min: 1, max: 40 * HOUR_MS })),
      fc.array(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), { minLength: 1, maxLength: 20 }),
      (inner, [before, after], shares) => {
        const edges = [(inner[0] ?? 0) - before, ...inner, (inner.at(-1) ?? 0) + after];
        const buckets = edges.slice(1).map((to, index) => ({ from: new Date(edges[index] ?? 0), to: new Date(to) }));
        const [from, to] = [edges[0] ?? 0, edges.at(-1) ?? 0];
        const covers = coversOf({ from: new Date(from), to: new Date(to) }, buckets, true);
        const totals = new WindowTotals(SCOPE, buckets, covers);
        // Those within a quarter of an hour of the ends are in no cell of the window: they are read from the ledger.
        const paidAt = shares
          .map((share) => from + Math.floor(share * (to - from - 1)))
          .filter((atMs) => !isInOneOf(atMs, coverOf({ fromMs: from, toMs: to }).edges));
        const outside = [-2, -1, 1, 2]
          .flatMap((days) => [from + days * DAY_MS, to + days * DAY_MS])
          .filter((atMs) => atMs < from || atMs >= to);
        for (const cell of [...paidAt, ...outside].flatMap(cellsAt))
          totals.addSums({ ...cell, sums: { paidOrders: 1 }, buyers: null });
        const counted = totals.result(new Map(), new Map()).buckets.map(({ paidOrders }) => paidOrders);
        const expected = buckets.map((_, index) => paidAt.filter((atMs) => bucketOf(buckets, atMs) === index).length);
        expect(counted).toEqual(expected);
      },
    ),
    { numRuns: 500 },
  );
});

it('covers a year of days in a zone beside UTC by whole days, and moves the hours up to the nearest midnight of UTC', () => {
  const edges = Array.from({ length: 366 }, (_, day) => START - 7 * HOUR_MS + day * DAY_MS);
  const buckets = edges.slice(1).map((to, index) => ({ from: new Date(edges[index] ?? 0), to: new Date(to) }));
  const window = { from: new Date(edges[0] ?? 0), to: new Date(edges.at(-1) ?? 0) };
  const { sums, movedCells } = coversOf(window, buckets, true);
  expect(sums.cover.cells.map(({ sizeMs, fromMs, toMs }) => [sizeMs, (toMs - fromMs) / sizeMs])).toEqual([
    [HOUR_MS, 7],
    [HOUR_MS, 17],
    [DAY_MS, 364],
  ]);
  expect(movedCells).toEqual(
    edges.slice(1, -1).map((fromMs) => ({ sizeMs: HOUR_MS, fromMs, toMs: fromMs + 7 * HOUR_MS })),
  );
});
