import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { codeOf, ungroupedCodeOf } from './code.js';

describe('the one spelling of a code', () => {
  it.each([
    ['SUMMER10', 'SUMMER10'],
    ['summer10', 'SUMMER10'],
    ['  Summer10 ', 'SUMMER10'],
    ['SUMMER10\n', 'SUMMER10'],
    ['\u00A0SUMMER10', 'SUMMER10'],
    ['SUMMER 10', 'SUMMER10'],
    ['\u200BSUMMER10', 'SUMMER10'],
    ['SUM\u00ADMER10', 'SUMMER10'],
    ['SUMMER10\uFEFF', 'SUMMER10'],
    ['\u202ASUMMER10\u202C', 'SUMMER10'],
    ['ｓｕｍｍｅｒ１０', 'SUMMER10'],
    ['summer١٠', 'SUMMER10'],
    ['summer۱۰', 'SUMMER10'],
    ['summer१०', 'SUMMER10'],
    ['summer𝟏𝟎', 'SUMMER10'],
    ['iyi', 'IYI'],
    ['İYİ', 'IYI'],
    ['ıyı', 'IYI'],
    ['I\u0307YI', 'IYI'],
    ['STRASSE', 'STRASSE'],
    ['straße', 'STRASSE'],
    ['STRAẞE', 'STRASSE'],
    ['rene\u0301', 'REN\u00C9'],
    ['Ren\u00E9', 'REN\u00C9'],
    ['лето_10', 'ЛЕТО_10'],
    ['夏', '夏'],
    ['VIP-10', 'VIP-10'],
    ['vip－10', 'VIP-10'],
    ['VIP\u201010', 'VIP-10'],
    ['VIP\u201110', 'VIP-10'],
    ['VIP\u201310', 'VIP-10'],
    ['VIP \u2014 10', 'VIP-10'],
    ['VIP\u221210', 'VIP-10'],
  ])('reads the discount code %j as %j', (typed, code) => {
    expect(codeOf(typed)).toBe(code);
  });

  it.each([
    ['04711729', '04711729'],
    ['0471 1729', '04711729'],
    ['0471-1729', '04711729'],
    ['0471\u20131729', '04711729'],
    ['0471\u22121729', '04711729'],
    [' 0 4 7 1 1 7 2 9\r\n', '04711729'],
    ['０４７１１７２９', '04711729'],
    ['٠٤٧١١٧٢٩', '04711729'],
    ['۰۴۷۱۱۷۲۹', '04711729'],
    ['०४७११७२९', '04711729'],
    ['\u200E04711729\u200F', '04711729'],
    ['\u{116DA}\u{116DE}\u{116E1}', '047'],
    ['abcde-fghjk', 'ABCDEFGHJK'],
    ['ABCDE FGHJK', 'ABCDEFGHJK'],
    ['0471172', '0471172'],
  ])('reads the verification code %j as %j', (typed, code) => {
    expect(ungroupedCodeOf(typed)).toBe(code);
  });

  it('stays the same when it is read again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(codeOf(codeOf(text))).toBe(codeOf(text));
      }),
      { numRuns: 3_000, examples: [['\u1fd2'], ['\u0390'], ['\ufb03'], ['i\u0307'], ['I\u00AD\u0307']] },
    );
  });
});
