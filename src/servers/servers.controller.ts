import { Body, Controller, Delete, Get, Header, Param, Patch, Post, Query, UseInterceptors } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { InShop, Public, RequirePermissions, WithinServers } from '../common/auth/access.decorators.js';
import { type ShopContext } from '../common/auth/auth-context.js';
import { DocumentedErrors } from '../common/errors/documented-errors.decorator.js';
import { Answers } from '../common/http/answers.decorator.js';
import { type Page } from '../common/http/page.js';
import { PageQuery } from '../common/http/page.query.dto.js';
import { SERVER_ID, SHOP_ID } from '../common/http/path-parameters.js';
import { RateLimit } from '../common/throttling/rate-limit.decorator.js';
import { ObjectIdPipe } from '../common/validation/object-id.js';
import { CreateServerDto } from './dto/create-server.dto.js';
import { HeartbeatAnswerDto, HeartbeatDto } from './dto/heartbeat.dto.js';
import { ServerDto } from './dto/server.dto.js';
import { ServerStatusDto } from './dto/server-status.dto.js';
import { UpdateServerDto } from './dto/update-server.dto.js';
import { HEARTBEAT_SECONDS } from './server-status.js';
import { toServerDto, toServerStatusDto } from './server.mapper.js';
import { ServersService } from './servers.service.js';
import { StatusEtagInterceptor } from './status-etag.interceptor.js';

@ApiTags('Servers')
@Controller('servers')
export class ServersController {
  constructor(private readonly servers: ServersService) {}

  @Get('public/:serverId/status')
  @Public()
  @RateLimit('publicStatus')
  @UseInterceptors(StatusEtagInterceptor)
  @Header('Cache-Control', 'public, max-age=10')
  @ApiParam(SERVER_ID)
  @ApiOperation({
    summary: 'Public server status',
    description:
      'The last report of the plugin and its age. Unknown values are null. A matching `If-None-Match` returns 304.',
  })
  @Answers(ServerStatusDto, 'Server status retrieved')
  async status(@Param('serverId', ObjectIdPipe) serverId: string): Promise<ServerStatusDto> {
    return toServerStatusDto(await this.servers.publicStatus(serverId));
  }

  @Post(':shopId')
  @RequirePermissions('servers:write')
  @DocumentedErrors(409)
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'Create a game server',
    description: 'A server whose plugin reports heartbeats and delivers orders.',
  })
  @Answers(ServerDto, 'Server created')
  async create(@InShop() context: ShopContext, @Body() body: CreateServerDto): Promise<ServerDto> {
    return toServerDto(await this.servers.create(context, body));
  }

  @Get(':shopId')
  @RequirePermissions('servers:read')
  @WithinServers()
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'List game servers',
    description: 'All servers of the shop, or those that the API key is bound to; newest first.',
  })
  @Answers([ServerDto], 'Servers retrieved')
  async list(@InShop() context: ShopContext, @Query() query: PageQuery): Promise<Page<ServerDto>> {
    const page = await this.servers.list(context, query);
    return page.map(toServerDto);
  }

  @Get(':shopId/:serverId')
  @RequirePermissions('servers:read')
  @ApiParam(SHOP_ID)
  @ApiParam(SERVER_ID)
  @ApiOperation({ summary: 'Read a game server', description: 'One server with the time of its last heartbeat.' })
  @Answers(ServerDto, 'Server retrieved')
  async get(@InShop() context: ShopContext, @Param('serverId', ObjectIdPipe) serverId: string): Promise<ServerDto> {
    return toServerDto(await this.servers.get(context, serverId));
  }

  @Patch(':shopId/:serverId')
  @RequirePermissions('servers:write')
  @ApiParam(SHOP_ID)
  @ApiParam(SERVER_ID)
  @ApiOperation({ summary: 'Change a game server', description: 'Changes the fields that the body contains.' })
  @Answers(ServerDto, 'Server updated')
  async update(
    @InShop() context: ShopContext,
    @Param('serverId', ObjectIdPipe) serverId: string,
    @Body() body: UpdateServerDto,
  ): Promise<ServerDto> {
    return toServerDto(await this.servers.update(context, serverId, body));
  }

  @Delete(':shopId/:serverId')
  @RequirePermissions('servers:write')
  @ApiParam(SHOP_ID)
  @ApiParam(SERVER_ID)
  @ApiOperation({
    summary: 'Delete a game server',
    description:
      'Nobody can order for it any more, and its plugin gets 404. Statistics still count its orders. Products and discounts ' +
      'that name it do not become valid for other servers.',
  })
  @Answers(ServerDto, 'Server deleted')
  async delete(@InShop() context: ShopContext, @Param('serverId', ObjectIdPipe) serverId: string): Promise<ServerDto> {
    return toServerDto(await this.servers.delete(context, serverId));
  }

  @Post(':shopId/:serverId/heartbeat')
  @RequirePermissions('servers:write')
  @ApiParam(SHOP_ID)
  @ApiParam(SERVER_ID)
  @ApiOperation({ summary: 'Report a heartbeat', description: 'The plugin reports players, version and latency.' })
  @Answers(HeartbeatAnswerDto, 'Heartbeat received')
  async beat(
    @InShop() context: ShopContext,
    @Param('serverId', ObjectIdPipe) serverId: string,
    @Body() { onlinePlayers, maxPlayers, version = null, latencyMs = null }: HeartbeatDto,
  ): Promise<HeartbeatAnswerDto> {
    await this.servers.beat(context, serverId, { onlinePlayers, maxPlayers, version, latencyMs });
    return { nextHeartbeatSeconds: HEARTBEAT_SECONDS };
  }
}
