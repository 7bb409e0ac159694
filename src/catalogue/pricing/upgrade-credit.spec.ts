import { describe, expect, it } from '@jest/globals';
import { soldWith } from '../../../test/support/snapshots.js';
import { creditOf, type OwnedTier, tierStanding, worthOf } from './upgrade-credit.js';

const NOW = new Date('2026-12-01T00:00:00.000Z');
const HOUR_MS = 3_600_000;
const GROUP = { id: 'ranks', name: 'Ranks', productIds: ['vip', 'mvp', 'legend'] };
const PRODUCTS = new Map(
  [
    soldWith({ id: 'vip', priceMinor: 1_000 }),
    soldWith({ id: 'mvp', priceMinor: 2_500 }),
    soldWith({ id: 'legend', priceMinor: 5_000 }),
  ].map((product) => [product.id, product]),
);

const inHours = (hours: number): Date => new Date(NOW.getTime() + hours * HOUR_MS);
const owning = (fields: Partial<OwnedTier> = {}): OwnedTier => ({
  ...{ id: 'a', productId: 'vip', countsAs: 'vip', quantity: 1, durationDays: null, serverId: 's', state: 'active' },
  ...{ startsAt: inHours(-24), endsAt: null, buyerKey: 'steve', paidMinor: 1_000, listMinor: 1_000, upgrade: null },
  ...fields,
});

describe('creditOf', () => {
  const timed = (left: number | null, quantity = 1) =>
    owning({ quantity, durationDays: 30, endsAt: left === null ? null : inHours(left) });

  it.each([
    ['all of a tier that does not end', owning(), 1_000, 1_000, 1_000],
    ['what was paid in a sale', owning(), 500, 1_000, 500],
    ['at most what it costs now', owning(), 1_000, 400, 400],
    ['at most what all of its units cost now', owning({ quantity: 3 }), 3_000, 400, 1_200],
    ['nothing of a gift', owning(), 0, 1_000, 0],
    ['all of a whole time', timed(720), 1_000, 1_000, 1_000],
    ['half of half a time', timed(360), 1_000, 1_000, 500],
    ['an hour that has begun as a whole one', timed(359.01), 1_000, 1_000, 500],
    ['parts of a minor unit rounded down', timed(1), 1_000, 1_000, 1],
    ['nothing of a time that is over', timed(-1), 1_000, 1_000, 0],
    ['all of what was not delivered', { ...timed(null), startsAt: null }, 1_000, 1_000, 1_000],
    ['the time of all units', timed(720, 2), 2_000, 1_000, 1_000],
    ['no more than all of an extended time', timed(1_000), 1_000, 1_000, 1_000],
  ])('is %s', (_, link, worth, list, credit) => {
    expect(creditOf(link, worth, list, NOW)).toBe(credit);
  });
});

describe('worthOf', () => {
  const vip = owning({ state: 'ended' });
  const mvp = owning({ id: 'b', paidMinor: 1_500, upgrade: { entitlementIds: ['a'], creditMinor: 1_000 } });

  it.each([
    ['what was paid for it and for what it replaced', vip, 2_500],
    ['no more than the replaced one is still worth after its refund', owning({ paidMinor: 0 }), 1_500],
    ['what a partial refund of the replaced one left', owning({ paidMinor: 100 }), 1_600],
    ['no more than what was credited', owning({ paidMinor: 9_000 }), 2_500],
  ])('is %s', (_, replaced, worth) => {
    expect(worthOf(mvp, [replaced, mvp])).toBe(worth);
  });
});

describe('tierStanding', () => {
  const mvp = owning({ id: 'b', productId: 'mvp', countsAs: 'mvp', paidMinor: 2_500 });
  const long = owning({ id: 'c', productId: 'vip-90', countsAs: 'vip', listMinor: 700, paidMinor: 700 });

  it.each<[string, string, OwnedTier[], object]>([
    ['nothing', 'mvp', [], { kind: 'none' }],
    ['a lower tier', 'mvp', [owning()], { kind: 'lower', entitlementIds: ['a'], creditMinor: 1_000 }],
    [
      'a lower tier that is not delivered',
      'mvp',
      [owning({ state: 'pending', startsAt: null })],
      { kind: 'lower', creditMinor: 1_000 },
    ],
    [
      'all lower tiers together, also products that the shop no longer sells',
      'legend',
      [owning(), mvp, long],
      { kind: 'lower', entitlementIds: ['a', 'b', 'c'], creditMinor: 4_200 },
    ],
    ['the same tier', 'mvp', [mvp], { kind: 'owned' }],
    ['a higher tier', 'vip', [mvp], { kind: 'owned' }],
    ['a lower tier that has ended', 'mvp', [owning({ state: 'ended' })], { kind: 'none' }],
    ['a lower tier on another game server', 'mvp', [owning({ serverId: 'other' })], { kind: 'none' }],
    ['a lower tier on all game servers', 'mvp', [owning({ serverId: null })], { kind: 'lower' }],
    ['a lower tier whose payment is in doubt', 'mvp', [owning({ state: 'held' })], { kind: 'held' }],
    ['products of no group', 'mvp', [owning({ countsAs: 'key' })], { kind: 'none' }],
  ])('finds %s', (_, id, owned, expected) => {
    const product = { id, countsAs: null, ownedEverywhere: false };
    const found = tierStanding({ product, group: GROUP, serverId: 's', extends: false }, owned, PRODUCTS, NOW);
    expect(found).toMatchObject(expected);
  });

  it('lets a timed tier be extended, and counts every game server for what is owned on all', () => {
    const product = { id: 'mvp', countsAs: null, ownedEverywhere: true };
    const wanted = { product, group: GROUP, serverId: null, extends: true };
    expect(tierStanding(wanted, [mvp], PRODUCTS, NOW)).toEqual({ kind: 'none' });
    expect(tierStanding(wanted, [owning({ serverId: 'other' })], PRODUCTS, NOW)).toMatchObject({ kind: 'lower' });
  });
});
