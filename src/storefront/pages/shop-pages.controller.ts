import { Get, Param, Query, Req, Res } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { sendCompressed } from '../../http/responses/compression.js';
import { Public } from '../../http/routes/access.decorators.js';
import { RateLimit } from '../../http/throttling/rate-limit.decorator.js';
import { PAGES } from '../hosts/page-routing.js';
import { ShopPagesService } from './shop-pages.service.js';
import { ShopVisitsService } from './shop-visits.service.js';
import { StorefrontController } from './storefront-controller.decorator.js';
import { sendPage } from './storefront-page.js';

/** The pages of a shop on which visitors look around. */
@StorefrontController(PAGES.shop)
export class ShopPagesController {
  constructor(
    private readonly pages: ShopPagesService,
    private readonly visits: ShopVisitsService,
  ) {}

  @Get()
  @Public()
  @RateLimit('publicShop')
  async home(@Req() request: Request, @Res() response: Response): Promise<void> {
    await sendPage(request, response, await this.pages.home(await this.visits.of(request, response)));
  }

  @Get('c/:slug')
  @Public()
  @RateLimit('publicShop')
  async category(
    @Param('slug') slug: string,
    @Query('after') after: unknown,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const context = await this.visits.of(request, response);
    await sendPage(request, response, await this.pages.category(context, slug, after));
  }

  @Get('p/:slug')
  @Public()
  @RateLimit('publicShop')
  async product(@Param('slug') slug: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    await sendPage(request, response, await this.pages.product(await this.visits.of(request, response), slug));
  }

  @Get('search')
  @Public()
  @RateLimit('publicShop')
  async search(
    @Query('q') words: unknown,
    @Query('after') after: unknown,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const context = await this.visits.of(request, response);
    await sendPage(request, response, await this.pages.search(context, words, after));
  }

  @Get('legal/:name')
  @Public()
  @RateLimit('publicShop')
  async legal(@Param('name') name: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    await sendPage(request, response, this.pages.legal(await this.visits.of(request, response), name));
  }

  @Get('robots.txt')
  @Public()
  @RateLimit('publicShop')
  async robots(@Req() request: Request, @Res() response: Response): Promise<void> {
    const robots = this.pages.robots(await this.visits.of(request));
    response.set({ 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'public, max-age=3600' });
    response.end(robots);
  }

  @Get('sitemap.xml')
  @Public()
  @RateLimit('publicShop')
  async sitemap(@Req() request: Request, @Res() response: Response): Promise<void> {
    const sitemap = await this.pages.sitemap(await this.visits.of(request));
    response.set({
      'Content-Type': 'application/xml',
      'Cache-Control': 'public, max-age=3600',
      Vary: 'Accept-Encoding',
    });
    await sendCompressed(response, Buffer.from(sitemap));
  }
}
