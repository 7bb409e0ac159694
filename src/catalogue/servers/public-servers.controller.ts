import { Controller, Get, Header, Param, Query, UseInterceptors } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { PageQuery } from '../../http/paging/page.query.dto.js';
import { EtagInterceptor } from '../../http/responses/etag.interceptor.js';
import { Public, PublicOrKey } from '../../http/routes/access.decorators.js';
import { DocumentedErrors } from '../../http/routes/documented-errors.decorator.js';
import { SERVER_ID, SHOP_ID } from '../../http/routes/path-parameters.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { RateLimit } from '../../http/throttling/rate-limit.decorator.js';
import { ObjectIdPipe } from '../../http/validation/object-id.pipe.js';
import { type Page } from '../../lib/paging/page.js';
import { ListedServerDto } from './dto/listed-server.dto.js';
import { ServerStatusDto } from './dto/server-status.dto.js';
import { toListedServerDto, toServerStatusDto } from './server.mapper.js';
import { ServersService } from './servers.service.js';
import { StatusEtagInterceptor } from './status-etag.interceptor.js';

/** What everybody may know about game servers. */
@ApiTags('Servers')
@Controller('servers/public')
export class PublicServersController {
  constructor(private readonly servers: ServersService) {}

  @Get('by-shop/:shopId')
  @PublicOrKey('servers:read')
  @DocumentedErrors('shop_not_found')
  @RateLimit('publicShop')
  @UseInterceptors(EtagInterceptor)
  @Header('Cache-Control', 'public, max-age=10')
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'List the servers for buyers',
    description:
      'The servers of an open shop that are not hidden, with the address where players connect and the status; newest first. A request ' +
      'with `If-None-Match` may get 304.',
  })
  @RespondsWith([ListedServerDto], 'Servers retrieved')
  async listPublic(
    @Param('shopId', ObjectIdPipe) shopId: string,
    @Query() query: PageQuery,
  ): Promise<Page<ListedServerDto>> {
    return (await this.servers.publicList(shopId, query)).map(toListedServerDto);
  }

  @Get(':serverId/status')
  @Public()
  @DocumentedErrors('server_not_found')
  @RateLimit('publicStatus')
  @UseInterceptors(StatusEtagInterceptor)
  @Header('Cache-Control', 'public, max-age=10')
  @ApiParam(SERVER_ID)
  @ApiOperation({
    summary: 'Public server status',
    description:
      'The latest report of the plugin and its age. Unknown values are null. A matching `If-None-Match` returns 304.',
  })
  @RespondsWith(ServerStatusDto, 'Server status retrieved')
  async status(@Param('serverId', ObjectIdPipe) serverId: string): Promise<ServerStatusDto> {
    return toServerStatusDto(await this.servers.publicStatus(serverId));
  }
}
