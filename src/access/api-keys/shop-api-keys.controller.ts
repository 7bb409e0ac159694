import { Controller, Delete, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { InShop, RequirePermissions } from '../../http/routes/access.decorators.js';
import { DocumentedErrors } from '../../http/routes/documented-errors.decorator.js';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { type Page } from '../../lib/paging/page.js';
import { KEY_ID, SHOP_ID } from '../../http/routes/path-parameters.js';
import { ObjectIdPipe } from '../../http/validation/object-id.pipe.js';
import { toApiKeyDetailsDto } from './api-key.mapper.js';
import { ApiKeysService } from './api-keys.service.js';
import { KeyRevocationsService } from './key-revocations.service.js';
import { ApiKeyDetailsDto } from './dto/api-key.dto.js';
import { ListShopApiKeysQuery } from './dto/list-api-keys.query.dto.js';

/** The keys of all people in a shop, for members who manage its team. */
@ApiTags('API keys')
@Controller('shops/:shopId/api-keys')
export class ShopApiKeysController {
  constructor(
    private readonly keys: ApiKeysService,
    private readonly revocations: KeyRevocationsService,
  ) {}

  @Get()
  @RequirePermissions('team:write')
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'List the API keys of the shop',
    description: 'Of all members, newest first. `createdBy` names the person. Includes revoked and expired keys.',
  })
  @RespondsWith([ApiKeyDetailsDto], 'API keys retrieved')
  async list(@InShop() context: ShopContext, @Query() query: ListShopApiKeysQuery): Promise<Page<ApiKeyDetailsDto>> {
    const page = await this.keys.listInShop(context, query, query);
    return page.map(toApiKeyDetailsDto);
  }

  @Delete(':keyId')
  @RequirePermissions('team:write')
  @DocumentedErrors('api_key_not_found')
  @ApiParam(SHOP_ID)
  @ApiParam(KEY_ID)
  @ApiOperation({
    summary: 'Revoke an API key of the shop',
    description:
      'The key of any member stops working at once and forever, with all its secrets. Revoking it again changes nothing.',
  })
  @RespondsWith(ApiKeyDetailsDto, 'API key revoked')
  async revoke(@InShop() context: ShopContext, @Param('keyId', ObjectIdPipe) keyId: string): Promise<ApiKeyDetailsDto> {
    return toApiKeyDetailsDto(await this.revocations.revokeInShop(context, keyId));
  }
}
