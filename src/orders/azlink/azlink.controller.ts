import { Body, Controller, Get, HttpCode, Param, Post, Res, StreamableFile, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { type Response } from 'express';
import { type ShopContext } from '../../domain/principal/auth-context.js';
import { InShop, LinkedServer } from '../../http/routes/access.decorators.js';
import { ObjectIdPipe } from '../../http/validation/object-id.pipe.js';
import { AzLinkErrorFilter } from './azlink-error.filter.js';
import { AzLinkService } from './azlink.service.js';

/** JSON in the form of Azuriom, which has no envelope. */
function inTheirForm(value: object): StreamableFile {
  const body = Buffer.from(JSON.stringify(value));
  return new StreamableFile(body, { type: 'application/json; charset=utf-8', length: body.length });
}

/** What the plugins of AzLink request. They know only the address and the form of Azuriom (https://github.com/Azuriom/AzLink). */
@ApiExcludeController()
@Controller('azlink/:serverId/api/azlink')
@UseFilters(AzLinkErrorFilter)
export class AzLinkController {
  constructor(private readonly azLink: AzLinkService) {}

  @Get()
  @LinkedServer('deliveries:write', 'servers:report')
  async check(
    @InShop() context: ShopContext,
    @Param('serverId', ObjectIdPipe) serverId: string,
  ): Promise<StreamableFile> {
    return inTheirForm({ status: 'success', game: await this.azLink.gameOf(context, serverId) });
  }

  @Post()
  @HttpCode(200)
  @LinkedServer('deliveries:write', 'servers:report')
  async poll(
    @InShop() context: ShopContext,
    @Param('serverId', ObjectIdPipe) serverId: string,
    @Body() body: unknown,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StreamableFile> {
    const { commands, settle } = await this.azLink.poll(context, serverId, body);
    // `finish`: all of it is with the operating system. A connection that ends earlier has only `close`.
    if (response.destroyed || response.writableEnded) void settle(false);
    else response.once('close', () => void settle(response.writableFinished));
    return inTheirForm({ game: 'minecraft', retry: false, commands: Object.fromEntries(commands), users: [] });
  }
}
