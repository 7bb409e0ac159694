import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { InShop, RequirePermissions } from '../common/auth/access.decorators.js';
import { type ShopContext } from '../common/auth/auth-context.js';
import { DocumentedErrors } from '../common/errors/documented-errors.decorator.js';
import { Answers } from '../common/http/answers.decorator.js';
import { ORDER_ID, SHOP_ID } from '../common/http/path-parameters.js';
import { ObjectIdPipe } from '../common/validation/object-id.js';
import { OrderDto } from './dto/order.dto.js';
import { ReasonDto } from './dto/reason.dto.js';
import { OrderGoodsService } from './order-goods.service.js';
import { toOrderDto } from './order.mapper.js';

/** What the staff of a shop do with orders. */
@ApiTags('Orders')
@Controller('orders/:shopId')
export class StaffOrdersController {
  constructor(private readonly goods: OrderGoodsService) {}

  @Post(':orderId/redeliver')
  @RequirePermissions('orders:write')
  @DocumentedErrors(409)
  @ApiParam(SHOP_ID)
  @ApiParam(ORDER_ID)
  @ApiOperation({
    summary: 'Deliver an order again',
    description:
      'Queues again what failed of a paid order. When nothing failed and everything was delivered, it queues all of it again.',
  })
  @Answers(OrderDto, 'Order queued again')
  async redeliver(
    @InShop() context: ShopContext,
    @Param('orderId', ObjectIdPipe) orderId: string,
    @Body() { reason }: ReasonDto,
  ): Promise<OrderDto> {
    return toOrderDto(await this.goods.redeliver(context, orderId, reason));
  }
}
