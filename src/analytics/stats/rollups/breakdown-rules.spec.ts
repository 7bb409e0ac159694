import { describe, expect, it } from '@jest/globals';
import { type LedgerEntry } from '../../../orders/ledger/ledger.types.js';
import { type SaleEvent, type SaleEventKind } from '../../../orders/ledger/sale-events.js';
import { partOf, partsOf, sortedParts } from './breakdown-rules.js';
import { NO_SALES, type SalesSums } from './sale-sums.js';

const AT = new Date('2026-11-20T08:20:00.000Z');
const event = (kind: SaleEventKind, amountMinor = 0, count = 1): SaleEvent => {
  return { kind, at: AT, amountMinor, lines: [], count, provider: kind === 'created' ? null : 'stripe' };
};
/** Two units of VIP and one key, for 4.00 EUR with 1.01 EUR less. */
const entry = (events: readonly SaleEvent[], fields: Partial<LedgerEntry> = {}): LedgerEntry => ({
  ...{ orderId: 'order', serverId: 'survival', currency: 'EUR', buyerKey: 'steve', nicknameKey: 'steve', itemCount: 3 },
  items: [
    { productId: 'vip', quantity: 1, discountMinor: 51, netMinor: 149 },
    { productId: 'key', quantity: 1, discountMinor: 25, netMinor: 75 },
    { productId: 'vip', quantity: 1, discountMinor: 25, netMinor: 75 },
  ],
  ...{ subtotalMinor: 400, discountCode: 'SUMMER', discountMinor: 101, totalMinor: 299, events },
  ...fields,
});
const PAID = entry([event('paid')]);

describe('partsOf', () => {
  const namesOf = (facts: LedgerEntry, kind: SaleEventKind): string[] =>
    partsOf(facts, event(kind)).map(({ by, key, productId }) => [by, key, productId].join(' '));
  const OF_SERVERS = [
    'shop  ',
    'product vip vip',
    'product key key',
    'server survival ',
    'serverProduct survival vip vip',
  ];

  it('returns all sales, the server, each product once, both, the provider and the code', () => {
    const all = [...OF_SERVERS, 'serverProduct survival key key', 'paymentMethod stripe ', 'discount SUMMER '];
    expect(namesOf(PAID, 'paid')).toEqual(all);
  });

  it.each(['created', 'converted'] as const)('returns no payment method and no code of an event "%s"', (kind) => {
    expect(namesOf(PAID, kind)).toEqual([...OF_SERVERS, 'serverProduct survival key key']);
  });

  it('returns the part without a server for an order without a server, and no code for an order without a code', () => {
    const facts = entry([], { discountCode: null, serverId: null });
    const parts = ['shop  ', 'product vip vip', 'product key key', 'server  ', 'paymentMethod stripe '];
    expect(namesOf(facts, 'paid')).toEqual(parts);
  });

  it.each([
    [null, null],
    ['survival', null],
    [null, 'vip'],
    ['survival', 'vip'],
  ])('contains the part that has the sales of server %s and product %s', (serverId, productId) => {
    expect(partsOf(PAID, event('paid'))).toContainEqual(partOf({ currency: 'EUR', serverId, productId }));
  });
});

describe('sortedParts', () => {
  it('sorts parts by net revenue and then by key, and leaves out parts without a paid order', () => {
    const sums = (grossMinor: number, refundsMinor = 0): SalesSums => ({
      ...NO_SALES,
      grossMinor,
      refundsMinor,
      orders: 1,
    });
    const parts = new Map([
      ...([
        ['b', sums(300, 299)],
        ['a', sums(5)],
        [null, sums(5)],
      ] as const),
      ...([
        ['c', sums(0, 1)],
        ['d', sums(0)],
      ] as const),
    ]);
    expect(sortedParts(parts).map(({ key, sums: { orders } }) => [key, orders])).toEqual([
      ...[
        [null, 0],
        ['a', 0],
      ],
      ...[
        ['b', 0],
        ['c', 0],
      ],
    ]);
  });
});
