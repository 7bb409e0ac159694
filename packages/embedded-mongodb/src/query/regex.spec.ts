import { describe, expect, it } from '@jest/globals';
import { StoreError } from '../errors.js';
import { regexOf } from './regex.js';

// The results are those of PCRE2 10.42 (pcre2test, `utf` without `ucp`), which MongoDB uses.

/** The texts of which the pattern matches the ones in the first list and none in the second. */
type Row = readonly [pattern: string, options: string, matches: string[], others: string[]];

const rows: Row[] = [
  ['abc$', '', ['abc', 'abc\n'], ['abc\n\n', 'abc\r', 'abcd']],
  ['abc\\Z', '', ['abc', 'abc\n'], ['abc\n\n']],
  ['abc\\z', '', ['abc'], ['abc\n']],
  ['b$', 'm', ['b\nc', 'ab', 'b\n\n'], ['b\rc', 'b\u2028c']],
  ['^b', 'm', ['a\nb', 'b'], ['a\rb', 'a\u2028b']],
  ['a\\n^$', 'm', [], ['a\n']],
  ['^b|\\Ac', '', ['b', 'c'], ['a\nb', 'ac']],
  ['\\Ab', 'm', ['b'], ['a\nb']],
  ['\\Gb', '', ['b'], ['ab']],
  ['a.b', '', ['a\rb', 'a\u2028b', 'a\u2029b', 'a😀b'], ['a\nb', 'a12b']],
  ['^.$', '', ['😀', 'é'], ['ab']],
  ['a.b', 's', ['a\nb'], []],
  ['a\\Nb', 's', ['a\rb'], ['a\nb']],
  ['^\\s$', '', [' ', '\t', '\v', '\f', '\r', '\n'], ['\u00a0', '\u0085', '\u2028', '\ufeff']],
  ['^\\S$', '', ['\u00a0', '\ufeff'], [' ']],
  ['^\\w$', '', ['a', 'Z', '0', '_'], ['é', '-']],
  ['^\\w$', 'i', ['a'], ['ſ', '\u212a']],
  ['^\\d$', '', ['0'], ['٣']],
  ['\\bé', '', [], ['é', ' é']],
  ['a\\b', '', ['aé', 'a b'], ['ab']],
  ['a\\B', '', ['ab'], ['a', 'a b']],
  ['^\\h$', '', [' ', '\t', '\u00a0', '\u180e', '\u3000'], ['\n', '\v', '\ufeff']],
  ['^\\H$', '', ['\n', 'a'], [' ']],
  ['^\\v$', '', ['\n', '\v', '\r', '\u0085', '\u2028'], [' ']],
  ['^a\\Rb$', '', ['a\nb', 'a\r\nb', 'a\u0085b'], ['a\n\rb']],
  ['^\\R\\n', '', ['\n\n', '\r\n\n'], ['\r\n']],
  ['^[[:alpha:]]+$', '', ['aZ'], ['é', '1']],
  ['^[[:^alpha:]_]$', '', ['1', 'é', '_'], ['a']],
  ['^[[:upper:]]$', 'i', ['a', 'A'], ['é']],
  ['^[]a]$', '', [']', 'a'], ['b']],
  ['^[^]a]$', '', ['b'], [']', 'a']],
  ['^[\\d-]$', '', ['5', '-'], ['a']],
  ['^[\\b]$', '', ['\b'], ['b']],
  ['^[^\\D5]$', '', ['4'], ['5', 'a']],
  ['^a++b', '', ['aab'], []],
  ['^a++ab', '', [], ['aab']],
  ['^(?:a|ab)++c', '', ['aac'], ['abc']],
  ['^a?+a', '', ['aa'], ['a']],
  ['^(?>a|ab)c', '', ['ac'], ['abc']],
  ['(?i)abc', '', ['ABC'], []],
  ['a(?i)b|c', '', ['aB', 'C'], ['AB']],
  ['(?i:a)b', '', ['Ab'], ['AB']],
  ['(?s-i)A.', 'i', ['A\n'], ['a\n']],
  ['(?^)a', 'i', ['a'], ['A']],
  [' a b # the end', 'x', ['ab'], ['a b']],
  ['^[a b]\\ c$', 'x', ['  c', 'a c'], ['ac']],
  ['(?x) a + b', '', ['aab'], ['a + b']],
  ['a(?# a comment)+b', '', ['aab'], []],
  ['é', 'i', ['É'], []],
  ['k', 'i', ['K', '\u212a'], []],
  ['ß', 'i', ['ẞ'], ['ss']],
  ['^[σ]$', 'i', ['ς', 'Σ'], []],
  ['^i$', 'i', ['I'], ['ı', 'İ']],
  ['^\\p{Lu}\\P{L}$', '', ['É1'], ['é1', 'ÉÉ']],
  ['^\\p{Lu}$', 'i', ['A'], ['a']],
  ['^\\pL\\p{L&}\\p{^N}$', '', ['aBc'], ['a1c']],
  ['\\Qa.b\\E+', '', ['a.b', 'a.bb'], ['axb']],
  ['^\\x41\\x{e9}\\101\\o{101}\\cA\\e$', '', ['AéAA\u0001\u001b'], []],
  ['(a)|\\1b', '', ['a'], ['b']],
  ['^(a|b)*\\1$', '', ['abb', 'aa'], ['ab']],
  ['^(?:(a)|b)*\\1$', '', ['aba'], ['ab']],
  ['^(?<n>ab)\\k<n>\\k{n}(?P=n)\\g{-1}\\g1$', '', ['abababababab'], ['abab']],
  ['a(?=b)', '', ['ab'], ['ac']],
  ['a(?!b)', '', ['ac'], ['ab']],
  ['(?<=ab|c)d', '', ['abd', 'cd'], ['bd']],
  ['(?<!😀)d', '', ['ad', 'd'], ['😀d']],
  ['^(?=(a+))a*b\\1', '', ['aaabaaa'], ['aaabac']],
  ['a{2,3}?b', '', ['aaab', 'aab'], ['ab']],
  ['^a{,3}$', '', ['a{,3}'], ['aaa']],
  ['^a{$', '', ['a{'], []],
  ['^(a?){3}b', '', ['b', 'aab'], ['aaaab']],
  ['^(?:a?)*?$', '', ['', 'aaa'], ['b']],
  ['^(?:a{2}){2}$', '', ['aaaa'], ['aaa']],
  ['.*foo.*', '', ['foo', 'a\nbfoo\n'], ['a\nfo']],
  ['', '', ['', 'a'], []],
];

const refused: [pattern: string, reason: string][] = [
  ['a**', 'quantifier does not follow'],
  ['\\b+', 'quantifier does not follow'],
  ['{1}', 'quantifier does not follow'],
  ['a{3,1}', 'numbers out of order'],
  ['a{99999}', 'number too big'],
  ['(', 'missing closing parenthesis'],
  [')', 'unmatched closing parenthesis'],
  ['[a', 'missing terminating ]'],
  ['[b-a]', 'range out of order'],
  ['[\\d-z]', 'invalid range'],
  ['[[:foo:]]', 'unknown POSIX class'],
  ['[\\R]', 'escape sequence is invalid'],
  ['\\j', 'unrecognized character follows \\'],
  ['\\1', 'reference to non-existent'],
  ['(?<=a+)b', 'lookbehind assertion is not fixed length'],
  ['\\', '\\ at end of pattern'],
  ['(?R)', '(?R) is not supported by the embedded store'],
  ['(?(1)a)', '(?(1 is not supported by the embedded store'],
  ['(?|a)', '(?|a is not supported by the embedded store'],
  ['(*UCP)a', 'a verb (*...) is not supported by the embedded store'],
  ['a\\Kb', '\\K is not supported by the embedded store'],
  ['\\X', '\\X is not supported by the embedded store'],
  ['\\p{Greek}', '\\p{Greek} is not supported by the embedded store'],
  ['(?i)(a)\\1', 'a back reference without regard to case is not supported by the embedded store'],
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

  it('rejects an unknown option with error 51108', () => {
    expect(thrown(() => regexOf('a', 'g'))).toMatchObject({ code: 51108 });
  });

  it.each([
    ['nested repeats', '^(a+)+$', `${'a'.repeat(32)}b`],
    ['alternatives that overlap', '^(a|a)*$', `${'a'.repeat(40)}b`],
    ['repeats next to each other', '.*.*.*=', 'a'.repeat(1000)],
    ['a repeat at every place', 'a*b', 'a'.repeat(100_000)],
  ])('ends %s with error 51156 after a fixed number of steps', (_title, pattern, text) => {
    expect(thrown(() => regexOf(pattern, '').test(text))).toMatchObject({ code: 51156 });
  });

  it('matches again with an expression that was stopped', () => {
    const regex = regexOf('^(a+)+$', '');
    thrown(() => regex.test(`${'a'.repeat(40)}b`));
    expect([regex.test('aaa'), regex.test('ab')]).toEqual([true, false]);
  });

  it('rejects deep nesting in a pattern, instead of overflowing the stack', () => {
    expect(thrown(() => regexOf('('.repeat(10_000), ''))).toMatchObject({ code: 51091 });
  });

  it('matches a group that is repeated often over a long string without recursion', () => {
    expect(regexOf('^(?:ab)+$', '').test('ab'.repeat(50_000))).toBe(true);
  });
});
