import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { InShop, RequirePermissions } from '../common/auth/access.decorators.js';
import { type ShopContext } from '../common/auth/auth-context.js';
import { Answers } from '../common/http/answers.decorator.js';
import { SHOP_ID } from '../common/http/path-parameters.js';
import { ComparisonQuery } from './dto/comparison.query.dto.js';
import { ComparisonDto } from './dto/comparison.dto.js';
import { toComparisonDto } from './stats.mapper.js';
import { StatsService } from './stats.service.js';

@ApiTags('Statistics')
@Controller('stats')
export class StatsController {
  constructor(private readonly stats: StatsService) {}

  @Get(':shopId/comparison')
  @RequirePermissions('stats:read')
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'Compare two periods',
    description:
      'Twelve figures of a period and those of an earlier one, on request split into hours, days, weeks or months. ' +
      "Only orders in the shop's currency count. Revenue counts when it was paid, refunds and chargebacks when they " +
      'happened, orders when they were created. A running period is compared with the same elapsed part of the earlier one.',
  })
  @Answers(ComparisonDto, 'Statistics compared')
  async compare(@InShop() context: ShopContext, @Query() query: ComparisonQuery): Promise<ComparisonDto> {
    return toComparisonDto(await this.stats.compare(context, query));
  }
}
