import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public } from '../../http/routes/access.decorators.js';
import { DocumentedErrors } from '../../http/routes/documented-errors.decorator.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { RateLimit } from '../../http/throttling/rate-limit.decorator.js';
import { PublicShopsService } from '../shops/public-shops.service.js';
import { AllowedDomainDto, AllowedDomainQuery } from './dto/allowed-domain.dto.js';

/** Which domains a reverse proxy may request certificates for: Caddy's `on_demand_tls` sends each new one to its `ask` address. */
@ApiTags('Shops')
@Controller('domains')
export class AllowedDomainsController {
  constructor(private readonly shops: PublicShopsService) {}

  @Get('allowed')
  @Public()
  @DocumentedErrors('shop_not_found')
  @RateLimit('allowedDomain')
  @ApiOperation({
    summary: 'May a domain get a certificate?',
    description:
      'For a reverse proxy that makes certificates on demand. 200 for the verified custom domain of a shop and for its ' +
      'subdomain of the platform, 404 for any other.',
  })
  @RespondsWith(AllowedDomainDto, 'The domain leads to a shop')
  async allowed(@Query() { domain }: AllowedDomainQuery): Promise<AllowedDomainDto> {
    await this.shops.byHost(domain);
    return { domain };
  }
}
