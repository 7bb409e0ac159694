import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { InShop, RequirePermissions } from '../../http/routes/access.decorators.js';
import { DocumentedErrors } from '../../http/routes/documented-errors.decorator.js';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { type Page } from '../../lib/paging/page.js';
import { EVENT_ID, SHOP_ID } from '../../http/routes/path-parameters.js';
import { ObjectIdPipe } from '../../http/validation/object-id.pipe.js';
import { ListPaymentEventsQuery, PaymentEventDto } from './dto/payment-event.dto.js';
import { toPaymentEventDto } from './payment-event.mapper.js';
import { PaymentInboxService } from './payment-inbox.service.js';

/** What staff see of the events of payment providers. */
@ApiTags('Payments')
@Controller('payments/:shopId/events')
export class PaymentEventsController {
  constructor(private readonly inbox: PaymentInboxService) {}

  @Get()
  @RequirePermissions('payments:read')
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'List payment events',
    description: 'Every event that the payment providers sent, newest first, with its verification and its state.',
  })
  @RespondsWith([PaymentEventDto], 'Payment events retrieved')
  async list(@InShop() context: ShopContext, @Query() query: ListPaymentEventsQuery): Promise<Page<PaymentEventDto>> {
    return (await this.inbox.list(context, query, query)).map(toPaymentEventDto);
  }

  @Post(':eventId/replay')
  @RequirePermissions('payments:write')
  @DocumentedErrors('payment_event_not_found')
  @ApiParam(SHOP_ID)
  @ApiParam(EVENT_ID)
  @ApiOperation({
    summary: 'Replay a payment event',
    description:
      'Applies an event that failed or waits again, as if the provider had sent it again. An event that is applied ' +
      'or ignored stays as it is.',
  })
  @RespondsWith(PaymentEventDto, 'Payment event replayed')
  async replay(
    @InShop() context: ShopContext,
    @Param('eventId', ObjectIdPipe) eventId: string,
  ): Promise<PaymentEventDto> {
    return toPaymentEventDto(await this.inbox.replay(context, eventId));
  }
}
