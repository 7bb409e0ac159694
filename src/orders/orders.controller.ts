import { Body, Controller, Get, Header, Headers, Param, Post } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Public } from '../common/auth/access.decorators.js';
import { Answers } from '../common/http/answers.decorator.js';
import { ORDER_ID, SHOP_ID } from '../common/http/path-parameters.js';
import { RateLimit } from '../common/throttling/rate-limit.decorator.js';
import { ObjectIdPipe } from '../common/validation/object-id.js';
import { Idempotent } from '../idempotency/idempotent.decorator.js';
import { ChangeNicknameDto } from './dto/change-nickname.dto.js';
import { CreateOrderDto } from './dto/create-order.dto.js';
import { CodeRequestedDto, NicknameChangeDto } from './dto/nickname-change.dto.js';
import { CreatedOrderDto, OrderDto } from './dto/order.dto.js';
import { NicknameService } from './nickname.service.js';
import { toCreatedOrderDto, toNicknameChangeDto, toOrderDto } from './order.mapper.js';
import { OrdersService } from './orders.service.js';

/** What buyers do with orders. */
@ApiTags('Orders')
@Controller('orders/public')
export class OrdersController {
  constructor(
    private readonly orders: OrdersService,
    private readonly nicknames: NicknameService,
  ) {}

  @Post(':shopId')
  @Public()
  @Idempotent()
  @Header('Cache-Control', 'no-store')
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'Check out',
    description: 'Prices are taken from the shop. A discount code that no longer holds refuses the order.',
  })
  @Answers(CreatedOrderDto, 'Order created')
  async create(@Param('shopId', ObjectIdPipe) shopId: string, @Body() body: CreateOrderDto): Promise<CreatedOrderDto> {
    return toCreatedOrderDto(await this.orders.create(shopId, body));
  }

  @Get(':orderId')
  @Public()
  @Header('Cache-Control', 'no-store')
  @ApiParam(ORDER_ID)
  @ApiHeader({ name: 'X-Order-Token', description: 'The token that the checkout answered.', required: true })
  @ApiOperation({ summary: 'Read an order', description: 'For its buyer: the only truth about payment and delivery.' })
  @Answers(OrderDto, 'Order retrieved')
  async get(
    @Param('orderId', ObjectIdPipe) orderId: string,
    @Headers('x-order-token') token: string | undefined,
  ): Promise<OrderDto> {
    return toOrderDto(await this.orders.getByToken(orderId, token));
  }

  @Post(':orderId/nickname/request')
  @Public()
  @RateLimit('verificationCode')
  @ApiParam(ORDER_ID)
  @ApiOperation({
    summary: 'Request a nickname code',
    description: "Mails a code to the order's address. The answer is the same for unknown orders.",
  })
  @Answers(CodeRequestedDto, 'If the order exists, a code is on its way')
  requestCode(@Param('orderId', ObjectIdPipe) orderId: string): CodeRequestedDto {
    this.nicknames.request(orderId);
    return { status: 'accepted' };
  }

  @Post(':orderId/nickname/change')
  @Public()
  @RateLimit('verificationCode')
  @ApiParam(ORDER_ID)
  @ApiOperation({
    summary: 'Change the nickname',
    description: 'With the code from the mail, while the goods wait. A code allows 5 tries, an order 20 a day.',
  })
  @Answers(NicknameChangeDto, 'Nickname changed')
  async changeNickname(
    @Param('orderId', ObjectIdPipe) orderId: string,
    @Body() body: ChangeNicknameDto,
  ): Promise<NicknameChangeDto> {
    return toNicknameChangeDto(await this.nicknames.change(orderId, body.verificationCode, body.newNickname));
  }
}
