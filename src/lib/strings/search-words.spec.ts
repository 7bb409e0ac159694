import { describe, expect, it } from '@jest/globals';
import { findsWords, searchWordsOf } from './search-words.js';

describe('The words of a search', () => {
  it.each([
    [
      ['VIP rank', 'vip-rank'],
      ['vip', 'rank'],
    ],
    [
      ['\u00C9p\u00E9e', 'e\u0301pe\u0301e', '\u0130PEK', '\uFF36\uFF29\uFF30'],
      ['epee', 'ipek', 'vip'],
    ],
    [
      ['Steve_42 <steve@example.com>', null],
      ['steve', '42', 'example', 'com'],
    ],
    [
      ['\u{1F525} $9.99', '\u0410\u043B\u0435\u043A\u0441'],
      ['\u{1F525}', '$9', '99', '\u0430\u043B\u0435\u043A\u0441'],
    ],
    [['', '!!!', '   '], []],
    [['a'.repeat(50)], ['a'.repeat(40)]],
  ])('of %j are %j', (texts, words) => {
    expect(searchWordsOf(...texts)).toEqual(words);
  });

  it('are at most 60', () => {
    expect(searchWordsOf(Array.from({ length: 100 }, (_, index) => `w${index}`).join(' '))).toHaveLength(60);
  });

  it.each([
    ['rank vip', true],
    ['RA', true],
    ['ank', false],
    ['vip crate', false],
    ['.*', false],
    ['', false],
  ])('find, by %j, a record with the words "vip" and "rank": %s', (q, found) => {
    expect(findsWords(searchWordsOf(q), ['vip', 'rank'])).toBe(found);
  });
});
