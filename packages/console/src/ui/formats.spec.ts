import { describe, expect, it } from '@jest/globals';
import { changeOf, initialsOf, money, when } from './formats.js';

describe('money', () => {
  it.each([
    [1990.5, 'HUF', 2, 'en', 'HUF\u00a01,990.50'],
    [1.234, 'KWD', 3, 'en', 'KWD\u00a01.234'],
    [1500, 'JPY', 0, 'en', '¥1,500'],
    [-3.5, 'EUR', 2, 'de', '\u22123,50\u00a0€'],
  ])('writes %s %s with %s decimals in %s', (amount, currency, decimals, language, text) => {
    expect(money(amount, currency, decimals, language)).toBe(text);
  });
});

describe('changeOf', () => {
  it.each([
    [112.4, 100, { kind: 'up', percent: '+12.4 %' }],
    [50, 100, { kind: 'down', percent: '\u221250 %' }],
    [100, 100, { kind: 'same' }],
    [100.0001, 100, { kind: 'same' }],
    [5, 0, { kind: 'new' }],
    [-50, -100, { kind: 'up', percent: '+50 %' }],
  ])('compares %s with %s', (now, before, change) => expect(changeOf(now, before, 'en')).toEqual(change));
});

describe('when', () => {
  const NOW = Date.parse('2026-11-29T12:00:00Z');

  it('is relative within a day', () => {
    expect(when('2026-11-29T11:58:00Z', 'en', NOW)).toBe('2 min. ago');
    expect(when('2026-11-29T09:00:00Z', 'de', NOW)).toBe('vor 3 Std.');
  });

  it('names the day before that, and the year of another one', () => {
    expect(when('2026-11-20T09:00:00Z', 'en', NOW)).toMatch(/Nov 20/);
    expect(when('2024-11-20T09:00:00Z', 'en', NOW)).toMatch(/2024/);
  });
});

it('shortens names to their first letters', () => {
  expect(['Lena Okafor', 'Sky', 'Ana de la Cruz', '  ', '🐉 Dragon'].map(initialsOf)).toEqual([
    'LO',
    'S',
    'AC',
    '?',
    '🐉D',
  ]);
});
