/** A plain number, such as -5 or 19.98. It stays a number, also with a sign. */
const NUMBER = /^-?\d+(\.\d+)?$/;

/**
 * What spreadsheets take for the beginning of a formula (https://owasp.org/www-community/attacks/CSV_Injection), also the full-width
 * signs.
 */
const FORMULA = /^(?:\s*[=+\-@＝＋－＠]|[\t\r\n])/;
/** The same after what another program, or a program in another language, takes for the end of a cell. */
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

/** One line of a CSV file (RFC 4180), with its end. @param cells strings as people typed them; null: an empty cell */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map((cell) => quoted(harmless(cell ?? ''))).join(',')}\r\n`;
}
