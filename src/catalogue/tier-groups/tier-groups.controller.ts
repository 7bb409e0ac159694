import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { SortedPageQuery } from '../../http/paging/sorted-page.query.dto.js';
import { InShop, RequirePermissions } from '../../http/routes/access.decorators.js';
import { DocumentedErrors } from '../../http/routes/documented-errors.decorator.js';
import { SHOP_ID, TIER_GROUP_ID } from '../../http/routes/path-parameters.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { ObjectIdPipe } from '../../http/validation/object-id.pipe.js';
import { type Page } from '../../lib/paging/page.js';
import { CreateTierGroupDto } from './dto/create-tier-group.dto.js';
import { TierGroupDto } from './dto/tier-group.dto.js';
import { UpdateTierGroupDto } from './dto/update-tier-group.dto.js';
import { toTierGroupDto } from './tier-group.mapper.js';
import { TierGroupsService } from './tier-groups.service.js';

@ApiTags('Tier groups')
@Controller('tier-groups/:shopId')
export class TierGroupsController {
  constructor(private readonly groups: TierGroupsService) {}

  @Post()
  @RequirePermissions('products:write')
  @DocumentedErrors('tiers_not_alike', 'product_not_found', 'product_in_group', 'quota_reached')
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'Make a group of tiers',
    description:
      'Products of which a player owns one at a time, such as ranks. Who owns a lower tier pays the difference for a higher one. What was ' +
      'bought before counts, too.',
  })
  @RespondsWith(TierGroupDto, 'Tier group created')
  async create(@InShop() context: ShopContext, @Body() body: CreateTierGroupDto): Promise<TierGroupDto> {
    return toTierGroupDto(await this.groups.create(context, body));
  }

  @Get()
  @RequirePermissions('products:read')
  @ApiParam(SHOP_ID)
  @ApiOperation({ summary: 'List groups of tiers', description: 'Newest first.' })
  @RespondsWith([TierGroupDto], 'Tier groups retrieved')
  async list(@InShop() context: ShopContext, @Query() query: SortedPageQuery): Promise<Page<TierGroupDto>> {
    const page = await this.groups.list(context, query);
    return page.map(toTierGroupDto);
  }

  @Patch(':groupId')
  @RequirePermissions('products:write')
  @DocumentedErrors('tiers_not_alike', 'product_not_found', 'tier_group_not_found', 'product_in_group')
  @ApiParam(SHOP_ID)
  @ApiParam(TIER_GROUP_ID)
  @ApiOperation({
    summary: 'Change a group of tiers',
    description: 'Its name, its tiers or their order. Open orders keep their price.',
  })
  @RespondsWith(TierGroupDto, 'Tier group updated')
  async update(
    @InShop() context: ShopContext,
    @Param('groupId', ObjectIdPipe) groupId: string,
    @Body() body: UpdateTierGroupDto,
  ): Promise<TierGroupDto> {
    return toTierGroupDto(await this.groups.update(context, groupId, body));
  }

  @Delete(':groupId')
  @RequirePermissions('products:write')
  @DocumentedErrors('tier_group_not_found')
  @ApiParam(SHOP_ID)
  @ApiParam(TIER_GROUP_ID)
  @ApiOperation({
    summary: 'Delete a group of tiers',
    description: 'Its products are sold for their full price to everybody then. What players own stays.',
  })
  @RespondsWith(TierGroupDto, 'Tier group deleted')
  async delete(@InShop() context: ShopContext, @Param('groupId', ObjectIdPipe) groupId: string): Promise<TierGroupDto> {
    return toTierGroupDto(await this.groups.delete(context, groupId));
  }
}
