import { LRUCache } from 'lru-cache';
import { decimalsOf, type MinorUnits, toMajor } from '../money/money.js';
import { type Language } from './languages.js';

/** How each language writes numbers and dates. English is the British one: day before month, 24 hours. */
const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de-DE' };

/** To make a format takes 6 or 34 µs, to use it 1 µs. */
const MAX_REMEMBERED = 100;
const amounts = new LRUCache<string, Intl.NumberFormat>({ max: MAX_REMEMBERED });
const times = new LRUCache<string, Intl.DateTimeFormat>({ max: MAX_REMEMBERED });

/** An amount as people read it: `€19.90`, `19,90 €`. */
export function moneyText(minor: MinorUnits, currency: string, language: Language): string {
  const key = `${language} ${currency}`;
  const format = amounts.get(key) ?? amountFormat(currency, language);
  amounts.set(key, format);
  return format.format(toMajor(minor, currency));
}

/** A time as people read it, with its time zone: `22 November 2026, 18:05 CET`. @param timeZone IANA */
export function timeText(at: Date, timeZone: string, language: Language): string {
  const key = `${language} ${timeZone}`;
  const format = times.get(key) ?? timeFormat(timeZone, language);
  times.set(key, format);
  return format.format(at);
}

function amountFormat(currency: string, language: Language): Intl.NumberFormat {
  const decimals = decimalsOf(currency);
  return new Intl.NumberFormat(LOCALES[language], {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
}

function timeFormat(timeZone: string, language: Language): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(LOCALES[language], {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'short',
  });
}
