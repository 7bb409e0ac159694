import { describe, expect, it } from '@jest/globals';
import { settingProblems, shownWidgets, UNIQUE_NAME } from './shop-rules.js';

const GOOD = {
  uniqueName: 'sky-realm',
  currency: 'EUR',
  timezone: 'Europe/Berlin',
  nicknameRule: { preset: 'minecraft-java', pattern: null },
} as const;

describe('the unique name of a shop', () => {
  it.each(['abc', 'a1b', '123', 'a-b', 'a-b-c', 'a'.repeat(40)])('accepts the unique name %s', (name) =>
    expect(name).toMatch(UNIQUE_NAME),
  );

  it.each(['', 'ab', 'a'.repeat(41), 'Abc', '-abc', 'abc-', 'a--b', 'xn--abc', 'a_b', 'a.b', 'a b', 'abc\n', 'äöü'])(
    'rejects the unique name %j',
    (name) => expect(name).not.toMatch(UNIQUE_NAME),
  );

  it.each(['www', 'api', 'admin', 'login', 'mail', 'support', 'status', 'demo-shop', 'undefined'])(
    'rejects the unique name %s, which looks like the platform itself',
    (uniqueName) => expect(settingProblems({ ...GOOD, uniqueName })).toEqual(['uniqueName is reserved']),
  );
});

describe('the settings of a new shop', () => {
  it.each([
    [{}, []],
    [{ currency: 'JPY', timezone: 'UTC' }, []],
    [{ timezone: 'America/Argentina/Buenos_Aires' }, []],
    [{ currency: 'eur' }, ['currency must be a currency code of three letters such as EUR']],
    [{ currency: 'ABC' }, ['currency must be a currency code of three letters such as EUR']],
    [{ monthlyGoal: 12.34 }, []],
    [{ monthlyGoal: null }, []],
    [{ monthlyGoal: 0.5, currency: 'JPY' }, ['monthlyGoal has more decimals than JPY allows']],
    [{ timezone: 'Berlin' }, ['timezone must be an IANA zone such as Europe/Berlin']],
    [{ timezone: '+01:00' }, ['timezone must be an IANA zone such as Europe/Berlin']],
    [{ timezone: 'system' }, ['timezone must be an IANA zone such as Europe/Berlin']],
    [{ nicknameRule: { preset: 'custom', pattern: '[a-z]{3,12}' } }, []],
    [{ nicknameRule: { preset: 'custom', pattern: '^(a|[\\w.-]{3,16})$' } }, []],
    [
      { nicknameRule: { preset: 'custom', pattern: null } },
      ['nicknameRule.pattern is required for the preset custom, for example "[a-z]{3,12}"'],
    ],
    [
      { nicknameRule: { preset: 'custom', pattern: 'abcd(?=e)' } },
      ['nicknameRule.pattern: the group at position 5 begins with (?= and only (...) and (?:...) are supported'],
    ],
    [{ nicknameRule: { preset: 'any', pattern: 'a' } }, ['nicknameRule.pattern is only for the preset custom']],
  ] as const)('checks the settings %j and finds the problems %j', (changes, problems) => {
    expect(settingProblems({ ...GOOD, ...changes })).toEqual(problems);
  });
});

it('shows a goal only with an amount, other widgets always', () => {
  const widgets = ['monthly_goal', 'top_buyers'] as const;
  expect(shownWidgets({ widgets, monthlyGoalMinor: 1 })).toEqual(widgets);
  expect(shownWidgets({ widgets, monthlyGoalMinor: null })).toEqual(['top_buyers']);
  expect(shownWidgets({ widgets: [], monthlyGoalMinor: 1 })).toEqual([]);
});
