import { Controller, Get, Headers, Param } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Public } from '../../http/routes/access.decorators.js';
import { DocumentedErrors } from '../../http/routes/documented-errors.decorator.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { ORDER_ID } from '../../http/routes/path-parameters.js';
import { ObjectIdPipe } from '../../http/validation/object-id.pipe.js';
import { toBuyerOrderDto } from './buyer-order.mapper.js';
import { BuyerOrdersService } from './buyer-orders.service.js';
import { BuyerOrderDto } from './dto/buyer-order.dto.js';

/** The endpoint with which buyers read their orders. */
@ApiTags('Orders')
@Controller('orders/public')
export class BuyerOrdersController {
  constructor(private readonly orders: BuyerOrdersService) {}

  @Get(':orderId')
  @Public()
  @DocumentedErrors('order_not_found')
  @ApiParam(ORDER_ID)
  @ApiHeader({ name: 'X-Order-Token', description: 'The `accessToken` that the checkout returned.', required: true })
  @ApiOperation({
    summary: 'Read an order',
    description: 'For its buyer. Only this route shows whether an order is paid and delivered.',
  })
  @RespondsWith(BuyerOrderDto, 'Order retrieved')
  async get(
    @Param('orderId', ObjectIdPipe) orderId: string,
    @Headers('x-order-token') token: string | undefined,
  ): Promise<BuyerOrderDto> {
    return toBuyerOrderDto(await this.orders.read(orderId, token));
  }
}
