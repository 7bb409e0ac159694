import { Body, Controller, Get, Param, Put, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { InShop, RequirePermissions } from '../../http/routes/access.decorators.js';
import { DocumentedErrors } from '../../http/routes/documented-errors.decorator.js';
import { BUYER_ADDRESS, SHOP_ID } from '../../http/routes/path-parameters.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { ObjectIdPipe } from '../../http/validation/object-id.pipe.js';
import { type Page } from '../../lib/paging/page.js';
import { toBuyerDetailsDto, toBuyerDto } from './buyer-profile.mapper.js';
import { BuyerProfilesService } from './buyer-profiles.service.js';
import { BuyerDetailsDto, BuyerDto, SetBuyerNoteDto } from './dto/buyer-profile.dto.js';
import { ListBuyersQuery } from './dto/list-buyers.query.dto.js';

@ApiTags('Buyers')
@Controller('buyers/:shopId')
export class BuyerProfilesController {
  constructor(private readonly buyers: BuyerProfilesService) {}

  @Get()
  @RequirePermissions('orders:read')
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'List buyers',
    description:
      'Players or mailboxes with their sales: those with the latest orders first, or, with `q`, in alphabetical order. A sale is counted within a minute.',
  })
  @RespondsWith([BuyerDto], 'Buyers retrieved')
  async list(@InShop() context: ShopContext, @Query() query: ListBuyersQuery): Promise<Page<BuyerDto>> {
    const page = await this.buyers.list(context, query, query);
    return page.map((listed) => toBuyerDto(listed, context));
  }

  @Get(':key')
  @RequirePermissions('orders:read')
  @DocumentedErrors('buyer_not_found')
  @ApiParam(SHOP_ID)
  @ApiParam(BUYER_ADDRESS)
  @ApiOperation({
    summary: 'Get a buyer',
    description: 'A player or a mailbox with its sales, bans, disputes and the note of staff.',
  })
  @RespondsWith(BuyerDetailsDto, 'Buyer retrieved')
  async get(@InShop() context: ShopContext, @Param('key', ObjectIdPipe) key: string): Promise<BuyerDetailsDto> {
    return toBuyerDetailsDto(await this.buyers.get(context, key), context);
  }

  @Put(':key/note')
  @RequirePermissions('orders:write')
  @DocumentedErrors('buyer_not_found')
  @ApiParam(SHOP_ID)
  @ApiParam(BUYER_ADDRESS)
  @ApiOperation({
    summary: 'Write a note about a buyer',
    description:
      'Replaces the note, or removes it with null. Only staff see it, and an erasure of the buyer removes it.',
  })
  @RespondsWith(BuyerDetailsDto, 'Note saved')
  async setNote(
    @InShop() context: ShopContext,
    @Param('key', ObjectIdPipe) key: string,
    @Body() { note }: SetBuyerNoteDto,
  ): Promise<BuyerDetailsDto> {
    return toBuyerDetailsDto(await this.buyers.setNote(context, key, note), context);
  }
}
