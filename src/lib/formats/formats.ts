import { decimalsOf, type MinorUnits, toMajor } from '../money/money.js';
import { type Language } from './languages.js';

/** How each language writes numbers and dates. English is the British one: day before month, 24 hours. */
const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de-DE' };

/** An amount as people read it: `€19.90`, `19,90 €`. */
export function formatMoney(minor: MinorUnits, currency: string, language: Language): string {
  const decimals = decimalsOf(currency);
  const format = new Intl.NumberFormat(LOCALES[language], {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  return format.format(toMajor(minor, currency));
}

/** A time as people read it, with its time zone: `22 November 2026, 18:05 CET`. @param timeZone IANA */
export function formatTime(at: Date, timeZone: string, language: Language): string {
  const format = new Intl.DateTimeFormat(LOCALES[language], {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'short',
  });
  return format.format(at);
}
