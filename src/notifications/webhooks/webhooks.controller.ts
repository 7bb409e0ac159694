import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { InShop, RequirePermissions } from '../../http/routes/access.decorators.js';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { DocumentedErrors } from '../../http/routes/documented-errors.decorator.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { type Page } from '../../lib/paging/page.js';
import { PageQuery } from '../../http/paging/page.query.dto.js';
import { SHOP_ID, WEBHOOK_ID } from '../../http/routes/path-parameters.js';
import { ObjectIdPipe } from '../../http/validation/object-id.pipe.js';
import { RotateSecretDto } from './dto/rotate-secret.dto.js';
import { CreateWebhookDto, RevealedWebhookDto, UpdateWebhookDto, WebhookDto } from './dto/webhook.dto.js';
import { toRevealedWebhookDto, toWebhookDto } from './webhook.mapper.js';
import { WebhooksService } from './webhooks.service.js';

@ApiTags('Webhooks')
@Controller('webhooks/:shopId')
export class WebhooksController {
  constructor(private readonly webhooks: WebhooksService) {}

  @Post()
  @RequirePermissions('webhooks:write')
  @DocumentedErrors('permission_not_grantable', 'quota_reached')
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'Create a webhook',
    description:
      'Notifies another system of events of the shop. The response is the only place where the secret is shown.',
  })
  @RespondsWith(RevealedWebhookDto, 'Webhook created; its secret is shown only once')
  async create(@InShop() context: ShopContext, @Body() body: CreateWebhookDto): Promise<RevealedWebhookDto> {
    return toRevealedWebhookDto(await this.webhooks.create(context, body));
  }

  @Get()
  @RequirePermissions('webhooks:read')
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'List webhooks',
    description: 'The webhooks of the shop whose events the caller may read, newest first.',
  })
  @RespondsWith([WebhookDto], 'Webhooks retrieved')
  async list(@InShop() context: ShopContext, @Query() query: PageQuery): Promise<Page<WebhookDto>> {
    const page = await this.webhooks.list(context, query);
    return page.map(toWebhookDto);
  }

  @Get(':webhookId')
  @RequirePermissions('webhooks:read')
  @DocumentedErrors('webhook_not_found')
  @ApiParam(SHOP_ID)
  @ApiParam(WEBHOOK_ID)
  @ApiOperation({ summary: 'Read a webhook', description: 'One webhook. Its secret is never shown again.' })
  @RespondsWith(WebhookDto, 'Webhook retrieved')
  async get(@InShop() context: ShopContext, @Param('webhookId', ObjectIdPipe) webhookId: string): Promise<WebhookDto> {
    return toWebhookDto(await this.webhooks.get(context, webhookId));
  }

  @Patch(':webhookId')
  @RequirePermissions('webhooks:write')
  @DocumentedErrors('permission_not_grantable', 'webhook_not_found')
  @ApiParam(SHOP_ID)
  @ApiParam(WEBHOOK_ID)
  @ApiOperation({ summary: 'Change a webhook', description: 'Changes the fields that the body contains.' })
  @RespondsWith(WebhookDto, 'Webhook updated')
  async update(
    @InShop() context: ShopContext,
    @Param('webhookId', ObjectIdPipe) webhookId: string,
    @Body() body: UpdateWebhookDto,
  ): Promise<WebhookDto> {
    return toWebhookDto(await this.webhooks.update(context, webhookId, body));
  }

  @Post(':webhookId/rotate-secret')
  @RequirePermissions('webhooks:write')
  @DocumentedErrors('webhook_not_found')
  @ApiParam(SHOP_ID)
  @ApiParam(WEBHOOK_ID)
  @ApiOperation({
    summary: 'Rotate the secret of a webhook',
    description:
      'Returns the new secret once. Until the grace period ends, each request has a signature for both secrets.',
  })
  @RespondsWith(RevealedWebhookDto, 'Webhook secret rotated')
  async rotateSecret(
    @InShop() context: ShopContext,
    @Param('webhookId', ObjectIdPipe) webhookId: string,
    @Body() body: RotateSecretDto,
  ): Promise<RevealedWebhookDto> {
    return toRevealedWebhookDto(await this.webhooks.rotateSecret(context, webhookId, body.graceSeconds));
  }

  @Delete(':webhookId')
  @RequirePermissions('webhooks:write')
  @DocumentedErrors('webhook_not_found')
  @ApiParam(SHOP_ID)
  @ApiParam(WEBHOOK_ID)
  @ApiOperation({ summary: 'Delete a webhook', description: 'No further event is sent to it.' })
  @RespondsWith(WebhookDto, 'Webhook deleted')
  async delete(
    @InShop() context: ShopContext,
    @Param('webhookId', ObjectIdPipe) webhookId: string,
  ): Promise<WebhookDto> {
    return toWebhookDto(await this.webhooks.delete(context, webhookId));
  }
}
