import { Get, Param, Res } from '@nestjs/common';
import { type Response } from 'express';
import { orNotFound } from '../../domain/errors/or-not-found.js';
import { Public } from '../../http/routes/access.decorators.js';
import { RateLimit } from '../../http/throttling/rate-limit.decorator.js';
import { PAGES } from '../hosts/page-routing.js';
import { StorefrontController } from '../pages/storefront-controller.decorator.js';
import { sendFile } from '../../http/responses/compression.js';
import { Assets } from '../../infrastructure/templates/assets.js';

/** The pictures, fonts and module of the pages, for a year: another file has another address. */
@StorefrontController([PAGES.shop, PAGES.service].map((pages) => `${pages}/assets`))
export class AssetsController {
  constructor(private readonly assets: Assets) {}

  @Get(':hash/:name')
  @Public()
  @RateLimit('publicShop')
  async read(@Param('hash') hash: string, @Param('name') name: string, @Res() response: Response): Promise<void> {
    const { type, content } = orNotFound(this.assets.find(hash, name), 'page_not_found');
    response.set({ 'Content-Type': type, 'Cache-Control': 'public, max-age=31536000, immutable' });
    response.set('Vary', 'Accept-Encoding');
    if (!type.startsWith('font/')) await sendFile(response, content);
    else response.end(content);
  }
}
