import { Get, Param, Res } from '@nestjs/common';
import { type Response } from 'express';
import { Public } from '../../http/routes/access.decorators.js';
import { PAGE_PATHS } from '../../http/addresses/page-links.js';
import { OldOrderLinksService } from './old-order-links.service.js';
import { PageController } from './page-controller.decorator.js';
import { OpensPage } from './page-session.guard.js';

/** The links of emails from the time when the page of an order was below the API. */
@PageController(PAGE_PATHS.orders)
export class OldOrderLinksController {
  constructor(private readonly links: OldOrderLinksService) {}

  @Get(':orderId/:secret')
  @Public()
  @OpensPage(true)
  async open(
    @Param('orderId') orderId: string,
    @Param('secret') secret: string,
    @Res() response: Response,
  ): Promise<void> {
    response.redirect(303, await this.links.newLinkOf(orderId, secret));
  }
}
