import { Controller, Get, Query, type StreamableFile } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { InShop, RequirePermissions, WithinServers } from '../../http/routes/access.decorators.js';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { RespondsWithCsv, csvFile } from '../../http/responses/csv-file.js';
import { SHOP_ID } from '../../http/routes/path-parameters.js';
import { CONCURRENCY } from '../../domain/limits/concurrency.js';
import { AtOncePerShop } from '../../http/throttling/concurrency.interceptor.js';
import { RateLimit } from '../../http/throttling/rate-limit.decorator.js';
import { ExportOrdersQuery } from './dto/export-orders.query.dto.js';
import { csvPages } from '../../lib/formats/csv-table.js';
import { ORDER_TABLE } from './order-csv.js';
import { OrderExportService } from './order-export.service.js';
import { toExportedOrder } from './staff-order.mapper.js';

/** The endpoint that exports the orders of a shop. */
@ApiTags('Orders')
@Controller('orders/:shopId')
export class OrderExportController {
  constructor(private readonly exports: OrderExportService) {}

  @Get('export')
  @RequirePermissions('orders:read')
  @WithinServers()
  @RateLimit('orderExport')
  @AtOncePerShop('orderExport')
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'Export orders',
    description:
      'Every order that the list has with the same filters, as CSV (RFC 4180) in UTF-8: a line with the names of the fields, ' +
      'then a line for each order, the newest first. The columns are the fields of an order in the list, what was refunded and ' +
      'charged back of its `total`, the provider and the id of the payment that paid it, and how it came about; new ones come at the end. Those ' +
      'with `Local` or `Day` are in the time zone of the shop. `items` is for people, such as `2 x VIP rank (19.98)`. A cell ' +
      "that a spreadsheet would run as a formula begins with `'`. `email`, `provider` and `paymentId` are empty for plugin keys. " +
      `A shop can run ${CONCURRENCY.orderExport.running} exports at once in each process; one more gets 429. ` +
      'When the service fails in the middle, it closes the connection.',
  })
  @RespondsWithCsv(
    'The orders',
    `${ORDER_TABLE.head()}655f1c2ab1e4a9d3f0c81250,655f1c2ab1e4a9d3f0c81234,,Steve_42,completed,paid,delivered,1 x VIP rank (9.99),` +
      '9.99,,0.00,9.99,EUR,2026-11-21T12:00:00.000Z,2026-11-21T12:01:00.000Z,2026-11-21T13:00:00.000Z,buyer@example.com,' +
      '2026-11-21 13:00,2026-11-21 13:01,2026-11-21 14:00,2026-11-21,2026-11-21,0.00,0.00,stripe,pi_1,checkout,1042\r\n',
  )
  export(@InShop() context: ShopContext, @Query() query: ExportOrdersQuery): Promise<StreamableFile> {
    return csvFile('orders', this.inCsv(context, query));
  }

  private async *inCsv(context: ShopContext, query: ExportOrdersQuery): AsyncGenerator<string, void> {
    const { separator, ...search } = query;
    const zone = await this.exports.zoneOf(context);
    yield* csvPages(this.exports.pages(context, search), ORDER_TABLE.head(separator), (order) =>
      ORDER_TABLE.line(toExportedOrder(order, context), zone, separator),
    );
  }
}
