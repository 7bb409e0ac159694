import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { BuyerAddress, PublicOrKey } from '../../http/routes/access.decorators.js';
import { DocumentedErrors } from '../../http/routes/documented-errors.decorator.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { SHOP_ID } from '../../http/routes/path-parameters.js';
import { AtOncePerShop } from '../../http/throttling/concurrency.interceptor.js';
import { RateLimit } from '../../http/throttling/rate-limit.decorator.js';
import { ObjectIdPipe } from '../../http/validation/object-id.pipe.js';
import { Creates } from '../../http/idempotency/creates.decorator.js';
import { type Creation } from '../../infrastructure/idempotency/creation.js';
import { Idempotent } from '../../http/idempotency/idempotent.decorator.js';
import { toCreatedOrderDto, toQuoteDto } from './checkout.mapper.js';
import { CheckoutService } from './checkout.service.js';
import { CheckoutDto } from './dto/checkout.dto.js';
import { CreatedOrderDto } from './dto/created-order.dto.js';
import { ORDER_ERRORS, QuoteDto, QuoteRequestDto } from './dto/quote.dto.js';

@ApiTags('Checkout')
@Controller('checkout/:shopId')
export class CheckoutController {
  constructor(private readonly checkout: CheckoutService) {}

  @Post('quote')
  @PublicOrKey('orders:write')
  @DocumentedErrors('shop_not_found')
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'Quote a basket',
    description:
      'The price of an order now, and every reason why it cannot be placed. Reserves nothing. Without `serverId`, or ' +
      'without `nickname` and `email`, what depends on them is not checked.',
  })
  @RespondsWith(QuoteDto, 'Basket quoted')
  async quote(
    @Param('shopId', ObjectIdPipe) shopId: string,
    @Body() body: QuoteRequestDto,
    @BuyerAddress() address: string | null,
  ): Promise<QuoteDto> {
    return toQuoteDto(await this.checkout.quote(shopId, body, address));
  }

  @Post('orders')
  @PublicOrKey('orders:write')
  @DocumentedErrors(...ORDER_ERRORS, 'discount_not_applicable', 'shop_not_found')
  @RateLimit(['anonymous', 'checkoutAddress'])
  @AtOncePerShop('checkout')
  @Idempotent()
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'Check out',
    description:
      'Creates an order. The prices come from the shop, not from the request. A discount code that does not apply rejects ' +
      'the order.',
  })
  @RespondsWith(CreatedOrderDto, 'Order created')
  async placeOrder(
    @Param('shopId', ObjectIdPipe) shopId: string,
    @Creates() creation: Creation,
    @Body() body: CheckoutDto,
    @BuyerAddress() address: string | null,
  ): Promise<CreatedOrderDto> {
    return toCreatedOrderDto(await this.checkout.placeOrder(shopId, creation, body, address));
  }
}
