import { describe, expect, it } from '@jest/globals';
import { directTransactions, TRANSACTION } from '../../../test/support/fakes.js';
import { type Transaction } from '../../platform/database/transactions.js';
import { type FoldedSalesService } from './folded-sales.service.js';
import { type RollupsService } from './rollups.service.js';
import { type SalesRepository, type SalesRow } from './sales.repository.js';
import { SalesService } from './sales.service.js';
import { addSales, NO_SALES, type SalesQuestion } from '../../orders/ledger/sales.types.js';

const at = (hour: number): Date => new Date(Date.UTC(2026, 10, 18, hour));
const question = {} as SalesQuestion;
const NOTHING = { slots: [], uniqueBuyers: 0 };
const FOLDED = { current: NOTHING, previous: NOTHING };

/** Rows that are read in the snapshot of the transaction. */
const read =
  <Rows>(rows: Rows) =>
  (asked: SalesQuestion, transaction: Transaction): Promise<Rows> => {
    expect([asked, transaction]).toEqual([question, TRANSACTION]);
    return Promise.resolve(rows);
  };

function withRows(created: SalesRow[], paid: SalesRow[], reversed: SalesRow[], areReady = false): SalesService {
  const sales = {
    created: read(created),
    paid: read({ rows: paid, buyers: { current: 3, previous: 2 } }),
    reversed: read(reversed),
  } as unknown as SalesRepository;
  const folded = { salesOf: () => Promise.resolve(FOLDED) } as unknown as FoldedSalesService;
  const rollups = { areReady: () => Promise.resolve(areReady) } as unknown as RollupsService;
  return new SalesService(sales, folded, rollups, directTransactions);
}

describe('SalesService.salesOf', () => {
  it('returns what rollups and ledger say when the rollups are complete, and sums the orders until then', async () => {
    const created = [{ at: null, current: true, previous: false, orders: 1 }];
    expect(await withRows(created, [], [], true).salesOf(question)).toBe(FOLDED);
    expect((await withRows(created, [], [], false).salesOf(question)).current.slots).toHaveLength(1);
  });

  it('combines what was created, paid and refunded in a slot, separately for each window', async () => {
    const sales = await withRows(
      [
        { at: at(9), current: true, previous: false, orders: 4, convertedOrders: 2 },
        { at: at(7), current: false, previous: true, orders: 1, convertedOrders: 0 },
      ],
      [{ at: at(8), current: true, previous: false, paidOrders: 1, grossMinor: 500 }],
      [{ at: at(9), current: true, previous: false, refundsMinor: 200, chargebacksMinor: 0 }],
    ).salesOf(question);
    expect(sales).toEqual({
      current: {
        slots: [
          { at: at(8), ...NO_SALES, paidOrders: 1, grossMinor: 500 },
          { at: at(9), ...NO_SALES, orders: 4, convertedOrders: 2, refundsMinor: 200 },
        ],
        uniqueBuyers: 3,
      },
      previous: { slots: [{ at: at(7), ...NO_SALES, orders: 1 }], uniqueBuyers: 2 },
    });
  });

  it('counts what is in both windows in both, and what is in neither in none', async () => {
    const paid: SalesRow[] = [
      { at: at(8), current: true, previous: true, grossMinor: 1 },
      { at: at(8), current: true, previous: false, grossMinor: 10 },
      { at: at(8), current: false, previous: false, grossMinor: 100 },
    ];
    const { current, previous } = await withRows([], paid, []).salesOf(question);
    expect(current.slots).toEqual([{ at: at(8), ...NO_SALES, grossMinor: 11 }]);
    expect(previous.slots).toEqual([{ at: at(8), ...NO_SALES, grossMinor: 1 }]);
  });

  it('returns one sum of everything when it is not split', async () => {
    const { current } = await withRows(
      [{ at: null, current: true, previous: false, orders: 1 }],
      [{ at: null, current: true, previous: false, paidOrders: 1 }],
      [],
    ).salesOf(question);
    expect(current.slots).toEqual([{ at: null, ...NO_SALES, orders: 1, paidOrders: 1 }]);
  });
});

describe('addSales', () => {
  it('adds every sum, and 0 for what is missing', () => {
    const ones = Object.fromEntries(Object.keys(NO_SALES).map((name) => [name, 1])) as unknown as typeof NO_SALES;
    const twos = Object.fromEntries(Object.keys(NO_SALES).map((name) => [name, 2]));
    expect(addSales(ones, ones)).toEqual(twos);
    expect(addSales(ones, {})).toEqual(ones);
  });
});
