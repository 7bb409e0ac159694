import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { InShop, RequirePermissions } from '../../http/routes/access.decorators.js';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { DocumentedErrors } from '../../http/routes/documented-errors.decorator.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { SHOP_ID } from '../../http/routes/path-parameters.js';
import { ConfigureProviderDto } from './dto/configure-provider.dto.js';
import { PaymentProviderDto, RevealedPaymentProviderDto } from './dto/payment-provider.dto.js';
import { RotateWebhookSecretDto } from './dto/rotate-webhook-secret.dto.js';
import { ProviderCheckReportDto } from './dto/provider-check.dto.js';
import {
  toPaymentProviderDto,
  toProviderCheckReportDto,
  toRevealedPaymentProviderDto,
} from './payment-provider.mapper.js';
import { ProviderChecksService } from './provider-checks.service.js';
import { PaymentProvidersService } from './payment-providers.service.js';
import { PROVIDER_GUIDE } from './provider-guide.js';
import { PROVIDER } from './provider-parameter.js';

@ApiTags('Payments')
@Controller('payments/:shopId/providers')
export class PaymentProvidersController {
  constructor(
    private readonly providers: PaymentProvidersService,
    private readonly checks: ProviderChecksService,
  ) {}

  @Get()
  @RequirePermissions('payments:read')
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'List the payment providers',
    description:
      'The providers that the shop has configured, and whether each works. Credentials and secrets are never returned.',
  })
  @RespondsWith([PaymentProviderDto], 'Payment providers retrieved')
  async list(@InShop() context: ShopContext): Promise<PaymentProviderDto[]> {
    return (await this.providers.list(context)).map(toPaymentProviderDto);
  }

  @Put(':provider')
  @RequirePermissions('payments:write')
  @DocumentedErrors('provider_not_found', 'state_conflict')
  @ApiParam(SHOP_ID)
  @ApiParam(PROVIDER)
  @ApiOperation({
    summary: 'Configure a payment provider',
    description:
      'Credentials are stored encrypted. A provider that is switched on is called, to check them: what it rejects gets 400, and ' +
      'what cannot be checked now is saved with `checkedAt: null`. The webhook is registered at `stripe` and `paypal`, or the one that ' +
      'exists is corrected. An optional credential can follow later: some providers create it when they know the webhook URL, which ' +
      `only the first call returns.\n\n${PROVIDER_GUIDE}`,
  })
  @RespondsWith(RevealedPaymentProviderDto, 'Payment provider configured')
  async configure(
    @InShop() context: ShopContext,
    @Param('provider') provider: string,
    @Body() body: ConfigureProviderDto,
  ): Promise<RevealedPaymentProviderDto> {
    return toRevealedPaymentProviderDto(await this.providers.configure(context, provider, body));
  }

  @Delete(':provider')
  @RequirePermissions('payments:write')
  @DocumentedErrors('provider_not_found', 'state_conflict')
  @ApiParam(SHOP_ID)
  @ApiParam(PROVIDER)
  @ApiOperation({
    summary: 'Remove a payment provider',
    description:
      'Removes the credentials, and the webhook that the service has registered at the provider. From then on, payments that buyers ' +
      'make there are not recorded.',
  })
  @RespondsWith(PaymentProviderDto, 'Payment provider removed')
  async remove(@InShop() context: ShopContext, @Param('provider') provider: string): Promise<PaymentProviderDto> {
    return toPaymentProviderDto(await this.providers.remove(context, provider));
  }

  @Post(':provider/check')
  @HttpCode(200)
  @RequirePermissions('payments:write')
  @DocumentedErrors('provider_not_found')
  @ApiParam(SHOP_ID)
  @ApiParam(PROVIDER)
  @ApiOperation({
    summary: 'Check a payment provider',
    description:
      'Calls the provider with the stored credentials, and compares what it returns with the shop. No setting changes there, and no ' +
      'money moves.',
  })
  @RespondsWith(ProviderCheckReportDto, 'Payment provider checked')
  async check(@InShop() context: ShopContext, @Param('provider') provider: string): Promise<ProviderCheckReportDto> {
    return toProviderCheckReportDto(await this.checks.check(context, provider));
  }

  @Post(':provider/rotate-secret')
  @RequirePermissions('payments:write')
  @DocumentedErrors('provider_not_found', 'state_conflict')
  @ApiParam(SHOP_ID)
  @ApiParam(PROVIDER)
  @ApiOperation({
    summary: 'Rotate the secret of a webhook URL',
    description:
      'Returns the new URL once. The previous URL works until the grace period ends; later requests to it are rejected, and the owners ' +
      'are informed. At `stripe` and `paypal` the service corrects the address; `webhookRegistered: true` says that it did. At `mollie` ' +
      'each payment keeps its URL, so the previous ones are accepted without an end. Elsewhere, enter the new URL at the provider.',
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
