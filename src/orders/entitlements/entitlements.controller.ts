import { Controller, Get, Query, UseInterceptors } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { EtagInterceptor } from '../../http/responses/etag.interceptor.js';
import { InShop, RequirePermissions, WithinServers } from '../../http/routes/access.decorators.js';
import { DocumentedErrors } from '../../http/routes/documented-errors.decorator.js';
import { SHOP_ID } from '../../http/routes/path-parameters.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { type Page } from '../../lib/paging/page.js';
import { EntitlementDto, OwnedProductDto } from './dto/entitlement.dto.js';
import { CheckEntitlementQuery, ListEntitlementsQuery } from './dto/list-entitlements.query.dto.js';
import { EntitlementListService } from './entitlement-list.service.js';
import { toEntitlementDto, toOwnedProductDto } from './entitlement.mapper.js';

@ApiTags('Entitlements')
@Controller('entitlements/:shopId')
@UseInterceptors(EtagInterceptor)
export class EntitlementsController {
  constructor(private readonly entitlements: EntitlementListService) {}

  @Get()
  @RequirePermissions('entitlements:read')
  @WithinServers()
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'List entitlements',
    description:
      'Who owns what, on which game server, since when and until when: one record for each item of a paid order, the latest change first. To ' +
      'follow the changes, request `state=all&sort=oldest&changedSince=` with a time that is 10 seconds before the latest `changedAt` that ' +
      'you have. With `If-None-Match`, an unchanged page is 304. An API key that is restricted to game servers sees what is owned there or ' +
      'on all, and what waits for any.',
  })
  @RespondsWith([EntitlementDto], 'Entitlements retrieved')
  async list(@InShop() context: ShopContext, @Query() query: ListEntitlementsQuery): Promise<Page<EntitlementDto>> {
    return (await this.entitlements.list(context, query, query)).map(toEntitlementDto);
  }

  @Get('check')
  @RequirePermissions('entitlements:read')
  @WithinServers()
  @DocumentedErrors('product_not_found')
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'Check what a player owns',
    description:
      'Whether a player has a product now and until when, by all purchases that count as it. A higher tier of its group is as good. An id that ' +
      'the shop does not have is owned by nobody; an unknown slug is 404.',
  })
  @RespondsWith(OwnedProductDto, 'Ownership checked')
  async check(@InShop() context: ShopContext, @Query() query: CheckEntitlementQuery): Promise<OwnedProductDto> {
    return toOwnedProductDto(await this.entitlements.check(context, query));
  }
}
