/** A plain number, such as -5 or 19.98. It stays a number, also with a sign. */
const NUMBER = /^-?\d+(\.\d+)?$/;

/**
 * What spreadsheets take for the beginning of a formula (https://owasp.org/www-community/attacks/CSV_Injection), also the full-width
 * signs.
 */
const FORMULA = /^(?:\s*[=+\-@＝＋－＠]|[\t\r\n])/;
/** The same characters after a separator or line break where another program may end a cell. */
const FORMULA_INSIDE = /(?<=[;\t\r\n])(?= *[=+\-@＝＋－＠])/g;

const NEEDS_QUOTES = /[",;\t\r\n]|^\s|\s$/;

/** A string as a cell that no spreadsheet runs: `'` in front shows it as text. */
function harmless(text: string): string {
  if (NUMBER.test(text)) return text;
  const inside = text.replace(FORMULA_INSIDE, "'");
  return FORMULA.test(inside) ? `'${inside}` : inside;
}

function quoted(cell: string): string {
  return NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** The separators of cells that a client can choose for its spreadsheet, by their names. */
const SEPARATORS = { comma: ',', semicolon: ';', tab: '\t' } as const;
export type CsvSeparator = keyof typeof SEPARATORS;
export const CSV_SEPARATORS = Object.keys(SEPARATORS) as readonly CsvSeparator[];

/** Spreadsheets read a file without this mark in the encoding of their country. */
const BYTE_ORDER_MARK = '\uFEFF';

/** Spreadsheets keep 15 digits of a number, and show zeros in place of the others: the id of a Steam account has 17. */
const LONG_NUMBER = /^\d{16,}$/;

/**
 * One line of a CSV file (RFC 4180), with its end.
 * @param cells strings as people typed them; null: an empty cell
 * @param separator undefined: a comma, for programs. Otherwise for spreadsheets: `'` in front of a long number keeps its digits
 */
export function csvLine(cells: readonly (string | null)[], separator?: CsvSeparator): string {
  const shown = (cell: string): string =>
    separator !== undefined && LONG_NUMBER.test(cell) ? `'${cell}` : harmless(cell);
  return `${cells.map((cell) => quoted(shown(cell ?? ''))).join(SEPARATORS[separator ?? 'comma'])}\r\n`;
}

/** The first line of a CSV file. @param separator as in `csvLine` */
export function csvHead(names: readonly string[], separator?: CsvSeparator): string {
  return (separator === undefined ? '' : BYTE_ORDER_MARK) + csvLine(names, separator);
}
