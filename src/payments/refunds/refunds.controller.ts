import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { InShop, RequirePermissions } from '../../platform/principal/access.decorators.js';
import { type ShopContext } from '../../platform/principal/auth-context.js';
import { DocumentedErrors } from '../../platform/errors/documented-errors.decorator.js';
import { RespondsWith } from '../../platform/http/responds-with.decorator.js';
import { ORDER_ID, SHOP_ID } from '../../platform/http/path-parameters.js';
import { ObjectIdPipe } from '../../platform/validation/object-id.js';
import { Creates, type Creation } from '../../platform/idempotency/creation.js';
import { Idempotent } from '../../platform/idempotency/idempotent.decorator.js';
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
  @DocumentedErrors(409)
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
