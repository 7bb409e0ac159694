import { OmitType } from '@nestjs/swagger';
import { type CsvSeparator } from '../../../lib/formats/csv.js';
import { SeparatorField } from '../../../http/responses/csv-file.js';
import { ListOrdersQuery } from './list-orders.query.dto.js';

/** The filters of the list of orders, without its pages, and the form of the file. */
export class ExportOrdersQuery extends OmitType(ListOrdersQuery, ['limit', 'cursor', 'after'] as const) {
  @SeparatorField()
  separator?: CsvSeparator;
}
