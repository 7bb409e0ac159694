import { Get, Req, Res } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { API_PREFIX } from '../../http/addresses/api-prefix.js';
import { Public } from '../../http/routes/access.decorators.js';
import { RateLimit } from '../../http/throttling/rate-limit.decorator.js';
import { AppConfig } from '../../infrastructure/config/app-config.js';
import { DEMO_NAME } from '../../shops/shops/demo-name.js';
import { PublicShopsService } from '../../shops/shops/public-shops.service.js';
import { visitOf } from '../hosts/page-router.js';
import { PAGES } from '../hosts/page-routing.js';
import { PageFrame } from './page-frame.js';
import { chosenLanguage } from './shop-visits.service.js';
import { STOREFRONT_COPY } from './storefront-copy.js';
import { StorefrontController } from './storefront-controller.decorator.js';
import { sendPage } from './storefront-page.js';

/** The first page of the service itself: it says what runs here, and leads to the demo shop and to the pages of the API. */
@StorefrontController(PAGES.service)
export class FrontPageController {
  constructor(
    private readonly config: AppConfig,
    private readonly shops: PublicShopsService,
    private readonly frame: PageFrame,
  ) {}

  @Get()
  @Public()
  @RateLimit('publicShop')
  async show(@Req() request: Request, @Res() response: Response): Promise<void> {
    const visit = visitOf(request);
    const language = chosenLanguage(request, null);
    const copy = STOREFRONT_COPY[language];
    const api = { label: copy.apiPages, url: `${visit.root}/${API_PREFIX}/docs` };
    const demo = { label: copy.demoShop, url: `${visit.root}/shops/${DEMO_NAME}/` };
    const console = { label: copy.console, url: `${visit.root}/console` };
    const { environment, mailServer, dataDir } = this.config;
    const isPrivate = environment !== 'production';
    // No visitor of a real service learns where its files are.
    const small = isPrivate && mailServer === 'files' ? copy.mailsAt(`${dataDir}/mail`) : '';
    const actions = isPrivate && (await this.shops.isNamed(DEMO_NAME)) ? [console, demo, api] : [console, api];
    const context = { visit, language, shop: null, categories: [], pieces: 0 };
    const values = { picture: this.frame.picture(visit, 'logo.svg'), heading: 'Shop Platform', text: copy.frontText };
    const page = this.frame.render('plain', context, { title: 'Shop Platform' }, { ...values, small, actions });
    await sendPage(request, response, page);
  }
}
