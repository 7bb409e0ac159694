import { describe, expect, it } from '@jest/globals';
import { orInvalid } from '../../domain/errors/or-invalid.js';
import { readZone } from '../../lib/time/local-time.js';
import { type LimitWindow, windowAt } from '../../catalogue/products/purchase-limits.js';
import {
  type HeldUnits,
  type OwnedItem,
  type OwnershipLimit,
  ownershipProblems,
  type UnitLimit,
  unitProblems,
} from './order-limits.js';

const NOW = new Date('2026-11-29T12:00:00.000Z');
const DAY_MS = 86_400_000;
const ago = (ms: number): Date => new Date(NOW.getTime() - ms);
const BERLIN = orInvalid(readZone('Europe/Berlin'));

const limitWith = (fields: Partial<UnitLimit> = {}, window: LimitWindow | null = null): UnitLimit => ({
  ...{ kind: 'units', productId: 'vip', name: 'VIP', quantity: 1, of: 'buyer', max: 3, inWords: '' },
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

/** An item of an order, and what its product says about owning: `requires` and `excludedBy` name heads. */
interface Line {
  readonly id: string;
  readonly countsAs?: string;
  readonly everywhere?: boolean;
  readonly quantity?: number;
  readonly once?: boolean;
  readonly all?: readonly string[];
  readonly any?: readonly string[];
  readonly excludedBy?: readonly string[];
}

const VIP = { id: 'vip', once: true };
const RENEWAL = { id: 'renewal', countsAs: 'vip', all: ['vip'] };
const owns = (countsAs: string, fields: Partial<OwnedItem> = {}): OwnedItem => ({
  ...{ countsAs, serverId: 'here', isOpen: false },
  ...fields,
});

/** The problems of an order, as `product: code`. */
function problemsOf(
  lines: readonly Line[],
  owned: readonly OwnedItem[] | null,
  serverId: string | null = 'here',
): readonly string[] {
  const items = lines.map(({ id, countsAs = id }) => ({ productId: id, countsAs }));
  const limits = lines.map((line): OwnershipLimit => {
    const { id, countsAs = id, everywhere = false, quantity = 1, once = false, all, any, excludedBy = [] } = line;
    const heads = all ?? any ?? [];
    const rule = { mode: all ? 'all' : 'any', productIds: heads } as const;
    const requires = heads.length === 0 ? null : { ...rule, heads: heads.map((head) => [head, `${head}+`]) };
    const same = {
      kind: 'ownership',
      productId: id,
      name: id,
      quantity,
      countsAs,
      ownedEverywhere: everywhere,
    } as const;
    return { ...same, isOnce: once, requires, excludedBy };
  });
  const found = ownershipProblems(limits, { items, serverId }, owned);
  return found.map(({ productId, code }) => `${String(productId)}: ${code}`);
}

const UNMET = 'requirement_not_met';

describe('what a player owns', () => {
  it.each<[string, readonly Line[], readonly OwnedItem[], readonly string[]]>([
    ['what is sold once to who owns nothing', [VIP], [], []],
    ['what is sold once to who owns it', [VIP], [owns('vip')], ['vip: already_owned']],
    ['what is sold once to who owns it elsewhere', [VIP], [owns('vip', { serverId: 'there' })], []],
    ['what is sold once to who owns it everywhere', [VIP], [owns('vip', { serverId: null })], ['vip: already_owned']],
    [
      'what is owned everywhere to who owns it elsewhere',
      [{ ...VIP, everywhere: true }],
      [owns('vip', { serverId: 'there' })],
      ['vip: already_owned'],
    ],
    ['what is sold once to who has ordered it', [VIP], [owns('vip', { isOpen: true })], ['vip: already_owned']],
    ['two of what is sold once', [{ ...VIP, quantity: 2 }], [], ['vip: quantity_not_allowed']],
    ['the same rank twice', [VIP, { id: 'vip90', countsAs: 'vip', once: true }], [], ['vip90: already_owned']],
    ['a rank once and its extension', [VIP, { id: 'vip90', countsAs: 'vip' }], [], []],
    ['what excludes nothing that is owned', [{ id: 'red', excludedBy: ['blue'] }], [owns('green')], []],
    ['what the player owns excludes', [{ id: 'red', excludedBy: ['blue'] }], [owns('blue')], ['red: already_owned']],
    ['what is excluded elsewhere', [{ id: 'red', excludedBy: ['blue'] }], [owns('blue', { serverId: 'there' })], []],
    [
      'what an unpaid order excludes',
      [{ id: 'red', excludedBy: ['blue'] }],
      [owns('blue', { isOpen: true })],
      ['red: already_owned'],
    ],
    ['what the order excludes', [{ id: 'red', excludedBy: ['blue'] }, { id: 'blue' }], [], ['red: already_owned']],
    [
      'what the order excludes before',
      [{ id: 'blue' }, { id: 'red', excludedBy: ['blue'] }],
      [],
      ['red: already_owned'],
    ],
    ['what excludes only the other way', [{ id: 'blue' }], [owns('red')], []],
    ['what requires nothing that is owned', [{ id: 'pet', all: ['vip'] }], [owns('key')], [`pet: ${UNMET}`]],
    ['what requires what is owned', [{ id: 'pet', all: ['vip'] }], [owns('vip')], []],
    ['what requires a lower tier than is owned', [{ id: 'pet', all: ['vip'] }], [owns('vip+')], []],
    ['what requires a lower tier than the order has', [{ id: 'pet', any: ['vip'] }, { id: 'vip+' }], [], []],
    [
      'what requires what is owned elsewhere',
      [{ id: 'pet', all: ['vip'] }],
      [owns('vip', { serverId: 'there' })],
      [`pet: ${UNMET}`],
    ],
    [
      'what requires what is not paid',
      [{ id: 'pet', all: ['vip'] }],
      [owns('vip', { isOpen: true })],
      [`pet: ${UNMET}`],
    ],
    ['what requires both and one is owned', [{ id: 'pet', all: ['vip', 'key'] }], [owns('vip')], [`pet: ${UNMET}`]],
    [
      'what requires both and the order has the other one',
      [{ id: 'pet', all: ['vip', 'key'] }, { id: 'key' }],
      [owns('vip')],
      [],
    ],
    ['what requires one of two and one is owned', [{ id: 'pet', any: ['vip', 'key'] }], [owns('key')], []],
    ['what requires one of two and none is owned', [{ id: 'pet', any: ['vip', 'key'] }], [], [`pet: ${UNMET}`]],
    [
      'what the order has, in any order',
      [
        { id: 'pet', any: ['vip'] },
        { id: 'vip90', countsAs: 'vip' },
      ],
      [],
      [],
    ],
    ['a chain that the order has', [{ id: 'c', all: ['b'] }, { id: 'b', all: ['a'] }, { id: 'a' }], [], []],
    [
      'a chain without its beginning',
      [
        { id: 'c', all: ['b'] },
        { id: 'b', all: ['a'] },
      ],
      [],
      [`c: ${UNMET}`, `b: ${UNMET}`],
    ],
    [
      'two that require each other',
      [
        { id: 'a', all: ['b'] },
        { id: 'b', all: ['a'] },
      ],
      [],
      [`a: ${UNMET}`, `b: ${UNMET}`],
    ],
    ['a renewal to who owns nothing', [RENEWAL], [], [`renewal: ${UNMET}`]],
    ['a renewal to who owns the rank', [RENEWAL], [owns('vip')], []],
    [
      'two renewals that stand for each other',
      [RENEWAL, { ...RENEWAL, id: 'long' }],
      [],
      [`renewal: ${UNMET}`, `long: ${UNMET}`],
    ],
  ])('decides about %s', (_what, lines, owned, expected) => {
    expect(problemsOf(lines, owned)).toEqual(expected);
  });

  it('is not looked at while the player or the game server is not known, but for what the order itself says', () => {
    const pet = { id: 'pet', all: ['vip'] };
    expect([problemsOf([pet], null), problemsOf([pet], [], null), problemsOf([VIP], null)]).toEqual([[], [], []]);
    const colours = [{ id: 'red', excludedBy: ['blue'] }, { id: 'blue' }];
    expect(problemsOf(colours, null)).toEqual(['red: already_owned']);
    expect(problemsOf([VIP], [owns('vip', { serverId: null })], null)).toEqual(['vip: already_owned']);
  });
});
