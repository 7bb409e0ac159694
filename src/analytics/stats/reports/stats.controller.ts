import { Controller, Get, Post, Query, type StreamableFile } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { csvFile, RespondsWithCsv } from '../../../http/responses/csv-file.js';
import { SHOP_ID } from '../../../http/routes/path-parameters.js';
import { RespondsWith } from '../../../http/routes/responds-with.decorator.js';
import { InShop, RequirePermissions } from '../../../http/routes/access.decorators.js';
import { DocumentedErrors } from '../../../http/routes/documented-errors.decorator.js';
import { type ShopContext } from '../../../domain/principal/auth-context.js';
import { CONCURRENCY } from '../../../domain/limits/concurrency.js';
import { AtOncePerShop } from '../../../http/throttling/concurrency.interceptor.js';
import { RollupsService } from '../rollups/rollups.service.js';
import { BreakdownDto } from './dto/breakdown.dto.js';
import { BreakdownQuery } from './dto/breakdown.query.dto.js';
import { ComparisonDto } from './dto/comparison.dto.js';
import { ComparisonQuery } from './dto/comparison.query.dto.js';
import { ExportStatsQuery } from './dto/export-stats.query.dto.js';
import { RebuildDto } from './dto/rebuild.dto.js';
import { statsCsvHead, toStatsCsv } from './stats-csv.js';
import { toBreakdownDto, toComparisonDto } from './stats.mapper.js';
import { StatsService } from './stats.service.js';

const AT_ONCE =
  'A shop reads one comparison, breakdown or export of statistics at a time in each process. ' +
  `${CONCURRENCY.statistics.waiting} more wait for their turn, and one more gets 429.`;

@ApiTags('Statistics')
@Controller('stats')
export class StatsController {
  constructor(
    private readonly stats: StatsService,
    private readonly rollups: RollupsService,
  ) {}

  @Get(':shopId/comparison')
  @RequirePermissions('stats:read')
  @DocumentedErrors('product_not_found', 'server_not_found')
  @AtOncePerShop('statistics')
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'Compare two periods',
    description:
      'Twelve figures of a period and those of an earlier one, on request split into hours, days, weeks or months. ' +
      "Only orders in the shop's currency count. Revenue counts when it was paid, refunds and chargebacks when they " +
      'happened, orders when they were created. A running period is compared with the same elapsed part of the earlier one. ' +
      AT_ONCE,
  })
  @RespondsWith(ComparisonDto, 'Statistics compared')
  async compare(@InShop() context: ShopContext, @Query() query: ComparisonQuery): Promise<ComparisonDto> {
    return toComparisonDto(await this.stats.compare(context, query));
  }

  @Get(':shopId/breakdown')
  @RequirePermissions('stats:read')
  @AtOncePerShop('statistics')
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'Split sales into parts',
    description:
      'Top products, revenue by game server, payment methods, or the use of discount codes in a period. Only paid orders ' +
      "in the shop's currency count. Revenue counts when it was paid, refunds and chargebacks when they happened. " +
      AT_ONCE,
  })
  @RespondsWith(BreakdownDto, 'Sales split')
  async breakDown(@InShop() context: ShopContext, @Query() query: BreakdownQuery): Promise<BreakdownDto> {
    return toBreakdownDto(await this.stats.breakDown(context, query));
  }

  @Get(':shopId/export')
  @RequirePermissions('stats:read')
  @DocumentedErrors('product_not_found', 'server_not_found')
  @AtOncePerShop('statistics')
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'Export statistics',
    description:
      'The figures of a period that add up, as CSV (RFC 4180) in UTF-8: a line with their names, then a line for each hour, day, ' +
      'week or month, the earliest first. They are those of the series of a comparison. `from` and `to` are instants in UTC, ' +
      '`fromLocal`, `toLocal` and `day` what a clock in the time zone of the request shows. ' +
      `New columns come at the end. ${AT_ONCE}`,
  })
  @RespondsWithCsv(
    'The statistics',
    `${statsCsvHead()}2026-11-20T23:00:00.000Z,2026-11-21T23:00:00.000Z,EUR,49.98,0.00,0.00,49.98,3,2,1,0.00,2,` +
      '2026-11-21 00:00,2026-11-22 00:00,2026-11-21\r\n',
  )
  export(@InShop() context: ShopContext, @Query() query: ExportStatsQuery): Promise<StreamableFile> {
    return csvFile('statistics', this.inCsv(context, query));
  }

  @Post(':shopId/rebuild')
  @RequirePermissions('stats:write')
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'Rebuild the statistics',
    description:
      'Computes all sums of the shop again from its orders, in the background, while sales continue. Normal operation never ' +
      'needs it. Until the new sums are complete, statistics use the old ones and what was sold since then.',
  })
  @RespondsWith(RebuildDto, 'Statistics are being computed again')
  async rebuild(@InShop() context: ShopContext): Promise<RebuildDto> {
    return { started: await this.rollups.rebuild(context) };
  }

  private async *inCsv(context: ShopContext, query: ExportStatsQuery): AsyncGenerator<string, void> {
    const comparison = await this.stats.compare(context, { ...query, compare: 'previous_period' });
    yield toStatsCsv(comparison, query.separator);
  }
}
