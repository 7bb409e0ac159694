import { describe, expect, it } from '@jest/globals';
import { JsonFields } from './json-fields.js';
import { amountIn, HTTPS_ADDRESS, orderIdIn, sharesOf } from './provider-fields.js';

const ORDER_ID = '655f1c2ab1e4a9d3f0c81250';
const fieldsOf = (object: object): JsonFields => JsonFields.parse(Buffer.from(JSON.stringify(object)));

describe('amountIn', () => {
  it.each([
    ['19.99', 'EUR', 1999],
    ['19.9', 'EUR', 1990],
    ['0.00', 'EUR', 0],
    ['1250', 'JPY', 1250],
    ['1.234', 'KWD', 1234],
    ['90071992547409.91', 'EUR', 9_007_199_254_740_991],
  ])('reads %s %s as %d minor units', (value, currency, amountMinor) => {
    expect(amountIn(fieldsOf({ amount: { value, currency } }), 'amount')).toEqual({ amountMinor, currency });
  });

  it("reads the currency from the provider's own field", () => {
    const fields = fieldsOf({ amount: { value: '5.00', currency_code: 'USD' } });
    expect(amountIn(fields, 'amount', 'currency_code')).toEqual({ amountMinor: 500, currency: 'USD' });
  });

  it.each<[string, unknown, RegExp]>([
    ['no object', '19.99', /amount must be an object/],
    ['a number', { value: 19.99, currency: 'EUR' }, /amount\.value must be a decimal string/],
    ['a sign', { value: '-19.99', currency: 'EUR' }, /amount\.value must be a decimal string/],
    ['an exponent', { value: '1e3', currency: 'EUR' }, /amount\.value must be a decimal string/],
    ['a comma', { value: '19,99', currency: 'EUR' }, /amount\.value must be a decimal string/],
    ['a tail', { value: '19.99\n', currency: 'EUR' }, /amount\.value must be a decimal string/],
    ['half a cent', { value: '19.995', currency: 'EUR' }, /amount\.value must be exact in EUR/],
    ['more than the exact numbers', { value: '90071992547409.92', currency: 'EUR' }, /must be exact in EUR/],
    [
      'an unknown currency',
      { value: '1.00', currency: 'ZZZ' },
      /amount\.currency must be a currency code of three letters such as EUR/,
    ],
    [
      'a currency with a tail',
      { value: '1.00', currency: 'EURO' },
      /amount\.currency must be a currency code of three letters such as EUR/,
    ],
    [
      'a currency with a start',
      { value: '1.00', currency: '1EUR' },
      /amount\.currency must be a currency code of three letters such as EUR/,
    ],
    [
      'a currency in lower case',
      { value: '1.00', currency: 'eur' },
      /amount\.currency must be a currency code of three letters such as EUR/,
    ],
  ])('rejects an amount: %s', (_, amount, sentence) => {
    expect(() => amountIn(fieldsOf({ amount }), 'amount')).toThrow(sentence);
  });
});

describe('HTTPS_ADDRESS', () => {
  const read = (url: unknown): string => fieldsOf({ url }).string('url', HTTPS_ADDRESS);

  it('accepts an https address', () => {
    expect(read('https://pay.example.com/a?b=c')).toBe('https://pay.example.com/a?b=c');
  });

  it.each(['http://x', ' https://x', 'javascript:https://x', 'https://', 'https://x\n', 'https://x y', 7])(
    'rejects the address %j',
    (url) => {
      expect(() => read(url)).toThrow('url must be an https address');
    },
  );
});

describe('orderIdIn', () => {
  it.each<[string, unknown, string | null]>([
    ['our reference', { orderId: ORDER_ID.toUpperCase() }, ORDER_ID],
    ["another system's reference", { orderId: '12345' }, null],
    ['an operator', { orderId: { $ne: 1 } }, null],
    ['a string', ORDER_ID, null],
    ['a list', [ORDER_ID], null],
    ['nothing', null, null],
  ])('reads an order id from %s', (_, metadata, orderId) => {
    expect(orderIdIn(fieldsOf({ metadata }))).toBe(orderId);
  });
});

describe('sharesOf', () => {
  it.each<[number, (number | null)[], number[]]>([
    [40, [10, 30], [10, 30]],
    [10, [1, 1, 1], [3, 3, 4]],
    [1, [1, 1], [0, 1]],
    [9_007_199_254_740_991, [1, 9_007_199_254_740_990], [1, 9_007_199_254_740_990]],
    [40, [10, null], [40, 40]],
    [40, [0, 0], [40, 40]],
    [40, [0], [40]],
    [40, [10], [40]],
    [40, [], []],
  ])('divides %d in proportion to %j: %j', (total, own, shares) => {
    expect(sharesOf(total, own)).toEqual(shares);
  });
});
