import { isCurrency } from '../money/money.js';

/** The languages of spreadsheets whose names of months and days of the week are known here. */
const LANGUAGES = 'en de fr es it pt nl pl cs sv da nb fi tr ru uk id'.split(' ');

/** Letters in lower case, without accents. */
const plain = (word: string): string => word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

function namesIn(language: string): string[] {
  const names = (part: 'month' | 'weekday', count: number): string[] => {
    const format = new Intl.DateTimeFormat(language, { [part]: 'long', timeZone: 'UTC' });
    // January 2023 began with a Sunday.
    const times = Array.from({ length: count }, (_, index) =>
      part === 'month' ? Date.UTC(2023, index) : Date.UTC(2023, 0, 1 + index),
    );
    return times.map((time) => plain(format.format(time)));
  };
  return [...names('month', 12), ...names('weekday', 7)];
}

const MIN_DATE_WORD = 3;

let dateWords: ReadonlySet<string> | null = null;

/**
 * The names, and what people shorten them to: `mar`, `sept`. Excel has one abbreviation that is no beginning of a name. They are made for
 * the first file, because a start would wait for the formats of all languages.
 */
function isDateWord(word: string): boolean {
  dateWords ??= new Set([
    ...LANGUAGES.flatMap(namesIn).flatMap((name) => Array.from(name, (_, index) => name.slice(0, index + 1))),
    'mrz',
  ]);
  return word.length >= MIN_DATE_WORD && dateWords.has(word);
}

const TRUTH_VALUES: ReadonlySet<string> = new Set(
  'true false wahr falsch vrai faux verdadero falso verdadeiro vero waar onwaar prawda falsz'.split(' '),
);

/** A number with an exponent, such as 1e5. */
const EXPONENT = /^[+-]?[\d.,]+e[+-]?\d+$/i;
/** A time with the half of the day, such as 9 am or 5p. */
const HALF_DAY = /^[\d:.,\s]+[ap]\.?m?\.?$/i;
/** What stands in an ISO 8601 time. */
const TIME_WORDS: ReadonlySet<string> = new Set(['t', 'z']);

function isWordOfValue(word: string): boolean {
  const name = plain(word);
  return TIME_WORDS.has(name) || isDateWord(name) || isCurrency(word.toUpperCase());
}

/**
 * Whether a spreadsheet may take a text for a number, a date, a time or a truth value, and so show, sort and save another one: `007`,
 * `1e5`, `2-1`, `MAR1`, and the id of a Steam account, of which it keeps 15 digits. Every spreadsheet has its own rules in each
 * language, so this covers more than any single one converts.
 */
export function mayBeConverted(text: string): boolean {
  const trimmed = text.trim();
  if (!/\d/.test(trimmed)) return TRUTH_VALUES.has(plain(trimmed));
  if (EXPONENT.test(trimmed) || HALF_DAY.test(trimmed)) return true;
  return (trimmed.match(/[\p{L}_]+/gu) ?? []).every(isWordOfValue);
}
