import { describe, expect, it } from '@jest/globals';
import { StoreError } from '../errors.js';
import { Regex } from './regex.js';
import { unlimited, Work } from './work.js';

// The results are those of PCRE2 10.42 (pcre2test, `utf` without `ucp`), which MongoDB uses.

const regexOf = (pattern: string, options: string, work = unlimited()): Regex => new Regex(pattern, options, work);

/** Strings: the pattern matches those of the first list and none of the second. */
type Row = readonly [pattern: string, options: string, matches: string[], others: string[]];

const rows: Row[] = [
  ['abc$', '', ['abc', 'abc\n'], ['abc\n\n', 'abc\r', 'abcd']],
  ['a.b', '', ['a\rb', 'a\u2028b', 'a\u2029b', 'a😀b'], ['a\nb', 'a12b']],
  ['^.$', '', ['😀', 'é'], ['ab']],
  ['^\\s$', '', [' ', '\t', '\v', '\f', '\r', '\n'], ['\u00a0', '\u0085', '\u2028', '\ufeff']],
  ['^\\S$', '', ['\u00a0', '\ufeff'], [' ']],
  ['^\\w$', '', ['a', 'Z', '0', '_'], ['é', '-']],
  ['^\\w$', 'i', ['a'], ['ſ', '\u212a']],
  ['^\\d$', '', ['0'], ['٣']],
  ['^[]a]$', '', [']', 'a'], ['b']],
  ['^[^]a]$', '', ['b'], [']', 'a']],
  ['^[\\d-]$', '', ['5', '-'], ['a']],
  ['^[^\\D5]$', '', ['4'], ['5', 'a']],
  ['é', 'i', ['É'], []],
  ['k', 'i', ['K', '\u212a'], []],
  ['ß', 'i', ['ẞ'], ['ss']],
  ['^[σ]$', 'i', ['ς', 'Σ'], []],
  ['^i$', 'i', ['I'], ['ı', 'İ']],
  ['^[b-d]$', '', ['b', 'c', 'd'], ['a', 'e', 'C']],
  ['^[b-d]$', 'i', ['b', 'C'], ['a', 'E']],
  ['^ab*c+d?$', '', ['ac', 'abbccd'], ['ab', 'abd', 'acdd']],
  ['^a.*b.+c$', '', ['abxc', 'axbbxc'], ['abc', 'ab']],
  ['^a*?b+?c??$', '', ['b', 'aabbc'], ['ac', 'bcc']],
  ['^\\$5\\.00$', '', ['$5.00'], ['$5x00', '5.00']],
  ['^a\\\\$', '', ['a\\'], ['a', 'a$']],
  ['a\\$', '', ['a$b'], ['a']],
  ['^[\\]\\\\]$', '', [']', '\\'], ['a']],
  ['^[\\t\\s]$', '', ['\t', ' '], ['t', 's']],
  ['.*foo.*', '', ['foo', 'a\nbfoo\n'], ['a\nfo']],
  ['', '', ['', 'a'], []],
];

/** Patterns that are rejected, with what the message names. */
const refused: [pattern: string, reason: string][] = [
  ['a**', 'the quantifier **'],
  ['a++', 'the quantifier ++'],
  ['^*', 'a quantifier that follows nothing'],
  ['a{2}', '{ here'],
  ['(a)', '( here'],
  ['a|b', '| here'],
  ['a^', '^ here'],
  ['a$b', '$ here'],
  [')', ') here'],
  ['[a', 'a class without an end'],
  ['[]', 'a class without an end'],
  ['[^]', 'a class without an end'],
  ['[b-a]', 'out of order'],
  ['[\\d-z]', 'a range of a class'],
  ['[a-\\d]', 'a range of a class'],
  ['[[:alpha:]]', 'a named class'],
  ['\\', 'a \\ at the end'],
  ['\\bé', '\\b'],
  ['abc\\z', '\\z'],
  ['\\p{Lu}', '\\p'],
  ['\\Qa\\E', '\\Q'],
  ['[\\b]', '\\b'],
];

/** What the call throws. */
function thrown(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    return error;
  }
}

describe('regular expressions', () => {
  it.each(rows)('matches with /%s/%s what PCRE matches', (pattern, options, matches, others) => {
    const regex = regexOf(pattern, options);
    expect([...matches, ...others].filter((text) => regex.test(text))).toEqual(matches);
  });

  it.each(refused)('rejects /%s/ with error 51091 and its reason', (pattern, reason) => {
    const error = thrown(() => regexOf(pattern, ''));
    expect(error).toBeInstanceOf(StoreError);
    expect(error).toMatchObject({ code: 51091, message: expect.stringContaining(reason) });
  });

  it('rejects the options l, m, s and x with error 51091', () => {
    for (const option of 'lmsx') expect(thrown(() => regexOf('a', `i${option}`))).toMatchObject({ code: 51091 });
  });

  it.each([
    ['repeats next to each other', '.*.*.*=', 'a'.repeat(100_000)],
    ['a repeat at every place', 'a*b', `${'a'.repeat(100_000)}c`],
  ])('tests %s in one pass over the string', (_title, pattern, text) => {
    expect(regexOf(pattern, '').test(text)).toBe(false);
  });

  it('ends a test that takes too many steps with error 51156', () => {
    const text = 'a'.repeat(20_000);
    expect(thrown(() => regexOf(`${'a?'.repeat(1000)}b`, '').test(text))).toMatchObject({ code: 51156 });
  });

  it('ends a test when the time of the command is over (50)', () => {
    const work = new Work(() => 0);
    expect(thrown(() => regexOf('b', '', work).test('a'.repeat(5000)))).toMatchObject({ code: 50 });
  });
});
