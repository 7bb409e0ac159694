import { describe, expect, it } from '@jest/globals';
import { formatMoney, formatTime, timeNeeded } from './formats.js';
import { type Language } from './languages.js';

/** Some versions of Unicode's data have other spaces. */
const plain = (text: string): string => text.replace(/\s/gu, ' ');

describe('What people read', () => {
  it.each<[minor: number, currency: string, language: Language, text: string]>([
    [1990, 'EUR', 'en', '€19.90'],
    [1990, 'EUR', 'de', '19,90 €'],
    [123456, 'USD', 'en', 'US$1,234.56'],
    [1500, 'JPY', 'de', '1.500 ¥'],
    [12345, 'KWD', 'en', 'KWD 12.345'],
    [0, 'EUR', 'de', '0,00 €'],
  ])('writes the amount %i %s in %s as %s', (minor, currency, language, text) => {
    expect(plain(formatMoney(minor, currency, language))).toBe(text);
  });

  it.each<[seconds: number, language: Language, text: string]>([
    [8, 'en', '8 secs'],
    [59, 'de', '59 Sek.'],
    [60, 'en', '1 min'],
    [61, 'en', '2 mins'],
    [3_600, 'de', '1 Std.'],
    [3_601, 'de', '2 Std.'],
    [86_401, 'en', '2 days'],
  ])('writes the %i seconds that something needs in %s as %s', (seconds, language, text) => {
    expect(plain(timeNeeded(seconds, language))).toBe(text);
  });

  it('writes a time in the time zone of the shop, and names the zone', () => {
    const at = new Date('2026-11-22T23:05:00Z');
    expect(plain(formatTime(at, 'Europe/Berlin', 'de'))).toMatch(/^23\. November 2026 um 00:05 MEZ$/);
    expect(plain(formatTime(at, 'Europe/Berlin', 'en'))).toMatch(/^23 November 2026(,| at) 00:05 (CET|GMT\+1)$/);
    expect(plain(formatTime(at, 'UTC', 'en'))).toMatch(/^22 November 2026(,| at) 23:05 UTC$/);
  });
});
