import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { InShop, RequirePermissions, WithinServers } from '../../http/routes/access.decorators.js';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { type Page } from '../../lib/paging/page.js';
import { SHOP_ID } from '../../http/routes/path-parameters.js';
import { DeliveriesService } from './deliveries.service.js';
import { toDeliveryDto, toFailuresDto } from './delivery.mapper.js';
import { DeliveryDto } from './dto/delivery.dto.js';
import { FailuresDto, FailuresQuery } from './dto/failures.dto.js';
import { ListDeliveriesQuery } from './dto/list-deliveries.query.dto.js';
import { FailedDeliveriesService, MAX_GROUPED } from './failed-deliveries.service.js';

@ApiTags('Deliveries')
@Controller('deliveries/:shopId')
export class DeliveriesController {
  constructor(
    private readonly deliveries: DeliveriesService,
    private readonly failed: FailedDeliveriesService,
  ) {}

  @Get()
  @RequirePermissions('deliveries:read')
  @WithinServers()
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'List deliveries',
    description:
      'All deliveries, with every attempt and its console output; newest first. ' +
      'An API key that is restricted to game servers sees those for its servers, and those for any server.',
  })
  @RespondsWith([DeliveryDto], 'Deliveries retrieved')
  async list(@InShop() context: ShopContext, @Query() query: ListDeliveriesQuery): Promise<Page<DeliveryDto>> {
    const page = await this.deliveries.list(context, query, query);
    return page.map(toDeliveryDto);
  }

  @Get('failures')
  @RequirePermissions('deliveries:read')
  @WithinServers()
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'Group failed deliveries by their reason',
    description:
      `The latest ${MAX_GROUPED} failed deliveries, grouped by what the console printed at the last attempt. Outputs that differ only in the ` +
      'nickname, in ids and in numbers are one reason. An API key that is restricted to game servers sees those for its servers, and ' +
      'those for any server.',
  })
  @RespondsWith(FailuresDto, 'Failed deliveries grouped')
  async failures(@InShop() context: ShopContext, @Query() { serverId }: FailuresQuery): Promise<FailuresDto> {
    return toFailuresDto(await this.failed.groups(context, serverId));
  }
}
