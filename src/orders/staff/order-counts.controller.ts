import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { InShop, RequirePermissions } from '../../http/routes/access.decorators.js';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { SHOP_ID } from '../../http/routes/path-parameters.js';
import { OrderCountsDto } from './dto/order-counts.dto.js';
import { MAX_IN_VIEW } from './order-views.js';
import { StaffOrdersService } from './staff-orders.service.js';

/** The endpoint that counts the orders of a shop for the views of its staff. */
@ApiTags('Orders')
@Controller('orders/:shopId')
export class OrderCountsController {
  constructor(private readonly orders: StaffOrdersService) {}

  @Get('counts')
  @RequirePermissions('orders:read')
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'Count orders by what they wait for',
    description: `How many orders each view of the list has. ${MAX_IN_VIEW} means that many or more.`,
  })
  @RespondsWith(OrderCountsDto, 'Orders counted')
  counts(@InShop() context: ShopContext): Promise<OrderCountsDto> {
    return this.orders.counts(context);
  }
}
