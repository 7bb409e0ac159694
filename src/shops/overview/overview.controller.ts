import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { InShop, RequirePermissions } from '../../http/routes/access.decorators.js';
import { SHOP_ID } from '../../http/routes/path-parameters.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { AtOncePerShop } from '../../http/throttling/concurrency.interceptor.js';
import { OverviewDto } from './dto/overview.dto.js';
import { toOverviewDto } from './overview.mapper.js';
import { OverviewService } from './overview.service.js';

@ApiTags('Shops')
@Controller('shops/:shopId/overview')
export class OverviewController {
  constructor(private readonly overview: OverviewService) {}

  @Get()
  @RequirePermissions('shops:read')
  @AtOncePerShop('statistics')
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'Read the overview of a shop',
    description:
      'The first page of staff in one call: what needs a person, why, and the act that ends it; today against the same hours of the ' +
      'day before and of a week ago; deliveries by game server; the health of servers, providers, webhooks, domain and mail; and what a ' +
      'new shop lacks. Every member may call it, and gets the parts that its read permissions allow.',
  })
  @RespondsWith(OverviewDto, 'Overview retrieved')
  async read(@InShop() context: ShopContext): Promise<OverviewDto> {
    return toOverviewDto(await this.overview.read(context));
  }
}
