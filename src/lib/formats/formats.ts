import { LRUCache } from 'lru-cache';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../time/durations.js';
import { decimalsOf, type MinorUnits, toMajor } from '../money/money.js';
import { type Language } from './languages.js';

/** How each language writes numbers and dates. English is the British one: day before month, 24 hours. */
const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de-DE' };

/** How many formats of each kind are kept: one for each language and currency or time zone of the shops that send emails. */
const MAX_KEPT = 100;

/** Keeps the formats that were made last: making one takes many times as long as using it. */
function kept<Format extends object>(make: (locale: string, unit: string) => Format) {
  const formats = new LRUCache<string, Format>({ max: MAX_KEPT });
  return (language: Language, unit: string): Format => {
    const key = `${language} ${unit}`;
    const known = formats.get(key);
    if (known !== undefined) return known;
    const format = make(LOCALES[language], unit);
    formats.set(key, format);
    return format;
  };
}

const moneyFormat = kept((locale, currency) => {
  const decimals = decimalsOf(currency);
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
});

const timeFormat = kept(
  (locale, timeZone) =>
    new Intl.DateTimeFormat(locale, {
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      timeZone,
      timeZoneName: 'short',
    }),
);

/** An amount as people read it: `€19.90`, `19,90 €`. */
export function formatMoney(minor: MinorUnits, currency: string, language: Language): string {
  return moneyFormat(language, currency).format(toMajor(minor, currency));
}

/** A time as people read it, with its time zone: `22 November 2026, 18:05 CET`. @param timeZone IANA */
export function formatTime(at: Date, timeZone: string, language: Language): string {
  return timeFormat(language, timeZone).format(at);
}

const relativeFormat = kept(
  (locale, style) => new Intl.RelativeTimeFormat(locale, { style: style as 'short', numeric: 'auto' }),
);
const spanFormat = kept(
  (locale, unit) =>
    new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 0 }),
);
const monthFormat = kept((locale, timeZone) => new Intl.DateTimeFormat(locale, { month: 'long', timeZone }));
const percentFormat = kept((locale, style) => new Intl.NumberFormat(locale, { style: style as 'percent' }));

const UNITS = [
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
  ['second', SECOND_MS],
] as const;
type Unit = (typeof UNITS)[number][0];

/** How many of the largest unit of which a time has at least one, and of no smaller unit than the given one. */
function inUnits(milliseconds: number, smallest: Unit): readonly [count: number, unit: Unit] {
  const [unit, size] = UNITS.find(([name, one]) => milliseconds >= one || name === smallest) ?? UNITS[0];
  return [milliseconds / size, unit];
}

/** How long ago something was: `3 min ago`, `vor 2 Std.`. */
export function timeAgo(at: Date, now: Date, language: Language): string {
  const [count, unit] = inUnits(Math.max(0, now.getTime() - at.getTime()), 'minute');
  return relativeFormat(language, 'short').format(-Math.floor(count), unit);
}

/** For how long something has been: `3 min`, `2 Std.`. */
export function timeSpan(from: Date, now: Date, language: Language): string {
  const [count, unit] = inUnits(Math.max(0, now.getTime() - from.getTime()), 'minute');
  return spanFormat(language, unit).format(Math.floor(count));
}

/** A time that is not passed: its largest unit, rounded up, so that it promises no less than it is: `8 secs`, `2 mins`, `3 Std.`. */
export function timeNeeded(seconds: number, language: Language): string {
  const [count, unit] = inUnits(seconds * SECOND_MS, 'second');
  return spanFormat(language, unit).format(Math.ceil(count));
}

/** The name of a month: `November`. @param timeZone IANA */
export function monthName(at: Date, timeZone: string, language: Language): string {
  return monthFormat(language, timeZone).format(at);
}

/** A share in whole percent: `83%`, `83 %`. */
export function formatShare(percent: number, language: Language): string {
  return percentFormat(language, 'percent').format(percent / 100);
}
