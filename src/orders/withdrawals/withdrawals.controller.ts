import { Body, Controller, Headers, Param, Post } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Public } from '../../http/routes/access.decorators.js';
import { DocumentedErrors } from '../../http/routes/documented-errors.decorator.js';
import { ORDER_ID } from '../../http/routes/path-parameters.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { ObjectIdPipe } from '../../http/validation/object-id.pipe.js';
import { WithdrawalDto, WithdrawDto } from './dto/withdrawal.dto.js';
import { WithdrawalsService } from './withdrawals.service.js';

/** The endpoint with which buyers withdraw from their orders. */
@ApiTags('Orders')
@Controller('orders/public/:orderId/withdrawal')
export class WithdrawalsController {
  constructor(private readonly withdrawals: WithdrawalsService) {}

  @Post()
  @Public()
  @DocumentedErrors('shop_not_found', 'order_not_found', 'withdrawal_ended', 'withdrawal_not_possible')
  @ApiParam(ORDER_ID)
  @ApiHeader({ name: 'X-Order-Token', description: 'The `accessToken` that the checkout returned.', required: true })
  @ApiOperation({
    summary: 'Withdraw from an order',
    description:
      'For its buyer, until the time of the law is over (directive 2011/83/EU, article 11a): `withdrawal` of the order says until when, and from which products. A storefront ' +
      'has two steps: a link, and a form with the name that is sent by a button such as "Confirm withdrawal". The statement is recorded and confirmed by email; ' +
      'a refund is for the shop to do. A repetition returns the first statement.',
  })
  @RespondsWith(WithdrawalDto, 'Withdrawal recorded')
  async withdraw(
    @Param('orderId', ObjectIdPipe) orderId: string,
    @Headers('x-order-token') token: string | undefined,
    @Body() body: WithdrawDto,
  ): Promise<WithdrawalDto> {
    const { at, productIds } = await this.withdrawals.withdraw(orderId, token, body);
    return { orderId, requestedAt: at.toISOString(), items: [...productIds] };
  }
}
