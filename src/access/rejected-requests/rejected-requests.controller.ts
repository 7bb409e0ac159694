import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { InShop, RequirePermissions } from '../../http/routes/access.decorators.js';
import { SHOP_ID } from '../../http/routes/path-parameters.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { RejectedRequestDto } from './dto/rejected-request.dto.js';
import { MAX_KEPT } from './rejected-request.types.js';
import { toRejectedRequestDto } from './rejected-request.mapper.js';
import { RejectedRequestsService } from './rejected-requests.service.js';

/** What the developers of a shop look at when a request does not work. */
@ApiTags('API keys')
@Controller('shops/:shopId/rejected-requests')
export class RejectedRequestsController {
  constructor(private readonly rejected: RejectedRequestsService) {}

  @Get()
  @RequirePermissions('webhooks:read')
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'List rejected requests',
    description:
      `The latest ${MAX_KEPT} requests of the last day that were rejected (4xx) with an API key of the shop or by a member, newest first. ` +
      'They appear within a minute. Requests without a valid credential are not among them, because anybody can send them.',
  })
  @RespondsWith([RejectedRequestDto], 'Rejected requests retrieved')
  async list(@InShop() context: ShopContext): Promise<RejectedRequestDto[]> {
    return (await this.rejected.list(context)).map(toRejectedRequestDto);
  }
}
