import { Controller, Get, Headers, Param } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Public } from '../../http/routes/access.decorators.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { ORDER_ID } from '../../http/routes/path-parameters.js';
import { ObjectIdPipe } from '../../http/validation/object-id.pipe.js';
import { OrderDto } from './dto/order.dto.js';
import { toOrderDto } from './order.mapper.js';
import { OrdersService } from './orders.service.js';

/** The endpoints for buyers' orders. */
@ApiTags('Orders')
@Controller('orders/public')
export class OrdersController {
  constructor(private readonly orders: OrdersService) {}

  @Get(':orderId')
  @Public()
  @ApiParam(ORDER_ID)
  @ApiHeader({ name: 'X-Order-Token', description: 'The `accessToken` that the checkout returned.', required: true })
  @ApiOperation({
    summary: 'Read an order',
    description: 'For its buyer. Only this route shows whether an order is paid and delivered.',
  })
  @RespondsWith(OrderDto, 'Order retrieved')
  async get(
    @Param('orderId', ObjectIdPipe) orderId: string,
    @Headers('x-order-token') token: string | undefined,
  ): Promise<OrderDto> {
    return toOrderDto(await this.orders.readByToken(orderId, token));
  }
}
