import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Auth, Authenticated, InShop, RequirePermissions } from '../common/auth/access.decorators.js';
import { type AuthContext, type ShopContext } from '../common/auth/auth-context.js';
import { DocumentedErrors } from '../common/errors/documented-errors.decorator.js';
import { Answers } from '../common/http/answers.decorator.js';
import { type Page } from '../common/http/page.js';
import { PageQuery } from '../common/http/page.query.dto.js';
import { SHOP_ID } from '../common/http/path-parameters.js';
import { type AppConfig } from '../config/app-config.js';
import { DomainsService } from './domains.service.js';
import { ClaimDomainDto } from './dto/claim-domain.dto.js';
import { CreateShopDto } from './dto/create-shop.dto.js';
import { ShopDetailsDto, ShopDto } from './dto/shop.dto.js';
import { toShopDetailsDto, toShopDto } from './shop.mapper.js';
import { ShopsService } from './shops.service.js';

@ApiTags('Shops')
@Controller('shops')
export class ShopsController {
  private readonly platformDomain: string;

  constructor(
    private readonly shops: ShopsService,
    private readonly domains: DomainsService,
    config: ConfigService<AppConfig, true>,
  ) {
    this.platformDomain = config.get('platformDomain', { infer: true });
  }

  @Post()
  @Authenticated()
  @DocumentedErrors(409)
  @ApiOperation({ summary: 'Create a shop', description: 'The caller becomes its owner.' })
  @Answers(ShopDetailsDto, 'Shop created')
  async create(@Auth() auth: AuthContext, @Body() body: CreateShopDto): Promise<ShopDetailsDto> {
    return toShopDetailsDto(await this.shops.create(auth, body), this.platformDomain);
  }

  @Get()
  @Authenticated()
  @ApiOperation({ summary: 'List my shops', description: 'The shops whose team the caller belongs to.' })
  @Answers([ShopDto], 'Shops retrieved')
  async list(@Auth() auth: AuthContext, @Query() query: PageQuery): Promise<Page<ShopDto>> {
    const page = await this.shops.list(auth, query);
    return page.map((shop) => toShopDto(shop, this.platformDomain));
  }

  @Get(':shopId')
  @RequirePermissions('shops:read')
  @ApiParam(SHOP_ID)
  @ApiOperation({ summary: 'Read a shop', description: 'The record with the settings behind it.' })
  @Answers(ShopDetailsDto, 'Shop retrieved')
  async get(@InShop() context: ShopContext): Promise<ShopDetailsDto> {
    return toShopDetailsDto(await this.shops.get(context), this.platformDomain);
  }

  @Put(':shopId/domain')
  @RequirePermissions('shops:write')
  @DocumentedErrors(409)
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'Claim a custom domain',
    description: 'Answers the TXT record to publish. Buyers see no change until the domain is verified.',
  })
  @Answers(ShopDetailsDto, 'Domain claimed; publish the TXT record, then verify')
  async claimDomain(@InShop() context: ShopContext, @Body() body: ClaimDomainDto): Promise<ShopDetailsDto> {
    return toShopDetailsDto(await this.domains.claim(context, body.hostname), this.platformDomain);
  }

  @Post(':shopId/domain/verify')
  @RequirePermissions('shops:write')
  @DocumentedErrors(409)
  @ApiParam(SHOP_ID)
  @ApiOperation({ summary: 'Verify the custom domain', description: 'Looks the TXT record up.' })
  @Answers(ShopDetailsDto, 'Domain verified')
  async verifyDomain(@InShop() context: ShopContext): Promise<ShopDetailsDto> {
    return toShopDetailsDto(await this.domains.verify(context), this.platformDomain);
  }

  @Delete(':shopId/domain')
  @RequirePermissions('shops:write')
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'Remove the custom domain',
    description: 'Back to the address below the platform. Without a custom domain nothing changes.',
  })
  @Answers(ShopDto, 'Custom domain removed')
  async removeDomain(@InShop() context: ShopContext): Promise<ShopDto> {
    return toShopDto(await this.domains.remove(context), this.platformDomain);
  }
}
