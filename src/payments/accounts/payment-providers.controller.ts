import { Body, Controller, Get, Param, Post, Put } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { InShop, RequirePermissions } from '../../platform/principal/access.decorators.js';
import { type ShopContext } from '../../platform/principal/auth-context.js';
import { DocumentedErrors } from '../../platform/errors/documented-errors.decorator.js';
import { RespondsWith } from '../../platform/http/responds-with.decorator.js';
import { SHOP_ID } from '../../platform/http/path-parameters.js';
import { ConfigureProviderDto } from './dto/configure-provider.dto.js';
import { PaymentProviderDto, RevealedPaymentProviderDto } from './dto/payment-provider.dto.js';
import { RotateWebhookSecretDto } from './dto/rotate-webhook-secret.dto.js';
import { toPaymentProviderDto, toRevealedPaymentProviderDto } from './payment-provider.mapper.js';
import { PaymentProvidersService } from './payment-providers.service.js';
import { PROVIDER_GUIDE } from './provider-guide.js';
import { PROVIDER } from './provider-parameter.js';

@ApiTags('Payments')
@Controller('payments/:shopId/providers')
export class PaymentProvidersController {
  constructor(private readonly providers: PaymentProvidersService) {}

  @Get()
  @RequirePermissions('payments:read')
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'List the payment providers',
    description: 'The providers that the shop has configured. Credentials and secrets are never returned.',
  })
  @RespondsWith([PaymentProviderDto], 'Payment providers retrieved')
  async list(@InShop() context: ShopContext): Promise<PaymentProviderDto[]> {
    return (await this.providers.list(context)).map(toPaymentProviderDto);
  }

  @Put(':provider')
  @RequirePermissions('payments:write')
  @DocumentedErrors(409)
  @ApiParam(SHOP_ID)
  @ApiParam(PROVIDER)
  @ApiOperation({
    summary: 'Configure a payment provider',
    description:
      'Credentials are stored encrypted. An optional one can follow later: some providers create it when they know the webhook URL, ' +
      `which only the first call returns.\n\n${PROVIDER_GUIDE}`,
  })
  @RespondsWith(RevealedPaymentProviderDto, 'Payment provider configured')
  async configure(
    @InShop() context: ShopContext,
    @Param('provider') provider: string,
    @Body() body: ConfigureProviderDto,
  ): Promise<RevealedPaymentProviderDto> {
    return toRevealedPaymentProviderDto(await this.providers.configure(context, provider, body));
  }

  @Post(':provider/rotate-secret')
  @RequirePermissions('payments:write')
  @DocumentedErrors(409)
  @ApiParam(SHOP_ID)
  @ApiParam(PROVIDER)
  @ApiOperation({
    summary: 'Rotate the secret of a webhook URL',
    description: 'Returns the new URL once. The previous URL works until the grace period ends.',
  })
  @RespondsWith(RevealedPaymentProviderDto, 'Webhook secret rotated')
  async rotateSecret(
    @InShop() context: ShopContext,
    @Param('provider') provider: string,
    @Body() body: RotateWebhookSecretDto,
  ): Promise<RevealedPaymentProviderDto> {
    return toRevealedPaymentProviderDto(await this.providers.rotateSecret(context, provider, body.graceSeconds));
  }
}
