import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { InShop, RequirePermissions } from '../../http/routes/access.decorators.js';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { DocumentedErrors } from '../../http/routes/documented-errors.decorator.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { ORDER_ID, SHOP_ID } from '../../http/routes/path-parameters.js';
import { ObjectIdPipe } from '../../http/validation/object-id.pipe.js';
import { Creates } from '../../http/idempotency/creates.decorator.js';
import { type Creation } from '../../infrastructure/idempotency/creation.js';
import { Idempotent } from '../../http/idempotency/idempotent.decorator.js';
import { CreateRefundDto, RefundDto } from './dto/refund.dto.js';
import { toRefundDto } from './refund.mapper.js';
import { RefundsService } from './refunds.service.js';

/** Refunds by the staff of a shop. */
@ApiTags('Payments')
@Controller('payments/:shopId/:orderId')
export class RefundsController {
  constructor(private readonly refunds: RefundsService) {}

  @Get('refunds')
  @RequirePermissions('payments:read')
  @DocumentedErrors('order_not_found')
  @ApiParam(SHOP_ID)
  @ApiParam(ORDER_ID)
  @ApiOperation({
    summary: 'List the refunds of an order',
    description: 'The refunds that staff requested, oldest first.',
  })
  @RespondsWith([RefundDto], 'Refunds retrieved')
  async list(@InShop() { shopId }: ShopContext, @Param('orderId', ObjectIdPipe) orderId: string): Promise<RefundDto[]> {
    return (await this.refunds.list(shopId, orderId)).map(toRefundDto);
  }

  @Post('refund')
  @RequirePermissions('payments:write')
  @Idempotent()
  @DocumentedErrors('order_not_found', 'refund_has_upgrade', 'not_refundable', 'provider_unavailable')
  @ApiParam(SHOP_ID)
  @ApiParam(ORDER_ID)
  @ApiOperation({
    summary: 'Refund a payment',
    description:
      'Requests a refund of a part of a payment, or of all that is left of it. It is never more than was paid, whatever ' +
      'runs in parallel. The order changes when the provider reports the refund. 503 when the provider does not respond: the ' +
      'refund is stored, and the service retries. Repeat the request only with the same `Idempotency-Key`.',
  })
  @RespondsWith(RefundDto, 'Refund requested')
  async create(
    @InShop() context: ShopContext,
    @Creates() creation: Creation,
    @Param('orderId', ObjectIdPipe) orderId: string,
    @Body() body: CreateRefundDto,
  ): Promise<RefundDto> {
    return toRefundDto(await this.refunds.create(context, creation, orderId, body));
  }
}
