import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { discountWith } from '../../../test/support/discounts.js';
import { codeInShop, discountAmount, type DiscountContext, reasonsAgainst } from './discount-rules.js';
import { type Discount, type DiscountReasonCode } from './discount.types.js';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const before = (ms: number): Date => new Date(NOW.getTime() - ms);
const orderWith = (fields: Partial<DiscountContext> = {}): DiscountContext => ({
  orderMinor: 1_000,
  productIds: [],
  reducedIds: [],
  serverId: null,
  now: NOW,
  used: 0,
  buyer: null,
  ...fields,
});

describe('reasonsAgainst', () => {
  it.each<[string, Partial<Discount>, Partial<DiscountContext>, DiscountReasonCode[]]>([
    ['none for a code without limits', {}, {}, []],
    [
      'a reduced product alone',
      { excludesReduced: true },
      { productIds: ['a'], reducedIds: ['a'] },
      ['product_not_eligible'],
    ],
    [
      'none when one product is not reduced',
      { excludesReduced: true },
      { productIds: ['a', 'b'], reducedIds: ['a'] },
      [],
    ],
    ['none when no product is named', { excludesReduced: true }, {}, []],
    ['none for a reduced product', {}, { productIds: ['a'], reducedIds: ['a'] }, []],
    [
      'a reduced product when the others are not in the scope',
      { excludesReduced: true, productIds: ['a'] },
      { productIds: ['a', 'b'], reducedIds: ['a'] },
      ['product_not_eligible'],
    ],
    [
      'one reason for products that are not in the scope',
      { excludesReduced: true, productIds: ['c'] },
      { productIds: ['a'], reducedIds: ['a'] },
      ['product_not_eligible'],
    ],
    ['an inactive code', { isActive: false }, {}, ['code_disabled']],
    ['1 ms before the start', { startsAt: before(-1) }, {}, ['not_started']],
    ['none at the start', { startsAt: NOW }, {}, []],
    ['none 1 ms before the end', { endsAt: before(-1) }, {}, []],
    ['the end', { endsAt: NOW }, {}, ['expired']],
    ['none with one use left', { maxUses: 10 }, { used: 9 }, []],
    ['no uses left', { maxUses: 10 }, { used: 10 }, ['usage_limit_reached']],
    ['more uses than maxUses, after maxUses was lowered', { maxUses: 1 }, { used: 5 }, ['usage_limit_reached']],
    ['none about the uses when they are not known', { maxUses: 1 }, { used: null }, []],
    ['none about the buyer when the buyer is not known', { maxUsesPerBuyer: 1, firstPurchaseOnly: true }, {}, []],
    ['none for a buyer with one use left', { maxUsesPerBuyer: 2 }, { buyer: { uses: 1, hasPaidBefore: true } }, []],
    [
      'a buyer with no uses left',
      { maxUsesPerBuyer: 2 },
      { buyer: { uses: 2, hasPaidBefore: true } },
      ['buyer_limit_reached'],
    ],
    ['none for a first purchase', { firstPurchaseOnly: true }, { buyer: { uses: 0, hasPaidBefore: false } }, []],
    [
      'a second purchase',
      { firstPurchaseOnly: true },
      { buyer: { uses: 0, hasPaidBefore: true } },
      ['first_purchase_only'],
    ],
    ['none for exactly the smallest order', { minOrderMinor: 1_000 }, {}, []],
    ['one cent below the smallest order', { minOrderMinor: 1_001 }, {}, ['min_order_not_met']],
    ['no product named', { productIds: ['p'] }, {}, ['product_required']],
    ['another product', { productIds: ['p'] }, { productIds: ['q'] }, ['product_not_eligible']],
    ['none when one of the products is eligible', { productIds: ['p'] }, { productIds: ['q', 'p'] }, []],
    ['no server named', { serverIds: ['a'] }, {}, ['server_required']],
    ['another server', { serverIds: ['a'] }, { serverId: 'b' }, ['server_not_eligible']],
    ['none for an eligible server', { serverIds: ['b', 'a'] }, { serverId: 'a' }, []],
    [
      'all reasons at once, in a fixed order',
      {
        isActive: false,
        startsAt: before(-1),
        endsAt: before(1),
        maxUses: 1,
        maxUsesPerBuyer: 1,
        minOrderMinor: 2_000,
        firstPurchaseOnly: true,
        productIds: ['p'],
        serverIds: ['a'],
      },
      { used: 1, buyer: { uses: 1, hasPaidBefore: true }, productIds: ['q'], serverId: 'b' },
      [
        'code_disabled',
        'not_started',
        'expired',
        'usage_limit_reached',
        'buyer_limit_reached',
        'min_order_not_met',
        'first_purchase_only',
        'product_not_eligible',
        'server_not_eligible',
      ],
    ],
  ])('reports %s', (_name, fields, attempt, codes) => {
    const reasons = reasonsAgainst(discountWith(fields), orderWith(attempt));
    expect(reasons.map(({ code }) => code)).toEqual(codes);
    for (const { message } of reasons) expect(message).toMatch(/^[A-Z].*[a-z]$/);
  });

  it('returns the figures and times that belong to a reason', () => {
    const message: unknown = expect.stringMatching(/^[A-Z].*[a-z]$/);
    const [start, end] = [before(-1), before(1)];
    expect(reasonsAgainst(discountWith({ minOrderMinor: 1_001, startsAt: start, endsAt: end }), orderWith())).toEqual([
      { code: 'not_started', message, startsAt: start },
      { code: 'expired', message, endsAt: end },
      { code: 'min_order_not_met', message, requiredMinor: 1_001, missingMinor: 1 },
    ]);
  });
});

describe('discountAmount', () => {
  it.each<[string, Partial<Discount>, number, number]>([
    ['takes 10 percent off 10.00', {}, 1_000, 100],
    ['rounds 624.875 up', { value: 12.5 }, 4_999, 625],
    ['rounds exactly half a cent up', { value: 50 }, 1, 1],
    ['rounds less than half a cent down', { value: 10 }, 4, 0],
    ['takes two decimals of a percent', { value: 33.33 }, 1_500, 500],
    ['takes 100 percent', { value: 100 }, 4_999, 4_999],
    ['limits a percentage to maxDiscount', { value: 50, maxDiscountMinor: 1_000 }, 10_000, 1_000],
    ['takes a percentage below maxDiscount whole', { value: 5, maxDiscountMinor: 1_000 }, 10_000, 500],
    ['takes a fixed amount', { type: 'fixed', value: 500 }, 1_000, 500],
    ['takes no more than the amount', { type: 'fixed', value: 2_000 }, 501, 501],
    ['limits a fixed amount to maxDiscount', { type: 'fixed', value: 500, maxDiscountMinor: 300 }, 1_000, 300],
    ['takes nothing off 0', { value: 100 }, 0, 0],
  ])('%s', (_name, fields, amount, expected) => {
    expect(discountAmount(discountWith(fields), amount)).toBe(expected);
  });

  it('returns a whole number from 0 to the amount, which never decreases when the amount grows', () => {
    const percents = fc.integer({ min: 1, max: 10_000 }).map((hundredths) => hundredths / 100);
    const amounts = fc.integer({ min: 0, max: 100_000_000_000 });
    fc.assert(
      fc.property(percents, amounts, amounts, (value, left, right) => {
        const [less, more] = left < right ? [left, right] : [right, left];
        const [off, most] = [
          discountAmount(discountWith({ value }), less),
          discountAmount(discountWith({ value }), more),
        ];
        expect(Number.isSafeInteger(off) && off >= 0 && off <= less && off <= most).toBe(true);
      }),
    );
  });
});

describe('codeInShop', () => {
  it('computes the same key for each way to write a code, and another one for another code or shop', () => {
    expect(codeInShop('shop', ' summer10')).toBe(codeInShop('shop', 'SUMMER10'));
    const names = [codeInShop('shop', 'SUMMER10'), codeInShop('shop', 'SUMMER11'), codeInShop('other', 'SUMMER10')];
    expect(new Set(names).size).toBe(3);
  });
});
