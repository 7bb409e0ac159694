import { type IANAZone } from 'luxon';
import { localDayOf, localTimeOf } from '../time/local-time.js';
import { mayBeConverted } from './spreadsheet-text.js';

/** A plain number, such as -5 or 19.98. In a file for programs it stays a number, also as text and with a sign. */
const NUMBER = /^-?\d+(\.\d+)?$/;

/**
 * What spreadsheets take for the beginning of a formula (https://owasp.org/www-community/attacks/CSV_Injection), also the full-width
 * signs.
 */
const FORMULA = /^(?:\s*[=+\-@＝＋－＠]|[\t\r\n])/;
/** The same characters after a separator or line break where another program may end a cell. */
const FORMULA_INSIDE = /(?<=[;\t\r\n])(?= *[=+\-@＝＋－＠])/g;

const NEEDS_QUOTES = /[",;\t\r\n]|^\s|\s$/;

/** The separators of cells that a client can choose for its spreadsheet, by their names. */
const SEPARATORS = { comma: ',', semicolon: ';', tab: '\t' } as const;
export type CsvSeparator = keyof typeof SEPARATORS;
export const CSV_SEPARATORS = Object.keys(SEPARATORS) as readonly CsvSeparator[];

/** Spreadsheets read a file without this mark in the encoding of their country. */
const BYTE_ORDER_MARK = '\uFEFF';

/** A cell that a spreadsheet must read as what it is: a number with a decimal point, or a day or time that every spreadsheet knows. */
export type CsvValue = { readonly number: string } | { readonly time: string };

/** A string is text as people typed it; null is an empty cell. */
export type CsvCell = string | CsvValue | null;

/** A cell with what a clock in the zone shows at an instant: `2026-11-28 09:57`. Without an instant it is empty. */
export const localTimeCell = (at: Date | null, zone: IANAZone): CsvCell => at && { time: localTimeOf(at, zone) };

/** A cell with the local day of an instant: `2026-11-28`. */
export const localDayCell = (at: Date | null, zone: IANAZone): CsvCell => at && { time: localDayOf(at, zone) };

/**
 * Text as a cell that no spreadsheet runs: `'` in front shows it as text.
 * @param separator as in `csvLine`
 */
function textCell(text: string, separator: CsvSeparator | undefined): string {
  if (separator === undefined && NUMBER.test(text)) return text;
  const inside = text.replace(FORMULA_INSIDE, "'");
  const isText = !FORMULA.test(inside) && (separator === undefined || !mayBeConverted(text));
  return isText ? inside : `'${inside}`;
}

function quoted(text: string): string {
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Quotes only text: a spreadsheet can be set to read whatever has quotes as text. */
function contentOf(cell: CsvCell, separator: CsvSeparator | undefined): string {
  if (cell === null) return '';
  if (typeof cell === 'string') return quoted(textCell(cell, separator));
  if ('time' in cell) return cell.time;
  return separator === 'semicolon' ? cell.number.replace('.', ',') : cell.number;
}

/**
 * One line of a CSV file (RFC 4180), with its end.
 * @param separator undefined: a comma, for programs. Otherwise for spreadsheets: `'` in front of text that they would convert to a
 * number, a date or a truth value keeps it as it is. A semicolon is for people who write decimal commas
 */
export function csvLine(cells: readonly CsvCell[], separator?: CsvSeparator): string {
  const line = cells.map((cell) => contentOf(cell, separator));
  return `${line.join(SEPARATORS[separator ?? 'comma'])}\r\n`;
}

/** The first line of a CSV file. @param separator as in `csvLine` */
export function csvHead(names: readonly string[], separator?: CsvSeparator): string {
  return (separator === undefined ? '' : BYTE_ORDER_MARK) + csvLine(names, separator);
}
