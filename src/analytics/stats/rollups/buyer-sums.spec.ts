import { describe, expect, it } from '@jest/globals';
import { type IANAZone } from 'luxon';
import { type LedgerEntry } from '../../../orders/ledger/ledger.types.js';
import { type SaleEvent, type SaleEventKind } from '../../../orders/ledger/sale-events.js';
import { zoneOf } from '../../../lib/time/local-time.js';
import { buyerSumChanges } from './buyer-sums.js';

const BERLIN = zoneOf('Europe/Berlin') as IANAZone;
/** The last hour of November in Berlin, and the first one of December. */
const [NOVEMBER, DECEMBER] = [new Date('2026-11-30T22:30:00.000Z'), new Date('2026-11-30T23:30:00.000Z')];

const event = (kind: SaleEventKind, at = NOVEMBER, amountMinor = 0, count = 1): SaleEvent => {
  return { kind, at, amountMinor, lines: [], count, provider: null };
};
/** An order of 10.00 EUR, of which the server and the product do not matter. */
const entry = (events: readonly SaleEvent[], fields: Partial<LedgerEntry> = {}): LedgerEntry => ({
  ...{ orderId: 'order', serverId: 'survival', currency: 'EUR', buyerKey: 'steve', nicknameKey: 'steve' },
  ...{ items: [{ productId: 'vip', quantity: 2, discountMinor: 100, netMinor: 1_000 }], itemCount: 2 },
  ...{ subtotalMinor: 1_100, discountCode: 'SUMMER', discountMinor: 100, totalMinor: 1_000, events },
  ...fields,
});
const sum = (month: string | null, netMinor: number, buyerKey = 'steve', currency = 'EUR'): object => ({
  ...{ currency, month, buyerKey, netMinor },
});

describe('buyerSumChanges', () => {
  it.each<[string, LedgerEntry[], object[]]>([
    ['nothing for an order that nobody paid', [entry([event('created')])], []],
    [
      'what was paid, once, also of a first purchase',
      [entry([event('created'), event('converted'), event('paid'), event('new_buyer')])],
      [sum(null, 1_000), sum('2026-11', 1_000)],
    ],
    [
      'a payment, and a refund and a chargeback in the month in which they were made',
      [entry([event('paid'), event('refund', DECEMBER, 300), event('chargeback', DECEMBER, 50)])],
      [sum(null, 650), sum('2026-11', 1_000), sum('2026-12', -350)],
    ],
    [
      'nothing in all time for a payment that moves to another month',
      [entry([event('paid', NOVEMBER, 0, -1), event('paid', DECEMBER)])],
      [sum('2026-11', -1_000), sum('2026-12', 1_000)],
    ],
    [
      'one sum for several orders of a buyer',
      [entry([event('paid')]), entry([event('paid')], { orderId: 'other', totalMinor: 5 })],
      [sum(null, 1_005), sum('2026-11', 1_005)],
    ],
    [
      'separate sums for other buyers and other currencies',
      [entry([event('paid')], { buyerKey: 'alex' }), entry([event('paid')], { currency: 'USD' })],
      [
        sum(null, 1_000, 'alex'),
        sum('2026-11', 1_000, 'alex'),
        sum(null, 1_000, 'steve', 'USD'),
        sum('2026-11', 1_000, 'steve', 'USD'),
      ],
    ],
  ])('adds to the sum of a buyer %s', (_, entries, changes) => {
    expect(buyerSumChanges(entries, BERLIN, new Map())).toEqual(changes);
  });

  it('adds the number of a new buyer to the sum of all time in the currency, also when the order was free', () => {
    const free = entry([event('paid')], { totalMinor: 0 });
    const numbers = new Map([['EUR steve', 7]]);
    expect(buyerSumChanges([free, entry([event('paid')], { currency: 'USD' })], BERLIN, numbers)).toEqual([
      ...[{ ...sum(null, 0), number: 7 }, sum(null, 1_000, 'steve', 'USD'), sum('2026-11', 1_000, 'steve', 'USD')],
    ]);
  });
});
