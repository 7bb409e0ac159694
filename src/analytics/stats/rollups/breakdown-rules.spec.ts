import { describe, expect, it } from '@jest/globals';
import { type LedgerEntry } from '../../../orders/ledger/ledger.types.js';
import { type SaleEvent, type SaleEventKind } from '../../../orders/ledger/sale-events.js';
import { type Breakdown, BREAKDOWNS, BreakdownSums, partChangesOf } from './breakdown-rules.js';

const AT = new Date('2026-11-20T08:20:00.000Z');
const event = (kind: SaleEventKind, amountMinor = 0, count = 1): SaleEvent => {
  return { kind, at: AT, amountMinor, count, provider: kind === 'created' ? null : 'stripe' };
};
/** Two units of VIP and one key, for 4.00 EUR with 1.01 EUR less. */
const entry = (events: readonly SaleEvent[], fields: Partial<LedgerEntry> = {}): LedgerEntry => ({
  ...{ orderId: 'order', serverId: 'survival', currency: 'EUR', buyerKey: 'steve', itemCount: 3 },
  items: [
    { productId: 'vip', quantity: 1, totalMinor: 200 },
    { productId: 'key', quantity: 1, totalMinor: 100 },
    { productId: 'vip', quantity: 1, totalMinor: 100 },
  ],
  ...{ subtotalMinor: 400, discountCode: 'SUMMER', discountMinor: 101, totalMinor: 299, events },
  ...fields,
});
const WHOLE = { paidOrders: 1, grossMinor: 299, discountMinor: 101, itemsSold: 3 };

describe('partChangesOf', () => {
  const added = (entries: readonly LedgerEntry[]): object[] =>
    partChangesOf(entries)
      .filter(({ sizeMs }) => sizeMs === 900_000)
      .map(({ by, key, sums, currency, atMs }) => ({
        by,
        key,
        sums,
        where: `${currency} ${new Date(atMs).toISOString()}`,
      }));
  const where = 'EUR 2026-11-20T08:15:00.000Z';

  it('adds to each product its share once, and the whole to the server, the provider and the code', () => {
    // 299 * 300 / 400 = 224.25 and 299 * 100 / 400 = 74.75
    expect(added([entry([event('paid')])])).toEqual([
      { by: 'product', key: 'vip', where, sums: { paidOrders: 1, grossMinor: 224, discountMinor: 76, itemsSold: 2 } },
      { by: 'product', key: 'key', where, sums: { paidOrders: 1, grossMinor: 75, discountMinor: 25, itemsSold: 1 } },
      { by: 'server', key: 'survival', where, sums: WHOLE },
      { by: 'paymentMethod', key: 'stripe', where, sums: WHOLE },
      { by: 'discount', key: 'SUMMER', where, sums: WHOLE },
    ]);
  });

  it('adds to a cell of each size', () => {
    const sizes = partChangesOf([entry([event('paid')])])
      .filter(({ by }) => by === 'server')
      .map(({ sizeMs }) => sizeMs / 60_000);
    expect(sizes).toEqual([15, 60, 1_440, 11_520]);
  });

  it('adds nothing for an order that is not paid, and for a payment that is reversed', () => {
    expect(added([entry([event('created')])])).toEqual([]);
    expect(added([entry([event('paid')]), entry([event('paid', 0, -1)])])).toEqual([]);
  });

  it('adds to no code for an order without a code, and to the part without a server for an order without a server', () => {
    const parts = partChangesOf([entry([event('paid')], { discountCode: null, serverId: null })]);
    expect(parts.some(({ by }) => by === 'discount')).toBe(false);
    expect(parts.find(({ by }) => by === 'server')?.key).toBeNull();
  });

  it('keeps the changes of different currencies apart', () => {
    const changes = added([entry([event('paid')]), entry([event('paid')], { currency: 'USD' })]);
    expect(changes).toHaveLength(10);
  });
});

describe('BreakdownSums', () => {
  const rowsOf = (by: Breakdown, entries: readonly LedgerEntry[]): unknown[] => {
    const sums = new BreakdownSums(by);
    for (const one of entries) for (const happened of one.events) sums.addEvent(one, happened);
    return sums.sorted().map(({ key, sums: { grossMinor, refundsMinor } }) => [key, grossMinor, refundsMinor]);
  };

  it.each<[Breakdown, unknown[]]>([
    [
      'product',
      [
        ['vip', 224, 75],
        ['key', 75, 25],
      ],
    ],
    ['server', [['survival', 299, 100]]],
    ['paymentMethod', [['stripe', 299, 100]]],
    ['discount', [['SUMMER', 299, 100]]],
  ])('contains only the parts of a breakdown by %s', (by, rows) => {
    expect(BREAKDOWNS).toContain(by);
    expect(rowsOf(by, [entry([event('paid'), event('refund', 100)])])).toEqual(rows);
  });

  it('sorts parts by net revenue and then by key, and leaves out parts in which nothing happened', () => {
    const paid = (serverId: string | null): LedgerEntry => entry([event('paid')], { serverId });
    const entries = [
      ...[paid('b'), paid('a'), paid(null), paid('c'), paid('c')],
      entry([event('refund', 298)], { serverId: 'b' }),
      entry([event('chargeback', 600)], { serverId: 'c' }),
      entry([event('paid'), event('paid', 0, -1)], { serverId: 'd' }),
    ];
    expect(rowsOf('server', entries).map((row) => (row as unknown[])[0])).toEqual([null, 'a', 'b', 'c']);
  });

  it('adds events to stored sums', () => {
    const sums = new BreakdownSums('server');
    sums.add('survival', { grossMinor: 1, newBuyers: 1 });
    sums.addEvent(entry([]), event('paid'));
    expect(sums.sorted()).toMatchObject([{ key: 'survival', sums: { grossMinor: 300, newBuyers: 1, paidOrders: 1 } }]);
  });
});
