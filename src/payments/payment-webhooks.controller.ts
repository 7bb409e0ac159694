import { Controller, Post, UseGuards } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Public } from '../common/auth/access.decorators.js';
import { Answers } from '../common/http/answers.decorator.js';
import { SHOP_ID } from '../common/http/path-parameters.js';
import { RateLimit } from '../common/throttling/rate-limit.decorator.js';
import { WebhookReceiptDto } from './dto/webhook-receipt.dto.js';
import { toWebhookReceiptDto } from './payment.mapper.js';
import { PaymentInboxService } from './payment-inbox.service.js';
import { type VerifiedNotification } from './payment-webhooks.service.js';
import { PROVIDER } from './provider-parameter.js';
import { Notification, WebhookGuard } from './webhook.guard.js';

@ApiTags('Payments')
@Controller('payments/webhooks')
export class PaymentWebhooksController {
  constructor(private readonly inbox: PaymentInboxService) {}

  @Post(':provider/:shopId/:webhookSecret')
  @Public()
  @RateLimit('webhook')
  @UseGuards(WebhookGuard)
  @ApiParam(PROVIDER)
  @ApiParam(SHOP_ID)
  @ApiParam({
    name: 'webhookSecret',
    description: "The secret segment of the webhook's URL.",
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{43}$' },
    example: 'A'.repeat(43),
  })
  @ApiOperation({
    summary: 'Receive a payment notification',
    description:
      "Called by the payment provider, with its own body and signature. Without a body it tells that the webhook is there. Repetitions and kinds of events that mean nothing here are answered 200; a wrong secret, an unknown shop and a provider that is not configured are the same 404; a bad signature, a time more than 300 s off and a body that is not the provider's are 400.",
  })
  @Answers(WebhookReceiptDto, 'Notification received')
  async receive(@Notification() notification: VerifiedNotification): Promise<WebhookReceiptDto> {
    return toWebhookReceiptDto(notification, await this.inbox.receive(notification));
  }
}
