import { Controller, Get, Header, Param, UseInterceptors } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Public } from '../../http/routes/access.decorators.js';
import { DocumentedErrors } from '../../http/routes/documented-errors.decorator.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { EtagInterceptor } from '../../http/responses/etag.interceptor.js';
import { RateLimit } from '../../http/throttling/rate-limit.decorator.js';
import { AppConfig } from '../../infrastructure/config/app-config.js';
import { ClosedShopDto, PublicShopDto } from './dto/shop.dto.js';
import { PublicShopsService } from './public-shops.service.js';
import { toVisitedShopDto } from './shop.mapper.js';

const CACHING = 'public, max-age=30';
const UNIQUE_NAME_PARAMETER = {
  name: 'uniqueName',
  description: 'The unique name of the shop.',
  schema: { type: 'string', example: 'sky-realm' },
};
const HOST_PARAMETER = {
  name: 'host',
  description: 'The host of the storefront, as a `Host` header spells it; a port does not matter.',
  schema: { type: 'string', example: 'shop.example.com' },
};

/** The endpoints with which a storefront finds its shop. */
@ApiTags('Shops')
@Controller('shops/public')
@UseInterceptors(EtagInterceptor)
export class PublicShopsController {
  private readonly platformDomain: string;

  constructor(
    private readonly shops: PublicShopsService,
    config: AppConfig,
  ) {
    this.platformDomain = config.platformDomain;
  }

  @Get('by-domain/:host')
  @Public()
  @DocumentedErrors('shop_not_found')
  @RateLimit('publicShop')
  @Header('Cache-Control', CACHING)
  @ApiParam(HOST_PARAMETER)
  @ApiOperation({
    summary: 'Look up a shop by its host',
    description:
      'By its verified custom domain, or by its subdomain of the platform. A closed shop has `isActive: false` and only what its page shows. A request with `If-None-Match` may get 304.',
  })
  @RespondsWith(PublicShopDto, 'Shop retrieved', ClosedShopDto)
  async byHost(@Param('host') host: string): Promise<PublicShopDto | ClosedShopDto> {
    return toVisitedShopDto(await this.shops.byHost(host), this.platformDomain);
  }

  @Get(':uniqueName')
  @Public()
  @DocumentedErrors('shop_not_found')
  @RateLimit('publicShop')
  @Header('Cache-Control', CACHING)
  @ApiParam(UNIQUE_NAME_PARAMETER)
  @ApiOperation({
    summary: 'Look up a shop by its name',
    description:
      'Returns the public settings of a shop. A closed one has `isActive: false` and only what its page shows. A request with `If-None-Match` may get 304.',
  })
  @RespondsWith(PublicShopDto, 'Shop retrieved', ClosedShopDto)
  async byName(@Param('uniqueName') uniqueName: string): Promise<PublicShopDto | ClosedShopDto> {
    return toVisitedShopDto(await this.shops.byName(uniqueName), this.platformDomain);
  }
}
