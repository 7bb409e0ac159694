import { Body, Controller, Get, Headers, Param, Post, Query } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Public, PublicOrKey } from '../../http/routes/access.decorators.js';
import { DocumentedErrors } from '../../http/routes/documented-errors.decorator.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { ORDER_ID, SHOP_ID } from '../../http/routes/path-parameters.js';
import { RateLimit } from '../../http/throttling/rate-limit.decorator.js';
import { ObjectIdPipe } from '../../http/validation/object-id.pipe.js';
import { BuyerPaymentDto, PaymentMethodDto, PaymentMethodsQuery } from './dto/buyer-payment.dto.js';
import { CreatePaymentDto } from './dto/create-payment.dto.js';
import { toBuyerPaymentDto, toPaymentMethodDto } from './payment.mapper.js';
import { PaymentsService } from './payments.service.js';

/** The endpoints for buyers: payment methods, and the payment of an order. */
@ApiTags('Payments')
@Controller()
export class BuyerPaymentsController {
  constructor(private readonly payments: PaymentsService) {}

  @Get('payments/public/:shopId/methods')
  @PublicOrKey('products:read')
  @DocumentedErrors('shop_not_found')
  @RateLimit('publicShop')
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'List the payment methods',
    description:
      'The payment providers with which a buyer can pay in this shop, in the order in which the shop configured them. Those that ' +
      'cannot charge its currency are left out, and with `amount` also those that cannot charge this amount.',
  })
  @RespondsWith([PaymentMethodDto], 'Payment methods retrieved')
  async methods(
    @Param('shopId', ObjectIdPipe) shopId: string,
    @Query() { amount }: PaymentMethodsQuery,
  ): Promise<PaymentMethodDto[]> {
    return (await this.payments.methods(shopId, amount)).map(toPaymentMethodDto);
  }

  @Post('orders/public/:orderId/payment')
  @Public()
  @DocumentedErrors(
    'amount_not_chargeable',
    'order_not_found',
    'provider_not_found',
    'order_not_payable',
    'payment_processing',
    'state_conflict',
    'provider_unavailable',
    'provider_credentials_rejected',
    'provider_refused',
  )
  @ApiParam(ORDER_ID)
  @ApiHeader({ name: 'X-Order-Token', description: 'The `accessToken` that the checkout returned.', required: true })
  @ApiOperation({
    summary: 'Pay an order',
    description:
      'Creates a payment at the provider and returns where to send the buyer. A repetition returns the same payment while the ' +
      'buyer can still make it. While the bank is confirming another payment (`processing`), a second one needs `confirmSecondPayment`; ' +
      'without it, the response is 409 `payment_processing`. Only the order itself shows whether it is paid. 503 when the provider does not respond: ' +
      'send the request again.',
  })
  @RespondsWith(BuyerPaymentDto, 'Payment created')
  async create(
    @Param('orderId', ObjectIdPipe) orderId: string,
    @Headers('x-order-token') token: string | undefined,
    @Body() body: CreatePaymentDto,
  ): Promise<BuyerPaymentDto> {
    return toBuyerPaymentDto(await this.payments.create(orderId, token, body));
  }
}
