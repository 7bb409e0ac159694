import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MAX_NICKNAME_LENGTH } from './nickname-pattern.js';
import { followsRule, type NicknamePreset, patternOf } from './nickname-rule.js';

const follows = (nickname: string, preset: NicknamePreset, pattern: string | null = null): boolean =>
  followsRule(nickname, { preset, pattern });

describe('nicknames', () => {
  it.each([
    ['minecraft-java', ['abc', 'Steve_42', '___', 'A'.repeat(16)]],
    ['minecraft-bedrock', ['Steve', '.Steve', '_Steve', 'Sky Realm 7', `.${'A'.repeat(16)}`]],
    ['steam64', ['76561197960265728', '76561199999999999']],
    ['any', ['x', '名前', 'Łukasz the 3rd', '🦊', 'a'.repeat(32), "d'Artagnan"]],
  ] as const)('accepts, by the rule %s, the nicknames %j', (preset, nicknames) => {
    for (const nickname of nicknames) expect([nickname, follows(nickname, preset)]).toEqual([nickname, true]);
  });

  it.each([
    ['minecraft-java', ['', 'ab', 'A'.repeat(17), 'a b', 'a-b', 'äbc', 'abc\n', '\nabc', 'abc;op me', 'ａｂｃ']],
    [
      'minecraft-bedrock',
      ['', 'ab', '*Steve', ' abc', 'abc ', 'a  b c', '..abc', 'abc\n', 'A'.repeat(18), 'a b c d e f g h i'],
    ],
    [
      'steam64',
      ['', '7656119796026572', '765611979602657280', '86561197960265728', '7656119796026572x', '٧٦٥٦١١٩٧٩٦٠٢٦٥٧٢٨'],
    ],
    [
      'any',
      ['', ' ', ' a', 'a ', 'a'.repeat(33), 'a\u0000b', 'a\nb', 'a\u202eb', 'a\u200bb', 'a\ud800b', '\u3164\u00a0'],
    ],
  ] as const)('rejects, by the rule %s, the nicknames %j', (preset, nicknames) => {
    for (const nickname of nicknames) expect([nickname, follows(nickname, preset)]).toEqual([nickname, false]);
  });

  it('accepts by no rule a nickname longer than 32 characters or with a line break', () => {
    const preset = fc.constantFrom<NicknamePreset>('minecraft-java', 'minecraft-bedrock', 'steam64', 'any');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), preset, (nickname, name) => {
        return (
          !follows(nickname, name) ||
          (nickname.length <= MAX_NICKNAME_LENGTH && !/[\p{Cc}\u2028\u2029]/u.test(nickname))
        );
      }),
    );
  });

  it.each([
    ['[A-Z][a-z]{2,15}', 'Steve', true],
    ['[A-Z][a-z]{2,15}', 'steve', false],
    ['[A-Z][a-z]{2,15}', 'Steve!', false],
    ['[A-Z][a-z]{2,15}', '!Steve', false],
    ['ab', 'xabx', false],
    ['ab', 'ab\n', false],
    ['\\d{4}-\\d{4}', '1234-5678', true],
    ['\\w{3,16}', 'Steve_42', true],
    ['\\.?\\w{3,16}', '.Steve', true],
    ['a\\*b\\+c', 'a*b+c', true],
    ['[a-z]{3}', 'a'.repeat(3), true],
    ['\\w{20}\\w{13}', 'a'.repeat(33), false],
  ])('compares with the custom pattern %j the nickname %j: %s', (pattern, nickname, expected) => {
    expect(follows(nickname, 'custom', pattern)).toBe(expected);
  });

  it('rejects all nicknames by a custom rule without a pattern, or with one that it cannot read', () => {
    expect(follows('Steve', 'custom', null)).toBe(false);
    expect(follows('Steve', 'custom', '(Steve')).toBe(false);
  });
});

describe('the pattern of a rule for forms', () => {
  it.each([
    ['minecraft-java', '^[A-Za-z0-9_]{3,16}$'],
    ['steam64', '^7656119\\d{10}$'],
  ] as const)('writes the pattern of %s for forms as %s', (preset, pattern) => {
    expect(patternOf({ preset, pattern: null })).toBe(pattern);
  });

  it("writes a shop's own pattern without its anchors", () => {
    expect(patternOf({ preset: 'custom', pattern: '^[a-z-]{3,12}$' })).toBe('^(?:[a-z\\-]{3,12})$');
  });

  it('accepts what the rule accepts, and nothing else, with both flags of new forms (1,000 cases)', () => {
    const part = fc.constantFrom(
      '[a-c]',
      '[a-c-]',
      '[ -.]',
      '[.*_]{1,3}',
      'a',
      '-',
      '\\-',
      '\\.',
      '\\d?',
      '\\w{0,2}',
      ' ',
      '(a|[.-]+)?',
      '(?:\\w-)*',
    );
    const own = fc
      .array(part, { minLength: 1, maxLength: 4 })
      .map((parts) => ({ preset: 'custom' as const, pattern: parts.join('') }));
    const preset = fc
      .constantFrom<NicknamePreset>('minecraft-java', 'minecraft-bedrock', 'steam64', 'any')
      .map((name) => ({ preset: name, pattern: null }));
    const nickname = fc.oneof(
      fc.string({ unit: fc.constantFrom('a', 'b', 'c', '-', '.', '*', '_', ' ', '7'), maxLength: 6 }),
      fc.string({ unit: 'binary', maxLength: 34 }),
    );
    fc.assert(
      fc.property(fc.oneof(own, preset), nickname, (rule, name) => {
        const isAllowed = name.length <= MAX_NICKNAME_LENGTH;
        for (const flag of ['u', 'v']) {
          expect(isAllowed && new RegExp(patternOf(rule), flag).test(name)).toBe(followsRule(name, rule));
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
