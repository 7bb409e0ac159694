import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { InShop, RequirePermissions } from '../../http/routes/access.decorators.js';
import { DocumentedErrors } from '../../http/routes/documented-errors.decorator.js';
import { DELIVERY_ID, ORDER_ID, SHOP_ID } from '../../http/routes/path-parameters.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { ObjectIdPipe } from '../../http/validation/object-id.pipe.js';
import { DeliveryDecisionsService } from '../fulfilment/delivery-decisions.service.js';
import { DecideDeliveryDto } from './dto/reason.dto.js';
import { StaffOrderDto } from './dto/staff-order.dto.js';
import { toStaffOrderDto } from './staff-order.mapper.js';

/** Staff end the doubt about what a game server did. */
@ApiTags('Orders')
@Controller('orders/:shopId/:orderId/deliveries/:deliveryId')
export class DeliveryDecisionsController {
  constructor(private readonly decisions: DeliveryDecisionsService) {}

  @Post('decide')
  @RequirePermissions('orders:write')
  @DocumentedErrors('order_not_found', 'delivery_not_found', 'delivery_not_uncertain')
  @ApiParam(SHOP_ID)
  @ApiParam(ORDER_ID)
  @ApiParam(DELIVERY_ID)
  @ApiOperation({
    summary: 'Decide an uncertain delivery',
    description:
      'Ends the doubt about a delivery in the state `uncertain`: the player has it, or it failed. What follows is the same as after a report of ' +
      'the plugin: a delivered item starts its time, and a failed one can be queued again.',
  })
  @RespondsWith(StaffOrderDto, 'Delivery decided')
  async decide(
    @InShop() context: ShopContext,
    @Param('orderId', ObjectIdPipe) orderId: string,
    @Param('deliveryId', ObjectIdPipe) deliveryId: string,
    @Body() body: DecideDeliveryDto,
  ): Promise<StaffOrderDto> {
    return toStaffOrderDto(await this.decisions.decide(context, orderId, deliveryId, body), context);
  }
}
