import { describe, expect, it } from '@jest/globals';
import { discountProblems, type NewDiscount } from './discount-input.js';

const input = (fields: Partial<NewDiscount> = {}): NewDiscount => ({
  code: 'A1',
  type: 'percent',
  value: 10,
  ...fields,
});
const at = (text: string): Date => new Date(text);

describe('discountProblems', () => {
  it.each<[string, Partial<NewDiscount>, string]>([
    ['a bare percent code', {}, 'EUR'],
    ['100 percent', { value: 100 }, 'EUR'],
    ['two decimals of a percent', { value: 33.33 }, 'EUR'],
    ['two decimals of a percent, whatever the currency', { value: 0.01 }, 'JPY'],
    ['a fixed amount above 100', { type: 'fixed', value: 250.5 }, 'EUR'],
    ['three decimals where the currency has them', { type: 'fixed', value: 0.001 }, 'KWD'],
    [
      'nulls',
      { maxDiscount: null, minOrderValue: null, productIds: null, serverIds: null, startsAt: null, endsAt: null },
      'EUR',
    ],
    ['an end without a start', { endsAt: at('2026-01-01T00:00:00Z') }, 'EUR'],
    [
      'a start a ms before the end',
      { startsAt: at('2026-01-01T00:00:00.000Z'), endsAt: at('2026-01-01T00:00:00.001Z') },
      'EUR',
    ],
  ])('finds nothing wrong with %s', (_name, fields, currency) => {
    expect(discountProblems(input(fields), currency)).toEqual([]);
  });

  it.each<[Partial<NewDiscount>, string, string[]]>([
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
    [
      { productIds: [], serverIds: [] },
      'EUR',
      ['productIds must be null (every product) or name one', 'serverIds must be null (every server) or name one'],
    ],
    [
      { startsAt: at('2026-01-01T00:00:00Z'), endsAt: at('2026-01-01T00:00:00Z') },
      'EUR',
      ['endsAt must be after startsAt'],
    ],
  ])('of %j in %s says %j', (fields, currency, problems) => {
    expect(discountProblems(input(fields), currency)).toEqual(problems);
  });
});
