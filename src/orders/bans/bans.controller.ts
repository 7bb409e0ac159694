import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { InShop, RequirePermissions } from '../../http/routes/access.decorators.js';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { DocumentedErrors } from '../../http/routes/documented-errors.decorator.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { type Page } from '../../lib/paging/page.js';
import { BAN_ID, SHOP_ID } from '../../http/routes/path-parameters.js';
import { ObjectIdPipe } from '../../http/validation/object-id.pipe.js';
import { toBanDto } from './ban.mapper.js';
import { BansService } from './bans.service.js';
import { ListBansQuery } from './dto/list-bans.query.dto.js';
import { BanDto, CreateBanDto } from './dto/ban.dto.js';

@ApiTags('Bans')
@Controller('bans/:shopId')
export class BansController {
  constructor(private readonly bans: BansService) {}

  @Post()
  @RequirePermissions('orders:write')
  @DocumentedErrors('already_banned', 'quota_reached')
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'Ban a buyer',
    description: 'Rejects the checkouts of a player or of a mailbox. Existing orders are not changed.',
  })
  @RespondsWith(BanDto, 'Buyer banned')
  async create(@InShop() context: ShopContext, @Body() body: CreateBanDto): Promise<BanDto> {
    return toBanDto(await this.bans.create(context, body), context);
  }

  @Get()
  @RequirePermissions('orders:read')
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'List bans',
    description: 'Newest first, with any combination of filters; also bans that have ended.',
  })
  @RespondsWith([BanDto], 'Bans retrieved')
  async list(@InShop() context: ShopContext, @Query() query: ListBansQuery): Promise<Page<BanDto>> {
    const page = await this.bans.list(context, query, query);
    return page.map((ban) => toBanDto(ban, context));
  }

  @Delete(':banId')
  @RequirePermissions('orders:write')
  @DocumentedErrors('ban_not_found')
  @ApiParam(SHOP_ID)
  @ApiParam(BAN_ID)
  @ApiOperation({ summary: 'End a ban', description: 'The buyer can order again at once.' })
  @RespondsWith(BanDto, 'Ban ended')
  async delete(@InShop() context: ShopContext, @Param('banId', ObjectIdPipe) banId: string): Promise<BanDto> {
    return toBanDto(await this.bans.delete(context, banId), context);
  }
}
