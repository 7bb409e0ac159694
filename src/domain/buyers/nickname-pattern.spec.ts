import { performance } from 'node:perf_hooks';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MAX_NICKNAME_LENGTH, readPattern } from './nickname-pattern.js';

const sourceOf = (pattern: string): string => {
  const read = readPattern(pattern);
  if ('problem' in read) throw new Error(`${pattern}: ${read.problem}`);
  return read.source;
};
const matches = (pattern: string, nickname: string): boolean => new RegExp(sourceOf(pattern), 'u').test(nickname);

describe('a pattern that an owner has written', () => {
  it.each([
    ['^[A-Za-z0-9_]{3,16}$', ['Steve_42', '___'], ['ab', 'a b', 'Steve!', 'a'.repeat(17), 'Steve\n']],
    ['[A-Z][a-z]{2,15}', ['Steve'], ['steve', '!Steve', 'Steve!']],
    ['^\\.?[\\w.-]{3,16}$', ['.Steve', 'a.b-c'], ['a b', '..']],
    ['^(a|b)$', ['a', 'b'], ['', 'ab', 'c']],
    ['^(?:ab|cd){2}$', ['abcd', 'cdcd'], ['ab', 'abcdab']],
    ['^(?:[A-Z][a-z]{1,9}){1,3}$', ['Steve', 'SteveTheMiner'], ['STEVE', 'ABCD']],
    ['^\\w+$', ['a', 'a'.repeat(32)], ['', 'a-b']],
    ['^\\*?\\w*$', ['', '*', '*Steve'], ['**', 'Steve*']],
    ['^\\w{3,}$', ['abc'], ['ab']],
    ['\\d{4}-\\d{4}', ['1234-5678'], ['12345678']],
    ['^a\\$$', ['a$'], ['a', 'a\\$']],
    ['a\\*b\\+c\\(d\\)\\[e\\]\\{f\\}\\|\\^\\\\\\/', ['a*b+c(d)[e]{f}|^\\/'], []],
    ["[!-/]/;'#~&", ["!/;'#~&"], ["a/;'#~&"]],
    ['[\\w-.]', ['-', '.', 'a'], ['w-', ',']],
    ['[\\d-z]', ['-', 'z', '7'], ['y']],
    ['[a-\\d]', ['a', '-', '7'], ['b']],
    ['[-a]', ['-', 'a'], ['b']],
    ['[a-]', ['-', 'a'], ['b']],
    ['[[&&\\]]', ['[', '&', ']'], ['\\']],
    ['[ -]', [' ', '-'], ['!']],
    ['a|bc', ['a', 'bc'], ['ac', 'abc']],
    ['ab', ['ab'], ['xabx', 'ab\n']],
  ])('reads %s: it matches %j and not %j', (pattern, matching, others) => {
    for (const flag of ['u', 'v']) {
      const regex = new RegExp(sourceOf(pattern), flag);
      expect(matching.filter((nickname) => !regex.test(nickname))).toEqual([]);
      expect(others.filter((nickname) => regex.test(nickname))).toEqual([]);
    }
  });

  it.each([
    ['[a-z]{3,12}', '^(?:[a-z]{3,12})$'],
    ['^[a-z-]{3}$', '^(?:[a-z\\-]{3})$'],
    ['a?b*c+d{2,}', '^(?:a?b{0,32}c{1,32}d{2,32})$'],
    ['(a|b)', '^(?:(?:a|b))$'],
    ['a\\-b!', '^(?:a-b\\x21)$'],
    ['[..*@]', '^(?:[\\.\\.\\*\\x40])$'],
  ])('writes %s for forms as %s', (pattern, source) => {
    expect(sourceOf(pattern)).toBe(source);
  });

  it.each([
    ['', 'there is nothing to match at position 1: write ? after what can be absent'],
    ['^$', 'there is nothing to match at position 2: write ? after what can be absent'],
    ['a||b', 'there is nothing to match at position 3: write ? after what can be absent'],
    ['a()', 'there is nothing to match at position 3: write ? after what can be absent'],
    ['.*', 'the . at position 1 allows every character: write \\. for a dot, or a class such as [\\w.]'],
    ['a^b', 'the ^ at position 2 is allowed only at the start of the pattern'],
    ['(^a)', 'the ^ at position 2 is allowed only at the start of the pattern'],
    ['a$b', 'the $ at position 2 is allowed only at the end of the pattern'],
    ['*a', 'the * at position 1 repeats nothing: write \\* for the character'],
    ['a|+', 'the + at position 3 repeats nothing: write \\+ for the character'],
    ['(?a)', 'the group at position 1 begins with (? and only (...) and (?:...) are supported'],
    ['abcd(?=e)', 'the group at position 5 begins with (?= and only (...) and (?:...) are supported'],
    ['(?<!a)b', 'the group at position 1 begins with (?<! and only (...) and (?:...) are supported'],
    ['(?<name>a)', 'the group at position 1 begins with (?<name> and only (...) and (?:...) are supported'],
    ['(?i:a)', 'the group at position 1 begins with (?i: and only (...) and (?:...) are supported'],
    ['ab(c', 'the group at position 3 is not closed with )'],
    ['(a$', 'the group at position 1 is not closed with )'],
    ['ab)c', 'the ) at position 3 closes no group: write \\) for the character'],
    ['a]', 'the ] at position 2 ends no class: write \\] for the character'],
    ['[[a]]', 'the ] at position 5 ends no class: write \\] for the character'],
    ['a}', 'the } at position 2 ends no repetition: write \\} for the character'],
    ['a{,2}', 'the { at position 2 must begin a repetition such as {3} or {3,16}'],
    ['a{100}', 'the { at position 2 must begin a repetition such as {3} or {3,16}'],
    ['ab{3,2}', 'the repetition {3,2} at position 3 ends before it begins'],
    ['a{0}b', 'the repetition {0} at position 2 allows nothing: remove it'],
    ['(((((a{0}){32}){32}){32}){32}){32}', 'the repetition {0} at position 7 allows nothing: remove it'],
    ['ab{0,0}', 'the repetition {0,0} at position 3 allows nothing: remove it'],
    ['a{1,3}?', 'the ? at position 7 repeats a repetition: remove it'],
    ['a+*', 'the * at position 3 repeats a repetition: remove it'],
    ['[^a]', 'the class at position 1 excludes characters: name those that are allowed, such as [\\w.-]'],
    ['ab[]', 'the class at position 3 has no characters'],
    ['[a', 'the class at position 1 is not closed with ]'],
    ['[z-a]', 'the range z-a at position 2 ends before it begins'],
    ['[\\--!]', 'the range \\--! at position 2 ends before it begins'],
    ['a\\s', 'the \\ at position 2 begins \\s: there are only \\d, \\w and a \\ before punctuation, such as \\.'],
    ['[\\b]', 'the \\ at position 2 begins \\b: there are only \\d, \\w and a \\ before punctuation, such as \\.'],
    ['(a)\\1', 'the \\ at position 4 begins \\1: there are only \\d, \\w and a \\ before punctuation, such as \\.'],
    ['\\u0041', 'the \\ at position 1 begins \\u: there are only \\d, \\w and a \\ before punctuation, such as \\.'],
    ['a\\', 'the \\ at position 2 has nothing after it'],
    ['a\u00e4', 'the \u00e4 at position 2 is no ASCII character, and only those are supported'],
    ['[\ud83e\udd8a]', 'the \ud83e\udd8a at position 2 is no ASCII character, and only those are supported'],
    ['a\n', 'the \n at position 2 is no ASCII character, and only those are supported'],
  ])('rejects %j and says which part and why', (pattern, problem) => {
    expect(readPattern(pattern)).toEqual({ problem });
  });
});

describe('a pattern that would be slow', () => {
  it.each([
    '(a+)+',
    '(a*)*b',
    '^(?:a|a){20,32}$',
    '(?:a?){32}',
    '((a{0,32}){0,32}){0,32}',
    `${'\\w*'.repeat(6)}-`,
    `(?:[a-z]+[0-9a-z]*){5,}`,
  ])('rejects the pattern %s', (pattern) => {
    expect(readPattern(pattern)).toEqual({
      problem: expect.stringMatching(/^too many ways to match lead to position \d/),
    });
  });

  /** A pattern that backtracks without limit takes hours. No busy machine takes so long for one that is accepted. */
  const LIMIT_MS = 10_000;

  it('matches fast with the slowest accepted patterns, and a nickname that fails at its end', () => {
    const repeated = ['\\w{0,99}', '[a-z]{1,99}', '[A-Za-z0-9_.]*', 'a+'];
    const slow = [...repeated.flatMap((part) => [`${part.repeat(4)}-`, `a?${part.repeat(3)}[-]`]), '(?:a|a){17}-'];
    for (const pattern of [...slow, '(?:\\w|[a-z]){3,16}-', '(?:[A-Za-z]+_?){1,3}-']) {
      expect(millisecondsFor(() => matches(pattern, 'a'.repeat(MAX_NICKNAME_LENGTH)))).toBeLessThan(LIMIT_MS);
    }
  });

  it('reads, and matches where it is accepted, every generated pattern fast', () => {
    const atom = fc.constantFrom('a', '[a-z]', '[\\w.]', '\\w', '\\d', '-', ' ', '\\.');
    const times = fc.constantFrom('', '?', '*', '+', '{0,99}', '{1,32}', '{5}', '{99}');
    const { pattern } = fc.letrec<{ pattern: string; part: string }>((tie) => ({
      part: fc.oneof(
        { depthSize: 'small' },
        atom,
        tie('pattern').map((inner) => `(${inner})`),
      ),
      pattern: fc
        .array(fc.tuple(tie('part'), times, fc.constantFrom('', '', '', '|')), { minLength: 1, maxLength: 6 })
        .map((parts) => parts.flat().join('').replace(/\|$/, '')),
    }));
    const nickname = fc.string({ unit: fc.constantFrom('a', 'b', '1', ' ', '-', '.'), maxLength: MAX_NICKNAME_LENGTH });
    fc.assert(
      fc.property(pattern, nickname, (text, name) => {
        const run = (): void => {
          const read = readPattern(text);
          if ('source' in read) new RegExp(read.source, 'v').test(name);
        };
        return millisecondsFor(run) < LIMIT_MS;
      }),
      { numRuns: 500 },
    );
  });
});

function millisecondsFor(run: () => unknown): number {
  const start = performance.now();
  run();
  return performance.now() - start;
}
