import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { saleWith } from '../../../test/support/prices.js';
import { soldWith } from '../../../test/support/snapshots.js';
import { priceBasket } from './price-basket.js';
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

/** A player who buys tiers and gets money back at random, as the service would record it. */
class Life {
  readonly bought: OwnedTier[] = [];

  /** Buys a tier at a price and in a sale, if it can be bought. @returns what it costs directly, and what the player pays; null: it cannot */
  buy(id: string, priceMinor: number, sale: Parameters<typeof saleWith>[0]): { direct: number; paid: number } | null {
    const product = soldWith({ id, priceMinor });
    const products = new Map([...PRODUCTS, [id, product]]);
    const wanted = { product, group: GROUP, serverId: 's', extends: false };
    const standing = tierStanding(wanted, this.bought, products, NOW);
    if (standing.kind === 'owned' || standing.kind === 'held') return null;
    const upgrade =
      standing.kind === 'lower'
        ? { entitlementIds: standing.entitlementIds, creditMinor: Math.min(standing.creditMinor, priceMinor) }
        : null;
    const costOf = (credited: object): number =>
      priceBasket([{ product, quantity: 1, ...credited }], [saleWith(sale)], NOW).subtotalMinor;
    const [direct, paid] = [costOf({}), costOf(upgrade === null ? {} : { upgrade })];
    for (const [index, one] of this.bought.entries()) {
      if (upgrade?.entitlementIds.includes(one.id)) this.bought[index] = { ...one, state: 'ended' };
    }
    const name = `${this.bought.length}`;
    this.bought.push(
      owning({ ...{ id: name, productId: id, countsAs: id, paidMinor: paid, listMinor: priceMinor }, upgrade }),
    );
    return { direct, paid };
  }

  /** Gives back a part of what one purchase cost, or all of it: then what it replaced is there again. */
  refund(at: number, part: number): void {
    const [index, one] = [at % this.bought.length, this.bought[at % this.bought.length]];
    if (one === undefined) return;
    const paidMinor = one.paidMinor - Math.ceil(one.paidMinor * part);
    this.bought[index] = { ...one, paidMinor, ...(part === 1 ? { state: 'ended' } : {}) };
    if (part < 1 || one.state === 'ended') return;
    for (const [other, lower] of this.bought.entries()) {
      const isBack = one.upgrade?.entitlementIds.includes(lower.id) === true && lower.paidMinor > 0;
      if (isBack) this.bought[other] = { ...lower, state: 'active' };
    }
  }

  /** What the player has paid and not got back, and what all that the player has is worth for the next tier. */
  get sums(): { kept: number; worth: number } {
    const open = this.bought.filter(({ state }) => state !== 'ended');
    const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);
    return {
      kept: sum(this.bought.map((one) => one.paidMinor)),
      worth: sum(open.map((one) => worthOf(one, this.bought))),
    };
  }
}

const price = fc.integer({ min: 0, max: 10_000 });
const act = fc.oneof(
  fc.record({
    tier: fc.constantFrom(...GROUP.productIds),
    price,
    sale: fc.oneof(
      fc.record({ type: fc.constant('percent' as const), value: fc.integer({ min: 0, max: 100 }) }),
      fc.record({ type: fc.constant('fixed' as const), value: price }),
    ),
  }),
  fc.record({ refund: fc.nat({ max: 9 }), part: fc.constantFrom(0.1, 0.5, 1) }),
);

it('never credits more than what was paid and kept, nor sells a tier below its price in a sale, in random lives of upgrades', () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 12 }), (acts) => {
      const life = new Life();
      for (const one of acts) {
        const { kept } = life.sums;
        if ('refund' in one) {
          life.refund(one.refund, one.part);
          continue;
        }
        const bought = life.buy(one.tier, one.price, one.sale);
        if (bought === null) continue;
        expect(bought.paid).toBeGreaterThanOrEqual(0);
        expect(bought.paid).toBeLessThanOrEqual(bought.direct);
        expect(kept + bought.paid).toBeGreaterThanOrEqual(bought.direct);
      }
      const { kept, worth } = life.sums;
      expect(worth).toBeLessThanOrEqual(kept);
    }),
    { numRuns: 500 },
  );
});

it('sells the rest of a timed tier for no less than its price in a sale without the credit', () => {
  const anHour = fc.integer({ min: -10, max: 800 });
  fc.assert(
    fc.property(
      price,
      price,
      price,
      anHour,
      fc.integer({ min: 0, max: 100 }),
      (paidMinor, list, upper, left, percent) => {
        const owned = owning({ paidMinor, durationDays: 30, endsAt: inHours(left) });
        const product = soldWith({ id: 'mvp', priceMinor: upper });
        const credit = Math.min(upper, creditOf(owned, paidMinor, list, NOW));
        const sales = [saleWith({ type: 'percent', value: percent })];
        const line = { product, quantity: 1 };
        const upgraded = { ...line, upgrade: { entitlementIds: ['a'], creditMinor: credit } };
        const [direct, paid] = [line, upgraded].map((one) => priceBasket([one], sales, NOW).subtotalMinor);
        expect(paid).toBeLessThanOrEqual(direct ?? 0);
        expect(credit + (paid ?? 0)).toBeGreaterThanOrEqual(direct ?? 0);
      },
    ),
    { numRuns: 1_000 },
  );
});
