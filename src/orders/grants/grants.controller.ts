import { Body, Controller, Post } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { Creates } from '../../http/idempotency/creates.decorator.js';
import { IdempotentOnly } from '../../http/idempotency/idempotent.decorator.js';
import { InShop, RequirePermissions } from '../../http/routes/access.decorators.js';
import { DocumentedErrors } from '../../http/routes/documented-errors.decorator.js';
import { SHOP_ID } from '../../http/routes/path-parameters.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { type Creation } from '../../infrastructure/idempotency/creation.js';
import { StaffOrderDto } from '../staff/dto/staff-order.dto.js';
import { toStaffOrderDto } from '../staff/staff-order.mapper.js';
import { PlaceOrderDto } from './dto/place-order.dto.js';
import { GrantsService } from './grants.service.js';

@ApiTags('Orders')
@Controller('orders/:shopId')
export class GrantsController {
  constructor(private readonly grants: GrantsService) {}

  @Post()
  @RequirePermissions('orders:grant')
  @DocumentedErrors('server_not_found', 'product_not_available', 'quantity_not_allowed', 'nickname_not_allowed')
  @DocumentedErrors('tier_twice', 'out_of_stock')
  @IdempotentOnly()
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'Place an order for a player',
    description:
      'For staff: gives items away, records a sale that was paid without a payment provider, or rehearses a sale. The order is complete at ' +
      'once, and its items are queued. Neither bans nor the limits of buyers apply, and the shop can be closed. A grant has no revenue; ' +
      'figures count neither a grant nor a rehearsal.',
  })
  @RespondsWith(StaffOrderDto, 'Order placed')
  async place(
    @InShop() context: ShopContext,
    @Creates() creation: Creation,
    @Body() body: PlaceOrderDto,
  ): Promise<StaffOrderDto> {
    return toStaffOrderDto(await this.grants.place(context, creation, body), context);
  }
}
