import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { InShop, RequirePermissions } from '../../http/routes/access.decorators.js';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { DocumentedErrors } from '../../http/routes/documented-errors.decorator.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { type Page } from '../../lib/paging/page.js';
import { SHOP_ID, WEBHOOK_DELIVERY_ID, WEBHOOK_ID } from '../../http/routes/path-parameters.js';
import { ObjectIdPipe } from '../../http/validation/object-id.pipe.js';
import {
  ListWebhookDeliveriesQuery,
  ReplayDeliveriesDto,
  ReplayedDeliveriesDto,
  WebhookDeliveryDto,
} from './dto/webhook-delivery.dto.js';
import { toReplayedDeliveriesDto, toWebhookDeliveryDto } from './webhook-delivery.mapper.js';
import { MAX_REPLAYED, WebhookLogService } from './webhook-log.service.js';

@ApiTags('Webhooks')
@Controller('webhooks/:shopId/:webhookId')
export class WebhookDeliveriesController {
  constructor(private readonly log: WebhookLogService) {}

  @Get('deliveries')
  @RequirePermissions('webhooks:read')
  @DocumentedErrors('webhook_not_found')
  @ApiParam(SHOP_ID)
  @ApiParam(WEBHOOK_ID)
  @ApiOperation({
    summary: 'List the deliveries of a webhook',
    description: 'The deliveries of the last 30 days, newest first, with each attempt.',
  })
  @RespondsWith([WebhookDeliveryDto], 'Webhook deliveries retrieved')
  async list(
    @InShop() context: ShopContext,
    @Param('webhookId', ObjectIdPipe) webhookId: string,
    @Query() query: ListWebhookDeliveriesQuery,
  ): Promise<Page<WebhookDeliveryDto>> {
    return (await this.log.list(context, webhookId, query, query)).map(toWebhookDeliveryDto);
  }

  @Post('test')
  @RequirePermissions('webhooks:write')
  @DocumentedErrors('webhook_not_found')
  @ApiParam(SHOP_ID)
  @ApiParam(WEBHOOK_ID)
  @ApiOperation({
    summary: 'Send a test event',
    description: 'Sends the event `webhook.test`, also when the webhook is switched off. Its delivery is in the list.',
  })
  @RespondsWith(WebhookDeliveryDto, 'Test event queued')
  async test(
    @InShop() context: ShopContext,
    @Param('webhookId', ObjectIdPipe) webhookId: string,
  ): Promise<WebhookDeliveryDto> {
    return toWebhookDeliveryDto(await this.log.test(context, webhookId));
  }

  @Post('deliveries/:deliveryId/replay')
  @RequirePermissions('webhooks:write')
  @DocumentedErrors('webhook_not_found', 'webhook_delivery_not_found', 'webhook_inactive', 'webhook_delivery_waiting')
  @ApiParam(SHOP_ID)
  @ApiParam(WEBHOOK_ID)
  @ApiParam(WEBHOOK_DELIVERY_ID)
  @ApiOperation({
    summary: 'Replay a delivery',
    description: 'Sends a finished delivery again, with the same `webhook-id` and body.',
  })
  @RespondsWith(WebhookDeliveryDto, 'Webhook delivery replayed')
  async replay(
    @InShop() context: ShopContext,
    @Param('webhookId', ObjectIdPipe) webhookId: string,
    @Param('deliveryId', ObjectIdPipe) deliveryId: string,
  ): Promise<WebhookDeliveryDto> {
    return toWebhookDeliveryDto(await this.log.replay(context, webhookId, deliveryId));
  }

  @Post('deliveries/replay')
  @RequirePermissions('webhooks:write')
  @DocumentedErrors('webhook_not_found', 'webhook_inactive')
  @ApiParam(SHOP_ID)
  @ApiParam(WEBHOOK_ID)
  @ApiOperation({
    summary: 'Replay the deliveries of a time range',
    description:
      `Sends finished deliveries again, oldest first, at most ${MAX_REPLAYED} deliveries. ` +
      'If there are more, send the same times again with `next` of the response as `cursor`.',
  })
  @RespondsWith(ReplayedDeliveriesDto, 'Webhook deliveries replayed')
  async replayRange(
    @InShop() context: ShopContext,
    @Param('webhookId', ObjectIdPipe) webhookId: string,
    @Body() body: ReplayDeliveriesDto,
  ): Promise<ReplayedDeliveriesDto> {
    return toReplayedDeliveriesDto(await this.log.replayRange(context, webhookId, body, body.after));
  }
}
