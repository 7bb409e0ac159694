import { Readable } from 'node:stream';
import { applyDecorators, HttpCode, StreamableFile } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { ChoiceField } from '../validation/fields.js';
import { CSV_SEPARATORS } from '../../lib/formats/csv.js';

/**
 * A CSV file to download, sent as fast as its client takes it: the next lines are read when the lines before are sent, and no
 * more when the client has left. An error in the first lines is an error of the request. A later one destroys the connection, so
 * that no client takes the part for the whole, and is logged (Nest's adapter does both).
 * @param what the first part of the file's name, before the day of today: letters and `-`
 */
export async function csvFile(what: string, lines: AsyncGenerator<string, void>): Promise<StreamableFile> {
  const day = new Date().toISOString().slice(0, 10);
  const first = await lines.next();
  const all = async function* (): AsyncGenerator<string, void> {
    if (first.done !== true) yield first.value;
    yield* lines;
  };
  return new StreamableFile(Readable.from(all(), { objectMode: false }), {
    type: 'text/csv; charset=utf-8',
    disposition: `attachment; filename="${what}-${day}.csv"`,
  });
}

/** The query parameter of a route that returns a `csvFile`. */
export function SeparatorField(): PropertyDecorator {
  return ChoiceField({
    optional: true,
    oneOf: CSV_SEPARATORS,
    description:
      'For a spreadsheet: what separates the cells. `semicolon` is for people who write decimal commas: the amounts have them. The ' +
      "file begins with a byte order mark, and text that a spreadsheet would convert, such as `1e5` or `007`, with `'`. Absent: " +
      'commas, for programs.',
    example: 'semicolon',
  });
}

/** Documents the response of a route that returns a `csvFile`. @param example the head of the file, and a line */
export function RespondsWithCsv(description: string, example: string): MethodDecorator {
  return applyDecorators(
    HttpCode(200),
    ApiOkResponse({
      description,
      headers: {
        'Content-Disposition': {
          description: 'The name of the file.',
          schema: { type: 'string', example: 'attachment; filename="orders-2026-11-22.csv"' },
        },
      },
      content: { 'text/csv': { schema: { type: 'string', description: 'RFC 4180, in UTF-8.', example } } },
    }),
  );
}
