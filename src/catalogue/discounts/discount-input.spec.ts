import { describe, expect, it } from '@jest/globals';
import { discountWith } from '../../../test/support/discounts.js';
import { completed, discountProblems, type DiscountInput, toInput, toStored } from './discount-input.js';

const inputWith = (fields: Partial<DiscountInput> = {}): DiscountInput => ({
  ...completed({ code: 'A1', type: 'percent', value: 10 }),
  ...fields,
});
const at = (text: string): Date => new Date(text);

describe('completed', () => {
  it('gives a new discount no limits and makes it active', () => {
    expect(completed({ code: 'A1', type: 'percent', value: 10 })).toEqual({
      code: 'A1',
      type: 'percent',
      value: 10,
      name: null,
      maxDiscount: null,
      minOrderValue: null,
      productIds: null,
      serverIds: null,
      maxUses: null,
      maxUsesPerBuyer: null,
      firstPurchaseOnly: false,
      excludesReduced: false,
      startsAt: null,
      endsAt: null,
      isActive: true,
    });
  });

  it('keeps what was sent, and treats undefined as absent', () => {
    const input = { code: 'A1', type: 'fixed', value: 5, isActive: false, maxUses: 3, endsAt: undefined } as const;
    expect(completed(input)).toMatchObject({ ...input, endsAt: null });
  });
});

describe('discountProblems', () => {
  it.each<[string, Partial<DiscountInput>, string]>([
    ['a percentage without limits', {}, 'EUR'],
    ['100 percent', { value: 100 }, 'EUR'],
    ['two decimals of a percent', { value: 33.33 }, 'EUR'],
    ['two decimals of a percent in a currency without decimals', { value: 0.01 }, 'JPY'],
    ['a fixed amount above 100', { type: 'fixed', value: 250.5 }, 'EUR'],
    ['three decimals where the currency has them', { type: 'fixed', value: 0.001 }, 'KWD'],
    ['an end without a start', { endsAt: at('2026-01-01T00:00:00Z') }, 'EUR'],
    ['a start without an end', { startsAt: at('2026-01-01T00:00:00Z') }, 'EUR'],
    [
      'a start 1 ms before the end',
      { startsAt: at('2026-01-01T00:00:00.000Z'), endsAt: at('2026-01-01T00:00:00.001Z') },
      'EUR',
    ],
    ['a code of 40 characters', { code: 'a'.repeat(40) }, 'EUR'],
    ['a code with ß, which becomes SS', { code: 'straße' }, 'EUR'],
  ])('finds no problem with %s', (_name, fields, currency) => {
    expect(discountProblems(inputWith(fields), currency)).toEqual([]);
  });

  const CODE = 'code must be 2 to 40 letters, digits, - and _ also in upper case';
  it.each<[Partial<DiscountInput>, string, string[]]>([
    [{ value: 100.01 }, 'EUR', ['value must be at most 100 percent']],
    [{ value: 12.345 }, 'EUR', ['value must have at most 2 decimals']],
    [{ value: 100.001 }, 'EUR', ['value must be at most 100 percent', 'value must have at most 2 decimals']],
    [{ type: 'fixed', value: 0.001 }, 'EUR', ['value has more decimals than EUR allows']],
    [{ type: 'fixed', value: 1.5 }, 'JPY', ['value has more decimals than JPY allows']],
    [
      { maxDiscount: 0.001, minOrderValue: 1.234 },
      'EUR',
      ['maxDiscount has more decimals than EUR allows', 'minOrderValue has more decimals than EUR allows'],
    ],
    [{ code: 'ß'.repeat(21) }, 'EUR', [CODE]],
    [{ code: '⑴2' }, 'EUR', [CODE]],
    [{ code: 'A' }, 'EUR', [CODE]],
    [{ code: 'SUMMER!' }, 'EUR', [CODE]],
    [
      { productIds: [], serverIds: [] },
      'EUR',
      [
        'productIds must be null (every product) or name at least one',
        'serverIds must be null (every server) or name at least one',
      ],
    ],
    [
      { startsAt: at('2026-01-01T00:00:00Z'), endsAt: at('2026-01-01T00:00:00Z') },
      'EUR',
      ['endsAt must be after startsAt'],
    ],
  ])('returns for %j in %s: %j', (fields, currency, problems) => {
    expect(discountProblems(inputWith(fields), currency)).toEqual(problems);
  });
});

describe('toStored and toInput', () => {
  it('stores amounts in minor units and the code in upper case', () => {
    const input = inputWith({ code: 'summer', type: 'fixed', value: 5, maxDiscount: 4.5, minOrderValue: 20.01 });
    const { maxDiscount: _maxDiscount, minOrderValue: _minOrderValue, ...same } = input;
    expect(toStored(input, 'EUR')).toEqual({
      ...same,
      code: 'SUMMER',
      value: 500,
      maxDiscountMinor: 450,
      minOrderMinor: 2_001,
    });
  });

  it('keeps a percentage as it is in every currency', () => {
    expect(toStored(inputWith({ value: 12.5 }), 'JPY')).toMatchObject({ value: 12.5 });
    expect(toInput(discountWith({ value: 12.5, currency: 'JPY' }))).toMatchObject({ value: 12.5 });
  });

  it.each<[string, Partial<DiscountInput>]>([
    ['without limits', {}],
    [
      'with every limit',
      {
        type: 'fixed',
        value: 5,
        maxDiscount: 4.5,
        minOrderValue: 20.01,
        productIds: ['655f1c2ab1e4a9d3f0c81270'],
        serverIds: ['655f1c2ab1e4a9d3f0c81260'],
        maxUses: 3,
        maxUsesPerBuyer: 1,
        firstPurchaseOnly: true,
        startsAt: at('2026-01-01T00:00:00Z'),
        endsAt: at('2027-01-01T00:00:00Z'),
        isActive: false,
      },
    ],
  ])('shows the stored input again %s', (_name, fields) => {
    const input = inputWith(fields);
    expect(toInput(discountWith(toStored(input, 'EUR')))).toEqual(input);
  });
});
