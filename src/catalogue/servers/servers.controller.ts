import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { InShop, PublicView, RequirePermissions, WithinServers } from '../../http/routes/access.decorators.js';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { DocumentedErrors } from '../../http/routes/documented-errors.decorator.js';
import { RespondsWith } from '../../http/routes/responds-with.decorator.js';
import { type Page } from '../../lib/paging/page.js';
import { PageQuery } from '../../http/paging/page.query.dto.js';
import { SERVER_ID, SHOP_ID } from '../../http/routes/path-parameters.js';
import { ObjectIdPipe } from '../../http/validation/object-id.pipe.js';
import { CreateServerDto } from './dto/create-server.dto.js';
import { HeartbeatResponseDto, HeartbeatDto } from './dto/heartbeat.dto.js';
import { PublicServerDto } from './dto/public-server.dto.js';
import { ServerDto } from './dto/server.dto.js';
import { UpdateServerDto } from './dto/update-server.dto.js';
import { HEARTBEAT_SECONDS } from './server-status.js';
import { toServerDto, toServerView } from './server.mapper.js';
import { ServersService } from './servers.service.js';

@ApiTags('Servers')
@Controller('servers')
export class ServersController {
  constructor(private readonly servers: ServersService) {}

  @Post(':shopId')
  @RequirePermissions('servers:write')
  @DocumentedErrors('quota_reached')
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'Create a game server',
    description: 'A server whose plugin reports heartbeats and delivers orders.',
  })
  @RespondsWith(ServerDto, 'Server created')
  async create(@InShop() context: ShopContext, @Body() body: CreateServerDto): Promise<ServerDto> {
    return toServerDto(await this.servers.create(context, body));
  }

  @Get(':shopId')
  @RequirePermissions('servers:read')
  @WithinServers()
  @PublicView()
  @ApiParam(SHOP_ID)
  @ApiOperation({
    summary: 'List game servers',
    description:
      'All servers of the shop, or those that the API key is restricted to; newest first. A storefront key gets the public ' +
      'view of those that are not hidden.',
  })
  @RespondsWith([ServerDto], 'Servers retrieved', PublicServerDto)
  async list(@InShop() context: ShopContext, @Query() query: PageQuery): Promise<Page<ServerDto | PublicServerDto>> {
    const page = await this.servers.list(context, query);
    return page.map((server) => toServerView(server, context));
  }

  @Get(':shopId/:serverId')
  @RequirePermissions('servers:read')
  @DocumentedErrors('server_not_found')
  @PublicView()
  @ApiParam(SHOP_ID)
  @ApiParam(SERVER_ID)
  @ApiOperation({
    summary: 'Read a game server',
    description:
      'One server with the time of its last heartbeat. A storefront key gets the public view, and 404 for a hidden server.',
  })
  @RespondsWith(ServerDto, 'Server retrieved', PublicServerDto)
  async get(
    @InShop() context: ShopContext,
    @Param('serverId', ObjectIdPipe) serverId: string,
  ): Promise<ServerDto | PublicServerDto> {
    return toServerView(await this.servers.get(context, serverId), context);
  }

  @Patch(':shopId/:serverId')
  @RequirePermissions('servers:write')
  @DocumentedErrors('server_not_found')
  @ApiParam(SHOP_ID)
  @ApiParam(SERVER_ID)
  @ApiOperation({ summary: 'Change a game server', description: 'Changes the fields that the body contains.' })
  @RespondsWith(ServerDto, 'Server updated')
  async update(
    @InShop() context: ShopContext,
    @Param('serverId', ObjectIdPipe) serverId: string,
    @Body() body: UpdateServerDto,
  ): Promise<ServerDto> {
    return toServerDto(await this.servers.update(context, serverId, body));
  }

  @Delete(':shopId/:serverId')
  @RequirePermissions('servers:write')
  @DocumentedErrors('server_not_found')
  @ApiParam(SHOP_ID)
  @ApiParam(SERVER_ID)
  @ApiOperation({
    summary: 'Delete a game server',
    description:
      'Orders can no longer be placed for it, and its plugin gets 404. Deliveries that wait for it fail in the background, and ' +
      'owners get an email about each order. Statistics still count its orders. Products and discounts that name it do not ' +
      'become valid for other servers.',
  })
  @RespondsWith(ServerDto, 'Server deleted')
  async delete(@InShop() context: ShopContext, @Param('serverId', ObjectIdPipe) serverId: string): Promise<ServerDto> {
    return toServerDto(await this.servers.delete(context, serverId));
  }

  @Post(':shopId/:serverId/heartbeat')
  @RequirePermissions('servers:report')
  @DocumentedErrors('server_not_found')
  @ApiParam(SHOP_ID)
  @ApiParam(SERVER_ID)
  @ApiOperation({
    summary: 'Report a heartbeat',
    description:
      'The plugin reports players, version and latency. Too large and too long values are cut, never rejected. While it cannot deliver, it ' +
      'reports only a `problem`, which is no sign of life: staff see it, and after 90 seconds the server is offline. A key that leases ' +
      'deliveries has the permission too.',
  })
  @RespondsWith(HeartbeatResponseDto, 'Heartbeat received')
  async beat(
    @InShop() context: ShopContext,
    @Param('serverId', ObjectIdPipe) serverId: string,
    @Body() body: HeartbeatDto,
  ): Promise<HeartbeatResponseDto> {
    await this.servers.recordHeartbeat(context, serverId, body.report);
    return { nextHeartbeatSeconds: HEARTBEAT_SECONDS };
  }
}
