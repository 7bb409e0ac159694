import { OmitType } from '@nestjs/swagger';
import { type CsvSeparator } from '../../../lib/formats/csv.js';
import { SeparatorField } from '../../../http/responses/csv-file.js';
import { ChoiceField, InstantField } from '../../../http/validation/fields.js';
import { type Moment } from '../../../lib/time/instant.js';
import { ORDER_DATES, type OrderDate } from '../order-search.types.js';
import { ListOrdersQuery } from './list-orders.query.dto.js';

/** The filters of the list of orders, without its pages, the time that counts, and the form of the file. */
export class ExportOrdersQuery extends OmitType(ListOrdersQuery, [
  ...(['limit', 'cursor', 'after', 'sort', 'oldestFirst', 'from', 'to'] as const),
] as const) {
  @ChoiceField({
    optional: true,
    oneOf: ORDER_DATES,
    description:
      'The time that `from` and `to` limit, and by which the file is sorted: `createdAt` (the default), or `paidAt`, with which the ' +
      'file has only orders that were paid.',
    example: 'paidAt',
  })
  dateField?: OrderDate;

  @InstantField({
    optional: true,
    description: 'Only orders whose `dateField` is this time or later.',
    example: '2026-11-01T00:00:00.000Z',
  })
  from?: Moment;

  @InstantField({
    optional: true,
    description: 'Only orders whose `dateField` is before this time.',
    example: '2026-12-01T00:00:00.000Z',
  })
  to?: Moment;

  @SeparatorField()
  separator?: CsvSeparator;
}
