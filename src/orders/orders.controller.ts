import { Body, Controller, Get, Headers, Param, Post } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { BuyerAddress, Public, PublicOrKey } from '../common/auth/access.decorators.js';
import { Answers } from '../common/http/answers.decorator.js';
import { ORDER_ID, SHOP_ID } from '../common/http/path-parameters.js';
import { RateLimit } from '../common/throttling/rate-limit.decorator.js';
import { ObjectIdPipe } from '../common/validation/object-id.js';
import { Creates, type Creation } from '../idempotency/creation.js';
import { Idempotent } from '../idempotency/idempotent.decorator.js';
import { CreateOrderDto } from './dto/create-order.dto.js';
import { CreatedOrderDto, OrderDto } from './dto/order.dto.js';
import { toCreatedOrderDto, toOrderDto } from './order.mapper.js';
import { OrdersService } from './orders.service.js';

/** The endpoints for buyers' orders. */
@ApiTags('Orders')
@Controller('orders/public')
export class OrdersController {
  constructor(private readonly orders: OrdersService) {}

  @Post(':shopId')
  @PublicOrKey('orders:write')
  @RateLimit(['anonymous', 'checkout'])
  @Idempotent()
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'Check out',
    description:
      'Creates an order. The prices come from the shop, not from the request. A discount code that does not apply rejects ' +
      'the order.',
  })
  @Answers(CreatedOrderDto, 'Order created')
  async create(
    @Param('shopId', ObjectIdPipe) shopId: string,
    @Creates() creation: Creation,
    @Body() body: CreateOrderDto,
    @BuyerAddress() address: string | null,
  ): Promise<CreatedOrderDto> {
    return toCreatedOrderDto(await this.orders.create(shopId, creation, body, address));
  }

  @Get(':orderId')
  @Public()
  @ApiParam(ORDER_ID)
  @ApiHeader({ name: 'X-Order-Token', description: 'The `accessToken` that the checkout returned.', required: true })
  @ApiOperation({
    summary: 'Read an order',
    description: 'For its buyer. Only this route shows whether an order is paid and delivered.',
  })
  @Answers(OrderDto, 'Order retrieved')
  async get(
    @Param('orderId', ObjectIdPipe) orderId: string,
    @Headers('x-order-token') token: string | undefined,
  ): Promise<OrderDto> {
    return toOrderDto(await this.orders.getByToken(orderId, token));
  }
}
