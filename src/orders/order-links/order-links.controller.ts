import { Body, Controller, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public } from '../../http/routes/access.decorators.js';
import { DocumentedErrors } from '../../http/routes/documented-errors.decorator.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { RateLimit } from '../../http/throttling/rate-limit.decorator.js';
import { OrderLinksRequestedDto, RequestOrderLinksDto } from './dto/order-links.dto.js';
import { OrderLinksService } from './order-links.service.js';

@ApiTags('Orders')
@Controller('orders/public/links')
export class OrderLinksController {
  constructor(private readonly orderLinks: OrderLinksService) {}

  @Post()
  @Public()
  @RateLimit('verificationCode')
  @DocumentedErrors('shop_not_found', 'emails_off')
  @ApiOperation({
    summary: 'Request the links of my orders',
    description:
      'Sends the links of the latest 20 orders of a mailbox to its address. The response is the same when the mailbox has no order. ' +
      'Emails that strangers can cause are limited per mailbox; one above the limit is not sent.',
  })
  @RespondsWith(OrderLinksRequestedDto, 'If there are orders, their links are on the way')
  async request(@Body() { shopId, email }: RequestOrderLinksDto): Promise<OrderLinksRequestedDto> {
    await this.orderLinks.request(shopId, email);
    return { status: 'accepted' };
  }
}
