import { describe, expect, it } from '@jest/globals';
import { orInvalid } from '../../domain/errors/or-invalid.js';
import { readZone } from '../../lib/time/local-time.js';
import { type LimitWindow, windowAt } from '../../catalogue/products/purchase-limits.js';
import { type HeldUnits, type UnitLimit, unitProblems } from './order-limits.js';

const NOW = new Date('2026-11-29T12:00:00.000Z');
const DAY_MS = 86_400_000;
const ago = (ms: number): Date => new Date(NOW.getTime() - ms);
const BERLIN = orInvalid(readZone('Europe/Berlin'));

const limitWith = (fields: Partial<UnitLimit> = {}, window: LimitWindow | null = null): UnitLimit => ({
  ...{ productId: 'vip', name: 'VIP', quantity: 1, of: 'buyer', max: 3, inWords: '' },
  window: windowAt(window, BERLIN, NOW),
  ...fields,
});
const unitsWith = (fields: Partial<HeldUnits> = {}): HeldUnits => ({
  ...{ productId: 'vip', quantity: 1, orderedAt: ago(DAY_MS), isOpen: false, isSameMailbox: true, isSamePlayer: true },
  ...fields,
});
const used = (of: UnitLimit['of'], held: HeldUnits): number =>
  unitProblems(limitWith({ of, max: 1, quantity: 1 }), [held])[0]?.limit?.used ?? 0;

describe('what counts for a limit', () => {
  const stranger = { isSameMailbox: false };
  const friend = { isSamePlayer: false };
  it.each<[string, Partial<HeldUnits>, number, number]>([
    ['a paid order of the buyer', {}, 1, 1],
    ['an open order of the buyer', { isOpen: true }, 1, 1],
    ['a paid order for a friend', friend, 1, 0],
    ['an open order for a friend', { ...friend, isOpen: true }, 1, 0],
    ['an order that somebody else has paid for the player', stranger, 1, 1],
    ['an unpaid order that somebody else has placed for the player', { ...stranger, isOpen: true }, 0, 0],
    ['another product', { productId: 'key' }, 0, 0],
  ])('says that %s counts for the buyer and for the player', (_what, fields, buyer, player) => {
    expect([used('buyer', unitsWith(fields)), used('player', unitsWith(fields))]).toEqual([buyer, player]);
  });

  it('says that every order of the product counts for the shop', () => {
    const strange = { isSameMailbox: false, isSamePlayer: false, isOpen: true };
    expect([used('shop', unitsWith(strange)), used('shop', unitsWith({ productId: 'key' }))]).toEqual([1, 0]);
  });
});

describe('a limit', () => {
  it.each([
    [0, 3, true],
    [1, 2, true],
    [2, 2, false],
    [3, 1, false],
    [4, 1, false],
  ])('allows a buyer who has %s of 3 to have %s more: %s', (quantity, more, isAllowed) => {
    const problems = unitProblems(limitWith({ quantity: more }), quantity === 0 ? [] : [unitsWith({ quantity })]);
    const message = `One buyer may have at most 3 of VIP, and this one has ${quantity}`;
    const limit = { of: 'buyer', max: 3, used: quantity, freeAt: null };
    const expected = [{ code: 'product_limit_reached', message, productId: 'vip', limit }];
    expect(problems).toEqual(isAllowed ? [] : expected);
  });

  it('counts no unit that was ordered before its window, to the millisecond', () => {
    const held = (ms: number) => [unitsWith({ quantity: 3, orderedAt: ago(7 * DAY_MS + ms) })];
    const limit = limitWith({}, { days: 7 });
    expect(unitProblems(limit, held(0))).toEqual([]);
    expect(unitProblems(limit, held(-1))).toMatchObject([{ limit: { used: 3, freeAt: new Date(NOW.getTime() + 1) } }]);
    const midnight = new Date('2026-11-28T23:00:00.000Z').getTime();
    const daily = limitWith({}, { calendar: 'day' });
    const at = (ms: number) => [unitsWith({ quantity: 3, orderedAt: new Date(midnight + ms) })];
    expect(unitProblems(daily, at(-1))).toEqual([]);
    expect(unitProblems(daily, at(0))).toMatchObject([{ limit: { freeAt: new Date('2026-11-29T23:00:00.000Z') } }]);
  });

  it('says when as many units as the order has are possible again', () => {
    const held = [5, 3, 1].map((days) => unitsWith({ orderedAt: ago(days * DAY_MS) }));
    const freeAt = (quantity: number) => unitProblems(limitWith({ quantity }, { days: 7 }), held)[0]?.limit?.freeAt;
    const inDays = (days: number) => new Date(NOW.getTime() + days * DAY_MS);
    expect([1, 2, 3, 4].map(freeAt)).toEqual([inDays(2), inDays(4), inDays(6), null]);
  });
});
