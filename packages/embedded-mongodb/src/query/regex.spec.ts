import { describe, expect, it } from '@jest/globals';
import { StoreError } from '../errors.js';
import { regexOf } from './regex.js';
import { Work } from './work.js';

// The results are those of PCRE2 10.42 (pcre2test, `utf` without `ucp`), which MongoDB uses.

/** Strings: the pattern matches those of the first list and none of the second. */
type Row = readonly [pattern: string, options: string, matches: string[], others: string[]];

const rows: Row[] = [
  ['abc$', '', ['abc', 'abc\n'], ['abc\n\n', 'abc\r', 'abcd']],
  ['b$', 'm', ['b\nc', 'ab', 'b\n\n'], ['b\rc', 'b\u2028c']],
  ['^b', 'm', ['a\nb', 'b'], ['a\rb', 'a\u2028b']],
  ['a\\n^$', 'm', [], ['a\n']],
  ['a.b', '', ['a\rb', 'a\u2028b', 'a\u2029b', 'a😀b'], ['a\nb', 'a12b']],
  ['^.$', '', ['😀', 'é'], ['ab']],
  ['a.b', 's', ['a\nb'], []],
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
  ['a{2,3}?b', '', ['aaab', 'aab'], ['ab']],
  ['^a{,3}$', '', ['a{,3}'], ['aaa']],
  ['^a{$', '', ['a{'], []],
  ['^(a?){3}b', '', ['b', 'aab'], ['aaaab']],
  ['^(?:a?)*?$', '', ['', 'aaa'], ['b']],
  ['^(?:a{2}){2}$', '', ['aaaa'], ['aaa']],
  ['.*foo.*', '', ['foo', 'a\nbfoo\n'], ['a\nfo']],
  ['', '', ['', 'a'], []],
];

/** Patterns that are rejected, with what the message names. */
const refused: [pattern: string, reason: string][] = [
  ['a**', 'a quantifier that follows nothing'],
  ['^*', 'a quantifier of an assertion'],
  ['{1}', 'a quantifier that follows nothing'],
  ['a{3,1}', 'out of order'],
  ['a{99999}', 'so large'],
  ['(', 'a group without an end'],
  [')', 'an unmatched )'],
  ['[a', 'a class without an end'],
  ['[b-a]', 'out of order'],
  ['[\\d-z]', 'a range that begins with a class'],
  ['[a-\\d]', 'a range that ends with a class'],
  ['[[:alpha:]]', 'a named class'],
  ['\\', 'a \\ at the end'],
  ['\\bé', '\\b'],
  ['abc\\z', '\\z'],
  ['(a)\\1', '\\1'],
  ['\\p{Lu}', '\\p'],
  ['\\Qa\\E', '\\Q'],
  ['[\\b]', '\\b'],
  ['a++', 'a possessive quantifier'],
  ['(?>a)', 'a group that begins with (?'],
  ['(?i)a', 'a group that begins with (?'],
  ['(?=a)', 'a group that begins with (?'],
  ['(?<=a)b', 'a group that begins with (?'],
  ['(*UCP)a', 'a verb'],
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

  it('rejects an unknown option with error 51108, and the option x with error 51091', () => {
    expect(thrown(() => regexOf('a', 'g'))).toMatchObject({ code: 51108 });
    expect(thrown(() => regexOf('a', 'x'))).toMatchObject({ code: 51091 });
  });

  it.each([
    ['nested repeats', '^(a+)+$', `${'a'.repeat(100_000)}b`],
    ['alternatives that overlap', '^(a|a)*$', `${'a'.repeat(100_000)}b`],
    ['repeats next to each other', '.*.*.*=', 'a'.repeat(100_000)],
    ['a repeat at every place', 'a*b', `${'a'.repeat(100_000)}c`],
  ])('tests %s in one pass over the string', (_title, pattern, text) => {
    expect(regexOf(pattern, '').test(text)).toBe(false);
  });

  it('ends a test that takes too many steps with error 51156', () => {
    const text = 'a'.repeat(20_000);
    expect(thrown(() => regexOf('(a?){1000}b', '').test(text))).toMatchObject({ code: 51156 });
  });

  it('ends a test when the time of the command is over (50)', () => {
    const work = new Work(() => 0);
    expect(thrown(() => regexOf('b', '', work).test('a'.repeat(5000)))).toMatchObject({ code: 50 });
  });

  it('rejects deep nesting in a pattern, instead of overflowing the stack', () => {
    expect(thrown(() => regexOf('('.repeat(10_000), ''))).toMatchObject({ code: 51091 });
  });

  it('matches a group that is repeated often over a long string without recursion', () => {
    expect(regexOf('^(?:ab)+$', '').test('ab'.repeat(50_000))).toBe(true);
  });
});
