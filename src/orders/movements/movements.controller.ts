import { Controller, Get, Query, type StreamableFile } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { CONCURRENCY } from '../../domain/limits/concurrency.js';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { csvFile, RespondsWithCsv } from '../../http/responses/csv-file.js';
import { InShop, RequirePermissions } from '../../http/routes/access.decorators.js';
import { SHOP_ID } from '../../http/routes/path-parameters.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { AtOncePerShop } from '../../http/throttling/concurrency.interceptor.js';
import { RateLimit } from '../../http/throttling/rate-limit.decorator.js';
import { csvPages } from '../../lib/formats/csv-table.js';
import { type Page } from '../../lib/paging/page.js';
import { ExportMovementsQuery, ListMovementsQuery, MovementDto } from './dto/movement.dto.js';
import { MOVEMENT_TABLE } from './movement-csv.js';
import { toMovementDto } from './movement.mapper.js';
import { MovementsService } from './movements.service.js';

/** The movements of money of a shop, to match bank statements and payouts with. */
@ApiTags('Payments')
@Controller('payments/:shopId')
export class MovementsController {
  constructor(private readonly movements: MovementsService) {}

  @Get('movements')
  @RequirePermissions('payments:read')
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'List movements of money',
    description:
      'One line for each payment that arrived, each refund and each dispute, the latest first. What was made at the provider, such as a ' +
      'refund in its dashboard, is among them. A line has the state that the provider reported last.',
  })
  @RespondsWith([MovementDto], 'Movements retrieved')
  async list(@InShop() context: ShopContext, @Query() query: ListMovementsQuery): Promise<Page<MovementDto>> {
    return (await this.movements.list(context, query, query)).map(toMovementDto);
  }

  @Get('export')
  @RequirePermissions('payments:read')
  @RateLimit('paymentExport')
  @AtOncePerShop('paymentExport')
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'Export movements of money',
    description:
      'Every movement that the list has with the same filters, as CSV (RFC 4180) in UTF-8: a line with the names of the fields, then a ' +
      'line for each movement, the latest first. Columns with `Local` or `Day` are in the time zone of the shop. New ones come at the end. ' +
      `A shop can run ${CONCURRENCY.paymentExport.running} exports at once in each process; one more gets 429. When the service fails in the ` +
      'middle, it closes the connection.',
  })
  @RespondsWithCsv(
    'The movements',
    `${MOVEMENT_TABLE.head()}655f1c2ab1e4a9d3f0c812c0,655f1c2ab1e4a9d3f0c81250,refund,succeeded,stripe,pi_1,re_1,,8.99,-8.99,EUR,` +
      '2026-11-21T12:00:00.000Z,2026-11-21T12:00:00.000Z,2026-11-21 13:00,2026-11-21 13:00,2026-11-21,2026-11-21,1042\r\n',
  )
  export(@InShop() context: ShopContext, @Query() query: ExportMovementsQuery): Promise<StreamableFile> {
    return csvFile('payments', this.inCsv(context, query));
  }

  private async *inCsv(context: ShopContext, query: ExportMovementsQuery): AsyncGenerator<string, void> {
    const { separator, ...search } = query;
    const zone = await this.movements.zoneOf(context);
    yield* csvPages(this.movements.pages(context, search), MOVEMENT_TABLE.head(separator), (movement) =>
      MOVEMENT_TABLE.line(movement, zone, separator),
    );
  }
}
