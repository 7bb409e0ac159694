import { describe, expect, it } from '@jest/globals';
import { type LedgerEntry } from '../ledger/ledger.types.js';
import { type SaleEvent, type SaleEventKind } from '../ledger/sale-events.js';
import { isEmpty, profileChanges, profileFilter } from './profile-rules.js';

const event = (kind: SaleEventKind, count = 1, amountMinor = 0): SaleEvent => ({
  ...{ kind, count, amountMinor, at: new Date('2026-11-21T12:00:00Z') },
  ...{ lines: [], provider: null },
});
const entry = (events: readonly SaleEvent[], fields: Partial<LedgerEntry> = {}): LedgerEntry => ({
  ...{ orderId: 'order', serverId: null, currency: 'EUR', buyerKey: 'steve@example.com', nicknameKey: 'steve_42' },
  ...{ items: [], itemCount: 1, subtotalMinor: 2_000, discountCode: null, discountMinor: 0, totalMinor: 2_000 },
  events,
  ...fields,
});
const EUR = { paidMinor: 2_000, refundedMinor: 0, chargedBackMinor: 0 };

describe('What entries of the ledger add to profiles', () => {
  it('counts orders, payments, refunds and chargebacks for the player and for the mailbox, in each currency', () => {
    const paid = entry([event('created'), event('paid'), event('converted'), event('new_buyer')]);
    const back = entry([event('refund', 1, 500), event('chargeback', 1, 300)]);
    const sums = { orders: 2, paidOrders: 2, money: { EUR: { ...EUR, refundedMinor: 500, chargedBackMinor: 300 } } };
    const withDollars = { ...sums, money: { ...sums.money, USD: EUR } };
    expect(profileChanges([paid, back, entry([event('created'), event('paid')], { currency: 'USD' })])).toEqual([
      { kind: 'player', name: 'steve_42', ...withDollars },
      { kind: 'mailbox', name: 'steve@example.com', ...withDollars },
    ]);
  });

  it('takes away what is reversed, and names each buyer of an entry without events', () => {
    const moved = [
      entry([event('created', -1), event('paid', -1)]),
      entry([event('created'), event('paid')], { nicknameKey: 'alex' }),
    ];
    expect(profileChanges(moved)).toEqual([
      { kind: 'player', name: 'steve_42', orders: -1, paidOrders: -1, money: { EUR: { ...EUR, paidMinor: -2_000 } } },
      {
        ...{ kind: 'mailbox', name: 'steve@example.com', orders: 0, paidOrders: 0 },
        money: { EUR: { ...EUR, paidMinor: 0 } },
      },
      { kind: 'player', name: 'alex', orders: 1, paidOrders: 1, money: { EUR } },
    ]);
    expect(profileChanges([entry([])])).toHaveLength(2);
  });

  it.each([
    [{ buyerKey: `player-${'a'.repeat(32)}@player.invalid` }, ['player']],
    [{ buyerKey: `erased-${'a'.repeat(24)}@erased.invalid`, nicknameKey: `erased-${'a'.repeat(24)}` }, []],
  ])('adds nothing to a buyer whom nobody knows: %j', (fields, kinds) => {
    expect(profileChanges([entry([event('created')], fields)]).map(({ kind }) => kind)).toEqual(kinds);
  });
});

describe('A profile', () => {
  const profile = {
    ...({ shopId: 'shop', key: 'key', kind: 'player', name: 'steve_42', nickname: null, email: null } as const),
    ...{ firstPurchaseAt: null, lastPurchaseAt: null, lastOrderAt: null, note: null },
    ...{ orders: 0, paidOrders: 0, money: { EUR: { ...EUR, paidMinor: 0 } } },
  };
  it.each([
    [{}, true],
    [{ orders: 1 }, false],
    [{ paidOrders: -1 }, false],
    [{ money: { EUR } }, false],
    [{ lastOrderAt: new Date() }, false],
    [{ note: { text: 'Friendly', at: new Date(), by: 'system' } }, false],
  ])('with %j says nothing any more: %s', (fields, expected) => {
    expect(isEmpty({ ...profile, ...fields })).toBe(expected);
  });
});

describe('A search for buyers', () => {
  it.each([
    [undefined, undefined, { kind: 'player', prefix: undefined }],
    [undefined, 'mailbox', { kind: 'mailbox', prefix: undefined }],
    [' Steve 4', undefined, { kind: 'player', prefix: 'steve_4' }],
    ['S.teve+shop@googlemail.com', undefined, { kind: 'mailbox', prefix: 'steve@gmail.com' }],
    ['Steve@', undefined, { kind: 'mailbox', prefix: 'steve@' }],
    ['Steve', 'mailbox', { kind: 'mailbox', prefix: 'steve' }],
    ['a@b', 'player', { kind: 'player', prefix: 'a@b' }],
  ] as const)('for %j of the kind %s is %j', (q, kind, expected) => {
    expect(profileFilter(q, kind)).toEqual(expected);
  });
});
