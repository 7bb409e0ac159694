import { Get, Param, Req, Res } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { orNotFound } from '../../domain/errors/or-not-found.js';
import { sendCompressed } from '../../http/responses/compression.js';
import { Public } from '../../http/routes/access.decorators.js';
import { RateLimit } from '../../http/throttling/rate-limit.decorator.js';
import { visitOf } from '../hosts/page-router.js';
import { PAGES } from '../hosts/page-routing.js';
import { StorefrontController } from '../pages/storefront-controller.decorator.js';
import { ConsoleFiles, type Encoding } from './console-files.js';

/** The console for owners and their teams (packages/console). It calls the API as every other client does. */
@StorefrontController(`${PAGES.service}/console`)
export class ConsoleController {
  constructor(private readonly files: ConsoleFiles) {}

  /** A missing asset is a 404 and never the HTML: an old tab must see that its version is gone. */
  @Get('assets/*name')
  @Public()
  @RateLimit('publicImage')
  async asset(@Param('name') name: string[], @Req() request: Request, @Res() response: Response): Promise<void> {
    const wanted = (request.acceptsEncodings('br', 'gzip') || 'identity') as Encoding;
    const file = orNotFound(await this.files.asset(name.join('/'), wanted), 'page_not_found');
    response.set({
      'Content-Type': file.type,
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Content-Length': String(file.content.length),
      Vary: 'Accept-Encoding',
    });
    if (file.encoding !== 'identity') response.set('Content-Encoding', file.encoding);
    response.end(request.method === 'HEAD' ? undefined : file.content);
  }

  @Get(['', '*path'])
  @Public()
  @RateLimit('publicShop')
  async page(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { html, policy } = await this.files.page(visitOf(request).root);
    response.set({
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': policy,
      'Content-Type': 'text/html; charset=utf-8',
      Vary: 'Accept-Encoding',
    });
    await sendCompressed(response, Buffer.from(html));
  }
}
