import { Body, Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { InShop, RequirePermissions } from '../../http/routes/access.decorators.js';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { DocumentedErrors } from '../../http/routes/documented-errors.decorator.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { SHOP_ID } from '../../http/routes/path-parameters.js';
import { RateLimit } from '../../http/throttling/rate-limit.decorator.js';
import { AppConfig } from '../../infrastructure/config/app-config.js';
import { toDomainReportDto } from './domain-report.mapper.js';
import { DomainReportService } from './domain-report.service.js';
import { DomainsService } from './domains.service.js';
import { ClaimDomainDto } from './dto/claim-domain.dto.js';
import { DomainReportDto } from './dto/domain-report.dto.js';
import { ShopDetailsDto, ShopDto } from '../shops/dto/shop.dto.js';
import { toShopDetailsDto, toShopDto } from '../shops/shop.mapper.js';

@ApiTags('Shops')
@Controller('shops/:shopId/domain')
export class DomainsController {
  private readonly platformDomain: string;

  constructor(
    private readonly domains: DomainsService,
    private readonly reports: DomainReportService,
    config: AppConfig,
  ) {
    this.platformDomain = config.platformDomain;
  }

  @Get()
  @RequirePermissions('shops:read')
  @DocumentedErrors('domain_not_claimed')
  @RateLimit('domainVerification')
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'Look at the custom domain',
    description:
      'Whether the TXT record is there, where the hostname leads, and whether it has a certificate. Changes nothing.',
  })
  @RespondsWith(DomainReportDto, 'Domain looked up')
  async look(@InShop() context: ShopContext): Promise<DomainReportDto> {
    return toDomainReportDto(await this.reports.report(context));
  }

  @Put()
  @RequirePermissions('shops:write')
  @DocumentedErrors('domain_not_allowed', 'domain_taken')
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'Claim a custom domain',
    description: 'Returns the TXT record to publish. Buyers see no change until the domain is verified.',
  })
  @RespondsWith(ShopDetailsDto, 'Domain claimed; publish the TXT record, then verify')
  async claim(@InShop() context: ShopContext, @Body() body: ClaimDomainDto): Promise<ShopDetailsDto> {
    return toShopDetailsDto(await this.domains.claim(context, body.hostname), this.platformDomain);
  }

  @Post('verify')
  @RequirePermissions('shops:write')
  @RateLimit('domainVerification')
  @DocumentedErrors('domain_not_verified', 'domain_taken', 'state_conflict')
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'Verify the custom domain',
    description:
      'Looks up the TXT record. Keep the record: it is checked daily, and a shop whose record is missing for three days loses the hostname.',
  })
  @RespondsWith(ShopDetailsDto, 'Domain verified')
  async verify(@InShop() context: ShopContext): Promise<ShopDetailsDto> {
    return toShopDetailsDto(await this.domains.verify(context), this.platformDomain);
  }

  @Delete()
  @RequirePermissions('shops:write')
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'Remove the custom domain',
    description: 'The shop uses its subdomain of the platform again. Without a custom domain, nothing changes.',
  })
  @RespondsWith(ShopDto, 'Custom domain removed')
  async remove(@InShop() context: ShopContext): Promise<ShopDto> {
    return toShopDto(await this.domains.remove(context), this.platformDomain);
  }
}
