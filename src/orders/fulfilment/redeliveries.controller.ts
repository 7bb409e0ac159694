import { Body, Controller, Post } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { InShop, RequirePermissions } from '../../http/routes/access.decorators.js';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { SHOP_ID } from '../../http/routes/path-parameters.js';
import { AtOncePerShop } from '../../http/throttling/concurrency.interceptor.js';
import { BulkRedeliveryService, MAX_REDELIVERED } from './bulk-redelivery.service.js';
import { RedeliveredManyDto, RedeliverManyDto } from './dto/redeliver.dto.js';

/** Staff queue many failed deliveries again. */
@ApiTags('Deliveries')
@Controller('deliveries/:shopId')
export class RedeliveriesController {
  constructor(private readonly redeliveries: BulkRedeliveryService) {}

  @Post('redeliver')
  @RequirePermissions('orders:write')
  @AtOncePerShop('redelivery')
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'Deliver again what failed',
    description:
      `Queues up to ${MAX_REDELIVERED} failed deliveries again: those that failed for one reason, or chosen ones. What was delivered never ` +
      'runs once more. A repeated request queues nothing twice, and continues what an interrupted one has begun.',
  })
  @RespondsWith(RedeliveredManyDto, 'Deliveries queued again')
  async redeliver(@InShop() context: ShopContext, @Body() body: RedeliverManyDto): Promise<RedeliveredManyDto> {
    const { queued, orders, left, remaining } = await this.redeliveries.redeliver(context, body);
    return { queued, orders, left: [...left], remaining };
  }
}
