import { OmitType } from '@nestjs/swagger';
import { ListOrdersQuery } from '../../staff/dto/list-orders.query.dto.js';

/** The filters of the list of orders, without its pages. */
export class ExportOrdersQuery extends OmitType(ListOrdersQuery, ['limit', 'cursor', 'after'] as const) {}
