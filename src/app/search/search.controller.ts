import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { SHOP_ID } from '../../http/routes/path-parameters.js';
import { InShop, RequireMembership } from '../../http/routes/access.decorators.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { SearchHitsDto, SearchQuery } from './dto/search.dto.js';
import { toSearchHitsDto } from './search.mapper.js';
import { MAX_HITS, SearchService } from './search.service.js';

@ApiTags('Shops')
@Controller('search/:shopId')
export class SearchController {
  constructor(private readonly hits: SearchService) {}

  @Get()
  @RequireMembership()
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'Search a shop',
    description:
      `For one search box: up to ${MAX_HITS} orders, players, products and discount codes that \`q\` finds, by the rules of the \`q\` of each ` +
      'list, the newest first, and players by their names. A kind is null for a caller without the permission to read it.',
  })
  @RespondsWith(SearchHitsDto, 'Shop searched')
  async search(@InShop() context: ShopContext, @Query() { q }: SearchQuery): Promise<SearchHitsDto> {
    return toSearchHitsDto(await this.hits.search(context, q));
  }
}
