import { type IANAZone } from 'luxon';
import { type CsvCell, csvHead, csvLine, type CsvSeparator } from './csv.js';

/** Returns the cell of a column. @param zone of the local times in the file */
export type CsvColumn<Item> = (item: Item, zone: IANAZone) => CsvCell;

/** The lines of a CSV file in which every item has the same columns. */
export interface CsvTable<Item> {
  /** The names of the columns. */
  readonly head: (separator?: CsvSeparator) => string;
  readonly line: (item: Item, zone: IANAZone, separator?: CsvSeparator) => string;
}

/** @param columns by their names, in this order */
export function csvTable<Item>(columns: Readonly<Record<string, CsvColumn<Item>>>): CsvTable<Item> {
  const names = Object.keys(columns);
  const cells = Object.values(columns);
  return {
    head: (separator) => csvHead(names, separator),
    line: (item, zone, separator) =>
      csvLine(
        cells.map((cell) => cell(item, zone)),
        separator,
      ),
  };
}

/** A file page by page, with its head in front of the first page, which can be empty. */
export async function* csvPages<Item>(
  pages: AsyncIterable<readonly Item[]>,
  head: string,
  line: (item: Item) => string,
): AsyncGenerator<string, void> {
  let before = head;
  for await (const items of pages) {
    yield before + items.map(line).join('');
    before = '';
  }
}
