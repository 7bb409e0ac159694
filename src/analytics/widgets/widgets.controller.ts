import { Controller, Get, Header, Param, Query, UseInterceptors } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Public } from '../../http/routes/access.decorators.js';
import { DocumentedErrors } from '../../http/routes/documented-errors.decorator.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { EtagInterceptor } from '../../http/responses/etag.interceptor.js';
import { SHOP_ID } from '../../http/routes/path-parameters.js';
import { CONCURRENCY } from '../../domain/limits/concurrency.js';
import { AtOncePerShop } from '../../http/throttling/concurrency.interceptor.js';
import { RateLimit } from '../../http/throttling/rate-limit.decorator.js';
import { ObjectIdPipe } from '../../http/validation/object-id.pipe.js';
import { GoalDto } from './dto/goal.dto.js';
import { RecentPurchaseDto } from './dto/recent-purchase.dto.js';
import { TopBuyerDto } from './dto/top-buyer.dto.js';
import { TopBuyersQuery, WidgetQuery } from './dto/widget.query.dto.js';
import { toGoalDto, toRecentPurchaseDto, toTopBuyerDto } from './widget.mapper.js';
import { WidgetsService } from './widgets.service.js';

const CACHING = 'public, max-age=60';
const OFF = 'The owner of the shop switches it on (`widgets` of the shop); 404 until then. ';
const CACHED = 'A request with `If-None-Match` may get 304.';

/** What the start page of a front end shows of the sales of its shop. */
@ApiTags('Widgets')
@Controller('widgets/public/:shopId')
@UseInterceptors(EtagInterceptor)
export class WidgetsController {
  constructor(private readonly widgets: WidgetsService) {}

  @Get('recent-purchases')
  @Public()
  @DocumentedErrors('shop_not_found', 'widget_off')
  @RateLimit('widgets')
  @Header('Cache-Control', CACHING)
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'List the latest purchases',
    description:
      'The latest purchases, newest first, without prices. Orders that are refunded in full or disputed are not shown, and neither ' +
      `are banned buyers. ${OFF}${CACHED}`,
  })
  @RespondsWith([RecentPurchaseDto], 'Recent purchases retrieved')
  async recentPurchases(
    @Param('shopId', ObjectIdPipe) shopId: string,
    @Query() { limit }: WidgetQuery,
  ): Promise<RecentPurchaseDto[]> {
    return (await this.widgets.recentPurchases(shopId, limit)).map(toRecentPurchaseDto);
  }

  @Get('top-buyers')
  @Public()
  @DocumentedErrors('shop_not_found', 'widget_off')
  @RateLimit('widgets')
  @Header('Cache-Control', CACHING)
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'List the top buyers',
    description:
      'In descending order of what they paid, minus refunds and chargebacks. No amounts, and no banned buyers. Some ' +
      `seconds behind the sales. ${OFF}${CACHED}`,
  })
  @RespondsWith([TopBuyerDto], 'Top buyers retrieved')
  async topBuyers(
    @Param('shopId', ObjectIdPipe) shopId: string,
    @Query() query: TopBuyersQuery,
  ): Promise<TopBuyerDto[]> {
    return (await this.widgets.topBuyers(shopId, query)).map(toTopBuyerDto);
  }

  @Get('goal')
  @Public()
  @DocumentedErrors('shop_not_found', 'widget_off')
  @RateLimit('widgets')
  @AtOncePerShop('publicStatistics')
  @Header('Cache-Control', CACHING)
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'Read the monthly goal',
    description:
      'The progress of the shop towards its goal for the current month. 404 also without a `monthlyGoal`. A shop computes it for ' +
      `one request at a time in each process, ${CONCURRENCY.publicStatistics.waiting} more wait, and one more gets 429. ${OFF}${CACHED}`,
  })
  @RespondsWith(GoalDto, 'Monthly goal retrieved')
  async goal(@Param('shopId', ObjectIdPipe) shopId: string): Promise<GoalDto> {
    return toGoalDto(await this.widgets.goal(shopId));
  }
}
