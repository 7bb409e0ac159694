import { Controller, Param, Post, Req } from '@nestjs/common';
import { ApiExtraModels, ApiHeader, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { type Request } from 'express';
import { Public } from '../../http/routes/access.decorators.js';
import { DocumentedErrors } from '../../http/routes/documented-errors.decorator.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { SHOP_ID } from '../../http/routes/path-parameters.js';
import { RateLimit } from '../../http/throttling/rate-limit.decorator.js';
import { CustomEventDto } from './dto/custom-event.dto.js';
import { WebhookResultDto } from './dto/webhook-result.dto.js';
import { toWebhookRequest, toWebhookResultDto } from './payment-event.mapper.js';
import { PaymentWebhooksService } from './payment-webhooks.service.js';
import { type WebhookPath } from '../accounts/payment-accounts.service.js';
import { CUSTOM_SENDER } from '../providers/custom/custom-sender.js';
import { PROVIDER } from '../accounts/provider-parameter.js';

@ApiTags('Payments')
@Controller('payments/webhooks')
export class PaymentWebhooksController {
  constructor(private readonly webhooks: PaymentWebhooksService) {}

  @Post(':provider/:shopId/:webhookSecret')
  @Public()
  @DocumentedErrors(
    'webhook_rejected',
    'webhook_not_found',
    'provider_unavailable',
    'provider_credentials_rejected',
    'provider_refused',
  )
  // The service itself counts the requests: accepted notifications by webhook, rejected ones by address.
  @RateLimit([])
  @ApiParam(PROVIDER)
  @ApiParam(SHOP_ID)
  @ApiParam({
    name: 'webhookSecret',
    description: "The secret segment of the webhook's URL.",
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{43}$' },
    example: 'A'.repeat(43),
  })
  @ApiHeader({ name: 'webhook-id', description: '`custom`: the id of the event, the same in each repetition.' })
  @ApiHeader({ name: 'webhook-timestamp', description: '`custom`: the time of sending, in seconds since 1970.' })
  @ApiHeader({
    name: 'webhook-signature',
    description:
      '`custom`: `v1,` and HMAC-SHA-256 in base64 over `id.timestamp.body`, with the decoded part of the secret after `whsec_`.',
  })
  @ApiExtraModels(CustomEventDto)
  @ApiOperation({
    summary: 'Receive a payment notification',
    description:
      "The payment provider calls it, with its own body and signature. A request without a body only checks that the webhook exists. A repeated event gets 200, and so does an authentic event of an unknown kind or about nothing of the shop, which is recorded as `ignored`. A wrong secret, an unknown shop and a provider that is not configured get the same 404. A wrong signature, a time that differs more than 300 s from the server's, and a body that is not in the provider's format get 400. Mollie and YooKassa do not sign, and Mercado Pago signs only the id of the payment: the service requests the payment that the notification names from them, and the notification gets 503 while they do not respond.\n\n" +
      'The events that each provider must send are listed at `PUT /payments/{shopId}/providers/{provider}`. A payment system of your ' +
      'own (`custom`) signs by the [Standard Webhooks](https://github.com/standard-webhooks/standard-webhooks) specification, and ' +
      `repeats each event until it gets a 2xx. Its body is a \`CustomEventDto\`. A complete sender:\n\n\`\`\`js\n${CUSTOM_SENDER}\`\`\``,
  })
  @RespondsWith(WebhookResultDto, 'Notification received')
  async receive(@Param() path: WebhookPath, @Req() request: Request): Promise<WebhookResultDto> {
    const sender = { address: request.ip, ...(request.res && { response: request.res }) };
    return toWebhookResultDto(await this.webhooks.receive(path, toWebhookRequest(request), sender));
  }
}
