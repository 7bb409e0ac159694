import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Auth, Authenticated, InShop, PublicView, RequirePermissions } from '../../http/routes/access.decorators.js';
import { type AuthContext, type ShopContext } from '../../domain/principal/auth-context.js';
import { DocumentedErrors } from '../../http/routes/documented-errors.decorator.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { type Page } from '../../lib/paging/page.js';
import { PageQuery } from '../../http/paging/page.query.dto.js';
import { SHOP_ID } from '../../http/routes/path-parameters.js';
import { AppConfig } from '../../infrastructure/config/app-config.js';
import { CreateShopDto } from './dto/create-shop.dto.js';
import { OwnShopDto, PublicShopDto, ShopDetailsDto, ShopDto } from './dto/shop.dto.js';
import { UpdateShopDto } from './dto/update-shop.dto.js';
import { ChecksVersion, IfMatch } from '../../http/routes/versions.decorators.js';
import { type ExpectedVersions } from '../../domain/errors/require-version.js';
import { type WithVersion } from '../../http/responses/with-version.js';
import { toOwnShopDto, toShopDto, toShopView, toVersionedShop } from './shop.mapper.js';
import { ShopsService } from './shops.service.js';

@ApiTags('Shops')
@Controller('shops')
export class ShopsController {
  private readonly platformDomain: string;

  constructor(
    private readonly shops: ShopsService,
    config: AppConfig,
  ) {
    this.platformDomain = config.platformDomain;
  }

  @Post()
  @Authenticated()
  @DocumentedErrors('image_not_found', 'shop_name_taken', 'already_member', 'quota_reached')
  @ApiOperation({ summary: 'Create a shop', description: 'The caller becomes its owner.' })
  @RespondsWith(ShopDetailsDto, 'Shop created')
  async create(@Auth() auth: AuthContext, @Body() body: CreateShopDto): Promise<WithVersion<ShopDetailsDto>> {
    return toVersionedShop(await this.shops.create(auth, body), this.platformDomain);
  }

  @Get()
  @Authenticated()
  @ApiOperation({
    summary: 'List my shops',
    description: 'The shops whose team the caller belongs to, with the role and the permissions of the caller in each.',
  })
  @RespondsWith([OwnShopDto], 'Shops retrieved')
  async list(@Auth() auth: AuthContext, @Query() query: PageQuery): Promise<Page<OwnShopDto>> {
    const page = await this.shops.list(auth, query);
    return page.map((shop) => toOwnShopDto(shop, this.platformDomain));
  }

  @Get(':shopId')
  @RequirePermissions('shops:read')
  @PublicView()
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'Read a shop',
    description:
      'The record with the settings behind it, and an `ETag` for `If-Match`. A storefront key gets the public view.',
  })
  @RespondsWith(ShopDetailsDto, 'Shop retrieved', PublicShopDto)
  async get(@InShop() context: ShopContext): Promise<WithVersion<ShopDetailsDto> | PublicShopDto> {
    return toShopView(await this.shops.get(context), this.platformDomain, context);
  }

  @Patch(':shopId')
  @RequirePermissions('shops:write')
  @DocumentedErrors('image_not_found', 'compare_at_not_allowed', 'quota_reached')
  @ChecksVersion()
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'Change a shop',
    description: 'Changes the settings that the body contains. The unique name and the currency cannot change.',
  })
  @RespondsWith(ShopDetailsDto, 'Shop updated')
  async update(
    @InShop() context: ShopContext,
    @Body() body: UpdateShopDto,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<WithVersion<ShopDetailsDto>> {
    return toVersionedShop(await this.shops.update(context, body, expected), this.platformDomain);
  }

  @Delete(':shopId')
  @RequirePermissions('shops:write')
  @ChecksVersion()
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'Deactivate a shop',
    description:
      'Only for owners, with a bearer token. The shop is closed to the public. Its team keeps access, and paid orders are still delivered.',
  })
  @RespondsWith(ShopDto, 'Shop deactivated')
  async deactivate(@InShop() context: ShopContext, @IfMatch() expected: ExpectedVersions): Promise<ShopDto> {
    return toShopDto(await this.shops.setActive(context, false, expected), this.platformDomain);
  }

  @Post(':shopId/reactivate')
  @RequirePermissions('shops:write')
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'Reactivate a shop',
    description: 'Only for owners, with a bearer token. The shop is open to the public again.',
  })
  @RespondsWith(ShopDto, 'Shop reactivated')
  async reactivate(@InShop() context: ShopContext): Promise<ShopDto> {
    return toShopDto(await this.shops.setActive(context, true), this.platformDomain);
  }
}
