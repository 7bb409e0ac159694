import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { discountAmount, type DiscountCase, normaliseCode, reasonsAgainst } from './discount-rules.js';
import { type Discount, type DiscountReasonCode } from './discount.types.js';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const before = (ms: number): Date => new Date(NOW.getTime() - ms);
const discount = (fields: Partial<Discount> = {}): Discount => ({
  id: 'd',
  shopId: 's',
  code: 'SUMMER10',
  type: 'percent',
  value: 10,
  currency: 'EUR',
  maxDiscountMinor: null,
  minOrderMinor: null,
  productIds: null,
  serverIds: null,
  maxUses: null,
  maxUsesPerBuyer: null,
  firstPurchaseOnly: false,
  startsAt: null,
  endsAt: null,
  isActive: true,
  used: 0,
  createdAt: NOW,
  ...fields,
});
const tried = (fields: Partial<DiscountCase> = {}): DiscountCase => ({
  orderMinor: 1_000,
  productIds: [],
  serverId: null,
  now: NOW,
  buyer: null,
  ...fields,
});

describe('reasonsAgainst', () => {
  it.each<[string, Partial<Discount>, Partial<DiscountCase>, DiscountReasonCode[]]>([
    ['a code without limits', {}, {}, []],
    ['switched off', { isActive: false }, {}, ['code_disabled']],
    ['a ms before it starts', { startsAt: before(-1) }, {}, ['not_started']],
    ['the moment it starts', { startsAt: NOW }, {}, []],
    ['a ms before it ends', { endsAt: before(-1) }, {}, []],
    ['the moment it ends', { endsAt: NOW }, {}, ['expired']],
    ['one use left', { maxUses: 10, used: 9 }, {}, []],
    ['all uses gone', { maxUses: 10, used: 10 }, {}, ['usage_limit_reached']],
    ['more uses than the limit, which was lowered', { maxUses: 1, used: 5 }, {}, ['usage_limit_reached']],
    ['an unknown buyer', { maxUsesPerBuyer: 1, firstPurchaseOnly: true }, {}, []],
    ['a buyer with one use left', { maxUsesPerBuyer: 2 }, { buyer: { uses: 1, hasPaidBefore: true } }, []],
    ['a buyer without', { maxUsesPerBuyer: 2 }, { buyer: { uses: 2, hasPaidBefore: true } }, ['buyer_limit_reached']],
    ['a first purchase', { firstPurchaseOnly: true }, { buyer: { uses: 0, hasPaidBefore: false } }, []],
    [
      'a second purchase',
      { firstPurchaseOnly: true },
      { buyer: { uses: 0, hasPaidBefore: true } },
      ['first_purchase_only'],
    ],
    ['the least order', { minOrderMinor: 1_000 }, {}, []],
    ['a cent less', { minOrderMinor: 1_001 }, {}, ['min_order_not_met']],
    ['no product', { productIds: ['p'] }, {}, ['product_required']],
    ['another product', { productIds: ['p'] }, { productIds: ['q'] }, ['product_not_eligible']],
    ['one product among others', { productIds: ['p'] }, { productIds: ['q', 'p'] }, []],
    ['no server', { serverIds: ['a'] }, {}, ['server_required']],
    ['another server', { serverIds: ['a'] }, { serverId: 'b' }, ['server_not_eligible']],
    ['the server', { serverIds: ['b', 'a'] }, { serverId: 'a' }, []],
    [
      'everything at once, in one fixed order',
      {
        isActive: false,
        startsAt: before(-1),
        endsAt: before(1),
        maxUses: 1,
        used: 1,
        maxUsesPerBuyer: 1,
        minOrderMinor: 2_000,
        firstPurchaseOnly: true,
        productIds: ['p'],
        serverIds: ['a'],
      },
      { buyer: { uses: 1, hasPaidBefore: true }, productIds: ['q'], serverId: 'b' },
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
  ])('%s', (_name, fields, attempt, codes) => {
    expect(reasonsAgainst(discount(fields), tried(attempt)).map(({ code }) => code)).toEqual(codes);
  });

  it('says what is missing and when', () => {
    const message: unknown = expect.stringMatching(/^[A-Z].*[a-z]$/);
    const [start, end] = [before(-1), before(1)];
    expect(reasonsAgainst(discount({ minOrderMinor: 1_001, startsAt: start, endsAt: end }), tried())).toEqual([
      { code: 'not_started', message, startsAt: start },
      { code: 'expired', message, endsAt: end },
      { code: 'min_order_not_met', message, requiredMinor: 1_001, missingMinor: 1 },
    ]);
  });
});

describe('discountAmount', () => {
  it.each<[string, Partial<Discount>, number, number]>([
    ['10 % of 10.00', {}, 1_000, 100],
    ['half a cent, up', { value: 12.5 }, 4_999, 625],
    ['half a cent exactly, up', { value: 50 }, 1, 1],
    ['less than half a cent, down', { value: 10 }, 4, 0],
    ['two decimals of a percent', { value: 33.33 }, 1_500, 500],
    ['all of it', { value: 100 }, 4_999, 4_999],
    ['a percentage capped', { value: 50, maxDiscountMinor: 1_000 }, 10_000, 1_000],
    ['a percentage below its cap', { value: 5, maxDiscountMinor: 1_000 }, 10_000, 500],
    ['a fixed amount', { type: 'fixed', value: 500 }, 1_000, 500],
    ['a fixed amount above the value', { type: 'fixed', value: 2_000 }, 501, 501],
    ['a fixed amount above its cap', { type: 'fixed', value: 500, maxDiscountMinor: 300 }, 1_000, 300],
    ['nothing of nothing', { value: 100 }, 0, 0],
  ])('%s', (_name, fields, amount, expected) => {
    expect(discountAmount(discount(fields), amount)).toBe(expected);
  });

  it('is a whole number from nothing to the amount, and never shrinks with it', () => {
    const percents = fc.integer({ min: 1, max: 10_000 }).map((hundredths) => hundredths / 100);
    const amounts = fc.integer({ min: 0, max: 100_000_000_000 });
    fc.assert(
      fc.property(percents, amounts, amounts, (value, left, right) => {
        const [less, more] = left < right ? [left, right] : [right, left];
        const [off, most] = [discountAmount(discount({ value }), less), discountAmount(discount({ value }), more)];
        expect(Number.isSafeInteger(off) && off >= 0 && off <= less && off <= most).toBe(true);
      }),
    );
  });
});

describe('normaliseCode', () => {
  it.each([
    ['summer10', 'SUMMER10'],
    ['  Summer10 ', 'SUMMER10'],
    ['ｓｕｍｍｅｒ１０', 'SUMMER10'],
    ['STRASSE', 'STRASSE'],
    ['straße', 'STRASSE'],
  ])('%j is %j', (typed, code) => {
    expect(normaliseCode(typed)).toBe(code);
  });

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(normaliseCode(normaliseCode(text))).toBe(normaliseCode(text));
      }),
      { numRuns: 3_000, examples: [['\u1fd2'], ['\u0390'], ['\ufb03']] },
    );
  });
});
